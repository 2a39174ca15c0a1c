"""Append-only segments of checksummed JSON lines: what survives a kill at any moment.

Each process opens new segments (``attempts-0003.jsonl``), so that no process ever writes into another's. A line ends
in ``"sum":"<crc32>"`` over all that stands before it. A last line without its end or with a wrong sum is *torn*: it was
being written when the process died, is ignored by readers and cut off by `repair`. A wrong sum anywhere else is damage.

What is covered: death of the process at any moment, a full disk. Not covered until the next `sync`: loss of power.
"""

import os
import re
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple

from openassay.schema.errors import RunFolderError
from openassay.schema.record import Record

RUN_KINDS = ("calls", "attempts", "verdicts", "replies")
"""Written by the process that holds the run's lock."""
REVIEW_KINDS = ("reviews",)
"""Written by the process that holds the review lock, which may be another one at the same time."""
KINDS = (*RUN_KINDS, *REVIEW_KINDS)
_SEGMENT = re.compile(rf"({'|'.join(KINDS)})-(\d+)\.jsonl")
BLOCK = 65_536
"""Bytes read at once when a line's beginning is looked for."""
_TAIL = len(b',"sum":"00000000"}')


class Line(NamedTuple):
    """One whole line: its JSON body without the sum, and where it stands."""

    body: bytes
    path: Path
    offset: int


def sealed(record: Record) -> bytes:
    """A record as one line of a segment, newline included."""
    head = record.model_dump_json(exclude_defaults=True).encode()[:-1]
    comma = b"," if len(head) > 1 else b""
    return head + comma + b'"sum":"%08x"}\n' % zlib.crc32(head)


def opened(line: bytes) -> bytes | None:
    """The body of a whole line without its sum; None where the line is torn or damaged.

    >>> from openassay.schema.message import Usage
    >>> opened(sealed(Usage(tokens_in=3)))
    b'{"tokens_in":3}'
    """
    if not line.endswith(b'"}\n'):
        return None
    cut = line.rfind(b'"sum":"')
    if cut < 1 or len(line) - cut != _TAIL:
        return None
    head = line[:cut].removesuffix(b",")
    return head + b"}" if b"%08x" % zlib.crc32(head) == line[cut + 7 : -3] else None


class Writer:
    """One open segment."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o600)
        self._end = 0

    def append(self, data: bytes) -> None:
        """Write whole lines; where the disk is full, cut off what was half written and say so."""
        try:
            written = os.write(self._file, data)
        except OSError as fault:
            raise self._full(str(fault)) from fault
        if written != len(data):
            raise self._full(f"{written} of {len(data)} bytes were written")
        self._end += written

    def sync(self) -> None:
        """Ask the operating system to put everything on the disk."""
        os.fsync(self._file)

    def close(self) -> None:
        os.close(self._file)
        if self._end == 0:
            self._path.unlink()

    def _full(self, why: str) -> RunFolderError:
        os.ftruncate(self._file, self._end)
        return RunFolderError(
            f"the journal cannot be written: {why}",
            where=str(self._path),
            todo="free some space, then resume the run: everything finished before is kept",
        )


def segments(folder: Path, kind: str) -> list[Path]:
    """All segments of a kind, oldest first."""
    found = [
        (int(match[2]), path) for path in folder.glob(f"{kind}-*.jsonl") if (match := _SEGMENT.fullmatch(path.name))
    ]
    return [path for _, path in sorted(found)]


def next_number(folder: Path) -> int:
    """The number that a new process takes for its segments."""
    numbers = [int(match[2]) for path in folder.iterdir() if (match := _SEGMENT.fullmatch(path.name))]
    return max(numbers, default=0) + 1


def segment(folder: Path, kind: str, number: int) -> Path:
    return folder / f"{kind}-{number:04d}.jsonl"


def read_segment(path: Path) -> Iterator[Line]:
    """Every whole line of one segment; `RunFolderError` where a line other than the last is damaged."""
    with path.open("rb") as file:
        offset = 0
        for number, raw in enumerate(file, start=1):
            body = opened(raw)
            if body is None:
                if not file.read(1):
                    return
                raise _damage(path, number)
            yield Line(body, path, offset)
            offset += len(raw)


def read(folder: Path, kind: str) -> Iterator[Line]:
    """Every whole line of all segments of a kind, oldest first."""
    for path in segments(folder, kind):
        yield from read_segment(path)


def repair(folder: Path, kinds: Sequence[str] = RUN_KINDS) -> list[str]:
    """Cut torn last lines off; returns one sentence for each. Only for the process that holds the lock of these kinds.

    What looks torn in a segment of another writer may be a line that is being written at this moment.
    """
    said = []
    for kind in kinds:
        for path in segments(folder, kind):
            end = end_of_whole_lines(path)
            torn = path.stat().st_size - end
            if torn:
                os.truncate(path, end)
                said.append(f"{path.name}: cut off {torn} bytes of a line that was being written when the run died")
    return said


def end_of_whole_lines(path: Path) -> int:
    """Bytes up to the end of the last whole line, found from the end: only the last line can be torn by a kill.

    Damage before it is for the readers to find.
    """
    end = path.stat().st_size
    with path.open("rb") as file:
        start = _start_of_last_line(file, end)
        file.seek(start)
        return start if opened(file.read(end - start)) is None else end


def _start_of_last_line(file: BinaryIO, end: int) -> int:
    """Where the line that holds the file's last byte begins."""
    place = max(0, end - 1)  # the last byte may be the line's own end
    while place > 0:
        step = min(place, BLOCK)
        file.seek(place - step)
        found = file.read(step).rfind(b"\n")
        if found >= 0:
            return place - step + found + 1
        place -= step
    return 0


def line_at(path: Path, offset: int) -> bytes:
    """The body of the whole line that begins at this offset."""
    with path.open("rb") as file:
        file.seek(offset)
        body = opened(file.readline())
    if body is None:
        raise _damage(path, 0)
    return body


def _damage(path: Path, number: int) -> RunFolderError:
    return RunFolderError(
        "a line of the journal does not match its checksum, and it is not the last one",
        where=f"{path}:{number}",
        todo="the file was changed or damaged after it was written: restore it from a backup",
    )
