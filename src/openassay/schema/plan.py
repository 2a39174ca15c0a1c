"""What a run will do (`Plan`), on which tasks (`Draw`), and the key of each piece of it (`Cell`).

The plan's digest is printed by every report. It leaves out how models are reached, which stands in `PlanFile`.
"""

from decimal import Decimal
from typing import Literal, NamedTuple

from pydantic import Field

from openassay.schema.judging import JudgePolicy, Share, Standing
from openassay.schema.models import ModelSpec, PlannedModel
from openassay.schema.record import Identifier, Json, MicroUsd, Millionths, Record, Sha256


class Cell(NamedTuple):
    """One attempt's key: results are idempotent by it."""

    model: str
    task: str
    draw: int
    """0-based."""
    attempt: int
    """0-based."""

    def key(self) -> str:
        return f"{self.model}/{self.task}/{self.draw}/{self.attempt}"


class RetryRule(Record):
    """Which faults are tried again stands in `models/faults.py`; how often and how long stands here."""

    tries: int = Field(default=5, ge=1)
    """Most calls for one attempt."""
    first_wait_ms: int = Field(default=500, ge=0)
    longest_wait_ms: int = Field(default=30_000, ge=0)
    """Also the longest `Retry-After` that is waited for inside one run before it stops, times 4."""
    dead_after_s: int = Field(default=60, ge=1)
    """An endpoint with no good reply for so long, failing all the while, stops the run."""


class Imported(Record):
    """Where the results of a run come from that was made elsewhere, and what was done to the table."""

    format: Literal[1] = 1
    """Of `cells.parquet`; see `runs/imported.py`."""
    file: str
    """Name of the table, without its folder."""
    sha256: Sha256
    """Of the table's bytes."""
    cells: Sha256
    """Of the bytes of `cells.parquet`."""
    number: int = Field(ge=0)
    """Cells in it."""
    priced: int = Field(default=0, ge=0)
    """Cells whose cost the table states."""
    source: str = ""
    """Where the table was found, as the importer says."""
    stated_by: str = ""
    """Who says that these are the results; empty where the importer did not tell."""
    headlines: dict[str, str] = {}
    """Model -> the headline stated for it, as printed; each was recomputed from the cells and agrees."""
    left_out: tuple[str, ...] = ()
    """Models of the table that were left out by name."""
    unused: tuple[str, ...] = ()
    """Columns of the table that were not taken."""


class StopRule(Record):
    """A category ends once an e-value shows a difference for every pair of models in it."""

    alpha: Share = Decimal("0.05")
    """Chance of a false alarm over all pairs and categories together."""


class SettledPair(Record):
    a: Identifier
    b: Identifier
    evalue: str
    """Decimal digits."""
    units: int
    """After how many items it was reached."""


class Settled(Record):
    """One category that ended early."""

    category: Identifier
    units: int
    """Items used, a group counting as one, in the order of the draw."""
    of: int
    """Items drawn."""
    pairs: tuple[SettledPair, ...]


class Stopped(Record):
    """`stopped.json`: written before a cell is left out."""

    format: Literal[1] = 1
    settled: tuple[Settled, ...]


class Plan(Record):
    """All that decides a result."""

    format: Literal[1] = 1
    software: str
    """OpenAssay's version."""
    benchmark: Identifier
    benchmark_version: str
    benchmark_digest: Sha256
    visibility: Literal["private", "confidential", "public"] = "private"
    categories: tuple[str, ...]
    models: tuple[PlannedModel, ...] = Field(min_length=1)
    judges: tuple[PlannedModel, ...] = ()
    """The first is primary, the second decides disputes."""
    standings: tuple[Standing, ...] | None = None
    """How the judges meet the benchmark's bar; null where it sets none."""
    calibration: Literal[True] | None = None
    """The answers are a gold set's, and it is the judges that are measured."""
    imported: Imported | None = None
    """The results were made elsewhere; null for a run of our own."""
    solver: str = "single_turn"
    template_digest: Sha256
    """Of the prompt template, the same for every model."""
    per_category: int | None = None
    """Units (tasks, or whole groups) drawn per category and draw; null for all."""
    draws: int = Field(default=1, ge=1)
    attempts: int = Field(default=1, ge=1)
    seed: int = 0
    max_tokens: int = Field(default=512, gt=0)
    parameters: dict[str, Json] = {}
    """Sent to every model alike, frozen; a model's own `parameters` go on top and are recorded with it."""
    budget: MicroUsd | None = None
    """Hard cap over all calls, judges included; null for none."""
    retry: RetryRule = RetryRule()
    analysis: str = "pass rate and score by category, Wilson intervals on items"
    disclosures: tuple[str, ...] = ()
    stop: StopRule | None = None
    """Declared before the run; null for a run that ends with its last cell."""


class PlanFile(Record):
    """`plan.json`."""

    format: Literal[1] = 1
    plan: Plan
    digest: Sha256
    """sha256 of the canonical plan."""
    benchmark_path: str
    """As given on the command line; only for messages."""
    created: str
    """UTC, ISO 8601."""
    concurrency: int = Field(default=16, ge=1)
    unsafe: bool = False
    """The user allowed code to run without a sandbox."""
    connections: dict[str, ModelSpec] = {}
    """Model or judge name -> its whole entry (no key, only the key's variable)."""


class DrawnTask(Record):
    task: Identifier
    category: Identifier
    identity: Sha256
    prompt: Sha256
    """Digest of the rendered messages: every attempt of every model is compared with it."""


class Stratum(Record):
    """Tasks of one category that earlier models found about equally hard; 0 the hardest."""

    category: Identifier
    label: int
    share: Millionths
    """Of the pool."""


class Draw(Record):
    """`draw.json`: the tasks of each draw, in order. With its objects a run can be read without the benchmark."""

    format: Literal[1] = 1
    info: Sha256
    """Object that holds the `BenchmarkInfo`."""
    records: Sha256
    """Object with one `Task` a line, in the order of `tasks`."""
    prompts: Sha256
    """Object with the rendered messages of one task a line, in the order of `tasks`."""
    tasks: tuple[DrawnTask, ...]
    draws: tuple[tuple[Identifier, ...], ...]
    """draws[r] = task ids of draw r."""
    pool: dict[str, int]
    """Category -> units in the pool that was drawn from."""
    strata: tuple[Stratum, ...] = ()
    """Where the draw was taken by difficulty: what the analysis weighs by."""
    stratum_of: dict[str, int] = {}
    """Task -> label of its stratum."""
    notes: tuple[str, ...] = ()
    """Such as: draws of a category share items because the pool was used up."""


class ScoringPass(Record):
    """`scoring-<n>.json`: written when a pass of re-scoring is whole; without it its verdicts do not count."""

    format: Literal[1] = 1
    number: int = Field(ge=1)
    records: Sha256
    """Object with the tasks as scored in this pass (a check may have been corrected)."""
    judges: tuple[PlannedModel, ...] = ()
    connections: dict[str, ModelSpec] = {}
    """Judge name -> its whole entry (no key, only the key's variable), so that the same judges can be asked again."""
    policy: JudgePolicy | None = None
    """The rule about judges from a corrected benchmark; null for the one before."""
    standings: tuple[Standing, ...] | None = None
    """How these judges meet the bar; null where there is none."""
    created: str
