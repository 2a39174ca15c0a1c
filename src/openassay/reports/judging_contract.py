"""The records of `report --json` on judges: how each did, what was disputed, and how far judges and people differ.

No rate stands without the number it rests on and its interval. Holds no text of items, answers or reasons. Fields may
be added; none is renamed.
"""

from typing import Literal

from openassay.schema.judging import Cause
from openassay.schema.record import Record

Interval = tuple[float, float]

Relation = Literal["own", "other", "unknown"]
"""Of a judge to a candidate: of one lineage, of another, or a lineage is unknown."""

By = Literal["first", "second", "script", "people", "nobody"]
"""Who decided a disputed check; `first`: the first judge's verdict stands."""


class Rate(Record):
    """A share with what it rests on."""

    hits: int
    n: int
    n_units: int
    """Independent sources among them: groups where items share one, items otherwise."""
    share: float
    interval: Interval


class Beyond(Record):
    """Agreement beyond chance: 1 is perfect, 0 is chance."""

    value: float
    interval: Interval
    n: int


class JudgeFacts(Record):
    """One judge of the last scoring."""

    judge: str
    place: int
    """1 for the primary one."""
    requests: int
    """Replies that were looked at, a cached one once an answer; 0 where the run's version kept no note of it."""
    usable: Rate | None
    """Readable, with both canary items and the nonce right."""
    missed: Rate | None
    """Readable, but a canary item or the nonce was wrong."""
    unreadable: Rate | None
    same_over_order: Rate | None
    """Of the checks with a verdict in every pass: the same one in each, the items in another order."""
    unquoted: Rate | None
    """Of its verdicts: their reason quotes nothing that stands in the output."""
    deciding: int
    """Verdicts in force."""
    beside: int
    """Verdicts kept beside the one in force."""
    uncounted: int
    """Of those in force: shown and not counted, as it does not meet the benchmark's bar."""
    calls: int
    """Made in this run folder, all scorings together."""
    cost_usd: float
    relations: dict[str, Relation]
    """By candidate."""
    counts: bool
    standing: str
    """One sentence: what was measured, or that nothing was."""


class DisputeFacts(Record):
    cause: Cause
    checks: int
    decided: dict[By, int]


class OpenChecks(Record):
    """Disputed checks on one model's answers in one category."""

    model: str
    category: str
    disputed: int
    open: int
    """Unmeasured until a person decides."""


class Compared(Record):
    """Two verdicts on each of the same checks of the same answers."""

    candidates: Literal["all", "own", "other", "unknown"]
    """Which answers, by the first judge's relation to the model."""
    judged: int
    """Checks with a verdict of the first; the second may have been asked about fewer."""
    n: int
    """Checks with both."""
    agreement: Rate
    kappa: Beyond | None
    """Null where both always say the same one thing."""
    first_passed: Rate
    second_passed: Rate
    first_only: int
    """The first passes what the second fails."""
    second_only: int
    difference: float
    """Share passed by the first minus share passed by the second."""
    difference_interval: Interval


class JudgePair(Record):
    first: str
    second: str
    groups: tuple[Compared, ...]
    """All answers first, then by lineage."""


class Rescoring(Record):
    """The last two scorings beside each other, on judged checks."""

    judges_before: tuple[str, ...]
    judges_after: tuple[str, ...]
    compared: Compared | None
    """`first` is the earlier one; null where no check was measured in both."""
    lost: int
    """Measured before and not now."""
    gained: int


class AgainstPeople(Record):
    """Verdicts in force of one judge against people's on the same checks."""

    judge: str
    """Empty for all judges together."""
    agreement: Rate
    kappa: Beyond | None
    ac1: Beyond | None
    passed_of_passing: Rate | None
    """Sensitivity: of what people pass, what the judge passes."""
    failed_of_failing: Rate | None
    """Specificity."""


class CorrectedRate(Record):
    """Share of judged checks that people would have passed, for answers of this kind (PPI++)."""

    model: str
    category: str
    labels: int
    """Checks of the random audit that people decided."""
    wanted: int
    """Labels below which nothing is corrected."""
    judged: int
    judge_only: Rate
    """As the judges say."""
    value: float | None
    interval: Interval | None
    method: str
    notes: tuple[str, ...] = ()


class PeopleFacts(Record):
    raters: int
    decided: int
    """Checks that people passed or failed."""
    audited: int
    """Of them, judged checks drawn at random."""
    audit: tuple[AgainstPeople, ...]
    disputed: int
    """Checks decided by people that were not drawn at random: nothing general follows from them."""
    disputed_passed: int
    alpha: Beyond | None
    """Krippendorff's, over checks with two raters or more."""
    rated_twice: int
    corrected: tuple[CorrectedRate, ...]


class Judging(Record):
    """All that is known of the judges of one run."""

    run: str
    checks: int
    """Judged checks of scored answers."""
    disputed: int
    open: int
    judges: tuple[JudgeFacts, ...]
    disputes: tuple[DisputeFacts, ...]
    by_model: tuple[OpenChecks, ...]
    """Where something was disputed."""
    pairs: tuple[JudgePair, ...] = ()
    rescored: Rescoring | None = None
    people: PeopleFacts | None = None
