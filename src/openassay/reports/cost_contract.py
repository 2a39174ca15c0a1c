"""The records of `report --json` on cost against score. Fields may be added; none is renamed."""

from openassay.reports.comparing_contract import Interval, Measure
from openassay.schema.record import Record


class CostOfModel(Record):
    """What one model's answers cost beside what they are worth; dollars, judges left out."""

    model: str
    score: float
    """Of the measure, 0..1."""
    score_interval: Interval | None
    cost_usd: float
    """Mean over items of the mean over their attempts."""
    cost_interval: Interval
    few_items: bool
    """So few items that the interval of the cost is likely too narrow."""
    per_solved_usd: float | None
    """Cost of a passed item, the failed ones paid for; null where nothing passed or no hard check decides."""
    per_solved_interval: Interval | None
    on_frontier: bool
    """By these results no other model is as good for less, or better for as little."""
    frontier_chance: float
    """Share of draws of items, with repetition, in which that holds: how sure it is."""


class Costs(Record):
    """Cost against score in one category, of the models whose costs are known."""

    run: str
    category: str
    track: str
    measure: Measure
    n_items: int
    models: tuple[CostOfModel, ...]
    """In the order of the plan."""
    without: tuple[str, ...]
    """Whole models left out: their endpoint reports no usage, or their price is 0 or unknown."""
