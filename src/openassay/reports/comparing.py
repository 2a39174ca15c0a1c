"""Everything that a report says of the models of one run beside each other, category by category.

Not here: each part (`pairs`, `item_facts`, `small`, `turns`), a single model's rates (`results`).
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

from openassay.reports.again import shares_of_judgements
from openassay.reports.ballots import Ballots
from openassay.reports.comparing_contract import Differentiation, Pair, Ranks, SaturationFacts, Steadiness
from openassay.reports.contract import Item, Result
from openassay.reports.item_facts import Screened, saturation, screened, sent_to, with_bounds, with_facts
from openassay.reports.pairs import pairs_of, ranks_of
from openassay.reports.results import Column, RunFacts
from openassay.reports.small import differentiation
from openassay.reports.steps import Means
from openassay.reports.table import Table, measures, table_of
from openassay.reports.turns import steadiness
from openassay.schema.record import MILLION

One = TypeVar("One")


class Comparison(NamedTuple):
    """Fields of `Summary`, by their names."""

    pairs: tuple[Pair, ...] = ()
    ranks: tuple[Ranks, ...] = ()
    saturation: tuple[SaturationFacts, ...] = ()
    steadiness: tuple[Steadiness, ...] = ()
    differentiation: tuple[Differentiation, ...] = ()


class Compared(NamedTuple):
    comparison: Comparison
    results: tuple[Result, ...]
    """With what is known of their items."""
    items: tuple[Item, ...]


def tables(columns: Sequence[Column]) -> list[Table]:
    """One for each category."""
    beside: dict[str, list[Column]] = {}
    for column in columns:
        beside.setdefault(column.category.id, []).append(column)
    return [table_of(group) for group in beside.values()]


def compare(  # one run, and what was kept of it
    facts: RunFacts,
    columns: Sequence[Column],
    results: Sequence[Result],
    items: Sequence[Item],
    ballots: Ballots | None,
    margin: float | None = None,
) -> Compared:
    """All of it.

    Args:
        facts: of the run.
        columns: its models and categories.
        results: one a column.
        items: of all categories.
        ballots: verdicts on single attempts; None where the run holds none (imported results).
        margin: as in `stats.paired_diff`.
    """
    whole = tables(columns)
    screens = [screened(table, ballots) for table in whole]
    sent = sent_to(ballots, facts.plan_file.connections) if ballots else {}
    return Compared(
        _comparison(facts, whole, results, ballots, margin),
        with_bounds([_judged_again(result, columns, ballots) for result in results], screens),
        with_facts(items, list(zip(whole, screens, strict=True)), sent),
    )


def _judged_again(result: Result, columns: Sequence[Column], ballots: Ballots | None) -> Result:
    """The result, with where its judged checks vary, if attempts were judged more than once."""
    if ballots is None or not ballots.judged or result.partial:
        return result
    tasks = next(column.tasks for column in columns if column.category.id == result.category)
    scores = [ballots.judged.get((result.model, task.id), []) for task in tasks]
    return result.model_copy(update={"variance_judged": shares_of_judgements(scores)})


def _comparison(
    facts: RunFacts, whole: Sequence[Table], results: Sequence[Result], ballots: Ballots | None, margin: float | None
) -> Comparison:
    found = [measured for table in whole for measured in measures(table)]
    means = {table.category: means_of(facts, table.category, results) for table in whole}
    return Comparison(
        pairs=tuple(pair for measured in found for pair in pairs_of(measured, margin)),
        ranks=tuple(ranks for measured in found for ranks in ranks_of(measured, facts.plan.seed)),
        saturation=_there(map(saturation, found)),
        steadiness=_there(steadiness(measured, ballots, margin) for measured in found),
        differentiation=_there(differentiation(table, ballots, means[table.category]) for table in whole),
    )


def _there(found: Iterable[One | None]) -> tuple[One, ...]:
    return tuple(one for one in found if one is not None)


def means_of(facts: RunFacts, category: str, results: Sequence[Result]) -> Means:
    """What the pool holds, what a draw takes and what an answer costs, judging included, as this run measured it."""
    mine = [result for result in results if result.category == category]
    finished = sum(result.finished for result in results)
    answers = sum(result.finished for result in mine)
    paid = sum(result.cost_usd for result in mine)
    judging = max(0.0, facts.spent / MILLION - sum(result.cost_usd for result in results))
    price = paid / answers + judging / finished if answers and finished else 0.0
    units = facts.draw.pool.get(category)
    drawn = mine[0].n_items if mine else 0
    of_unit = drawn / (mine[0].n_units or drawn) if drawn else 1.0  # a pool counts groups, not their items
    pool = None if units is None or facts.plan.imported else max(drawn, round(units * of_unit))
    return Means(pool, round(facts.plan.per_category * of_unit) if facts.plan.per_category else None, price or None)


__all__ = ["Compared", "Comparison", "Screened", "compare", "tables"]
