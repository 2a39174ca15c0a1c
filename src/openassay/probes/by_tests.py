"""Holds an answer to hidden test functions, which run in another process than it does."""

from openassay.probes import suites, work
from openassay.probes.suites import Outcome, Wanted
from openassay.probes.work import Files, Place
from openassay.sandbox.sandbox import Sandbox
from openassay.schema.checks import PythonOptions
from openassay.schema.errors import InputError
from openassay.schema.record import MILLION
from openassay.schema.sandbox import ProbeResult
from openassay.schema.task import Task

TOLD = 5


def probe(task: Task, options: PythonOptions, files: Files, tree: dict[str, bytes], sandbox: Sandbox) -> ProbeResult:
    """See `python.probe`; `tree` is the work folder with the answer in it."""
    tests = work.hidden(task, files, options.tests or "").decode("utf-8-sig")
    expected = suites.expected_ids(tests)
    if not expected:
        raise InputError("the file holds no test function", where=options.tests or "", todo="name them test_...")
    wanted = Wanted(tests=tests, place=Place.of(options), tree=tree, function=options.function)
    outcome = suites.run(wanted, work.limits(options.seconds, options.memory_mb), sandbox)
    if outcome.broken or not outcome.began:
        why = outcome.broken or f"{work.STOPS[outcome.ran.ended]}; {outcome.ran.output[-200:]}"
        return work.not_ran(f"no test ran: {why}", outcome.ran)
    return _found(outcome, expected)


def _found(outcome: Outcome, expected: tuple[str, ...]) -> ProbeResult:
    """Every expected test must have run and passed; parameters make several of one."""
    passed: dict[str, bool] = {}
    for name, fine, _why in outcome.tests:
        base = name.partition("[")[0]
        passed[base] = passed.get(base, True) and fine
    right = sum(passed.get(name, False) for name in expected)
    missing = [name for name in expected if name not in passed]
    details = [f"{name}: {why}" for name, fine, why in outcome.tests if not fine]
    if outcome.stopped:
        details.insert(0, f"the code cannot be used: {outcome.stopped}")
    elif missing:
        details.append(f"{missing[0]} did not end: {work.STOPS[outcome.ran.ended]}")
    whole = outcome.whole and not missing and right == len(expected)
    if right == len(expected) and not whole:
        details.append(f"after the last test: {work.STOPS[outcome.ran.ended]}")
    return ProbeResult(
        ran=True,
        passed=whole,
        reason=f"{right} of {len(expected)} tests pass",
        ended=outcome.ran.ended,
        value=right * MILLION // len(expected),
        sandbox=outcome.ran.guarantees.words(),
        details=tuple(details[:TOLD]),
    )
