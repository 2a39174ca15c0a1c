"""Counts over the cells of a run, read once in any order. Keeps counters per model and task, never a text.

Not here: rates and intervals (`summary`), what was said (`attempts`).
"""

from array import array
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from openassay.schema.attempt import ABOUT_THE_MODEL, Attempt, Outcome, Scoring, Verdict
from openassay.schema.message import Finish
from openassay.schema.task import Task

MARKS = (
    *("pass", "fail", "cut", "empty", "malformed", "timeout", "quality"),
    *("undecided", "waiting", "endpoint", "scorer"),
)
"""What one attempt came to, in one word. The first seven are scored; the others say nothing about the model yet."""

SCORED_MARKS = frozenset(MARKS[:7])

_OUTCOME_MARKS = {
    Outcome.LIMIT_REACHED: "cut",
    Outcome.NO_ANSWER: "empty",
    Outcome.FORMAT_ERROR: "malformed",
    Outcome.INFRASTRUCTURE_ERROR: "endpoint",
    Outcome.SCORER_ERROR: "scorer",
}


LimitOf = Callable[[str, str], int]
TIMED_OUT = "timed_out"
"""Among `outcomes`: answered, and what was answered ran into a time limit."""


class ScoredCell(Protocol):
    """One finished cell: the attempt and its latest scoring."""

    @property
    def attempt(self) -> Attempt: ...

    @property
    def scoring(self) -> Scoring | None: ...

    @property
    def earlier(self) -> tuple[Scoring, ...]:
        """From earlier passes of scoring, oldest first."""
        ...

    @property
    def machine(self) -> Scoring | None:
        """Without people's decisions, where `scoring` holds some."""
        ...


class Reading(NamedTuple):
    """One cell as it counts."""

    outcome: Outcome
    mark: str
    passed: bool | None
    """Null where the task has no hard check."""
    counted: int | None
    """Score in millionths, 0 behind a failed gate; null where no check was measured."""

    @property
    def scored(self) -> bool:
        return self.mark in SCORED_MARKS


def read(attempt: Attempt, scoring: Scoring | None, *, hard: bool) -> Reading:
    """How a cell counts.

    An answered cell counts once it is scored; where its hard checks could not be measured it waits for people. Cut
    off, empty and malformed answers count as not passed.
    """
    outcome = scoring.score.outcome if scoring else attempt.outcome
    mark = _OUTCOME_MARKS.get(outcome)
    counted = scoring.score.counted if scoring else None
    if mark is not None:
        about = outcome in ABOUT_THE_MODEL
        return Reading(outcome, mark, False if about and hard else None, (counted or 0) if about else None)
    if scoring is None:
        return Reading(outcome, "waiting", None, None)
    if hard and scoring.score.passed is not None:
        mark = "pass" if scoring.score.passed else "timeout" if _timed_out(scoring) else "fail"
        return Reading(outcome, mark, scoring.score.passed, counted)
    return Reading(outcome, "undecided" if hard or counted is None else "quality", None, counted)


def _timed_out(scoring: Scoring) -> bool:
    return any(one.ended == TIMED_OUT and one.decides for one in scoring.verdicts)


@dataclass(slots=True)
class ItemTally:
    """One model on one task, over draws and attempts."""

    scored: int = 0
    passed: int = 0
    rated: int = 0
    """Scored attempts with a score."""
    score: int = 0
    """Sum over these, in millionths."""
    marks: list[int] = field(default_factory=list)
    """Per attempt ``order * 16 + index into MARKS``; see `words_of`."""
    dimensions: dict[str, list[int]] = field(default_factory=dict)
    """Dimension -> [sum in millionths, attempts]."""
    unsure: bool = False
    """A judge gave no usable verdict, or two judges differed."""
    cost: int = 0
    """Micro-dollars for all attempts; judges left out."""
    took_ms: int = 0
    """Of the last calls of all attempts."""


def words_of(marks: Iterable[int]) -> tuple[str, ...]:
    """`ItemTally.marks` in words, attempt by attempt."""
    return tuple(MARKS[code % 16] for code in sorted(marks))


@dataclass(slots=True)
class GroupTally:
    """One model in one category."""

    finished: int = 0
    """Attempts that say something about the model, scored or not."""
    scored: int = 0
    undecided: int = 0
    unmeasured: int = 0
    """Checks of scored answers that could not be measured."""
    uncounted: int = 0
    """Verdicts on soft checks that are shown and not counted."""
    imported: int = 0
    cost: int = 0
    """Micro-dollars; judges left out."""
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_reasoning: int = 0
    usage_unknown: int = 0
    """Attempts whose endpoint reported no usage."""
    outcomes: dict[str, int] = field(default_factory=dict)
    took_ms: "array[int]" = field(default_factory=lambda: array("Q"))
    reported: set[str] = field(default_factory=set)
    """Versions that the endpoint says answered."""
    judged: int = 0
    """Verdicts that judges gave."""
    unsafe: int = 0
    """Verdicts on code that ran without a sandbox."""
    cut_at: set[int] = field(default_factory=set)
    """Token limits at which answers were cut off."""


@dataclass(slots=True)
class Tally:
    groups: dict[tuple[str, str], GroupTally] = field(default_factory=dict)
    """(model, category)."""
    items: dict[tuple[str, str], ItemTally] = field(default_factory=dict)
    """(model, task)."""

    def group(self, model: str, category: str) -> GroupTally:
        if (found := self.groups.get((model, category))) is None:
            found = self.groups[model, category] = GroupTally()
        return found

    def item(self, model: str, task: str) -> ItemTally:
        if (found := self.items.get((model, task))) is None:
            found = self.items[model, task] = ItemTally()
        return found


def tally(cells: Iterable[ScoredCell], tasks: Mapping[str, Task], attempts: int, limit_of: LimitOf) -> Tally:
    """Count all cells.

    Args:
        cells: each finished cell once, in any order.
        tasks: every drawn task by id.
        attempts: attempts a draw, to put the attempts of a task in order.
        limit_of: (model, task id) -> most tokens of an answer.
    """
    counts = Tally()
    hard = {task.id: any(check.hard for check in task.checks) for task in tasks.values()}
    for cell in cells:
        attempt = cell.attempt
        reading = read(attempt, cell.scoring, hard=hard[attempt.task])
        group = counts.group(attempt.model, tasks[attempt.task].category)
        _count_group(group, attempt, cell.scoring, reading)
        if attempt.finish is Finish.LENGTH:
            group.cut_at.add(limit_of(attempt.model, attempt.task))
        order = attempt.draw * attempts + attempt.attempt
        item = counts.item(attempt.model, attempt.task)
        item.cost += attempt.cost
        item.took_ms += max(attempt.took_ms, 0)
        _count_item(item, order, cell.scoring, reading)
    return counts


def _count_group(group: GroupTally, attempt: Attempt, scoring: Scoring | None, reading: Reading) -> None:
    group.finished += attempt.outcome in ABOUT_THE_MODEL
    group.scored += reading.scored
    group.undecided += reading.mark == "undecided"
    outcome = TIMED_OUT if reading.mark == "timeout" else reading.outcome.value
    group.outcomes[outcome] = group.outcomes.get(outcome, 0) + 1
    group.imported += attempt.imported
    group.cost += attempt.cost
    if attempt.took_ms or not attempt.imported:  # of an answer from outside the time may not be known
        group.took_ms.append(max(attempt.took_ms, 0))
    group.tokens_in += attempt.usage.tokens_in or 0
    group.tokens_out += attempt.usage.tokens_out or 0
    group.tokens_reasoning += attempt.usage.tokens_reasoning or 0
    group.usage_unknown += attempt.usage.tokens_out is None
    if attempt.model_reported:
        group.reported.add(attempt.model_reported)
    if scoring:
        group.unmeasured += len(scoring.score.unmeasured)
        group.uncounted += len(scoring.score.uncounted)
        group.judged += sum(map(_by_judge, scoring.verdicts))
        group.unsafe += sum(one.sandbox.startswith("none") for one in scoring.verdicts)


def _count_item(item: ItemTally, order: int, scoring: Scoring | None, reading: Reading) -> None:
    item.marks.append(order * 16 + MARKS.index(reading.mark))
    item.unsure = item.unsure or (scoring is not None and judge_unsure(scoring))
    if not reading.scored:
        return
    item.scored += 1
    item.passed += reading.passed is True
    if reading.counted is None:
        return
    item.rated += 1
    item.score += reading.counted
    for name, share in scoring.score.dimensions.items() if scoring else ():
        pair = item.dimensions.setdefault(name, [0, 0])
        pair[0] += share
        pair[1] += 1


def judge_unsure(scoring: Scoring) -> bool:
    """Whether a judge gave no usable verdict, two judges differ on one check, or a check was disputed.

    A draw for the audit says nothing of a verdict.
    """
    seen: dict[str, str] = {}
    for verdict in scoring.verdicts:
        if set(verdict.disputes) - {"audit"}:
            return True
        if not _by_judge(verdict):
            continue
        if verdict.result == "unmeasurable" or seen.setdefault(verdict.check, verdict.result) != verdict.result:
            return True
    return False


def _by_judge(verdict: Verdict) -> bool:
    """Whether a judge said this; a verdict by nobody only says that no judge could be asked."""
    return verdict.by == "judge" and verdict.who != "nobody"
