"""Rows of an item file to drafts of tasks."""

import re
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from openassay.schema.record import Record
from openassay.schema.task import Check, Material, Origin, TaskLimits
from openassay.tasks.checklist import SHORT_FORM, Source, read_check
from openassay.tasks.drafts import ORIGIN, Draft, check_name
from openassay.tasks.faults import FaultList, Place, field_names
from openassay.tasks.material import inline, read_materials
from openassay.tasks.rows import Row
from openassay.tasks.swap import variants, with_alike
from openassay.tasks.tree import Tree, unix_lines
from openassay.tasks.values import OTHER_QUOTES, is_number, kind, parse

R = TypeVar("R", bound=Record)

_TEXTS = ("category", "instruction", "material", "group", "scorer", "solution", *ORIGIN)


_FILES = '["a.pdf", "b.txt"]'

_JSON_CELLS = {
    "options": '{"relative": 0.01}',
    "checks": '[{"id": "a", "uses": "exact", "reference": "b"}]',
    "materials": _FILES,
    "max_tokens": "200",
}
"""Cells that are parsed -> an example."""


def read_items(row: Row, folder: Path, category: str, tree: Tree) -> list[Draft]:
    """The drafts of a row: one, or one for each variant where it has `swap`; arguments as of `read_item`."""
    drafts = (read_item(one, folder, category, tree) for one in variants(row, tree.faults))
    return [draft for draft in drafts if draft]


def read_item(row: Row, folder: Path, category: str, tree: Tree) -> Draft | None:
    """A row as a draft.

    Args:
        row: as read.
        folder: of the item file; materials are named relative to it.
        category: by the folder's name; empty where a column must say it.
        tree: the benchmark folder, which collects the faults.
    """
    values, place, faults = _prepared(row, tree.faults), row.place, tree.faults
    _demand(values, place, faults)
    own = values.get("category", "")
    if own and category and own != category:
        what = f"the category {own!r} stands in the folder of {category!r}"
        faults.add(place, "category-mismatch", what, field="category", todo="move the item or leave the category out")
    if not own and not category:
        todo = "add a `category` column or move the file into tasks/<category>/"
        faults.add(place, "missing-category", "the item has no category", field="category", todo=todo)
    if "id" not in values:
        return None
    variant = values.get("swap")
    return Draft(
        id=check_name(values["id"], "id", place, faults),
        category=own or category,
        instruction=values.get("instruction", ""),
        place=place,
        materials=_materials(values, folder, tree, place),
        checks=with_alike(_checks(values, row, faults), variant.alike if variant else ()),
        group=values.get("group", ""),
        swap=variant.swapped if variant else None,
        solution=values.get("solution"),
        origin=_record(Origin, {name: values[name] for name in ORIGIN if name in values}, place, faults),
        limits=_record(TaskLimits, {"max_tokens": values.get("max_tokens")}, place, faults),
        checks_field="checks" if "checks" in values else "scorer",
    )


def _prepared(row: Row, faults: FaultList) -> dict[str, Any]:
    """Texts trimmed, numbers as ids taken as text, and the cells that hold JSON parsed."""
    values = dict(row.values)
    if is_number(values.get("id")):
        values["id"] = str(values["id"])
    if isinstance(values.get("id"), str):
        values["id"] = values["id"].strip()
    for name in _TEXTS:
        if name in values and not isinstance(values[name], str):
            what = f"expected text, found {kind(values[name])}"
            faults.add(row.place, f"wrong-{name}", what, field=name, todo=f"write {name!r} as text")
            del values[name]
        elif name in values:
            values[name] = unix_lines(values[name]).strip()
    return _parsed(values, row.place, faults) if row.cells else values


def _parsed(values: dict[str, Any], place: Place, faults: FaultList) -> dict[str, Any]:
    for name, example in _JSON_CELLS.items():
        if name not in values or (name == "materials" and not values[name].lstrip().startswith("[")):
            continue
        try:
            values[name] = parse(values[name])
        except ValueError as error:
            todo = f"write JSON with straight double quotes, such as {example}"
            faults.add(place, f"wrong-{name}", f"{place.cell(name)}: {error}", field=name, todo=todo)
            del values[name]
    return values


def _demand(values: dict[str, Any], place: Place, faults: FaultList) -> None:
    for name in ("id", "instruction"):
        if not values.get(name):
            faults.add(place, f"missing-{name}", f"the item has no {name}", field=name, todo=f"fill in {name!r}")
    if "scorer" not in values and not values.get("checks"):
        what = "the item has neither a scorer nor checks, so no answer could be wrong"
        faults.add(place, "missing-scorer", what, field="scorer", todo="fill in `scorer`, such as exact or rubric")


def _materials(values: dict[str, Any], folder: Path, tree: Tree, place: Place) -> tuple[Material, ...]:
    given = (inline(values["material"]),) if values.get("material") else ()
    names = values.get("materials", [])
    if isinstance(names, str):
        names = _one_name(names.strip(), place, tree.faults)
    return (*given, *read_materials(tree, folder, names_only(names, place, tree.faults), place))


def _one_name(name: str, place: Place, faults: FaultList) -> list[str]:
    """The name of one file as a list; empty, with a fault, where it looks like several."""
    several = len(re.findall(r"\.\w{1,5}\s*(?:[;,|\n]|$)", name)) > 1
    if not several and not name.startswith(('"', "{", *OTHER_QUOTES)):
        return [name]
    what = f"{place.cell('materials')}: looks like a list; a list is JSON with straight double quotes"
    faults.add(place, "wrong-materials", what, field="materials", todo=f"write {_FILES}")
    return []


def names_only(names: Any, place: Place, faults: FaultList) -> list[str]:
    """A list of file names; empty, with a fault, where it is none."""
    if isinstance(names, list) and all(isinstance(name, str) for name in names):
        return names
    what = f"expected a list of file names, found {kind(names)}"
    faults.add(place, "wrong-materials", what, field="materials", todo=f"write {_FILES}")
    return []


def _checks(values: dict[str, Any], row: Row, faults: FaultList) -> tuple[Check, ...]:
    sources = []
    if "scorer" in values:
        short = {"id": SHORT_FORM, "uses": values["scorer"], "options": values.get("options", {})}
        if "reference" in values:
            short["reference"] = values["reference"]
        sources.append(Source(short, row.place, cells=row.cells))
    elif "scorer" not in row.place.unread:
        _needless(values, row.place, faults)
    sources += list_sources(values.get("checks", []), row.place, "checks", faults)
    found = (read_check(source, faults) for source in sources)
    return tuple(check for check in found if check)


def list_sources(written: Any, place: Place, field: str, faults: FaultList) -> list[Source]:
    """The entries of a list of checks; what is no list of objects is a fault."""
    if not isinstance(written, list) or not all(isinstance(check, dict) for check in written):
        what = f"expected a list of checks, found {kind(written)}"
        faults.add(place, "wrong-checks", what, field=field, todo='such as [{"id": "a", "uses": "exact", ...}]')
        return []
    return [Source(check, place, f"{field}.{number}") for number, check in enumerate(written)]


def _needless(values: dict[str, Any], place: Place, faults: FaultList) -> None:
    """A reference without a scorer would be ignored in silence."""
    for name in ("reference", "options"):
        if name in values and values.get("checks"):
            what = f"{name!r} belongs to a scorer, and the item names none beside its checks"
            faults.add(place, f"needless-{name}", what, field=name, todo="add `scorer`, or move it into a check")


def _record(record: type[R], values: dict[str, Any], place: Place, faults: FaultList) -> R:
    """The record; an empty one, with faults, where a value does not fit."""
    try:
        return record.model_validate(values)
    except ValidationError as error:
        faults.add_invalid(place, error, record, kind="key", at="")
        return record()


def read_table(record: type[R], values: Any, place: Place, faults: FaultList, field: str) -> R:
    """A table of `task.toml` as a record."""
    if not isinstance(values, dict):
        what = f"expected a table, found {kind(values)}"
        faults.add(place, "wrong-key", what, field=field, todo=f"write it below a line [{field}]")
        return record()
    for name in [name for name in values if name not in field_names(record)]:
        faults.add_unknown(place, "key", name, field_names(record), field=f"{field}.{name}")
    return _record(
        record, {name: inner for name, inner in values.items() if name in field_names(record)}, place, faults
    )
