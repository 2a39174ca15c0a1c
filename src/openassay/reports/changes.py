"""What could be left out of a benchmark, or scored otherwise: one check, one author, one source, soft checks, weights.

Each change makes other arrays of the same results. Not here: what a change does to a conclusion (`turns`).
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

import numpy as np
from pydantic import ValidationError

from openassay.reports.ballots import Ballot, Ballots, Counted, means
from openassay.reports.comparing_contract import Kind
from openassay.reports.table import Measured
from openassay.reports.words import counted
from openassay.schema.attempt import Verdict
from openassay.schema.canonical import thaw
from openassay.schema.checks import SCORERS
from openassay.schema.record import MILLION
from openassay.schema.task import Check, Task

STEP = 0.1
"""By how much a threshold is moved."""
THRESHOLDS = ("min_f1", "min_share", "min_killed", "min_agreement")
"""Options that say from which share on a check is met."""
Checks = tuple[Check, ...]


class Change(NamedTuple):
    kind: Kind
    name: str
    words: str
    """Such as ``leaving out the 6 items of author X``."""
    left_out: frozenset[str] = frozenset()
    """Ids of tasks that are left out as a whole."""
    checks: Callable[[Task], Checks] | None = None
    """The checklist as changed; None where it is the same."""
    moved: Callable[[Check, Verdict], Verdict] | None = None


def changes(measured: Measured, ballots: Ballots | None) -> Iterator[Change]:
    """Every change worth trying, those of the same kind beside each other, the largest first."""
    yield from _parts(measured, "author", lambda task: task.origin.author, "author {}")
    yield from _parts(measured, "source", lambda task: task.origin.source, "source {}")
    yield from _parts(measured, "group", lambda task: task.group, "group {}")
    if ballots is None:
        return
    yield from _checks(measured, "check", lambda check: check.id, "check {}")
    yield from _checks(measured, "scorer", lambda check: check.uses, "all checks by {}")
    if measured.measure == "score":
        yield from _soft(measured)
        yield from _weights(measured)
    yield from _thresholds(measured)


def changed(measured: Measured, change: Change, ballots: Ballots | None) -> Measured | None:
    """The same results under the change; None where nothing is left."""
    table, kept = measured.means.copy(), np.array([task.id not in change.left_out for task in measured.tasks])
    if ballots is not None and (change.checks or change.moved):
        for at, task in enumerate(measured.tasks):
            checks = change.checks(task) if change.checks else task.checks
            if checks != task.checks or change.moved:
                table[:, at] = _column(measured, change, ballots, task, checks)
        kept &= ~np.isnan(table).all(axis=0)
    if not kept.any():
        return None
    tasks = tuple(task for task, here in zip(measured.tasks, kept, strict=True) if here)
    return measured._replace(tasks=tasks, tried=measured.tried[kept], means=table[:, kept])


def touched(measured: Measured, after: Measured) -> int:
    """Items that are gone or have other results."""
    places = {task.id: at for at, task in enumerate(after.tasks)}
    return sum(
        task.id not in places
        or not np.array_equal(measured.means[:, at], after.means[:, places[task.id]], equal_nan=True)
        for at, task in enumerate(measured.tasks)
    )


def _column(measured: Measured, change: Change, ballots: Ballots, task: Task, checks: Checks) -> list[float]:
    known: dict[int, Counted] = {}
    moved: dict[int, Ballot] = {}
    found = []
    for model in measured.table.models:
        cast = [_moved(one, change, checks, moved) for one in ballots.by.get((model, task.id), [])]
        passed, score = means(cast, checks, known)
        value = passed if measured.measure == "pass rate" else score
        found.append(np.nan if value is None or not checks else value)
    return found


def _moved(ballot: Ballot, change: Change, checks: Checks, known: dict[int, Ballot]) -> Ballot:
    """The ballot with its verdicts changed; the same object for the same ballot."""
    if change.moved is None:
        return ballot
    if id(ballot) not in known:
        by_id = {check.id: check for check in checks}
        verdicts = tuple(change.moved(by_id[one.check], one) for one in ballot.verdicts if one.check in by_id)
        known[id(ballot)] = ballot._replace(verdicts=verdicts)
    return known[id(ballot)]


def _parts(measured: Measured, kind: Kind, of: Callable[[Task], str], words: str) -> Iterator[Change]:
    """Each part of the items in turn; none where all of them are one part, or every item is its own."""
    parts: dict[str, list[str]] = {}
    for task in measured.tasks:
        parts.setdefault(of(task), []).append(task.id)
    if len(parts) < 2 or max(map(len, parts.values())) < 2:  # noqa: PLR2004
        return
    for name, ids in _largest(parts):
        said = f"leaving out {_the(len(ids))} of {words.format(name)}"
        yield Change(kind, name, said, frozenset(ids))


def _the(number: int) -> str:
    return "the one item" if number == 1 else f"the {counted(number, 'item')}"


def _largest(parts: Mapping[str, list[str]]) -> list[tuple[str, list[str]]]:
    named = [(name, ids) for name, ids in parts.items() if name]
    return sorted(named, key=lambda part: (-len(part[1]), part[0]))


def _checks(measured: Measured, kind: Kind, of: Callable[[Check], str], words: str) -> Iterator[Change]:
    """Each check in turn that some tasks have beside others, or that only a part of the tasks has."""
    with_it: dict[str, list[str]] = {}
    for task in measured.tasks:
        counting = [check for check in task.checks if check.hard or measured.measure == "score"]
        for name in dict.fromkeys(map(of, counting)):
            with_it.setdefault(name, []).append(task.id)
    if len(with_it) < 2:  # noqa: PLR2004
        return
    for name, ids in _largest(with_it):
        said = f"leaving out {words.format(name)} ({counted(len(ids), 'item')})"
        yield Change(kind, name, said, checks=_without(of, name))


def _without(of: Callable[[Check], str], name: str) -> Callable[[Task], Checks]:
    return lambda task: tuple(check for check in task.checks if of(check) != name)


def _soft(measured: Measured) -> Iterator[Change]:
    if any(not check.hard for task in measured.tasks for check in task.checks):
        yield Change("soft", "soft checks", "leaving out all soft checks", checks=_hard)


def _hard(task: Task) -> Checks:
    return tuple(check for check in task.checks if check.hard)


def _weights(measured: Measured) -> Iterator[Change]:
    if any(len({check.weight for check in task.checks}) > 1 for task in measured.tasks):
        yield Change("weights", "equal weights", "giving every check the same weight", checks=_equal)


def _equal(task: Task) -> Checks:
    return tuple(check.model_copy(update={"weight": 1}) for check in task.checks)


def _thresholds(measured: Measured) -> Iterator[Change]:
    """Stricter and laxer by a tenth, where a scorer measures a share and demands some of it."""
    if measured.measure == "score" or all(threshold(c) is None for task in measured.tasks for c in task.checks):
        return
    for name, step in (("stricter", STEP), ("laxer", -STEP)):
        words = f"making every threshold {name} by {STEP:g}"
        yield Change("threshold", name, words, moved=partial(_judged, step))


def threshold(check: Check) -> float | None:
    """Share from which a check is met; None where it has none."""
    if check.uses not in SCORERS or not check.hard:
        return None
    try:
        options = SCORERS[check.uses].options.model_validate(
            {name: thaw(value) for name, value in check.options.items()}
        )
    except ValidationError:  # of a later version, or of a scorer that has changed
        return None
    if getattr(options, "min_kappa", None) is not None:
        return None  # its value is no share
    return next((value for name in THRESHOLDS if (value := getattr(options, name, None)) is not None), None)


def _judged(step: float, check: Check, verdict: Verdict) -> Verdict:
    demanded = threshold(check)
    if demanded is None or verdict.value is None or verdict.result == "unmeasurable":
        return verdict
    value = verdict.value / MILLION
    if (value >= demanded) != (verdict.result == "pass"):
        return verdict  # something else decided
    met = value >= min(1.0, max(0.0, demanded + step))
    return verdict.model_copy(update={"result": "pass" if met else "fail"})
