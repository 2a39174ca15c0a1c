"""The names by which models and their makers are told, as one pattern; taken from the registry of families.

Not here: whether a name that stands in a text tells the author (`masking`).
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from openassay.models.families_file import Registry, registry
from openassay.scorers.fold import fold

_LOOK_ALIKES = dict(
    zip(
        "аеорсухіјѕԁԛԝһѵАВЕКМНОРСТХІЈЅοανικερυΑΒΕΗΙΚΜΝΟΡΤΧΥΖ",
        "aeopcyxijsdqwhvabekmhopctxijsoavikepuabehikmnoptxyz",
        strict=True,
    )
)
"""Cyrillic and Greek letters that look like Latin ones."""
_LEAST = 4
"""Shorter names are never certain, even with a digit in them: o1, o3, t5."""


class Names(NamedTuple):
    pattern: re.Pattern[str]
    """Finds a name at the beginning of a word of a `shadow`, the longest first."""
    certain: frozenset[str]
    """Keys of names that mean nothing else, or that have a version in them."""
    makers: frozenset[str]
    """Keys of names of developers that are not certain."""
    pairs: frozenset[tuple[str, str]]
    """(key of a developer, key of a name of theirs)."""


def names() -> Names:
    """Of the registry in force."""
    return _names(_Once(registry()))


class _Once:
    """A registry as a cache's key: it is read once, so it is itself."""

    def __init__(self, known: Registry) -> None:
        self.known = known

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Once) and self.known.families is other.known.families

    def __hash__(self) -> int:
        return id(self.known.families)


@lru_cache(maxsize=4)
def _names(once: _Once) -> Names:
    certain: set[str] = set()
    found: set[str] = set()
    makers: set[str] = set()
    pairs: set[tuple[str, str]] = set()
    others: set[str] = set()
    for family in once.known.families.values():
        told = [part.strip("-") for part in (*family.match, *family.also)]
        sure = tuple(name_key(one) for one in family.unmistakable)
        for name in [*told, family.developer.lower()]:
            if name_key(name).startswith(sure) or (name in told and _versioned(name)):
                certain.add(name_key(name))
        makers.add(name_key(family.developer))
        pairs.update((name_key(family.developer), name_key(name)) for name in told)
        others.update(map(name_key, told))
        found.update([*told, family.developer.lower()])
    spelt = sorted(re.sub(r"-(?=\d)", "_", name) for name in found if name)
    pattern = re.compile(rf"(?<![a-z0-9])(?:{_tree(spelt)})")
    return Names(pattern, frozenset(certain), frozenset(makers - certain - others), frozenset(pairs))


def _versioned(name: str) -> bool:
    return len(name) >= _LEAST and any(letter.isdigit() for letter in name)


def name_key(name: str) -> str:
    """Of a name as found: spaces and hyphens do not count."""
    return re.sub(r"[-_ ]+", "", name.lower())


def _tree(words: Iterable[str], depth: int = 0) -> str:
    """A pattern of all words that decides letter by letter: the time for a text does not grow with the list."""
    groups: dict[str, list[str]] = {}
    ends = False
    for word in words:
        if len(word) > depth:
            groups.setdefault(word[depth], []).append(word)
        ends = ends or len(word) == depth
    branches = [_letter(first) + _tree(rest, depth + 1) for first, rest in groups.items()]
    if not branches:
        return ""
    return f"(?:{'|'.join(branches)})" + ("?" if ends else "")


def _letter(letter: str) -> str:
    """A hyphen may be a space or nothing, but not before a number: `llama 3` may be the third animal."""
    return {"_": "[-_]?", "-": "[-_ ]?", " ": "[-_ ]?"}.get(letter, re.escape(letter))


def shadow(text: str) -> str:
    """The text in lower case and plain letters, character for character: a place in it is a place in the text."""
    table = {ord(one): _plain(one) for one in set(text)}
    return text.translate(table)


@lru_cache(maxsize=4096)
def _plain(one: str) -> str:
    folded = _LOOK_ALIKES.get(one) or fold(one) or one
    lower = folded.lower()
    return lower if len(lower) == 1 else one
