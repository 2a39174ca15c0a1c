"""Which models are relatives: a judge of the candidate's own lineage never decides alone.

`families.toml` holds what is publicly known, and users add to it (`families_file`). Not here: the rule about judges
(`runs`), and any look at weights: a model's maker can say what they like, so a lineage is a claim with a source, not a
proof.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from openassay.models.families_file import SHIPPED, Family, registry
from openassay.schema.models import ModelSpec, PlannedModel

Source = Literal["stated", "shipped", "own", "unknown"]
"""Who says so: the entry in models.toml, the list that ships, a families.toml of the user's, nobody."""


class Claim(NamedTuple):
    """A lineage and who says so."""

    lineage: tuple[str, ...]
    """Nearest first; empty where unknown."""
    source: Source
    file: str = ""
    """For `own`: the file."""


def families() -> Mapping[str, Family]:
    """Name -> family: the list that ships and the user's own; `PlanError` where a file of theirs is wrong."""
    return registry().families


def known(model: str) -> tuple[str, tuple[str, ...]]:
    """(developer, lineage nearest first) of a model name; empty where unknown.

    The developer stays empty where the name only contains a family's: someone else's descendant of it.

    >>> known("deepseek-r1-distill-qwen-7b")
    ('DeepSeek', ('deepseek-r1-distill-qwen', 'qwen2.5', 'qwen', 'deepseek-r1', 'deepseek-v3', 'deepseek'))
    >>> known("made-up-model")
    ('', ())
    """
    family, starts = _nearest(model)
    if family is None:
        return "", ()
    return family.developer if starts else "", _descent(family.name)


def _nearest(model: str) -> tuple[Family | None, bool]:
    """The family that a name tells, and whether the name begins with the family's."""
    name = _folded(model)
    best: tuple[int, bool, Family] | None = None
    for family in families().values():
        for part in family.match:
            at = _found(part, name)
            if at is not None and (best is None or len(part) > best[0]):
                best = (len(part), at == 0, family)
    return (None, False) if best is None else (best[2], best[1])


def _folded(model: str) -> str:
    return re.sub(r"[\s_]+", "-", model.rpartition("/")[2].lower())[:200]


def _found(part: str, name: str) -> int | None:
    """Where a part stands in a name, at the beginning of a word; None where it does not."""
    at = name.find(part)
    while at > 0 and name[at - 1].isalnum():
        at = name.find(part, at + 1)
    return at if at >= 0 else None


def _descent(name: str) -> tuple[str, ...]:
    """A family and all its ancestors, bases before teachers; each once, so a circle ends."""
    known = families()
    found: dict[str, None] = {}
    waiting = [name]
    while waiting:
        current = waiting.pop(0)
        if current not in found:
            found[current] = None
            family = known[current]
            waiting = [*family.base, *waiting, *family.distilled_from]
    return tuple(found)


def lineage_of(model: ModelSpec | PlannedModel) -> tuple[str, ...]:
    """As the user says; else as the registry knows the model's name; empty where nobody does.

    What the user says is widened by what the registry knows of those families.
    """
    return claim_of(model).lineage


def claim_of(model: ModelSpec | PlannedModel) -> Claim:
    """A model's lineage, and who says so."""
    if model.lineage:
        return Claim(_widened(model.lineage), "stated")
    family, _ = _nearest(model.model)
    if family is None:
        return Claim((), "unknown")
    origin = registry().origins[family.name]
    lineage = _descent(family.name)
    return Claim(lineage, "shipped") if origin == SHIPPED else Claim(lineage, "own", origin)


def _widened(stated: Sequence[str]) -> tuple[str, ...]:
    """With what is known of each family. A family may be told by a model's name: ``Llama 3``, ``gpt-4o``."""
    named = [" ".join(name.split()) for name in stated]
    return tuple(dict.fromkeys([*named, *(one for name in named for one in _told(name))]))


def _told(name: str) -> tuple[str, ...]:
    if name.lower() in families():
        return _descent(name.lower())
    family, _ = _nearest(name)
    return _descent(family.name) if family else ()


def same_lineage(a: ModelSpec | PlannedModel, b: ModelSpec | PlannedModel) -> bool:
    """Whether they share a family."""
    return related(lineage_of(a), lineage_of(b))


def related(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether two lineages share a family. Unknown counts as the same as anything: no advantage from silence."""
    if not first or not second:
        return True
    return bool({name.lower() for name in first} & {name.lower() for name in second})
