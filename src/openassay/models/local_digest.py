"""The sha256 of a large file, read once and remembered until the file changes.

A remembered digest counts only while size, modification and change time, inode and device are all what they were.
The change time cannot be set by a program, so a file swapped under the same name and date is read again.
"""

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

CHUNK = 1 << 20


def sha256_of(path: Path, memory: Path) -> str:
    """The digest of the file's bytes.

    Args:
        path: the file.
        memory: folder of remembered digests, one small file each; made when missing, ignored when it cannot be.
    """
    note = memory / f"{hashlib.sha256(os.fsencode(path.resolve())).hexdigest()}.json"
    before = _stamp(path)
    known = _remembered(note, before)
    if known:
        return known
    with path.open("rb") as file:
        digest = hashlib.sha256()
        for chunk in chunks(file):
            digest.update(chunk)
    if _stamp(path) == before:
        remember(path, digest.hexdigest(), memory)
    return digest.hexdigest()


def remember(path: Path, sha256: str, memory: Path) -> None:
    """Note a digest that was just computed from the file's bytes."""
    note = memory / f"{hashlib.sha256(os.fsencode(path.resolve())).hexdigest()}.json"
    text = json.dumps({"path": str(path.resolve()), "stamp": _stamp(path), "sha256": sha256})
    # A read-only data folder costs a second reading of the file, nothing else.
    with suppress(OSError):
        memory.mkdir(parents=True, exist_ok=True)
        draft = note.with_suffix(f".{os.getpid()}.tmp")
        draft.write_text(text, encoding="utf-8")
        draft.replace(note)


def chunks(file: BinaryIO) -> Iterator[bytes]:
    """The rest of the file, a megabyte at a time."""
    while chunk := file.read(CHUNK):
        yield chunk


def _stamp(path: Path) -> list[int]:
    found = path.stat()
    return [found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino, found.st_dev]


def _remembered(note: Path, stamp: list[int]) -> str:
    try:
        known = json.loads(note.read_text(encoding="utf-8"))
        return str(known["sha256"]) if known["stamp"] == stamp else ""
    except (OSError, ValueError, KeyError, TypeError):
        return ""
