"""Item files as rows: CSV, JSON lines and YAML, each row with the line it starts at.

Only reading: what a field must hold is decided in `items`. CSV cells are text; `items` parses those that hold more.
"""

import csv
import io
from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from openassay.schema.checks import SCORERS
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


def read_csv(text: str, file: str, faults: FaultList) -> list[Row]:
    """Rows of a CSV file; comma, semicolon or tab between the cells, whichever makes the header readable."""
    mark = delimiter(text)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
    found: list[Row] = []
    header: list[str] = []
    try:
        for line, cells in _numbered(reader):
            if not any(cell.strip() for cell in cells):
                continue
            if not header:
                header = _header(cells, Place(file, line), faults)
            elif row := _csv_row(header, cells, Place(file, line), faults):
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
    return max(",;\t", key=lambda mark: sum(name.strip(' "') in names for name in first.split(mark)))


def _header(cells: list[str], place: Place, faults: FaultList) -> list[str]:
    names = [cell.strip() for cell in cells]
    while names and not names[-1]:
        names.pop()  # spreadsheets write trailing empty columns
    for name in names:
        if name not in FIELDS:
            _add_unknown("column", name, place, faults)
    for name in sorted({name for name in names if names.count(name) > 1}):
        faults.add(place, "duplicate-column", f"the column {name!r} stands twice", field=name)
    return names


def _add_unknown(kind: str, name: str, place: Place, faults: FaultList) -> None:
    scorers = [scorer for scorer in SCORERS if name in option_names(scorer)]
    if not scorers:
        faults.add_unknown(place, kind, name, FIELDS)
        return
    what = f"{name!r} is an option of {scorers[0]!r}, not a {kind}"
    faults.add(place, f"unknown-{kind}", what, field=name, todo=f'write it into `options`, as {{"{name}": ...}}')


def _csv_row(header: list[str], cells: list[str], place: Place, faults: FaultList) -> Row | None:
    while len(cells) > len(header) and not cells[-1].strip():
        cells = cells[:-1]
    if len(cells) != len(header):
        what = f"expected {len(header)} cells as in the header, found {len(cells)}"
        faults.add(place, "column-count", what, todo="quote cells that hold the separator, and write empty cells too")
        return None
    named = zip(header, cells, strict=True)
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
    for name in value:
        if name not in FIELDS:
            _add_unknown("key", name, place, faults)
    return Row({name: inner for name, inner in value.items() if name in FIELDS and inner not in (None, "")}, place)


READERS = {".items.csv": read_csv, ".items.jsonl": read_jsonl, ".items.yaml": read_yaml, ".items.yml": read_yaml}
"""By the end of the file's name."""
