"""What a benchmark demands of judges, what makes a judged check disputed, and how good a judge was found to be.

Requirements, never names: which judge takes part is said by `--judge`.
"""

from decimal import Decimal
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from openassay.schema.models import PlannedModel
from openassay.schema.record import MicroUsd, Millionths, Record, Sha256

Share = Annotated[Decimal, Field(ge=0, le=1)]
"""A share between 0 and 1 as written, kept as decimal digits."""

Cause = Literal["order", "reply", "canary", "lineage", "contradiction", "audit", "challenge"]
"""Why a judged check is disputed.

order          the passes of one judge, in different item order, differ
reply          a pass gave no usable verdict
canary         a pass missed a canary item or the nonce
lineage        the judge is of the candidate's lineage, or a lineage is unknown
contradiction  a script check on the same fact (`Check.same_as`) says otherwise
audit          drawn at random for an audit
challenge      a person challenged it
"""

Decider = Literal["second", "people"]


class DisputeRules(Record):
    """Who decides a disputed check, by cause.

    `second`: the next judge that may decide and whose passes agree; where there is none, people.
    `people`: unmeasured until a person has decided (for `audit` and `challenge` the judge's verdict stands until then).
    """

    order: Decider = "second"
    reply: Decider = "second"
    canary: Decider = "second"
    lineage: Decider = "second"
    contradiction: Literal["script", "second", "people"] = "script"
    """`script`: the script decides the fact for the judged check too."""
    audit: Decider = "people"
    challenge: Decider = "people"


class JudgeBar(Record):
    """What a judge must reach on a gold set (`openassay judge calibrate`) for its verdicts to count."""

    items: int = Field(default=30, ge=1)
    """Gold items with a usable verdict, at least."""
    agreement: Share = Decimal("0.8")
    """Share of them on which the judge agrees with people."""
    sensitivity: Share | None = None
    """Share of right outputs that it passes."""
    specificity: Share | None = Decimal("0.6")
    """Share of wrong outputs that it fails: what an always-passing judge does not do."""
    kappa: Share | None = None
    consistency: Share | None = None
    """Share of items with the same verdict in every item order."""
    canaries: Share | None = None
    """Share of requests whose canary items it got right."""


class JudgePolicy(Record):
    """Requirements on judges, never names."""

    required: bool = False
    """A run without a judge is refused; otherwise judged checks stay unmeasured and the report says so."""
    different_lineage: bool = True
    """A judge of the candidate's own lineage never decides alone."""
    mode: Literal["checklist", "item"] = "checklist"
    """One request for the whole checklist, or one for each of its items: dearer, and easier for a small judge."""
    passes: int = Field(default=2, ge=1, le=5)
    """Requests a judge gets for the same output, each with its items in another order."""
    disputes: DisputeRules = DisputeRules()
    audit: Share = Decimal("0.1")
    """Share of judged verdicts drawn at random for people to check."""
    bar: JudgeBar | None = None
    """Null: every judge's verdicts count, and the report says that nobody measured the judge."""


class Counts(Record):
    """A judge against people on some gold items, with what each figure rests on."""

    kind: str = ""
    """Kind of check; empty for all."""
    items: int
    """Gold items asked."""
    failing: int
    """Of them, those that people fail."""
    measured: int
    """Items with a usable verdict; all shares below are of these."""
    agreement: Millionths | None = None
    agreement_low: Millionths | None = None
    agreement_high: Millionths | None = None
    sensitivity: Millionths | None = None
    specificity: Millionths | None = None
    kappa: int | None = None
    """In millionths, -1_000_000 to 1_000_000."""
    ac1: int | None = None
    """In millionths."""
    cost: MicroUsd | None = None
    """A gold item, all passes together; null where the price is not known."""
    strict: Millionths | None = None
    """Share of all items asked that were judged rightly: no usable verdict counts as wrong here."""

    @model_validator(mode="after")
    def _possible(self) -> Self:
        """Figures written by hand, or by another program, can at least be figures of something."""
        if not (0 <= self.measured <= self.items and 0 <= self.failing <= self.items):
            found = f"{self.measured} measured and {self.failing} failing of {self.items} items"
            raise ValueError(f"expected no more than there are, found {found}")
        return self


class Twins(Record):
    """How verdicts move when only an output's style is changed."""

    style: Literal["padded", "reformatted"]
    compared: int
    """Items with a usable verdict on both."""
    to_pass: int
    """Failed as written, passed in the other style."""
    to_fail: int


class Calibration(Record):
    """`calibration.json`: how far one judge can be trusted, measured on one gold set."""

    format: Literal[1] = 1
    judge: PlannedModel
    prompt: Sha256
    """Digest of the judge's prompt wording."""
    mode: Literal["checklist", "item"] = "checklist"
    passes: int
    repeats: int
    """Times each request was asked again word by word."""
    gold: Sha256
    """Digest of the gold set."""
    gold_name: str
    total: Counts
    kinds: tuple[Counts, ...] = ()
    same_over_order: Millionths | None = None
    compared_over_order: int = 0
    same_over_repeats: Millionths | None = None
    compared_over_repeats: int = 0
    canaries_met: int = Field(default=0, ge=0)
    canaries_asked: int = Field(default=0, ge=0)
    """Requests whose reply could be read."""
    unusable: int = 0
    """Requests whose reply could not be read."""
    requests: int = 0
    twins: tuple[Twins, ...] = ()
    said: int = 0
    """Criteria on which a readable reply said something, canary items among them."""
    said_pass: int = 0
    """Of them, those it passed."""
    unguarded: Counts | None = None
    """As `total`, had nobody looked at canary items and nonces."""
    run: str = ""
    """Id of the run folder that holds prompts and replies."""
    created: str
    """UTC, ISO 8601."""

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if self.canaries_met > self.canaries_asked:
            raise ValueError(
                f"expected canaries met of those asked, found {self.canaries_met} of {self.canaries_asked}"
            )
        return self


class Standing(Record):
    """Whether a judge's verdicts count in a run, by the benchmark's bar."""

    judge: str
    """Its name in the run."""
    counts: bool
    why: str
    """One sentence: what was measured, or that nothing was."""
    calibration: Calibration | None = None
