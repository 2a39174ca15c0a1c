"""Files of a benchmark folder: only regular files inside it, of a bounded size, as UTF-8 text.

A contributed folder is not trusted: symbolic links are refused wherever they point, and so is any path that leaves
the folder.
"""

import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from openassay.schema.canonical import sha256_hex
from openassay.tasks.faults import FaultList, Place
from openassay.tasks.values import short

LARGEST = 20 * 1024 * 1024
"""Bytes of one file."""

DEEPEST = 64
"""Levels of folders."""

IGNORED = frozenset({".DS_Store", "Thumbs.db", "__pycache__", ".git"})
"""Left behind by file managers, Python and git; no part of a benchmark."""

NEVER_SHOWN = frozenset({"hidden", "solution", "evidence"})
"""Folders of a task from which nothing is ever shown to a model."""


class Tree:
    """One benchmark folder being read.

    Args:
        root: the folder.
        faults: where faults go.
    """

    def __init__(self, root: Path, faults: FaultList) -> None:
        self.root = root
        self.faults = faults

    def relative(self, path: Path) -> str:
        return path.relative_to(self.root).as_posix()

    def files(self, folder: Path) -> list[Path]:
        """Regular files below a folder, sorted by path; a link or a special file is a fault and left out."""
        return sorted(self._walk(folder), key=lambda path: path.as_posix())

    def _walk(self, folder: Path, depth: int = 0) -> Iterator[Path]:
        if depth > DEEPEST:
            self._refuse(folder, "too-deep", f"folders nest deeper than {DEEPEST} levels", todo="move it up")
            return
        for entry in self._entries(folder):
            path = folder / entry.name
            if entry.is_symlink():
                self._refuse(path, "symbolic-link", "symbolic links are refused: they may point outside")
            elif entry.is_dir():
                yield from self._walk(path, depth + 1)
            elif entry.is_file():
                yield path
            else:
                self._refuse(path, "special-file", "expected a regular file, found a device, pipe or socket")

    def _entries(self, folder: Path) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(folder) as entries:
                return [entry for entry in entries if entry.name not in IGNORED]
        except OSError as error:
            self._refuse(folder, "unreadable", f"cannot be read: {error.strerror}", todo="check its permissions")
            return []

    def _refuse(self, path: Path, code: str, what: str, *, todo: str = "put a copy of the file there") -> None:
        self.faults.add(Place(self.relative(path)), code, what, todo=todo)

    def read(self, path: Path) -> bytes | None:
        """The bytes of a file; None, with a fault, where it cannot be read or is too large."""
        place = Place(self.relative(path))
        try:
            size = path.stat().st_size
            if size > LARGEST:
                what = f"expected at most {LARGEST // 1024**2} MB, found {size / 1024**2:.1f} MB"
                self.faults.add(place, "too-large", what, todo="split it or leave it out")
                return None
            return path.read_bytes()
        except OSError as error:
            self.faults.add(place, "unreadable", f"cannot be read: {error.strerror}", todo="check its permissions")
            return None

    def digest(self, path: Path) -> str | None:
        """sha256 of a file; None, with a fault, where it cannot be read or is too large."""
        data = self.read(path)
        return None if data is None else sha256_hex(data)

    def text(self, path: Path) -> str | None:
        """The text of a UTF-8 file, byte order mark removed, line ends as they stand; None with a fault else."""
        data = self.read(path)
        return None if data is None else self.decode(data, self.relative(path))

    def decode(self, data: bytes, file: str) -> str | None:
        """UTF-8 text; None, with a fault that names the line, where the bytes are something else."""
        todo = "save the file as UTF-8 (in a spreadsheet: 'CSV UTF-8')"
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            self.faults.add(Place(file, line), "undecodable", "expected UTF-8 text, found other bytes", todo=todo)
            return None
        if "\0" in text:
            line = text.count("\n", 0, text.index("\0")) + 1
            self.faults.add(Place(file, line), "undecodable", "expected text, found a zero byte", todo=todo)
            return None
        return text

    def inside(self, folder: Path, name: str, place: Place, field: str) -> Path | None:
        """The file of this name below a folder; None, with a fault, where it leaves it, is hidden or is missing."""
        parts = PurePosixPath(name).parts
        code, what = "", ""
        if not parts or name.startswith("/") or ".." in parts or "\\" in name or ":" in name:
            code, what = "path-escapes", f"{name!r} leaves the folder; paths are relative, with forward slashes"
        elif parts[0] in NEVER_SHOWN and field != "reference_file":
            code, what = "hidden-file", f"{name!r} stands in {parts[0]!r}, which no model may see"
        else:
            code, what = self._missing(folder, name, parts)
        if code:
            self.faults.add(place, code, what, field=field, todo=f"correct the name in {field!r} or add the file")
            return None
        return folder / name

    def _missing(self, folder: Path, name: str, parts: tuple[str, ...]) -> tuple[str, str]:
        """Code and sentence where this is no regular file; both empty where it is."""
        try:
            if any((folder / PurePosixPath(*parts[: n + 1])).is_symlink() for n in range(len(parts))):
                return "symbolic-link", f"{name!r} is a symbolic link"
            there = (folder / name).is_file()
        except (OSError, ValueError):  # a name too long for the file system, or with a zero byte
            there = False
        return ("", "") if there else ("missing-file", f"no file {short(name, 80)} in {self.relative(folder) or '.'}")


def unix_lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
