"""Packs the files of a job as a tar archive in memory, which a fresh work folder is filled from.

An archive and not a folder of the host: the files then belong to the jail's user, and nothing of a job ever lies on
the host's disk.
"""

import io
import os
import tarfile
from collections.abc import Mapping
from pathlib import PurePosixPath

from openassay.schema.errors import SandboxError

UNPACK = 'tar -x --no-same-owner -f - && exec "$@" </dev/null'
"""What a shell does in the work folder, with the archive as standard input and the command as its arguments."""


def pack(files: Mapping[str, bytes], disk: int) -> bytes:
    """An archive of regular files, executable by everybody, with no date and no owner.

    Args:
        files: relative path -> content.
        disk: bytes that may be written.

    Raises:
        SandboxError: a path that leaves the work folder, or more than fits.
    """
    total = sum(map(len, files.values()))
    if total > disk:
        raise SandboxError(
            f"the files of this job hold {total} bytes, and its work folder {disk}",
            todo="raise the limit `disk`, or bring smaller files",
        )
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path, content in files.items():
            entry = tarfile.TarInfo(_checked(path))
            entry.size, entry.mode = len(content), 0o755
            archive.addfile(entry, io.BytesIO(content))
    return buffer.getvalue()


def in_memory(content: bytes, name: str = "data") -> int:
    """A file descriptor that reads `content` from its beginning; the caller closes it."""
    descriptor = os.memfd_create(name)
    os.ftruncate(descriptor, 0)
    with os.fdopen(os.dup(descriptor), "wb") as file:
        file.write(content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def _checked(path: str) -> str:
    parts = PurePosixPath(path).parts
    if not parts or path.startswith("/") or ".." in parts or "\0" in path:
        raise SandboxError(
            f"{path!r} is not a path inside the work folder", todo="give relative paths with forward slashes"
        )
    return str(PurePosixPath(*parts))
