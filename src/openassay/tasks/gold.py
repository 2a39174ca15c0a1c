"""Gold sets: reading one from a `.jsonl` or `.csv` file, or saying all that is wrong with it.

Not here: whether a verdict is right (people decided that), and asking a judge.
"""

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from openassay.schema.blank import is_blank
from openassay.schema.canonical import digest, sha256_hex
from openassay.schema.errors import Fault, FaultLevel, GoldError
from openassay.schema.gold import GoldItem, GoldSet
from openassay.schema.suggest import nearest, unknown_name
from openassay.tasks.faults import FaultList, Place
from openassay.tasks.rows import delimiter
from openassay.tasks.tree import Tree, unix_lines
from openassay.tasks.values import parse, short

FIELDS = tuple(GoldItem.model_fields)
REQUIRED = tuple(name for name, field in GoldItem.model_fields.items() if field.is_required())
SAID = ("category", "kind", "instruction", "output", "criterion", "ground")
"""Fields that must hold something to be read."""
FEW = 10
"""With fewer items, a judge's agreement could be anything."""

_LONGEST_NAME = 40

_JSON_CELLS = {"raters": '{"anna": "pass", "ben": "pass"}', "style_free": "true"}
"""Columns of a CSV file that are parsed -> an example."""


class _Read(NamedTuple):
    item: GoldItem
    place: Place


def starter_gold() -> Path:
    """File of the gold set that ships with the package."""
    return Path(__file__).parent / "starter" / "gold" / "gold.jsonl"


def read_gold(path: Path) -> GoldSet:
    """A gold set from its file.

    Raises:
        GoldError: with every fault of the file.
    """
    faults = FaultList()
    read = _read(path, faults)
    _check_together(read, faults)
    if not read and not faults.found:
        faults.add(Place(path.name), "no-items", "the gold set holds no item", todo="write one item a line")
    if not faults.found:
        _check_verdicts(read, Place(path.name), faults)
    if faults.found:
        raise GoldError(tuple(sorted(faults.found, key=lambda fault: fault.line or 0)))
    items = tuple(one.item for one in read)
    return GoldSet(name=_name(path), items=items, digest=_digest(items), remarks=tuple(_remarks(items, path.name)))


def mixed(gold: GoldSet, outputs: int) -> GoldSet:
    """So many outputs with their items, spread over the set: always the same ones, wherever they stand in the file."""
    whole = gold.outputs()
    if outputs >= len(whole):
        return gold
    spread = sorted(whole, key=lambda items: sha256_hex(min(item.id for item in items).encode()))[:outputs]
    kept = {item.id for items in spread for item in items}
    items = tuple(item for item in gold.items if item.id in kept)
    return GoldSet(name=f"{outputs} outputs of {gold.name}", items=items, digest=_digest(items))


def _name(path: Path) -> str:
    """`gold` says nothing: the folder's name then."""
    whole = path.resolve()
    names = (whole.stem, *(folder.name for folder in whole.parents))
    return next((name for name in names if name not in {"gold", ""}), "gold")


def _digest(items: Iterable[GoldItem]) -> str:
    return digest([item.model_dump(mode="json") for item in sorted(items, key=lambda item: item.id)])


def _read(path: Path, faults: FaultList) -> list[_Read]:
    reader = {".jsonl": _from_jsonl, ".csv": _from_csv}.get(path.suffix.lower())
    if reader is None:
        what = f"expected a file that ends with .jsonl or .csv, found {short(path.name)}"
        faults.add(Place(path.name), "unknown-format", what, todo="write one JSON object a line into gold.jsonl")
        return []
    text = Tree(path.parent, faults).text(path)
    if text is None:
        return []
    rows = ((_item(values, place, faults), place) for values, place in reader(text, path.name, faults))
    return [_Read(item, place) for item, place in rows if item]


def _from_jsonl(text: str, file: str, faults: FaultList) -> Iterator[tuple[dict[str, Any], Place]]:
    for line, written in enumerate(text.split("\n"), start=1):
        if not written.strip():
            continue
        place = Place(file, line)
        try:
            value = parse(written)
        except ValueError as error:
            faults.add(place, "broken-json", f"{error}", todo="write one JSON object on one line")
            continue
        if not isinstance(value, dict):
            what = f"expected an object with the fields of an item, found {short(value)}"
            faults.add(place, "wrong-item", what, todo='write an item as {"id": ..., "instruction": ...}')
            continue
        unread = _unread("key", list(value), place, faults)
        named = {name: inner for name, inner in value.items() if name in FIELDS and inner is not None}
        yield named, place._replace(unread=unread)


def _from_csv(text: str, file: str, faults: FaultList) -> Iterator[tuple[dict[str, Any], Place]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter(text, FIELDS), strict=True)
    names, unread, start = [""], frozenset[str](), 1
    try:
        for number, cells in enumerate(reader, start=1):
            place = Place(file, start, row=number, unread=unread)
            start = reader.line_num + 1  # a quoted cell may hold line breaks
            if not any(cell.strip() for cell in cells):
                continue
            if not any(names):
                names = [cell.strip().lower() for cell in cells]
                unread = _header(names, place._replace(row=None), faults)
            elif len(cells) != len(names):
                what = f"row {number} has {len(cells)} cells, the header {len(names)}"
                todo = "put cells that hold the separator into double quotes, and write empty cells too"
                faults.add(place, "column-count", what, todo=todo)
            else:
                named = dict(zip(names, cells, strict=True))
                yield {name: cell for name, cell in named.items() if name in FIELDS and cell.strip()}, place
    except csv.Error as error:
        todo = "quote cells that hold quotes, commas or line breaks"
        faults.add(Place(file, reader.line_num), "broken-csv", f"not readable as CSV: {error}", todo=todo)


def _header(names: list[str], place: Place, faults: FaultList) -> frozenset[str]:
    """Fields that no row can be blamed to lack: the header is, once."""
    unread = _unread("column", [name for name in names if name], place, faults)
    guessed = {nearest(name, FIELDS) for name in names if name not in FIELDS}
    for name in REQUIRED:
        if name not in names and name not in guessed:
            what = f"the header has no column {name!r}"
            faults.add(place, "missing-column", what, field=name, todo=f"add the column {name!r}")
    twice = frozenset(name for name, count in Counter(names).items() if name and count > 1)
    for name in sorted(twice):
        what = f"the column {name!r} stands more than once"
        faults.add(place, "duplicate-column", what, field=name, todo="leave one of them")
    return unread | twice | (frozenset(FIELDS) - set(names))


def _unread(kind: str, names: list[str], place: Place, faults: FaultList) -> frozenset[str]:
    """Says which names are unknown; fields that may stand under a misspelt one."""
    unknown = [name for name in names if name not in FIELDS]
    for name in unknown:
        what = unknown_name(kind, name[:_LONGEST_NAME], FIELDS)
        faults.add(place, f"unknown-{kind}", what, field=name[:_LONGEST_NAME], todo=f"correct or remove the {kind}")
    return frozenset(FIELDS) - set(names) if unknown else frozenset()


def _item(values: dict[str, Any], place: Place, faults: FaultList) -> GoldItem | None:
    """The record; None, with faults, where a value does not fit."""
    kind = "key" if place.row is None else "column"
    values = {name: unix_lines(value) if isinstance(value, str) else value for name, value in values.items()}
    if place.row is not None and not _parse_cells(values, place, faults):
        return None
    try:
        return GoldItem.model_validate(values)
    except ValidationError as error:
        faults.add_invalid(place, error, GoldItem, kind=kind, at="")
        return None


def _parse_cells(values: dict[str, Any], place: Place, faults: FaultList) -> bool:
    """Spreadsheets write TRUE and people write Pass; false, with faults, where a cell is not readable."""
    for name in ("id", "category", "kind", "verdict", "language"):
        if name in values:
            values[name] = values[name].strip()
    values.update({"verdict": values["verdict"].lower()} if "verdict" in values else {})
    readable = True
    for name in _JSON_CELLS.keys() & values.keys():
        written = values[name].strip()
        try:
            values[name] = parse(written.lower() if name == "style_free" else written)
        except ValueError as error:
            what = f"{place.cell(name)}: {error}"
            faults.add(place, f"wrong-{name}", what, field=name, todo=f"write JSON, such as {_JSON_CELLS[name]}")
            readable = False
    return readable


def _check_together(read: list[_Read], faults: FaultList) -> None:
    """The same id or the same question twice would count twice; a verdict against its raters is a slip."""
    ids: dict[str, _Read] = {}
    asked: dict[tuple[str, ...], _Read] = {}
    for one in read:
        item, place = one
        if (first := ids.setdefault(item.id.casefold(), one)) is not one:
            what = f"duplicate id {item.id!r}: also at {first.place.name()}"
            faults.add(place, "duplicate-id", what, field="id", todo="rename one of the two")
        question = (item.instruction, item.material, item.output, " ".join(item.criterion.split()))
        if (first := asked.setdefault(question, one)) is not one:
            other = "" if first.item.verdict == item.verdict else ", with the other verdict"
            what = f"same instruction, material, output and criterion as {first.item.id!r}{other}"
            faults.add(place, "duplicate-content", what, field="criterion", todo="remove one of the two")
        _check_raters(item, place, faults)
        for name in SAID:
            if is_blank(getattr(item, name)):
                faults.add(place, "blank", f"{name!r} holds nothing to read", field=name, todo="fill it in")


def _check_raters(item: GoldItem, place: Place, faults: FaultList) -> None:
    against = sum(said != item.verdict for said in item.raters.values())
    if against > len(item.raters) - against:
        what = f"the verdict is {item.verdict!r}, and {against} of {len(item.raters)} raters say otherwise"
        faults.add(place, "against-raters", what, field="verdict", todo="correct the verdict or leave the item out")


def _check_verdicts(read: list[_Read], place: Place, faults: FaultList) -> None:
    """A judge that always says the same agrees fully with a set of one verdict."""
    verdicts = {one.item.verdict for one in read}
    for verdict in sorted({"pass", "fail"} - verdicts):
        what = f"expected items of both verdicts, found none with {verdict!r}"
        todo = f"add items that deserve {verdict!r}; a third or more should fail"
        faults.add(place, f"no-{verdict}", what, field="verdict", todo=todo)


def _remarks(items: tuple[GoldItem, ...], file: str) -> Iterator[Fault]:
    if len(items) < FEW:
        yield Fault(
            level=FaultLevel.REMARK,
            code="few-items",
            what=f"expected at least {FEW} items, found {len(items)}: a judge's agreement with them says little",
            file=file,
            todo="add items; 60 or more are worth having",
        )
