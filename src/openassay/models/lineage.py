"""Which models are relatives: a judge of the candidate's own lineage never decides alone.

`families.toml` holds what is publicly known. Not here: the rule about judges (`runs`), and any look at weights: a
model's maker can say what they like, so a lineage is a claim with a source, not a proof.
"""

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from pydantic import Field

from openassay.schema.models import ModelSpec, PlannedModel
from openassay.schema.record import Record


class Family(Record):
    """One entry of ``families.toml``."""

    name: str
    developer: str
    base: tuple[str, ...] = ()
    """Families whose weights it continues."""
    distilled_from: tuple[str, ...] = ()
    """Families whose answers taught it."""
    match: tuple[str, ...] = Field(min_length=1)
    """Parts of model names; the longest match decides."""


@cache
def families() -> dict[str, Family]:
    """Name -> family, read once from the package."""
    text = files("openassay.models").joinpath("families.toml").read_text(encoding="utf-8")
    return {entry["name"]: Family(**entry) for entry in tomllib.loads(text)["family"]}


def known(model: str) -> tuple[str, tuple[str, ...]]:
    """(developer, lineage nearest first) of a model name; empty where unknown.

    The developer stays empty where the name only contains a family's: someone else's descendant of it.

    >>> known("deepseek-r1-distill-qwen-7b")
    ('DeepSeek', ('deepseek-r1-distill-qwen', 'qwen2.5', 'qwen', 'deepseek-r1', 'deepseek-v3', 'deepseek'))
    >>> known("made-up-model")
    ('', ())
    """
    name = _folded(model)
    best: tuple[int, bool, Family] | None = None
    for family in families().values():
        for part in family.match:
            at = _found(part, name)
            if at is not None and (best is None or len(part) > best[0]):
                best = (len(part), at == 0, family)
    if best is None:
        return "", ()
    _, starts, family = best
    return family.developer if starts else "", _descent(family.name)


def _folded(model: str) -> str:
    return re.sub(r"[\s_]+", "-", model.rpartition("/")[2].lower())[:200]


def _found(part: str, name: str) -> int | None:
    """Where a part stands in a name, at the beginning of a word; None where it does not."""
    at = name.find(part)
    while at > 0 and name[at - 1].isalnum():
        at = name.find(part, at + 1)
    return at if at >= 0 else None


def _descent(name: str) -> tuple[str, ...]:
    found: dict[str, None] = {}
    waiting = [name]
    while waiting:
        current = waiting.pop(0)
        if current not in found:
            found[current] = None
            family = families()[current]
            waiting = [*family.base, *waiting, *family.distilled_from]
    return tuple(found)


def lineage_of(model: ModelSpec | PlannedModel) -> tuple[str, ...]:
    """As the user says; else as the registry knows the model's name; empty where nobody does.

    What the user says is widened by what the registry knows of those families.
    """
    stated = model.lineage or known(model.model)[1]
    widened = (ancestor for name in stated for ancestor in (_descent(name) if name in families() else (name,)))
    return tuple(dict.fromkeys([*stated, *widened]))


def same_lineage(a: ModelSpec | PlannedModel, b: ModelSpec | PlannedModel) -> bool:
    """Whether they share a family."""
    return related(lineage_of(a), lineage_of(b))


def related(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether two lineages share a family. Unknown counts as the same as anything: no advantage from silence."""
    if not first or not second:
        return True
    return bool({name.lower() for name in first} & {name.lower() for name in second})
