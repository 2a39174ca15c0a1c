"""Names by which Every Eval Ever finds a model's record, and the paths that its store prescribes.

Not here: what a record holds (`eee_record`).
"""

import re
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Literal, NamedTuple

from openassay.reports.contract import ModelFacts, RunSummary
from openassay.schema.canonical import sha256_hex

VERSION = "0.3.0"
"""Of the format."""
UNKNOWN = "unknown"
"""In place of a developer that nobody states."""
Relationship = Literal["first_party", "third_party", "collaborative", "other"]

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_RESERVED = re.compile(r"(data|con|prn|aux|nul|com[1-9]|lpt[1-9])(\..*)?", re.IGNORECASE)
"""Names that the store or some file system does not take."""


class Given(NamedTuple):
    """What a run does not know of itself."""

    now: int
    """Unix time in seconds at which the record is made."""
    relationship: Relationship = "other"
    """Of whoever ran the benchmark to whoever makes the model."""


class Identity(NamedTuple):
    """Of one model's record."""

    model: str
    """Its name in the run."""
    model_id: str
    """``developer/model``."""
    id: str
    """Of the evaluation."""
    record: str
    """Path of the record below the export's folder, with forward slashes."""

    @property
    def samples(self) -> str:
        return self.record.removesuffix(".json") + "_samples.jsonl"


def identities(run: RunSummary, models: Sequence[str], given: Given) -> tuple[Identity, ...]:
    """One for each of these models; file names are the same whenever the same run is exported."""
    facts = {one.name: one for one in run.models}
    ids = [model_id(facts[name]) for name in models]
    return tuple(
        _identity(run, name, one if ids.count(one) == 1 else f"{one}-{slug(name)}", given)
        for name, one in zip(models, ids, strict=True)
    )


def model_id(model: ModelFacts) -> str:
    """``developer/model`` in letters that are safe in a path."""
    version = PurePosixPath(model.version).name or model.name
    return f"{slug(model.developer)}/{slug(version)}"


def slug(text: str) -> str:
    """A text as one component of a portable path.

    >>> [slug(one) for one in ("Makers of Alpha", "", "con", "../x")]
    ['Makers-of-Alpha', 'unknown', 'x-con', 'x']
    """
    found = _UNSAFE.sub("-", text).strip(".-")[:100].rstrip(".-") or UNKNOWN
    return f"x-{found}" if _RESERVED.fullmatch(found) else found


def _identity(run: RunSummary, model: str, known_as: str, given: Given) -> Identity:
    collection = slug(f"{run.benchmark}-{run.benchmark_version}")
    return Identity(
        model=model,
        model_id=known_as,
        id=f"{collection}.{slug(run.id)}/{known_as}/{given.now}",
        record=f"data/{collection}/{known_as}/{_uuid(run, model)}.json",
    )


def _uuid(run: RunSummary, model: str) -> str:
    """In the form of a random UUID (version 4), which the store demands, taken from a digest."""
    found = sha256_hex(f"{run.id} {run.plan_digest} {model}".encode())
    return f"{found[:8]}-{found[8:12]}-4{found[13:16]}-8{found[17:20]}-{found[20:32]}"
