"""Runs tests that an answer holds: against right code, several times, and against every wrong version of it.

The code under test stands in a process that the tests cannot read, and never in the work folder: they can tell right
from wrong by what it does, and by nothing else.
"""

import secrets

from openassay.probes import scan, suites, work
from openassay.probes.code import python_code
from openassay.probes.suites import Outcome, Wanted
from openassay.probes.work import Files, Place
from openassay.sandbox.sandbox import Sandbox
from openassay.schema.canonical import thaw
from openassay.schema.checks import WrittenTestsOptions
from openassay.schema.errors import InputError
from openassay.schema.record import MILLION
from openassay.schema.sandbox import Guarantees, ProbeResult, Ran
from openassay.schema.task import Check, Task

RUNS = 3
"""Times that the tests are run against the right code before any other."""
RUNS_AMONG = 6
"""And again among the wrong versions, in no order that tests could foresee: those that fail by chance may pass three
times, hardly ever nine, and those that go by the clock find no stretch of time that holds wrong code alone."""
UNSTEADY = "runs against the right code differ: the tests are not steady"
_TOLD = 5


def probe(task: Task, check: Check, answer: str, files: Files, sandbox: Sandbox) -> ProbeResult:
    """What an answer's tests are worth; see `python.probe` for the arguments."""
    options = WrittenTestsOptions.model_validate(thaw(dict(check.options)))
    try:
        right = work.hidden(task, files, options.under_test).decode("utf-8-sig")
        mutants = _mutants(task, files, options.mutants)
    except InputError as fault:
        return work.not_ran(f"{fault.what} ({fault.where})")
    code = python_code(answer)
    if not code.text:
        return work.malformed(code.why, sandbox.guarantees())
    found = _Trial(code.text, options, _other_files(task, files, options), sandbox).judge(right, mutants)
    return found.model_copy(update={"flags": scan.flags(code.text)})


def _mutants(task: Task, files: Files, folder: str) -> dict[str, str]:
    inside = [entry.path for entry in task.files if entry.path.startswith(f"{folder}/") and entry.path.endswith(".py")]
    if not inside:
        raise InputError(f"the folder {folder!r} holds no wrong version", where=task.id, todo="add some, as .py files")
    return {path.rpartition("/")[2].removesuffix(".py"): files(path).decode("utf-8-sig") for path in inside}


def _other_files(task: Task, files: Files, options: WrittenTestsOptions) -> dict[str, bytes]:
    """What the tests find in their work folder: all but the code under test."""
    under = options.under_test.removeprefix(work.ENVIRONMENT)
    return {path: data for path, data in work.environment(task, files).items() if path != under}


def again(found: ProbeResult, check: Check) -> ProbeResult:
    """The same finding under another check's bar, so that tests are not run anew for it."""
    if not found.value:
        return found
    least = WrittenTestsOptions.model_validate(thaw(dict(check.options))).min_killed
    return found.model_copy(update={"passed": found.value >= least * MILLION})


class _Trial:
    """One answer's tests, to be tried on several versions of the code."""

    def __init__(self, tests: str, options: WrittenTestsOptions, tree: dict[str, bytes], sandbox: Sandbox) -> None:
        self._tests = tests
        self._options = options
        self._tree = tree
        self._sandbox = sandbox
        name = options.under_test.rpartition("/")[2]
        self._place = Place(name, name.removesuffix(".py"))

    def _run(self, source: str) -> Outcome:
        wanted = Wanted(tests=self._tests, place=self._place, tree=self._tree, source=source)
        return suites.run(wanted, work.limits(self._options.seconds, self._options.memory_mb), self._sandbox)

    def judge(self, right: str, mutants: dict[str, str]) -> ProbeResult:
        first = self._run(right)
        if first.broken:
            return work.malformed(f"the tests do not compile: {first.broken}", self._sandbox.guarantees())
        if not first.began:
            return work.not_ran(f"the sandbox's Python did not begin: {first.ran.output[-200:]}", first.ran)
        if trouble := _trouble(first):
            return _failed(first.ran, trouble)
        if not self._steady(right, first, RUNS - 1):
            return _failed(first.ran, UNSTEADY)
        turns = [*mutants, *[None] * RUNS_AMONG]
        secrets.SystemRandom().shuffle(turns)
        noticed: set[str] = set()
        for name in turns:
            if name is None and not self._steady(right, first, 1):
                return _failed(first.ran, UNSTEADY)
            if name is not None and _fails(self._run(mutants[name])):
                noticed.add(name)
        missed = [name for name in mutants if name not in noticed]
        killed = len(mutants) - len(missed)
        enough = killed >= self._options.min_killed * len(mutants)
        return ProbeResult(
            ran=True,
            passed=enough,
            reason=f"{len(first.tests)} tests pass right code; {killed} of {len(mutants)} wrong versions fail them",
            value=killed * MILLION // len(mutants),
            sandbox=first.ran.guarantees.words(),
            details=tuple(f"not noticed: {name}" for name in missed[:_TOLD]),
        )

    def _steady(self, right: str, first: Outcome, times: int) -> bool:
        """Whether further runs against the right code give what the first one gave."""
        runs = (self._run(right) for _ in range(times))
        return all(not _trouble(one) and one.tests == first.tests for one in runs)


def _trouble(outcome: Outcome) -> str:
    """Why tests do not pass on the right code; empty where they do."""
    if outcome.stopped:
        return f"the tests cannot be prepared: {outcome.stopped}"
    failed = [f"{name}: {why}" for name, fine, why in outcome.tests if not fine]
    if failed:
        return f"right code fails {len(failed)} of {len(outcome.tests)} tests: {failed[0]}"
    if not outcome.whole:
        return f"the tests did not run to their end: {work.STOPS[outcome.ran.ended]}"
    return "" if outcome.tests else "there is no test function"


def _fails(outcome: Outcome) -> bool:
    """Whether a run tells that the code is wrong: a test failed, or could not even end."""
    return not outcome.whole or not all(fine for _, fine, _ in outcome.tests)


def _failed(ran: Ran, reason: str) -> ProbeResult:
    words: Guarantees = ran.guarantees
    return ProbeResult(ran=True, passed=False, reason=reason, ended=ran.ended, value=0, sandbox=words.words())
