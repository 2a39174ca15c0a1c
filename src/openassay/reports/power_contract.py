"""The records of `power --json`: what it takes to see a gap between two models, and what it costs."""

from typing import Literal

from openassay.reports.comparing_contract import Measure
from openassay.schema.record import Record


class Way(Record):
    """A way to see the gap with a chance of 80 %."""

    items: int
    attempts: int
    """At each item."""
    draws: int
    answers: int
    """Of both models."""
    cost_usd: float | None
    possible: bool
    """Whether the pool holds so many items."""


class Spending(Record):
    """One way to spend the budget on both models."""

    items: int
    attempts: int
    cost_usd: float
    gap_shown: float
    """True gap that would be shown in 80 of 100 such comparisons."""
    chance: float
    """Of showing the gap asked for."""


class PowerCategory(Record):
    """What it takes in one category, or under assumptions."""

    category: str
    title: str
    measure: Measure
    a: str
    b: str
    n_items: int | None
    """Items that the noise was measured on; null where it was assumed."""
    item_noise: float
    """Variance of one item's difference."""
    attempt_noise: float
    """What one attempt adds to it; 0 where items were tried once, as it is then part of the other."""
    pool: int | None
    price_usd: float | None
    """Of one answer, judging included."""
    ways: tuple[Way, ...]
    """The fewest answers first."""
    spendings: tuple[Spending, ...]
    """The smallest gap first; none without a budget."""
    answer: str


class Power(Record):
    """`power --json`."""

    format: int = 1
    source: Literal["run", "assumptions"]
    run: str | None
    gap: float
    budget_usd: float | None
    categories: tuple[PowerCategory, ...]
