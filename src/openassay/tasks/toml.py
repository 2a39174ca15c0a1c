"""TOML with line numbers.

`tomllib` gives values but no lines (only for syntax errors), so the text is scanned a second time: table headers and
keys that open a line outside strings and brackets are noted with their line. A key inside an inline table or a
many-line array has the line of the key that holds it. The values always come from `tomllib`.
"""

import re
import tomllib
from typing import Any

from openassay.tasks.faults import FaultList, Place
from openassay.tasks.values import check

_HEADER = re.compile(r"\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"""\s*((?:"[^"]*"|'[^']*'|[A-Za-z0-9_-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[A-Za-z0-9_-]+))*)\s*=""")
_TOKENS = re.compile(r'"""|\'\'\'|"(?:\\.|[^"\\])*"|\'[^\']*\'|#.*|[\[\]{}]')


def read_toml(text: str, file: str, faults: FaultList) -> tuple[dict[str, Any], Place] | None:
    """The values and where each key stands; None, with a fault added, where the text is no TOML."""
    try:
        found = tomllib.loads(text)
        check(found)
    except tomllib.TOMLDecodeError as error:
        at = re.search(r"at line (\d+)", str(error))
        place = Place(file, int(at.group(1)) if at else None)
        faults.add(place, "broken-toml", f"not valid TOML: {error}", todo="correct the syntax at this line")
        return None
    except (ValueError, RecursionError) as error:
        faults.add(Place(file), "wrong-value", f"a value cannot be used: {error}", todo="write it as text, in quotes")
        return None
    return found, Place(file, None, lines_of(text))


def lines_of(text: str) -> dict[str, int]:
    """Dotted path -> line. Array tables count from 0.

    >>> lines_of('id = "a"' + chr(10) + "[[check]]" + chr(10) + "by = 1")
    {'id': 1, 'check': 2, 'check.0': 2, 'check.0.by': 3}
    """
    lines: dict[str, int] = {}
    counts: dict[str, int] = {}
    table, quote, depth = "", "", 0
    for number, line in enumerate(text.splitlines(), start=1):
        if not quote and depth == 0:
            if header := _HEADER.match(line):
                table = _table(header, counts, lines, number)
                continue
            if key := _KEY.match(line):
                _note(_join(table, _path(key.group(1))), lines, number)
        quote, depth = _state(line, quote, depth)
    return lines


def _table(header: re.Match[str], counts: dict[str, int], lines: dict[str, int], number: int) -> str:
    path = _indexed(_path(header.group(2)), counts)
    _note(path, lines, number)
    if header.group(1) == "[[":
        counts[path] = counts.get(path, -1) + 1
        path = f"{path}.{counts[path]}"
        lines[path] = number
    return path


def _note(path: str, lines: dict[str, int], number: int) -> None:
    """The first line of a path and of the tables it opens by the way (``[a.b]`` opens ``a``)."""
    while path:
        lines.setdefault(path, number)
        path = path.rpartition(".")[0]


def _indexed(path: str, counts: dict[str, int]) -> str:
    """``[check.options]`` after ``[[check]]`` belongs to the last check."""
    parts = path.split(".")
    walked = parts[0]
    for part in parts[1:]:
        walked = f"{walked}.{counts[walked]}.{part}" if walked in counts else f"{walked}.{part}"
    return walked


def _path(written: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in written.split("."))


def _join(table: str, key: str) -> str:
    return f"{table}.{key}" if table else key


def _state(line: str, quote: str, depth: int) -> tuple[str, int]:
    """Whether the next line starts inside a many-line string or inside brackets."""
    at = 0
    while at < len(line):
        if quote:
            end = line.find(quote, at)
            if end < 0:
                return quote, depth
            quote, at = "", end + 3
            continue
        token = _TOKENS.search(line, at)
        if token is None or token.group().startswith("#"):
            break
        at = token.end()
        if token.group() in {'"""', "'''"}:
            quote = token.group()
        elif token.group() in "[{":
            depth += 1
        elif token.group() in "]}":
            depth -= 1
    return quote, depth
