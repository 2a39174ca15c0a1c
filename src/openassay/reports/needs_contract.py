"""The records of `report --json` on what a reader needs. Fields may be added; none is renamed.

An upper bound that is null is not known: too few items or attempts to say.
"""

from typing import Literal

from openassay.reports.comparing_contract import Interval, Measure
from openassay.schema.record import Record

Span = tuple[float, float | None]

Latency = Literal["median", "p95", "mean"]
Status = Literal["met", "failed", "not settled", "unknown"]
Kind = Literal["pass rate", "score", "pass^k", "cost per task", "latency", "cost per month"]


class Times(Record):
    """Seconds of an attempt's last call."""

    mean: float
    mean_interval: Span
    median: float
    median_interval: Span
    p95: float
    p95_interval: Span


class Spending(Record):
    """What one model's answers in one category cost and how long they took, one attempt at a task each."""

    run: str
    model: str
    category: str
    n_items: int
    cost_usd: float | None
    """Mean over items; judges left out. Null where it is not known."""
    cost_interval: Span | None
    cost_unknown: str = ""
    """Why."""
    cost_few_items: bool = False
    """So few items that the interval is likely too narrow."""
    own_hardware: bool = False
    """The model's price is 0: what the machine costs is not counted."""
    seconds: Times | None
    seconds_unknown: str = ""


class Demand(Record):
    """One thing a reader demands, and whether one model meets it."""

    category: str
    """Empty for what is demanded over all of them."""
    kind: Kind
    k: int | None = None
    """Attempts that all have to pass."""
    latency: Latency = "median"
    """Of what a demand on time speaks."""
    bound: float
    at_least: bool
    """Otherwise: at most."""
    value: float | None
    interval: Span | None
    status: Status
    sure: float | None
    """1 - p of the one-sided test that it is met, 0..1; null where nothing can be said."""
    short: float | None
    """By how much the value misses the bound; negative where it has room. In the unit of the bound."""
    why: str = ""
    """Why it is unknown or cannot be settled."""
    step: str = ""
    """What would settle it; empty where it is settled."""
    items_needed: int | None = None
    """Of this category, to settle it in 80 of 100 runs if the true value is the one seen."""


class Qualification(Record):
    """Whether one model of one run is what the reader needs."""

    run: str
    model: str
    qualifies: Literal["yes", "no", "not settled"]
    sure: float | None
    """Of a yes or a no: that all demands are met, or that one is not; each tested one-sided, the weakest counts (for a
    no, corrected for the number of demands). Null where something is unknown and nothing failed."""
    demands: tuple[Demand, ...]
    step: str = ""
    """The cheapest step towards settling it."""


class WeighedPart(Record):
    category: str
    track: str
    weight: float
    """Share of all weights."""
    measure: Measure
    value: float | None
    interval: Interval | None


class Weighed(Record):
    """One model's categories added up by the weights of the reader's own file: a choice, and no measurement."""

    run: str
    model: str
    value: float | None
    interval: Interval | None
    parts: tuple[WeighedPart, ...]
    """Never left out where the value is shown."""
    tracks: tuple[str, ...]
    notes: tuple[str, ...]


class Monthly(Record):
    """What the reader's volume costs a month, and how many hours it takes one call after the other."""

    run: str
    model: str
    tasks: dict[str, float]
    """Category -> tasks a month."""
    cost_usd: float | None
    cost_interval: Span | None
    hours: float | None
    hours_interval: Span | None
    notes: tuple[str, ...]


class Need(Record):
    """As the reader wrote it."""

    category: str
    weight: float | None = None
    min_pass_rate: float | None = None
    min_score: float | None = None
    min_pass_all: float | None = None
    k: int | None = None


class NeedsMove(Record):
    """A change to the items or checks of one run under which other models qualify."""

    run: str
    sentence: str


class NeedsAnswer(Record):
    """What the runs say to the needs of one reader."""

    title: str
    needs: tuple[Need, ...]
    max_cost_per_task_usd: float | None
    max_latency_s: float | None
    latency: Latency
    max_cost_per_month_usd: float | None
    qualified: tuple[Qualification, ...]
    moves: tuple[NeedsMove, ...] = ()
    """Each change (one author, source or check left out, ...) under which other models qualify."""
    weighed: tuple[Weighed, ...]
    monthly: tuple[Monthly, ...]
