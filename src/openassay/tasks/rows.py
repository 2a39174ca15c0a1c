"""Item files as rows: CSV, JSON lines and YAML, each row with the line it starts at.

Only reading: what a field must hold is decided in `items`. CSV cells are text; `items` parses those that hold more.
"""

import csv
import io
from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from openassay.schema.checks import SCORERS
from openassay.schema.suggest import nearest
from openassay.tasks.faults import FaultList, Place
from openassay.tasks.options import option_names
from openassay.tasks.values import parse, short

FIELDS = (
    "id",
    "category",
    "instruction",
    "material",
    "materials",
    "group",
    "swap",
    "scorer",
    "reference",
    "options",
    "checks",
    "solution",
    "max_tokens",
    "author",
    "affiliation",
    "source",
    "licence",
    "language",
    "field",
)
"""Of an item, in the order in which people like to read them."""


class Row(NamedTuple):
    values: dict[str, Any]
    """Only what is set: no empty cell, no null."""
    place: Place
    cells: bool = False
    """Values are text of CSV cells."""


class _Header(NamedTuple):
    names: list[str]
    width: int
    """With the empty columns that spreadsheets write at the end."""
    unread: frozenset[str]
    """Fields that no row can be blamed to lack: the header is, once."""


def read_csv(text: str, file: str, faults: FaultList) -> list[Row]:
    """Rows of a CSV file; comma, semicolon or tab between the cells, whichever makes the header readable."""
    mark = delimiter(text)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
    found: list[Row] = []
    header: _Header | None = None
    try:
        for number, (line, cells) in enumerate(_numbered(reader), start=1):
            if not any(cell.strip() for cell in cells):
                continue
            if header is None:
                header = _header(cells, Place(file, line), faults)
            elif row := _csv_row(header, cells, Place(file, line, row=number, unread=header.unread), faults):
                found.append(row)
    except csv.Error as error:
        todo = "quote cells that hold quotes, commas or line breaks; long texts belong into a material file"
        faults.add(Place(file, reader.line_num), "broken-csv", f"not readable as CSV: {error}", todo=todo)
    return found


def _numbered(reader: Any) -> Iterator[tuple[int, list[str]]]:
    """Each record with the line it starts at: a quoted cell may hold line breaks."""
    start = 1
    for cells in reader:
        yield start, cells
        start = reader.line_num + 1


def delimiter(text: str, names: Collection[str] = FIELDS) -> str:
    """The one that finds most of these column names in the first line that is not empty."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    return max(",;\t", key=lambda mark: sum(name.strip(' "').lower() in names for name in first.split(mark)))


def _header(cells: list[str], place: Place, faults: FaultList) -> _Header:
    names = [_column(cell) for cell in cells]
    while names and not names[-1]:
        names.pop()  # spreadsheets write trailing empty columns
    if not set(names) & set(FIELDS):
        todo = "the first row names the columns, such as id, instruction, scorer, reference"
        faults.add(place, "no-header", "none of the columns in the first row is known", todo=todo)
        return _Header(names, len(cells), frozenset(FIELDS))
    unknown = [name for name in names if name not in FIELDS]
    for name in unknown:
        _add_unknown("column", name, place, faults)
    absent = _absent(names, place.file)
    for name in sorted(absent - {nearest(name, FIELDS) for name in unknown}):
        todo = f"add the column {name!r}" + (", or move the file to tasks/<category>/" if name == "category" else "")
        faults.add(place, "missing-column", f"the header has no column {name!r}", field=name, todo=todo)
    for name in sorted({name for name in names if names.count(name) > 1}):
        what = f"the column {name!r} stands twice"
        faults.add(place, "duplicate-column", what, field=name, todo="remove one of the two")
    return _Header(names, len(cells), frozenset(FIELDS) - set(names) if unknown else absent)


def _column(cell: str) -> str:
    name = cell.strip()
    return name.lower() if name.lower() in FIELDS else name


def _absent(names: list[str], file: str) -> frozenset[str]:
    """Columns without which no item of this file is whole."""
    checked = "scorer" in names or "checks" in names
    by_folder = file.count("/") > 1  # tasks/<category>/<file>
    needed = {"id", "instruction", *(() if checked else ["scorer"]), *(() if by_folder else ["category"])}
    return frozenset(needed - set(names))


def _add_unknown(kind: str, name: str, place: Place, faults: FaultList) -> None:
    scorers = [scorer for scorer in SCORERS if name in option_names(scorer)]
    if not scorers:
        faults.add_unknown(place, kind, name, FIELDS)
        return
    what = f"{name!r} is an option of {scorers[0]!r}, not a {kind}"
    faults.add(place, f"unknown-{kind}", what, field=name, todo=f'write it into `options`, as {{"{name}": ...}}')


def _csv_row(header: _Header, cells: list[str], place: Place, faults: FaultList) -> Row | None:
    names, beyond = header.names, cells[len(header.names) :]
    if len(cells) < len(names) or len(cells) > header.width or any(cell.strip() for cell in beyond):
        what = f"row {place.row} has {len(cells)} cells, the header {len(names)}"
        todo = "put cells that hold the separator into double quotes, and write empty cells too"
        faults.add(place, "column-count", what, todo=todo)
        return None
    named = zip(names, cells, strict=False)  # what is beyond is empty
    return Row({name: cell for name, cell in named if name in FIELDS and cell.strip()}, place, cells=True)


def read_jsonl(text: str, file: str, faults: FaultList) -> list[Row]:
    """One JSON object a line."""
    found = []
    for line, written in enumerate(text.split("\n"), start=1):
        if not written.strip():
            continue
        place = Place(file, line)
        try:
            value = parse(written)
        except ValueError as error:
            faults.add(place, "broken-json", f"{error}", todo="write one JSON object on one line")
            continue
        if row := _object_row(value, place, faults):
            found.append(row)
    return found


def read_yaml(text: str, file: str, faults: FaultList) -> list[Row]:
    """A YAML list with one mapping for each item."""
    from openassay.tasks.yaml_nodes import YamlFault, read_list  # PyYAML is only for those who write YAML

    try:
        items = read_list(text)
    except YamlFault as fault:
        faults.add(Place(file, fault.line), "broken-yaml", fault.what, todo=fault.todo)
        return []
    rows = (_object_row(value, Place(file, line, lines), faults) for value, line, lines in items)
    return [row for row in rows if row]


def _object_row(value: Any, place: Place, faults: FaultList) -> Row | None:
    if not isinstance(value, dict):
        what = f"expected an object with the fields of an item, found {short(value)}"
        faults.add(place, "wrong-item", what, todo='write an item as {"id": ..., "instruction": ...}')
        return None
    unknown = [name for name in value if name not in FIELDS]
    for name in unknown:
        _add_unknown("key", name, place, faults)
    if unknown:
        place = place._replace(unread=frozenset(FIELDS) - set(value))
    return Row({name: inner for name, inner in value.items() if name in FIELDS and inner not in (None, "")}, place)


READERS = {".items.csv": read_csv, ".items.jsonl": read_jsonl, ".items.yaml": read_yaml, ".items.yml": read_yaml}
"""By the end of the file's name."""
