"""Large things of a run folder, by the sha256 of their uncompressed bytes.

Each file is one zstd frame, written beside its place and renamed, so that a name always holds whole content.
"""

import os
from pathlib import Path

import zstandard

from openassay.schema.canonical import sha256_hex
from openassay.schema.errors import RunFolderError

LARGEST = 256 * 1024 * 1024
"""Bytes: an object that unpacks to more is refused."""


class Objects:
    """The folder `objects/` of one run."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, data: bytes) -> str:
        """Store the bytes (nothing happens where they are stored already) and return their sha256."""
        name = sha256_hex(data)
        place = self._place(name)
        if place.exists():
            return name
        self._folder.mkdir(exist_ok=True, mode=0o700)
        place.parent.mkdir(exist_ok=True, mode=0o700)
        part = place.with_name(f".{name}.{os.getpid()}.part")
        part.touch(mode=0o600)
        part.write_bytes(zstandard.ZstdCompressor(level=3).compress(data))
        part.replace(place)
        return name

    def get(self, name: str) -> bytes:
        """The bytes of this sha256; `RunFolderError` where they are missing or not what the name says."""
        place = self._place(name)
        try:
            packed = place.read_bytes()
            data = zstandard.ZstdDecompressor().decompress(packed, max_output_size=LARGEST)
        except (OSError, zstandard.ZstdError) as fault:
            raise _damaged(place, str(fault)) from fault
        if (found := sha256_hex(data)) != name:
            raise _damaged(place, f"expected sha256 {name}, found {found}")
        return data

    def _place(self, name: str) -> Path:
        return self._folder / name[:2] / name


def _damaged(place: Path, why: str) -> RunFolderError:
    return RunFolderError(
        f"an object of the run folder cannot be read: {why}",
        where=str(place),
        todo="restore the file from a backup; the rest of the run is not affected",
    )
