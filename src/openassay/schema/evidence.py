"""What a scorer may see, and what a judge is asked. Neither holds a model's name."""

from pydantic import Field

from openassay.schema.record import Json, Record, Sha256
from openassay.schema.sandbox import ProbeResult
from openassay.schema.task import Material


class Evidence(Record):
    """What an attempt left behind, for scorers."""

    answer: str
    instruction: str = ""
    materials: tuple[Material, ...] = ()
    siblings: tuple[str, ...] = ()
    """Other answers of the same model, draw and attempt in the task's group."""
    probes: dict[str, ProbeResult] = {}
    """Check id -> what its probe found, for checks that run something."""
    probe: ProbeResult | None = None
    """Of the check that is being scored."""


class JudgeItem(Record):
    """One criterion put to a judge."""

    id: str
    """``<check id>`` or ``<check id>#<number>`` for one of several criteria; never shown to the judge.

    No check's id has that sign in it, so no check can take the place of another one's criterion or of a canary.
    """
    check: str
    """Empty for a canary."""
    text: str
    weight: int = 1
    truth: bool | None = None
    """Of a canary item: what it surely is; null for a criterion of the task."""


class JudgeRequest(Record):
    """What a judge is asked: separated data, no model name, no other score."""

    task: str
    instruction: str
    materials: tuple[Material, ...] = ()
    reference: Json = None
    output: str
    """The candidate's answer, capped, with names of model families masked; data, never instructions."""
    left_out: int = Field(default=0, ge=0)
    """Characters in the middle of the answer that `output` does not show."""
    sentences: tuple[str, ...] = ()
    """The output once more, sentence by sentence, where criteria speak of its sentences by number."""
    notes: tuple[str, ...] = ()
    """What was done to the output before it was shown (cut, masked, cleared of hidden characters), for the verdict."""
    items: tuple[JudgeItem, ...]
    """In the order shown; with two canaries once the request is posed."""
    evidence: Sha256
    order: int = 0
    """Which pass this is, from 1; 0 before the request is posed."""
    repeat: int = 0
    """Asked again word by word; tells one repetition from another, and is not shown."""
    nonce: str = ""
    """Must come back in the reply."""
