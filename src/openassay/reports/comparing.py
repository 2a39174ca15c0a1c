"""Everything that a report says of the models of one run beside each other, category by category.

Not here: each part (`pairs`, `item_facts`, `small`, `turns`), a single model's rates (`results`).
"""

from collections.abc import Sequence
from typing import NamedTuple

from openassay.reports.comparing_contract import Pair, Ranks, SaturationFacts
from openassay.reports.pairs import pairs_of, ranks_of
from openassay.reports.results import Column, RunFacts
from openassay.reports.table import Table, measures, table_of


class Comparison(NamedTuple):
    """Fields of `Summary`, by their names."""

    pairs: tuple[Pair, ...] = ()
    ranks: tuple[Ranks, ...] = ()
    saturation: tuple[SaturationFacts, ...] = ()


def tables(columns: Sequence[Column]) -> list[Table]:
    """One for each category."""
    beside: dict[str, list[Column]] = {}
    for column in columns:
        beside.setdefault(column.category.id, []).append(column)
    return [table_of(group) for group in beside.values()]


def compare(facts: RunFacts, columns: Sequence[Column], margin: float | None = None) -> Comparison:
    """All of it; `margin` as in `stats.paired_diff`."""
    found = [measured for table in tables(columns) for measured in measures(table)]
    return Comparison(
        pairs=tuple(pair for measured in found for pair in pairs_of(measured, margin)),
        ranks=tuple(ranks for measured in found for ranks in ranks_of(measured, facts.plan.seed)),
    )
