"""The records of `report --json` on models beside each other: pairs, ranks, saturation, and what turns a conclusion.

Everything stands per run and category, never over several. Holds no text of items or answers. Fields may be added;
none is renamed.
"""

from typing import Literal

from openassay.schema.record import Record
from openassay.stats import Verdict

Interval = tuple[float, float]

Measure = Literal["pass rate", "score"]
"""What is compared: the share of attempts that pass all hard checks, or the weighted share of checks."""


class Pair(Record):
    """Two models on the items of one category that both have finished; differences are A minus B, -1..1.

    With too few items or sources nothing but counts is given.
    """

    run: str
    category: str
    track: str
    measure: Measure
    a: str
    b: str
    n_items: int
    n_units: int
    """Independent sources among them: groups where items share one, items otherwise."""
    mean_a: float
    mean_b: float
    passed_a: int | None
    """Attempts that passed; null where scores are compared."""
    passed_b: int | None
    tried: int | None
    """Attempts of each model."""
    wins: int
    """Items on which A did better."""
    losses: int
    ties: int
    diff: float | None
    """Null below 10 items."""
    interval: Interval | None
    p: float | None
    """Chance of so large a difference, or a larger one, between equal models."""
    p_adjusted: float | None
    """The same over all pairs of the category (Holm)."""
    n_pairs: int
    """Pairs that it was corrected for."""
    gap_shown: float | None
    """A true gap of this size would be shown in 80 of 100 such comparisons."""
    items_needed: int | None
    """Items that would show a gap of the observed size in 80 of 100 comparisons; null where none was observed."""
    verdict: Verdict
    better: str | None
    """The better model's name, where the verdict names one."""
    margin: float | None = None
    """Differences up to this size were declared to make no difference."""
    method: str
    sentence: str


class RankSet(Record):
    """Ranks that one model may have, 1 the best, both ends included."""

    model: str
    alone: tuple[int, int]
    """Where this one model is asked about."""
    together: tuple[int, int]
    """Where all models are asked about at once, as in "who is best"."""


class Ranks(Record):
    """Never single ranks. There are none below 10 items or with too few sources."""

    run: str
    category: str
    track: str
    measure: Measure
    n_items: int
    models: tuple[RankSet, ...]
    """In the order of the plan."""
    may_be_best: tuple[str, ...]
    level: float


class SaturationFacts(Record):
    """How much room a category leaves to its best models."""

    run: str
    category: str
    track: str
    n_items: int
    models: tuple[str, ...]
    """The best, the best first; at most five."""
    informative: float
    """Share of items that not all of them solve alike."""
    solved_by_all: float
    pairs: int
    pairs_shown: int
    """Pairs of them that differ, not corrected for their number."""
    headroom: float
    """1 - pass rate of the best."""
    reasons: tuple[str, ...]
    """Why it counts as saturated; empty where it does not."""
