"""What one model's answers in one category cost and how long they took, with intervals; and why that is not known.

Not here: cost against score (`costs`), a month of it (`needs_month`).
"""

from collections.abc import Sequence
from math import ceil, floor, inf

import numpy as np
from numpy.typing import NDArray

from openassay.reports.needs_contract import Span, Spending, Times
from openassay.reports.results import Column
from openassay.reports.words import counted
from openassay.schema.record import MILLION
from openassay.stats import CostEstimate, mean_cost, wilson

TAIL = 0.025
MEDIAN, P95 = 0.5, 0.95

Floats = NDArray[np.float64]


def spending_of(columns: Sequence[Column]) -> tuple[Spending, ...]:
    """One record for each model and category."""
    return tuple(map(_spending, columns))


def _spending(column: Column) -> Spending:
    whole = column.group.scored == column.planned
    gap = "" if whole else f"only {column.group.scored:,} of {column.planned:,} planned are scored"
    cost_unknown = gap or _unpriced(column)
    seconds_unknown = gap or _untimed(column)
    cost = None if cost_unknown else mean_cost(_costs(column))
    return Spending(
        run=column.facts.id,
        model=column.model,
        category=column.category.id,
        n_items=len(column.tasks),
        cost_usd=cost.mean if cost else None,
        cost_interval=span(cost.lo, cost.hi) if cost else None,
        cost_unknown=cost_unknown,
        cost_few_items=cost is not None and cost.few_items and cost.mean > 0,
        own_hardware=cost is not None and not cost.mean,
        seconds=None if seconds_unknown else _times(column),
        seconds_unknown=seconds_unknown,
    )


def span(lo: float, hi: float) -> Span:
    return lo, None if hi == inf else hi


def _unpriced(column: Column) -> str:
    """Why the cost of these answers is not known; empty where it is."""
    planned = next(model for model in column.facts.plan.models if model.name == column.model)
    table = column.facts.plan.imported
    if table is not None:
        return "" if table.priced == table.number else "the imported table does not state the cost of every answer"
    if planned.price is None:
        return "its price is not known: give it one in models.toml"
    free = not planned.price.input and not planned.price.output
    if column.group.usage_unknown and not free:
        return f"its endpoint reported no tokens for {counted(column.group.usage_unknown, 'answer')}"
    if column.group.imported:
        return "answers came from outside, so what they cost is not known"
    return ""


def _untimed(column: Column) -> str:
    if len(column.group.took_ms) < column.planned:
        return "times were not recorded for every answer"
    return ""


def _costs(column: Column) -> Floats:
    """Dollars of one attempt at each item, on average."""
    return np.array([item.cost / max(1, len(item.marks)) / MILLION for item in column.items], dtype=np.float64)


def _times(column: Column) -> Times:
    took = np.sort(np.frombuffer(column.group.took_ms, dtype=np.uint64) / 1000)
    items = column.items
    means = mean_cost([item.took_ms / max(1, len(item.marks)) / 1000 for item in items])
    return Times(
        mean=float(took.mean()),
        mean_interval=_around(means, float(took.mean())),
        median=float(np.quantile(took, MEDIAN)),
        median_interval=quantile_interval(took, MEDIAN, len(items)),
        p95=float(np.quantile(took, P95)),
        p95_interval=quantile_interval(took, P95, len(items)),
    )


def _around(found: CostEstimate, mean: float) -> Span:
    """Around the mean over attempts, which differs from the one over items where these were tried unequally often."""
    return span(max(0.0, mean - (found.mean - found.lo)), mean + (found.hi - found.mean))


def quantile_interval(ordered: Floats, share: float, items: int) -> Span:
    """95 % interval of a quantile by order statistics: the values at the bounds of the share's own interval.

    With as many independent values as items: attempts at one item take about as long. The upper bound is unknown where
    even the largest value may well lie below the quantile: under 72 items for the 95th of 100.

    Args:
        ordered: values, the smallest first.
        share: of the values that lie below the quantile, 0..1.
        items: independent ones among them.
    """
    lo, hi = wilson(share, items)
    last = len(ordered) - 1
    upper = None if share**items > TAIL else float(ordered[min(last, ceil(hi * last))])
    return (0.0 if (1 - share) ** items > TAIL else float(ordered[max(0, floor(lo * last))])), upper
