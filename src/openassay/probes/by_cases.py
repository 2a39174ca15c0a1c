"""Holds an answer's function to hidden cases: it is called in a sandbox, and what it gave is compared here."""

import json
from collections.abc import Sequence

from openassay.probes import work
from openassay.probes.cases import Case, asked, read_cases, trouble
from openassay.probes.work import Files, Place
from openassay.sandbox.sandbox import Sandbox
from openassay.schema.checks import PythonOptions
from openassay.schema.errors import InputError
from openassay.schema.record import MILLION
from openassay.schema.sandbox import Job, ProbeResult, Ran
from openassay.schema.task import Task

TOLD = 5
"""Most cases told in detail."""


def probe(task: Task, options: PythonOptions, files: Files, tree: dict[str, bytes], sandbox: Sandbox) -> ProbeResult:
    """See `python.probe`; `tree` is the work folder with the answer in it."""
    if options.cases is None:
        raise InputError("the check names no cases", where=task.id)
    cases = read_cases(work.hidden(task, files, options.cases), options.cases)
    function, place = options.function or "", Place.of(options)
    spec = {"module": place.module, "path": place.path, "cases": [asked(case, function) for case in cases]}
    ours = {**work.inside("wire.py", "load.py", "cases.py"), f"{work.OURS}/spec.json": json.dumps(spec).encode()}
    job = Job(
        argv=("python3", "-s", "-B", f"{work.OURS}/cases.py"),
        files={**tree, **ours},
        environment={"PYTHONHASHSEED": "0"},
        limits=work.limits(options.seconds, options.memory_mb),
    )
    return _read(cases, options, sandbox.run(job))


def _read(cases: Sequence[Case], options: PythonOptions, ran: Ran) -> ProbeResult:
    said = work.lines(ran)
    if not said or said[0] != {"ready": True}:
        return work.not_ran(f"the sandbox's Python did not begin: {work.STOPS[ran.ended]}; {ran.output[-200:]}", ran)
    if len(said) > 1 and "load" in said[1]:
        return _found(ran, cases, (), f"the code cannot be loaded: {work.exception(said[1]['load'])}")
    rows = said[1 : len(cases) + 1]
    told = []
    for number, (case, row) in enumerate(zip(cases, rows, strict=False)):
        if row.get("n") != number:
            break
        told.append(trouble(case, row, exact_sequences=options.sequences == "exact"))
    words = [f"{case.words(options.function or '')} {why}" for case, why in zip(cases, told, strict=False) if why]
    if len(told) < len(cases):
        words.insert(0, f"{cases[len(told)].words(options.function or '')} did not end: {work.STOPS[ran.ended]}")
    right = sum(not why for why in told)
    whole = right == len(cases) and said[len(cases) + 1 :] == [{"end": len(cases)}] and ran.ended == "exit"
    if right == len(cases) and not whole:
        words.append(f"after the last case: {work.STOPS[ran.ended]}")
    return _found(ran, cases, words, f"{right} of {len(cases)} cases are right", right=right, passed=whole)


def _found(  # what a result is made of
    ran: Ran, cases: Sequence[Case], details: Sequence[str], reason: str, *, right: int = 0, passed: bool = False
) -> ProbeResult:
    return ProbeResult(
        ran=True,
        passed=passed,
        reason=reason,
        ended=ran.ended,
        value=right * MILLION // len(cases),
        sandbox=ran.guarantees.words(),
        details=tuple(details[:TOLD]),
    )
