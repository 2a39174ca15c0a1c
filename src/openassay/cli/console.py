"""What the command line writes: one JSON document on stdout, or text for people; progress and faults on stderr.

Not here: tables of results (`reports`). Text that came from a model, a server or a benchmark passes `safe` before
it reaches a terminal.
"""

import json
import os
import sys
from collections.abc import Iterable
from typing import IO

from openassay.schema.errors import BenchmarkError, Fault, OpenAssayError

MOST_WIDTH = 400
"""Characters of one line of such a message."""


_STEERING = dict.fromkeys(
    [*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
) | {ord("\n"): "\n", ord("\t"): "\t"}


def safe(text: str) -> str:
    r"""The text without control characters, so that it cannot steer a terminal, nor turn the direction of reading.

    Tabs and line breaks stay.

    >>> safe("red \x1b[31mtext \u202eback")
    'red [31mtext back'
    """
    return text if text.isascii() and text.isprintable() else text.translate(_STEERING)


def say(text: str = "") -> None:
    """One line for a person, on stderr."""
    print(safe(text), file=sys.stderr, flush=True)


def show(text: str = "") -> None:
    """One line of the verb's answer, on stdout."""
    print(safe(text), flush=True)


def write_json(document: object) -> None:
    """The one JSON document of a verb, on stdout."""
    print(json.dumps(document, ensure_ascii=False, indent=2, default=str), flush=True)


def lively(stream: IO[str] | None = None) -> bool:
    """Whether a line may be redrawn: a terminal, and not a dumb one."""
    target = stream or sys.stderr
    return target.isatty() and os.environ.get("TERM") != "dumb"


def message(error: OpenAssayError) -> list[str]:
    """What happened, where, what to do: at most `error.longest` lines, and whatever `todo` gives to paste."""
    rows = [row for line in error.lines() for row in safe(line).splitlines() if row.strip()]
    most, last = error.longest + error.todo.count("\n"), 1 + error.todo.count("\n")
    kept = rows if len(rows) <= most else [*rows[: most - last], *rows[-last:]]
    return [row if len(row) <= MOST_WIDTH else row[: MOST_WIDTH - 1] + "…" for row in kept]


def error_document(error: OpenAssayError) -> dict[str, object]:
    """The JSON form of an error: ``{"error": {what, where, todo}}``, with every fault of a benchmark."""
    body: dict[str, object] = {"what": error.what, "where": error.where, "todo": error.todo}
    if isinstance(error, BenchmarkError):
        body["faults"] = fault_rows(error.faults)
    return {"error": body}


def fault_rows(faults: Iterable[Fault]) -> list[dict[str, object]]:
    return [fault.model_dump(mode="json") for fault in faults]
