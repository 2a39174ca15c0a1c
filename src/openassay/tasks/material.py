"""Supplied files as text: txt, md, csv, py, docx, pdf.

What a model reads is the text; what counts for the identity is the digest of the file's bytes. Scanned PDF pages
without a text layer give no text and are refused, never sent as nothing.
"""

import io
import logging
import zipfile
from collections.abc import Callable
from pathlib import Path

from openassay.schema.canonical import sha256_hex
from openassay.schema.task import Material
from openassay.tasks.faults import Place
from openassay.tasks.tree import LARGEST, Tree, unix_lines

_UNPACKED = 5 * LARGEST


def inline(text: str) -> Material:
    """Text given with the item itself."""
    return Material(name="material", text=text, sha256=sha256_hex(text.encode()))


def read_materials(tree: Tree, folder: Path, names: list[str], place: Place) -> tuple[Material, ...]:
    """The named files below a folder; each that cannot be read is a fault at `materials`."""
    if twice := next((name for name in names if names.count(name) > 1), None):
        what = f"{twice!r} is named twice"
        tree.faults.add(place, "duplicate-material", what, field="materials", todo="remove one of the two")
    found = (_read(tree, folder, name, place) for name in names)
    return tuple(material for material in found if material is not None)


def _read(tree: Tree, folder: Path, name: str, place: Place) -> Material | None:
    path = tree.inside(folder, name, place, "materials")
    if path is None:
        return None
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        what = f"{name!r}: expected one of {', '.join(_READERS)}, found {path.suffix or 'no ending'}"
        tree.faults.add(place, "unsupported-material", what, field="materials", todo="convert it to text")
        return None
    data = tree.read(path)
    return None if data is None else _extracted(tree, name, data, reader, place)


def _extracted(tree: Tree, name: str, data: bytes, reader: Callable[[bytes], str], place: Place) -> Material | None:
    try:
        text = unix_lines(reader(data))
        text.encode()
    except Exception as error:  # noqa: BLE001 - a broken file of another program may raise anything
        what = f"{name!r} cannot be read as {Path(name).suffix}: {type(error).__name__}"
        todo = "open it with its own program and save it again; text files must be UTF-8"
        tree.faults.add(place, "unreadable-material", what, field="materials", todo=todo)
        return None
    if not text.strip():
        what = f"{name!r} holds no text"
        tree.faults.add(place, "empty-material", what, field="materials", todo="a scan needs text recognition first")
        return None
    return Material(name=name, text=text, sha256=sha256_hex(data))


def _plain(data: bytes) -> str:
    text = data.decode("utf-8-sig")
    if "\0" in text:
        msg = "zero byte"
        raise ValueError(msg)
    return text


def _docx(data: bytes) -> str:
    import docx  # slow to import, and few benchmarks need it
    from docx.table import Table

    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        if sum(entry.file_size for entry in packed.infolist()) > _UNPACKED:
            msg = "unpacks to far more than it holds"
            raise ValueError(msg)
    parts = docx.Document(io.BytesIO(data)).iter_inner_content()
    return "\n".join(_rows(part) if isinstance(part, Table) else part.text for part in parts)


def _rows(table: "docx.table.Table") -> str:  # type: ignore[name-defined]  # noqa: F821 - imported where it is used
    """Each cell once: `row.cells` repeats a merged one as often as it says it is wide, which may be millions."""
    from docx.table import _Cell

    return "\n".join("\t".join(_Cell(cell, table).text for cell in row._tr.tc_lst) for row in table.rows)  # noqa: SLF001


def _pdf(data: bytes) -> str:
    import pypdf  # slow to import, and few benchmarks need it

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it would print what it repairs between our own lines
    return "\n\n".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(data)).pages)


_READERS: dict[str, Callable[[bytes], str]] = {
    ".txt": _plain,
    ".md": _plain,
    ".csv": _plain,
    ".py": _plain,
    ".docx": _docx,
    ".pdf": _pdf,
}
