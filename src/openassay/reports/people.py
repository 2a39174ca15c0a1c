"""What people's verdicts say of the judges: agreement on a random audit, and the pass rate that people would give.

Only what was drawn at random, with known probability, says something of the rest. Disputed checks that people decided
stand apart. Not here: whose verdict is in force (`runs.reviews`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from openassay.reports.hearing import judge_of
from openassay.reports.judging_contract import AgainstPeople, CorrectedRate, PeopleFacts
from openassay.reports.shares import beyond, rate, rate_of
from openassay.reports.tally import ScoredCell
from openassay.runs.books import cell_of
from openassay.runs.reviews import VOTES, Reviews, applies, decided
from openassay.schema.attempt import Outcome, Verdict
from openassay.schema.record import MILLION
from openassay.schema.review import Review
from openassay.schema.task import Task
from openassay.stats import judge_report, krippendorff_alpha, ppi_mean
from openassay.stats.correction import FEWEST_LABELS


class Label(NamedTuple):
    """A judged check that people decided too."""

    judge: str
    judged: bool
    truth: bool
    unit: int
    weight: float
    """Inverse chance to be drawn."""


@dataclass(slots=True)
class Group:
    """Judged checks of one model in one category."""

    labels: list[Label] = field(default_factory=list)
    rest: bytearray = field(default_factory=bytearray)
    """What judges say where people did not; 1 for a pass."""
    units: list[int] = field(default_factory=list)


class People:
    """Listens to cells, beside the reviews."""

    def __init__(self, reviews: Reviews, task_of: Callable[[str], Task], source_of: Callable[[str], int]) -> None:
        self._reviews = reviews
        self._task_of = task_of
        self._source_of = source_of
        self._groups: dict[tuple[str, str], Group] = {}
        self._twice: list[tuple[int, list[str]]] = []
        self._disputed: list[bool] = []

    def hear(self, cell: ScoredCell) -> None:
        """Take note of one cell; without reviews nothing is kept."""
        scoring = cell.machine or cell.scoring
        if not len(self._reviews) or scoring is None or cell.attempt.outcome != Outcome.ANSWERED:
            return
        attempt = cell.attempt
        task, said = self._task_of(attempt.task), self._reviews.of(cell_of(attempt))
        checks = {check.id: check for check in task.checks}
        group = self._groups.setdefault((attempt.model, task.category), Group())
        for verdict in scoring.verdicts:
            if verdict.decides and verdict.check in checks:
                mine = [one for one in said if applies(one, checks[verdict.check], verdict.evidence)]
                self._note(group, verdict, mine, self._source_of(task.id))

    def _note(self, group: Group, verdict: Verdict, mine: Sequence[Review], unit: int) -> None:
        votes = [one.result for one in mine if one.result in VOTES]
        if len(votes) > 1:
            self._twice.append((unit, list(votes)))
        result = decided(mine).result
        judge = judge_of(verdict) if verdict.result != "unmeasurable" else ""
        chance = max((one.probability or 0 for one in mine), default=0)
        if result is not None and judge and chance:
            weight = max(1.0, MILLION / chance)
            group.labels.append(Label(judge, verdict.result == "pass", result == "pass", unit, weight))
            return
        if result is not None:
            self._disputed.append(result == "pass")
        if judge:
            group.rest.append(verdict.result == "pass")
            group.units.append(unit)

    def found(self) -> PeopleFacts | None:
        """None where nobody decided anything."""
        labels = [label for group in self._groups.values() for label in group.labels]
        if not labels and not self._disputed and not self._twice:
            return None
        judges = list(dict.fromkeys(label.judge for label in labels))
        each = [(name, [label for label in labels if label.judge == name]) for name in judges]
        alpha = krippendorff_alpha([votes for _, votes in self._twice], clusters=[unit for unit, _ in self._twice])
        return PeopleFacts(
            raters=len(self._reviews.raters),
            decided=len(labels) + len(self._disputed),
            audited=len(labels),
            audit=tuple(_against(name, some) for name, some in ([("", labels)] if len(each) > 1 else []) + each),
            disputed=len(self._disputed),
            disputed_passed=sum(self._disputed),
            alpha=beyond(alpha),
            rated_twice=len(self._twice),
            corrected=tuple(
                _corrected(where, group) for where, group in self._groups.items() if group.labels or group.rest
            ),
        )


def _against(judge: str, labels: Sequence[Label]) -> AgainstPeople:
    words = ("fail", "pass")
    found = judge_report(
        [words[one.truth] for one in labels],
        [words[one.judged] for one in labels],
        clusters=[one.unit for one in labels],
    )
    both = found.agreement
    same = rate(both.raw) if both else None
    if both is None or same is None:  # pragma: no cover  (every label has a verdict)
        raise ValueError("expected labels with a verdict")
    return AgainstPeople(
        judge=judge,
        agreement=same,
        kappa=beyond(both.kappa),
        ac1=beyond(both.ac1),
        passed_of_passing=rate(found.sensitivity),
        failed_of_failing=rate(found.specificity),
    )


def _corrected(where: tuple[str, str], group: Group) -> CorrectedRate:
    said = bytearray(label.judged for label in group.labels) + group.rest
    units = [label.unit for label in group.labels] + group.units
    alone = rate_of(said, units)
    if alone is None:  # pragma: no cover  (only groups with verdicts come here)
        raise ValueError("expected judged checks")
    value, interval, method, notes = _as_people(group, units)
    return CorrectedRate(
        model=where[0],
        category=where[1],
        labels=len(group.labels),
        wanted=FEWEST_LABELS,
        judged=len(said),
        judge_only=alone,
        value=value,
        interval=interval,
        method=method,
        notes=notes,
    )


def _as_people(
    group: Group, units: Sequence[int]
) -> tuple[float | None, tuple[float, float] | None, str, tuple[str, ...]]:
    labels = group.labels
    if len(labels) < FEWEST_LABELS:
        return None, None, f"too few people's verdicts to correct ({len(labels)} of {FEWEST_LABELS} wanted)", ()
    weights = [label.weight for label in labels]
    found = ppi_mean(
        [float(label.truth) for label in labels],
        [float(label.judged) for label in labels],
        [float(one) for one in group.rest],
        # Equal chances say nothing more, and some that were drawn may still wait for a person.
        weights=weights if len(set(weights)) > 1 else None,
        clusters=units,
    )
    return found.value, (found.lo, found.hi), found.method, found.notes
