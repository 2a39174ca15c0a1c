"""What a scorer may see, and what a judge is asked. Neither holds a model's name."""

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
    """``<check id>`` or ``<check id>.<number>`` for one of several criteria."""
    check: str
    text: str
    weight: int = 1


class JudgeRequest(Record):
    """What a judge is asked: separated data, no model name, no other score."""

    task: str
    instruction: str
    materials: tuple[Material, ...] = ()
    reference: Json = None
    output: str
    """The candidate's answer, capped; data, never instructions."""
    items: tuple[JudgeItem, ...]
    evidence: Sha256
