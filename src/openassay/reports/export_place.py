"""Where an export is written: one file at a time, whole or not at all, over nothing that is not an earlier export.

Not here: what is written.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from openassay.schema.errors import InputError, RefusedError

HEAD = 4096
"""Bytes in which a text file of ours says that it is one."""
OWNER_ONLY = 0o600
FOR_ALL = 0o644
"""Less what the user's umask takes away."""

IsOurs = Callable[[Path], bool]
"""Whether a file is an earlier export."""


def marked(sign: str) -> IsOurs:
    """Files with this sign in their first 4 KB."""

    def ours(path: Path) -> bool:
        with path.open("rb") as file:
            return sign.encode() in file.read(HEAD)

    return ours


@contextmanager
def replacing(path: Path, ours: IsOurs, *, force: bool, mode: int = OWNER_ONLY) -> Iterator[Path]:
    """A new empty file beside `path` that takes its place once the block ends well; else nothing is changed.

    Args:
        path: the file wanted; its folder is made where it is missing.
        ours: tells earlier exports from files that must stay.
        force: replace any file. Folders and links to elsewhere are never followed or replaced.
        mode: of the new file.

    Raises:
        RefusedError: something stands there that is no export.
    """
    _refuse(path, ours, force=force)
    path.parent.mkdir(mode=0o700 if mode == OWNER_ONLY else 0o755, parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    part.unlink(missing_ok=True)
    os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode))
    try:
        yield part
        with part.open("rb") as file:
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _refuse(path: Path, ours: IsOurs, *, force: bool) -> None:
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise RefusedError(
            "expected a file or nothing there, found a link or folder",
            where=str(path),
            todo="give another place: --out PATH",
        )
    if path.exists() and not force and not ours(path):
        raise RefusedError(
            "a file that is no earlier export stands there",
            where=str(path),
            todo="give another place with --out PATH, or write over it with --force",
        )


def inside(root: Path, *parts: str) -> Path:
    """A place below `root`; `InputError` where that is a file, or a link leads out of it."""
    if root.is_file():
        raise InputError("expected a folder, found a file", where=str(root), todo="give a folder: --out records")
    path = root.joinpath(*parts)
    if not path.resolve().is_relative_to(root.resolve()):
        raise InputError("a link leads out of the folder of the export", where=str(path), todo="remove the link")
    return path
