"""One model in one category: from counts to rates with their intervals.

Not here: single items (`items`), the run as a whole (`summary`), sentences (`limits`, `advice`).
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress
from operator import attrgetter

import numpy as np

from openassay.reports.advice import advice
from openassay.reports.again import again, shown
from openassay.reports.contract import DimensionScore, Partial, Result
from openassay.reports.tally import GroupTally, ItemTally, Tally
from openassay.runs.judge_calls import JudgeCalls
from openassay.runs.reviews import Reviews
from openassay.schema.attempt import Attempt
from openassay.schema.benchmark import BenchmarkInfo, Category
from openassay.schema.judging import JudgePolicy, Standing
from openassay.schema.models import PlannedModel
from openassay.schema.plan import Draw, Plan, PlanFile, Settled
from openassay.schema.record import MILLION
from openassay.schema.task import Task
from openassay.stats import Strata, score_ci

AnswerOf = Callable[[Attempt], str]
"""The whole answer of an attempt."""


@dataclass(frozen=True)
class RunFacts:
    """All of a run but its cells."""

    id: str
    plan_file: PlanFile
    draw: Draw
    info: BenchmarkInfo
    tasks: Mapping[str, Task]
    spent: int
    """Micro-dollars, judges and unsettled calls included."""
    rejudged: tuple[PlannedModel, ...] | None = None
    """Judges of the last pass of re-scoring; null where there was none."""
    stopped: tuple[Settled, ...] = ()
    """Categories that ended early."""
    judge_policy: JudgePolicy = JudgePolicy()  # noqa: RUF009  # frozen
    """The rule about judges as of the last scoring."""
    standings: tuple[Standing, ...] | None = None
    """How the judges of the last scoring meet the benchmark's bar; null where it sets none."""
    judges_before: tuple[str, ...] = ()
    """Judges of the scoring before the last one."""
    judge_calls: Mapping[str, JudgeCalls] = field(default_factory=dict)
    reviews: Reviews = field(default_factory=Reviews)
    """What people decided."""
    answer_of: AnswerOf = attrgetter("answer")
    judge_todo: Mapping[str, str] = field(default_factory=dict)
    """Model on which no judge may decide -> what to do about it."""

    @property
    def plan(self) -> Plan:
        return self.plan_file.plan

    @property
    def judges(self) -> tuple[PlannedModel, ...]:
        """Those of the last scoring."""
        return self.plan.judges if self.rejudged is None else self.rejudged


Units = Sequence[tuple[bool, str]]
"""Of each item what it shares with others: its group, or itself; the flag keeps group names and task ids apart."""


@dataclass(frozen=True)
class Drawn:
    """The items of one category, the same for every model."""

    category: Category
    tasks: tuple[Task, ...]
    times: tuple[int, ...]
    """Attempts planned at each, over all draws."""

    @cached_property
    def planned(self) -> int:
        return sum(self.times)

    @cached_property
    def hard(self) -> tuple[bool, ...]:
        """Whether an item has a check that decides between pass and fail."""
        return tuple(any(check.hard for check in task.checks) for task in self.tasks)

    @cached_property
    def hard_tasks(self) -> tuple[Task, ...]:
        return tuple(compress(self.tasks, self.hard))

    @cached_property
    def hard_units(self) -> Units | None:
        return units_of(self.hard_tasks)

    @cached_property
    def units(self) -> Units | None:
        return units_of(self.tasks)


def units_of(tasks: Sequence[Task]) -> Units | None:
    """None where every item is its own, which is as good and needs no counting."""
    found = [(True, task.group) if task.group else (False, task.id) for task in tasks]
    return found if len(set(found)) < len(found) else None


@dataclass(frozen=True)
class Column:
    """One model in one category, with what is needed to judge it."""

    facts: RunFacts
    drawn: Drawn
    model: str
    counts: Tally

    @property
    def category(self) -> Category:
        return self.drawn.category

    @property
    def tasks(self) -> tuple[Task, ...]:
        return self.drawn.tasks

    @property
    def planned(self) -> int:
        return self.drawn.planned

    @cached_property
    def items(self) -> tuple[ItemTally, ...]:
        """Of each task, in their order."""
        known, model = self.counts.items, self.model
        return tuple(known.get((model, task.id)) or ItemTally() for task in self.tasks)

    @cached_property
    def hard_items(self) -> tuple[ItemTally, ...]:
        """Of the tasks with a hard check."""
        return tuple(compress(self.items, self.drawn.hard))

    @property
    def group(self) -> GroupTally:
        return self.counts.groups.get((self.model, self.category.id), GroupTally())

    @property
    def unanswered(self) -> int:
        """What a person has not answered yet; a person is the only endpoint that nobody can lose an answer to."""
        manual = any(one.name == self.model and one.endpoint == "manual" for one in self.facts.plan.models)
        return self.planned - self.group.finished if manual else 0


def result(column: Column) -> Result:
    group, planned = column.group, column.planned
    whole = group.scored == planned
    passed = sum(item.passed for item in column.hard_items)
    passable = sum(item.scored for item in column.hard_items)
    per_item = set(column.drawn.times)
    return Result(
        run=column.facts.id,
        model=column.model,
        category=column.category.id,
        track=column.category.track,
        n_items=len(column.tasks),
        n_attempts=group.finished,
        attempts_per_item=per_item.pop() if len(per_item) == 1 else None,
        planned=planned,
        finished=group.finished,
        scored=group.scored,
        headline=f"{group.scored:,} scored of {planned:,} planned",
        passed=passed,
        passable=passable,
        partial=None if whole else Partial(scored=group.scored, passed=passed, failed=passable - passed),
        **(_rates(column) if whole else _NO_RATES),
        **_spent(group),
        outcomes=dict(group.outcomes),
        cut_at=tuple(sorted(group.cut_at)),
        unanswered=column.unanswered,
        undecided=group.undecided,
        unmeasured=group.unmeasured,
        uncounted=group.uncounted,
        judged=group.judged,
        unsafe=group.unsafe,
        advice=advice(
            group.outcomes,
            group.undecided,
            cut_at=sorted(group.cut_at),
            run=column.facts.id,
            unanswered=column.unanswered,
            judge_todo=column.facts.judge_todo.get(column.model, ""),
        ),
    )


_NO_RATES: dict[str, object] = {"pass_rate": None, "interval": None, "score": None, "score_interval": None}


def _rates(column: Column) -> dict[str, object]:
    """Rates of a result in which everything planned is scored."""
    found, drawn = dict(_NO_RATES), column.drawn
    tried = column.hard_items
    if tried:
        means = [item.passed / item.scored for item in tried]
        tries, strata = [item.scored for item in tried], _strata(column.facts.draw, drawn.hard_tasks)
        estimate = score_ci(means, attempts=tries, clusters=drawn.hard_units, strata=strata)
        found |= {"pass_rate": estimate.value, "interval": shown(estimate), "n_effective": estimate.n_eff}
        found |= {"n_units": estimate.n_units, "few_sources": estimate.few_groups}
        found["pool_interval"] = _of_pool(column, means, tries, strata)
        found |= again([item.passed for item in tried], tries, drawn.hard_units)
    rated = [item for item in column.items if item.rated]
    if rated:
        shares = [item.score / item.rated / MILLION for item in rated]
        whole = len(rated) == len(drawn.tasks)
        tasks = drawn.tasks if whole else tuple(compress(drawn.tasks, [item.rated for item in column.items]))
        strata, units = _strata(column.facts.draw, tasks), drawn.units if whole else units_of(tasks)
        estimate = score_ci(shares, clusters=units, fractional=True, strata=strata)
        found |= {"score": estimate.value, "score_interval": shown(estimate)}
        found |= {"n_units": estimate.n_units, "few_sources": estimate.few_groups}
        found["by_dimension"] = _by_dimension(rated)
    return found


def _of_pool(
    column: Column, means: Sequence[float], tries: Sequence[int], strata: Strata | None
) -> tuple[float, float] | None:
    """The interval of a claim about the frozen pool alone, where some of it was drawn, each item once and by itself."""
    pool = column.facts.draw.pool.get(column.category.id, 0)
    if not len(means) == len(column.tasks) < pool or any(task.group for task in column.tasks):
        return None
    estimate = score_ci(means, attempts=tries, strata=strata, pool_size=pool)
    return estimate.lo, estimate.hi


def _strata(draw: Draw, tasks: Sequence[Task]) -> Strata | None:
    """How the items were drawn by difficulty; None where they were not, or where a stratum has none of these."""
    of: dict[Hashable, float] = {
        one.label: one.share / MILLION for one in draw.strata if tasks and one.category == tasks[0].category
    }
    labels = [draw.stratum_of.get(task.id) for task in tasks] if of else []
    return Strata(labels, of) if of and set(labels) == set(of) else None


def _by_dimension(items: Sequence[ItemTally]) -> dict[str, DimensionScore]:
    names = sorted({name for item in items for name in item.dimensions})
    return {name: _dimension([item.dimensions[name] for item in items if name in item.dimensions]) for name in names}


def _dimension(pairs: Sequence[list[int]]) -> DimensionScore:
    return DimensionScore(score=sum(s / n for s, n in pairs) / len(pairs) / MILLION, n_items=len(pairs))


def _spent(group: GroupTally) -> dict[str, object]:
    took = np.frombuffer(group.took_ms, dtype=np.uint64) / 1000 if group.took_ms else None
    return {
        "cost_usd": group.cost / MILLION,
        "tokens_in": group.tokens_in,
        "tokens_out": group.tokens_out,
        "tokens_reasoning": group.tokens_reasoning,
        "usage_unknown": group.usage_unknown,
        "seconds": None if took is None else float(np.mean(took)),
        "seconds_median": None if took is None else float(np.median(took)),
    }
