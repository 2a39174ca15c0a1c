"""Listens to the cells of a run as they are read once, and keeps what its judges did: bytes and counters, no text.

Not here: what it comes to (`judging`), what people decided (`people`).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from openassay.models.lineage import lineage_of, same_lineage
from openassay.reports.judging_contract import By, Relation
from openassay.reports.shares import Shares, Twice
from openassay.reports.tally import ScoredCell
from openassay.schema.attempt import Outcome, Scoring, Verdict
from openassay.schema.judging import Cause
from openassay.schema.models import PlannedModel
from openassay.schema.task import Task
from openassay.scorers.judge_reply import UNQUOTED

_BEST = ("met", "missed", "unread")
"""Of the verdicts that rest on one reply: one on several replies bears the worst of them, so the best is this one's."""


@dataclass(slots=True)
class Voice:
    """One judge."""

    usable: Shares = field(default_factory=Shares)
    missed: Shares = field(default_factory=Shares)
    unreadable: Shares = field(default_factory=Shares)
    same: Shares = field(default_factory=Shares)
    unquoted: Shares = field(default_factory=Shares)
    deciding: int = 0
    beside: int = 0
    uncounted: int = 0


class Sources:
    """A number for each source: a group of tasks, or a task without a group."""

    def __init__(self, tasks: Mapping[str, Task]) -> None:
        numbers: dict[tuple[bool, str], int] = {}
        self._of = {
            task.id: numbers.setdefault((True, task.group) if task.group else (False, task.id), len(numbers))
            for task in tasks.values()
        }

    def of(self, task: str) -> int:
        return self._of[task]


class Hearing:
    """What is counted of judges while cells pass by."""

    def __init__(
        self, judges: Sequence[PlannedModel], models: Sequence[PlannedModel], tasks: Mapping[str, Task]
    ) -> None:
        self.voices = {judge.name: Voice() for judge in judges}
        self.relations = {(a.name, b.name): relation(a, b) for a in judges for b in models}
        self.pairs: dict[tuple[str, str], dict[Relation, Twice]] = {
            (a.name, b.name): {} for a, b in combinations(judges, 2)
        }
        self.checks = 0
        self.causes: Counter[tuple[Cause, By]] = Counter()
        self.disputed: Counter[tuple[str, str]] = Counter()
        """(model, category) -> checks."""
        self.open: Counter[tuple[str, str]] = Counter()
        self.again = Twice()
        """The last two scorings."""
        self.lost = self.gained = 0
        self._primary = judges[0].name if judges else ""
        self._tasks = tasks
        self._sources = Sources(tasks)
        self._judged = {task.id: {one.id for one in task.checks if one.by == "judge"} for task in tasks.values()}

    def listen(self, cells: Iterable[ScoredCell]) -> Iterator[ScoredCell]:
        """The same cells, counted on their way."""
        for cell in cells:
            if cell.scoring is not None and cell.attempt.outcome == Outcome.ANSWERED:
                self._hear(cell, cell.scoring)
            yield cell

    def _hear(self, cell: ScoredCell, scoring: Scoring) -> None:
        task, unit = cell.attempt.task, self._sources.of(cell.attempt.task)
        said: dict[str, list[Verdict]] = {}
        for verdict in scoring.verdicts:
            if name := judge_of(verdict):
                said.setdefault(name, []).append(verdict)
        for name, verdicts in said.items():
            if name in self.voices:
                _count(self.voices[name], verdicts, unit)
        for pair, groups in self.pairs.items():
            group = groups.setdefault(self.relations[pair[0], cell.attempt.model], Twice())
            first, second = (first_said(said.get(name, ())) for name in pair)
            _compare(group, first, second, unit)
        judged = self._judged[task] | {one.check for verdicts in said.values() for one in verdicts}
        self._dispute((cell.attempt.model, self._tasks[task].category), scoring, judged)
        self._compare_scorings(cell, judged, unit)

    def _dispute(self, where: tuple[str, str], scoring: Scoring, judged: set[str]) -> None:
        for verdict in scoring.verdicts:
            if verdict.check not in judged or not verdict.decides:
                continue
            self.checks += 1
            if verdict.disputes:
                self.disputed[where] += 1
                self.open[where] += verdict.result == "unmeasurable"
                self.causes.update((cause, self._by(verdict)) for cause in verdict.disputes)

    def _by(self, verdict: Verdict) -> By:
        if verdict.result == "unmeasurable":
            return "nobody"
        if verdict.by != "judge":
            return "people" if verdict.by == "human" else "script"
        return "first" if judge_of(verdict) == self._primary else "second"

    def _compare_scorings(self, cell: ScoredCell, judged: set[str], unit: int) -> None:
        now = cell.machine or cell.scoring
        before = next((one for one in reversed(cell.earlier) if now and one.pass_number < now.pass_number), None)
        if now is None or before is None:
            return
        then, since = (_measured(one, judged) for one in (before, now))
        self.lost += len(then.keys() - since.keys())
        self.gained += len(since.keys() - then.keys())
        _compare(self.again, then, since, unit)


def judge_of(verdict: Verdict) -> str:
    """The judge who said it; empty where none did."""
    return verdict.who.partition(" ")[0] if verdict.by == "judge" and verdict.who != "nobody" else ""


def relation(judge: PlannedModel, candidate: PlannedModel) -> Relation:
    if not lineage_of(judge) or not lineage_of(candidate):
        return "unknown"
    return "own" if same_lineage(judge, candidate) else "other"


def first_said(verdicts: Iterable[Verdict]) -> dict[str, bool]:
    """Check -> whether a judge passes it, by the first of its passes that stands; what it did not measure is left out.

    The first, because it is the one that decides where nothing disputes it.
    """
    first: dict[str, Verdict] = {}
    for verdict in sorted(verdicts, key=lambda one: one.order):
        first.setdefault(verdict.check, verdict)
    return {check: one.result == "pass" for check, one in first.items() if one.result != "unmeasurable"}


def _measured(scoring: Scoring, judged: set[str]) -> dict[str, bool]:
    """Judged check -> whether it passes, of those in force."""
    return {
        one.check: one.result == "pass"
        for one in scoring.verdicts
        if one.decides and one.check in judged and one.result != "unmeasurable"
    }


def _compare(group: Twice, first: dict[str, bool], second: dict[str, bool], unit: int) -> None:
    group.judged += len(first)
    for check in first.keys() & second.keys():
        group.add(first[check], second[check], unit)


def _count(voice: Voice, verdicts: Sequence[Verdict], unit: int) -> None:
    for control in _controls(verdicts):
        voice.usable.add(control == "met", unit)
        voice.missed.add(control == "missed", unit)
        voice.unreadable.add(control == "unread", unit)
    passes: dict[str, list[str]] = {}
    for one in verdicts:
        passes.setdefault(one.check, []).append(one.result)
        voice.deciding += one.decides
        voice.beside += not one.decides
        voice.uncounted += one.decides and not one.counts
        if one.control == "met":
            voice.unquoted.add(UNQUOTED in one.flags, unit)
    for results in passes.values():
        if len(results) > 1 and "unmeasurable" not in results:
            voice.same.add(len(set(results)) == 1, unit)


def _controls(verdicts: Sequence[Verdict]) -> list[str]:
    """One a request: several checks may rest on one reply."""
    found: dict[tuple[int, str | None], str] = {}
    for one in verdicts:
        if one.control:
            # Of several replies behind one verdict, what came of each is known only where all were usable.
            for place in (one.object, *(one.more_objects if one.control == "met" else ())):
                key = (one.order, place)
                found[key] = min(found.get(key, one.control), one.control, key=_BEST.index)
    return list(found.values())
