"""Families of models as they are written down: the list that ships, and `families.toml` files of the user's own.

Every fault of a file is collected before reading stops. Not here: what a lineage is and who is related (`lineage`).
"""

import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import Field, ValidationError

from openassay.schema.errors import PlanError
from openassay.schema.record import Record
from openassay.schema.suggest import nearest

SHIPPED = "openassay"
"""Where a family comes from that no file of the user's names."""
_SHOWN = 4
_NAME = re.compile(r"[a-z0-9][a-z0-9._+-]{0,63}")
_PART = re.compile(r"[^\sA-Z_]{2,64}")
_EXAMPLE = '[[family]] with name = "our-model", developer = "Us", base = ["llama-3"], match = ["our-model"]'


class Family(Record):
    """One entry of ``families.toml``."""

    name: str
    developer: str
    base: tuple[str, ...] = ()
    """Families whose weights it continues."""
    distilled_from: tuple[str, ...] = ()
    """Families whose answers taught it."""
    match: tuple[str, ...] = Field(min_length=1)
    """Parts of model names, lower case, hyphens for spaces and underscores; the longest match decides."""
    also: tuple[str, ...] = ()
    """Other names that give it away in a text: a product, another name of its developer."""
    unmistakable: tuple[str, ...] = ()
    """Those of its names that mean nothing else: in an output, judges never see them; others, where they identify."""


class Registry(NamedTuple):
    families: Mapping[str, Family]
    """By name; those of the nearest file first."""
    origins: Mapping[str, str]
    """Name of a family -> the file it stands in, or `SHIPPED`."""


def registry() -> Registry:
    """The list that ships, with the user's own entries added or put in its place.

    Read once for each pair of places: the rules do not change under a run. `PlanError` with every fault of a file.
    """
    return _read(tuple(path.absolute() for path in own_files()))


def own_files() -> tuple[Path, ...]:
    """Where own families are looked for, nearest first: ``./families.toml``, then the user's config folder."""
    folder = os.environ.get("XDG_CONFIG_HOME", "")
    return (
        Path("families.toml"),
        (Path(folder) if folder else Path.home() / ".config") / "openassay" / "families.toml",
    )


@cache
def _read(paths: tuple[Path, ...]) -> Registry:
    found = Registry(dict(_shipped()), dict.fromkeys(_shipped(), SHIPPED))
    for path in reversed(paths):
        if path.is_file():
            found = _joined(found, _entries(path), path)
    return found


@cache
def _shipped() -> Mapping[str, Family]:
    text = files("openassay.models").joinpath("families.toml").read_text(encoding="utf-8")
    return {entry["name"]: Family(**entry) for entry in tomllib.loads(text)["family"]}


def _joined(known: Registry, own: Mapping[str, Family], path: Path) -> Registry:
    families = {**own, **{name: family for name, family in known.families.items() if name not in own}}
    faults = [fault for family in own.values() for fault in _unknown_parents(family, families)]
    faults += [] if faults else _cycles(own, families)
    if faults:
        raise _faulty(path, faults)
    return Registry(families, {name: str(path) if name in own else known.origins[name] for name in families})


def _unknown_parents(family: Family, families: Mapping[str, Family]) -> Iterable[str]:
    for field in ("base", "distilled_from"):
        for name in getattr(family, field):
            if name not in families:
                near = nearest(name, families)
                hint = f"; did you mean {near!r}?" if near else ", and no entry for it"
                yield f"[[family]] {family.name!r}: expected known families in {field}, found {name!r}{hint}"


def _cycles(own: Iterable[str], families: Mapping[str, Family]) -> list[str]:
    """A cycle must pass through an own entry: the list that ships has none."""
    for name in own:
        way = _way_back(name, families)
        if way:
            return [f"[[family]] {name!r}: expected ancestors, found a circle: {' from '.join(way)}"]
    return []


def _way_back(start: str, families: Mapping[str, Family]) -> tuple[str, ...]:
    """The names from a family back to itself; empty where it is not its own ancestor."""
    seen: set[str] = set()
    waiting: list[tuple[str, ...]] = [(start,)]
    while waiting:
        way = waiting.pop()
        for parent in (*families[way[-1]].base, *families[way[-1]].distilled_from):
            if parent == start:
                return (*way, start)
            if parent not in seen:
                seen.add(parent)
                waiting.append((*way, parent))
    return ()


def _entries(path: Path) -> dict[str, Family]:
    """Name -> family of one file."""
    tables = _tables(path)
    faults: list[str] = []
    found: dict[str, Family] = {}
    for number, entry in enumerate(tables, 1):
        wrong = _entry_faults(entry)
        name = entry.get("name") if isinstance(entry, dict) else None
        place = f"[[family]] {name!r}" if isinstance(name, str) and name else f"[[family]] number {number}"
        if not wrong and name in found:
            wrong = ["expected each name once, found it twice"]
        faults += [f"{place}: {what}" for what in wrong]
        if not wrong:
            found[entry["name"]] = Family(**entry)
    if faults:
        raise _faulty(path, faults)
    return found


def _tables(path: Path) -> list[Any]:
    try:
        parsed = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise PlanError(f"not valid TOML: {error}", where=str(path), todo="repair the line named") from None
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise PlanError(f"cannot read {path}: {reason}", where=str(path), todo="check the file") from None
    others = [name for name in parsed if name != "family"]
    tables = parsed.get("family", [])
    if others or not isinstance(tables, list):
        found = repr(others[0]) if others else "[family]"
        raise _faulty(path, [f"expected only [[family]] tables, found {found}"])
    return tables


def _entry_faults(entry: Any) -> list[str]:
    if not isinstance(entry, dict):
        return [f"expected a table, found {entry!r}"]
    faults = [_unknown_field(field) for field in entry if field not in Family.model_fields]
    faults += [
        f"expected {field} = {what}, found none"
        for field, what in (("name", '"..."'), ("developer", '"..."'), ("match", '["beginning-of-model-names"]'))
        if not entry.get(field)
    ]
    return faults or _shape_faults(entry)


def _unknown_field(field: str) -> str:
    near = nearest(field, Family.model_fields)
    return f"unknown key {field!r}" + (f"; did you mean {near!r}?" if near else "")


def _shape_faults(entry: dict[str, Any]) -> list[str]:
    try:
        family = Family(**entry)
    except ValidationError as error:
        return [f"{fault['loc'][0]}: {fault['msg']}; found {fault['input']!r}" for fault in error.errors()]
    faults = []
    if not _NAME.fullmatch(family.name):
        faults.append("expected a name of lower-case letters, digits, dots, hyphens")
    faults += [
        f"match: expected two or more characters, lower case, hyphens for spaces and underscores, found {part!r}"
        for part in family.match
        if not _PART.fullmatch(part)
    ]
    known = {name.lower() for name in (*family.match, *family.also, family.developer)}
    faults += [
        f"unmistakable: expected names that stand in match, also or developer, found {name!r}"
        for name in family.unmistakable
        if name.lower() not in known
    ]
    return faults


def _faulty(path: Path, faults: list[str]) -> PlanError:
    todo = f"repair the entries named; one looks so: {_EXAMPLE}; `openassay models --families` lists what is known"
    if len(faults) == 1:
        return PlanError(faults[0], where=str(path), todo=todo)
    rest = [f"and {len(faults) - _SHOWN} more"] if len(faults) > _SHOWN else []
    rows = "".join(f"\n  {fault}" for fault in [*faults[:_SHOWN], *rest])
    return PlanError(f"{len(faults)} faults in {path}:{rows}", todo=todo)
