"""Proves a task that runs code: wrong versions of its solution are caught, cheats fail, unusual honest answers pass.

First everything that `runs.prove` shows of any task. Not here: what is tried (`mutate`, `cheats`), where it is kept
(`evidence`).
"""

import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median

from openassay.authoring import cheats, mutate
from openassay.probes.code import defined_names, python_code
from openassay.runs import evidence
from openassay.runs.evidence import TaskProof
from openassay.runs.probing import probe_now
from openassay.runs.prove import Proof, Run, prove_task
from openassay.runs.scoring import score_answer
from openassay.schema.attempt import Outcome
from openassay.schema.task import Check, Task
from openassay.scorers import gate
from openassay.tasks.oracle import oracle_answer

SECONDS = 3
"""For an answer that is wrong on purpose: most that never end are known by then."""
TIMED = 3
WIDTH = 2
"""Sandboxes at once."""


def prove(task: Task, run: Run, folder: Path | None, siblings: tuple[str, ...] = ()) -> TaskProof:
    """Everything that can be shown of one task without a model.

    Args:
        task: loaded.
        run: reads its files, and a sandbox where it needs one.
        folder: of the task, with what people have written on its mutants; None for a line of an items file.
        siblings: oracle answers of its group.
    """
    oracle = oracle_answer(task)
    plain = prove_task(task, oracle, siblings, run)
    check = next((one for one in task.checks if one.uses in _PROVERS and one.hard), None)
    if plain.status != "proven" or check is None or oracle is None:
        return _plain(task, plain)
    return _PROVERS[check.uses](_Trial(task, check, run, folder, oracle))


def _plain(task: Task, proof: Proof) -> TaskProof:
    return TaskProof(task=task.id, identity=task.identity, status=proof.status, reasons=proof.reasons)


class _Trial:
    """One task whose solution passes, to be tried with other answers."""

    def __init__(self, task: Task, check: Check, run: Run, folder: Path | None, oracle: str) -> None:
        self.task = task
        self.check = check
        self.folder = folder
        self.oracle = oracle
        self._run = run
        self._hasty = task.model_copy(update={"checks": tuple(map(_hastened, task.checks))})

    def passes(self, answer: str, *, hasty: bool = True) -> bool | None:
        """Whether an answer passes every hard check; null where it cannot be told."""
        task = self._hasty if hasty else self.task
        probes = probe_now(task, answer, self._run.blob, self._run.sandbox)
        verdicts = score_answer(task, answer, Outcome.ANSWERED, probes=probes).verdicts
        return gate.aggregate(task.checks, verdicts, Outcome.ANSWERED).passed

    def passing(self, answers: dict[str, str]) -> tuple[str, ...]:
        """The titles of those that pass; several are tried at once."""
        with ThreadPoolExecutor(WIDTH) as pool:
            found = list(pool.map(self.passes, answers.values()))
        return tuple(title for title, passed in zip(answers, found, strict=True) if passed)

    def seconds(self) -> str:
        times = [_timed(lambda: self.passes(self.oracle, hasty=False)) for _ in range(TIMED)]
        return f"{median(times):.2f}"

    def file(self, path: str) -> str:
        return self._run.blob(self.task, path).decode("utf-8-sig")

    def unusual(self) -> dict[str, str]:
        """Honest answers that look unlike the solution, written beside it."""
        names = [one.path for one in self.task.files if one.path.startswith("solution/unusual_")]
        texts = {path.rpartition("/")[2]: self.file(path) for path in names}
        return {name: text if "```" in text else f"```python\n{text}\n```" for name, text in texts.items()}

    def sandbox(self) -> str:
        return self._run.sandbox.guarantees().words() if self._run.sandbox else ""


def _hastened(check: Check) -> Check:
    seconds = check.options.get("seconds", SECONDS)
    if check.uses not in _PROVERS or not isinstance(seconds, int):
        return check
    return check.model_copy(update={"options": {**check.options, "seconds": min(seconds, SECONDS)}})


def _timed(work: Callable[[], object]) -> float:
    began = time.monotonic()
    work()
    return time.monotonic() - began


def _prove_python(trial: _Trial) -> TaskProof:
    function = trial.check.options.get("function")
    code = python_code(trial.oracle, str(function) if function else None).text
    versions = {one.name: f"```python\n{one.source}\n```" for one in mutate.mutants(code)}
    survived = trial.passing(versions)
    known = evidence.equivalents(trial.folder) if trial.folder else frozenset()
    names = [str(function)] if function else sorted(defined_names(code))
    tried = {**cheats.answers(names), **_unchanged(trial)}
    return _sum_up(
        trial,
        mutants=len(versions),
        equivalent=[one for one in survived if one in known],
        missed=[one for one in survived if one not in known],
        cheats=tried,
    )


def _unchanged(trial: _Trial) -> dict[str, str]:
    """The file as it was given, where the answer is a file."""
    file = trial.check.options.get("file")
    if not isinstance(file, str):
        return {}
    path = file if file.startswith("environment/") else f"environment/{file}"
    return {"the file as it was": f"```python\n{trial.file(path)}\n```"}


def _prove_written_tests(trial: _Trial) -> TaskProof:
    under = str(trial.check.options["under_test"])
    return _sum_up(trial, cheats=cheats.test_files(under.rpartition("/")[2].removesuffix(".py")))


def _prove_command(trial: _Trial) -> TaskProof:
    return _sum_up(trial, cheats={})


def _sum_up(
    trial: _Trial,
    *,
    cheats: dict[str, str],
    mutants: int = 0,
    equivalent: Iterable[str] = (),
    missed: Iterable[str] = (),
) -> TaskProof:
    cheated = trial.passing(cheats)
    unusual = trial.unusual()
    refused = tuple(sorted(set(unusual) - set(trial.passing(unusual))))
    equal, lost = tuple(equivalent), tuple(missed)
    reasons = [f"a cheat passes: {title}" for title in cheated]
    reasons += [f"an honest solution fails: {name}" for name in refused]
    return TaskProof(
        task=trial.task.id,
        identity=trial.task.identity,
        status="failed" if reasons else "proven",
        reasons=tuple(reasons),
        mutants=mutants,
        caught=mutants - len(equal) - len(lost),
        equivalent=equal,
        missed=lost,
        cheats=len(cheats),
        cheated=cheated,
        unusual=len(unusual),
        unusual_failed=refused,
        seconds=trial.seconds(),
        sandbox=trial.sandbox(),
    )


_PROVERS: dict[str, Callable[[_Trial], TaskProof]] = {
    "python": _prove_python,
    "written_tests": _prove_written_tests,
    "command": _prove_command,
}
