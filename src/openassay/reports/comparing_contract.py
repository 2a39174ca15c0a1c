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


class VarianceShares(Record):
    """Where one result of one item varies; shares that add up to 1."""

    of: Literal["passes", "judged checks"]
    item: float
    """What another item would change."""
    attempt: float
    """What another attempt at the same item would change."""
    judge: float | None
    """What judging the same attempt again would change; null where attempts were judged once."""


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


Kind = Literal["check", "scorer", "author", "source", "group", "soft", "weights", "threshold"]


class Turn(Record):
    """A change to the checklist or the items under which the verdict on a pair is another one."""

    kind: Kind
    name: str
    """Of the check, scorer, author, source or group; what was changed for the others."""
    change: str
    """In words, such as ``leaving out the 6 items of author Ada``."""
    n_items: int
    """Items that were left out, or scored otherwise."""
    a: str
    b: str
    before: str
    after: str
    diff_before: float
    """A minus B. Where it hardly moves, the verdict turned because fewer items are left."""
    diff_after: float


class ChangedRate(Record):
    """One model's rate or score under a change."""

    model: str
    value: float
    interval: Interval | None
    """Null with too few sources."""


class ChangedRates(Record):
    """What every model comes to under one change."""

    kind: Kind
    name: str
    change: str
    n_items: int
    """That are left."""
    models: tuple[ChangedRate, ...]


class Steadiness(Record):
    """What moves the conclusions on the pairs of one category."""

    run: str
    category: str
    track: str
    measure: Measure
    tried: dict[Kind, int]
    """Changes that were tried, by kind."""
    not_tried: str
    """What was left out, and why; empty where nothing was."""
    turns: tuple[Turn, ...]
    sentences: tuple[str, ...]
    """Each change that turns something; or that none does."""
    rates: tuple[ChangedRates, ...] = ()
    """Under each change that was tried and left anything."""


class ToldApart(Record):
    """A check of a small category that one model met in every attempt and another in none."""

    task: str
    check: str
    hard: bool
    dimension: str
    met: tuple[str, ...]
    """Models that met it in every attempt."""
    missed: tuple[str, ...]
    """Models that met it in none."""
    attempts: int
    anchor: str
    """Of the item in the HTML report, where the evidence stands."""


class CheckCount(Record):
    """One check of a small category: in how many attempts each model met it."""

    task: str
    check: str
    hard: bool
    attempts: int
    met: dict[str, int]


class Differentiation(Record):
    """Initial differentiation in a category with too few items to compare or rank models by their counts."""

    run: str
    category: str
    track: str
    n_items: int
    why: str
    told_apart: tuple[ToldApart, ...]
    checks: tuple[CheckCount, ...]
    next_step: str
    """The cheapest thing that would settle more."""
