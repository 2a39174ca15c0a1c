"""Proof that a checklist can be met and can be failed, without any model.

For each task: its solution (or its reference, written as an answer) passes every hard script check, an empty answer
does not pass, and three scorings of the same answer are identical. Judged and human checks prove nothing here.
"""

from typing import Literal, NamedTuple

from openassay.probes.resolve import needs_sandbox
from openassay.runs.marking import compared_groups
from openassay.runs.probing import Blob, from_folder, probe_now, sandbox_for
from openassay.runs.scoring import score_answer
from openassay.sandbox.sandbox import Sandbox
from openassay.schema.attempt import Outcome, Verdict
from openassay.schema.benchmark import Benchmark
from openassay.schema.consent import VARIABLE, may_run
from openassay.schema.errors import InputError, SandboxError, ScorerError
from openassay.schema.task import Task
from openassay.scorers import gate
from openassay.tasks.oracle import oracle_answer

SCORINGS = 3


class Run(NamedTuple):
    """What it takes to run code."""

    blob: Blob
    sandbox: Sandbox | None
    why: str = ""
    """Why there is no sandbox."""


class Proof(NamedTuple):
    task: str
    status: Literal["proven", "failed", "unproven"]
    """`unproven`: no solution, no reference that is an answer, no hard script, or code that was not allowed."""
    reasons: tuple[str, ...] = ()


def prove(benchmark: Benchmark, *, unsafe: bool = False) -> tuple[Proof, ...]:
    """One proof a task, in the benchmark's order.

    Args:
        benchmark: loaded.
        unsafe: run code without a sandbox where there is none.
    """
    try:
        sandbox, why = sandbox_for(benchmark.tasks, unsafe=unsafe), ""
    except SandboxError as fault:
        sandbox, why = None, f"{fault.what}; {fault.todo}"
    run = Run(from_folder(benchmark), sandbox, why)
    oracles = {task.id: oracle_answer(task) for task in benchmark.tasks}
    siblings = siblings_of(benchmark)
    return tuple(prove_task(task, oracles[task.id], siblings.get(task.id, ()), run) for task in benchmark.tasks)


def prove_task(task: Task, oracle: str | None, siblings: tuple[str, ...] = (), run: Run | None = None) -> Proof:
    """The proof of one task; `oracle` is an answer that must pass."""
    if why := _unprovable(task, oracle, run):
        return Proof(task.id, "unproven", (why,))
    try:
        faults = _faults(task, oracle or "", siblings, run)
    except (ScorerError, SandboxError, InputError) as fault:
        return Proof(task.id, "failed", (f"our scorer broke: {fault.what}",))
    if faults:
        return Proof(task.id, "failed", faults)
    if not any(check.hard and check.by == "script" for check in task.checks):
        return Proof(task.id, "unproven", ("no hard check that a script decides",))
    return Proof(task.id, "proven")


def _unprovable(task: Task, oracle: str | None, run: Run | None) -> str:
    """Why nothing can be shown of this task; empty where it can."""
    if foreign := next((check.uses for check in task.checks if "." in check.uses and not may_run(check.uses)), ""):
        return f"`{foreign}` was not run: where you trust it, set {VARIABLE}={foreign}"
    if oracle is None:
        return "no solution, and no reference that can be written as an answer"
    if needs_sandbox(task) and (run is None or run.sandbox is None):
        return run.why if run else "nothing was run: no sandbox was given"
    return ""


def _faults(task: Task, oracle: str, siblings: tuple[str, ...], run: Run | None) -> tuple[str, ...]:
    def scored() -> tuple[Verdict, ...]:
        probes = probe_now(task, oracle, run.blob, run.sandbox) if run else {}
        return score_answer(task, oracle, Outcome.ANSWERED, siblings, probes=probes).verdicts

    scorings = [scored() for _ in range(SCORINGS)]
    empty = score_answer(task, "", Outcome.ANSWERED, siblings).verdicts
    found = [f"the solution does not pass {one.check}: {one.reason}" for one in _failed(task, scorings[0])]
    if any(one != scorings[0] for one in scorings[1:]):
        found.append(f"{SCORINGS} scorings of one answer differ")
    if gate.aggregate(task.checks, empty, Outcome.ANSWERED).passed and _hard(task):
        found.append("an empty answer passes every hard check")
    return tuple(found)


def _failed(task: Task, verdicts: tuple[Verdict, ...]) -> list[Verdict]:
    """Verdicts of hard script checks that are not a pass."""
    hard = _hard(task)
    return [one for one in verdicts if one.check in hard and one.result != "pass"]


def _hard(task: Task) -> set[str]:
    return {check.id for check in task.checks if check.hard and check.by == "script"}


def siblings_of(benchmark: Benchmark) -> dict[str, tuple[str, ...]]:
    """Task id -> the oracle answers of the rest of its group."""
    oracles = {task.id: oracle_answer(task) for task in benchmark.tasks}
    groups = compared_groups(benchmark.tasks)
    return {
        task: tuple(
            answer
            for other, name in groups.items()
            if name == group and other != task and (answer := oracles[other]) is not None
        )
        for task, group in groups.items()
    }
