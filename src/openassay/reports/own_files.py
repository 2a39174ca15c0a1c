"""Reading a TOML file of the reader's own (needs, figures from outside, claims): every fault at once, with its line.

Not here: what the files hold (`needs_file`, `published`).
"""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from openassay.schema.errors import InputError, OwnFileError
from openassay.schema.record import Record
from openassay.tasks.faults import FaultList, Place
from openassay.tasks.toml import read_toml

MOST_BYTES = 2_000_000
"""Of such a file; nobody writes as much by hand."""

Kind = TypeVar("Kind", bound=Record)
Look = Callable[[Kind, Place, FaultList], None]
"""Adds what is wrong with the values together."""


def text_of(path: Path) -> str:
    """The text of a file; `InputError` where it cannot be read, is too large or is no UTF-8."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as fault:
        raise InputError(f"cannot read {path}: {fault.strerror}", where=str(path), todo="check the path") from fault
    if len(data) > MOST_BYTES:
        raise InputError(f"expected at most {MOST_BYTES:,} bytes, found more", where=str(path), todo="cut the file")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        what = f"expected UTF-8, found other bytes: {fault.reason}"
        raise InputError(what, where=str(path), todo="save it as UTF-8") from fault


def read_own(path: Path, record: type[Kind], look: Look[Kind] | None = None) -> Kind:
    """The record that a TOML file holds.

    Raises:
        InputError: the file cannot be read.
        OwnFileError: every fault found in it.
    """
    faults = FaultList()
    found = _read(text_of(path), path.name, record, look, faults)
    if found is None or faults.found:
        raise OwnFileError(tuple(faults.found))
    return found


def _read(text: str, name: str, record: type[Kind], look: Look[Kind] | None, faults: FaultList) -> Kind | None:
    parsed = read_toml(text, name, faults)
    if parsed is None:
        return None
    values, place = parsed
    try:
        found = record.model_validate(values)
    except ValidationError as error:
        faults.add_invalid(place, error, record, kind="key", at="")
        return None
    if look:
        look(found, place, faults)
    return found
