"""Read JSON that a model wrote: strictly, and without a way to crash on it.

Refused: a field that stands twice, NaN and Infinity, numbers beyond a float, deep nesting. Not here: what the value
must be (`json_value`, `judge`).
"""

import json
import math
import re
from collections.abc import Iterator
from typing import Any, NoReturn

from openassay.schema.record import Json

MOST_DEPTH = 100
_MOST_STARTS = 200
_MOST_NUMBER = 400
_FENCE = re.compile(r"[ \t]*(```+|~~~+)[ \t]*([\w+-]*)")
_LANGUAGES = ("", "json", "jsonc", "json5", "jsonl")
_OPENING = re.compile(r"[{\[]")


class JsonError(ValueError):
    """Text that is no JSON by these rules; the message says why."""


def parse(text: str) -> Json:
    """The JSON value that the whole text is.

    Raises:
        JsonError: it is none.
    """
    try:
        value = _decoder().decode(text.strip())
    except JsonError:
        raise
    except RecursionError:
        raise JsonError(_TOO_DEEP) from None
    except ValueError as error:
        raise JsonError(str(error)) from None
    return _checked(value)


_TOO_DEEP = f"nested deeper than {MOST_DEPTH} levels"


def values_in(text: str) -> tuple[list[Json], str]:
    """JSON values in a text: the whole, else those in fenced blocks, else objects and arrays among prose.

    Returns:
        The values, and why there are none: the first fault found where something looked like JSON.
    """
    try:
        return [parse(text)], ""
    except JsonError as error:
        fault = str(error)
    found, fenced_fault = _parsed(list(_blocks(text))[:_MOST_STARTS])
    if found or fenced_fault:
        return found, fenced_fault
    found, scan_fault = _scanned(text)
    return found, scan_fault or fault


def _blocks(text: str) -> Iterator[str]:
    """What stands in code fences that may hold JSON; one pass over the lines."""
    opened: str | None = None
    lines: list[str] = []
    wanted = False
    for line in text.splitlines(keepends=True) if "```" in text or "~~~" in text else ():
        fence = _FENCE.match(line)
        if fence and opened is None:
            opened, wanted, lines = fence[1], fence[2].lower() in _LANGUAGES, []
        elif fence and fence[1] == opened and not fence[2]:
            opened = None
            if wanted:
                yield "".join(lines)
        else:
            lines.append(line)


def _parsed(blocks: list[str]) -> tuple[list[Json], str]:
    found: list[Json] = []
    fault = ""
    for block in blocks:
        try:
            found.append(parse(block))
        except JsonError as error:
            fault = fault or str(error)
    return (found, "") if found else ([], fault)


def _scanned(text: str) -> tuple[list[Json], str]:
    """Objects and arrays that begin anywhere in the text, outermost only."""
    found: list[Json] = []
    fault, place, decoder = "", 0, _decoder()
    for _ in range(_MOST_STARTS):
        opening = _OPENING.search(text, place)
        if opening is None:
            break
        try:
            value, place = decoder.raw_decode(text, opening.start())
            found.append(_checked(value))
        except RecursionError:
            return [], _TOO_DEEP
        except JsonError as error:
            return [], str(error)  # refused as a whole: a value inside it is no answer either
        except json.JSONDecodeError as error:
            if error.pos >= len(text.rstrip()):
                return [], f"cut off: {error}"
            fault, place = fault or str(error), opening.end()
    return found, fault


def _decoder() -> json.JSONDecoder:
    return json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_constant, parse_float=_float, parse_int=_int)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise JsonError(f"the field {twice[:40]!r} stands twice in one object")
    return found


def _no_constant(name: str) -> NoReturn:
    raise JsonError(f"{name} is no JSON number")


def _float(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise JsonError(f"the number {digits[:40]} is too large")
    return number


def _int(digits: str) -> int:
    if len(digits) > _MOST_NUMBER:
        raise JsonError(f"a number of {len(digits)} digits")
    return int(digits)


def _checked(value: Any) -> Json:
    """The value, unless it nests deeper than anything that compares or prints it could bear."""
    level, depth = [value], 0
    while level:
        depth += 1
        if depth > MOST_DEPTH:
            raise JsonError(_TOO_DEEP)
        inner = [one for one in level if isinstance(one, dict | list)]
        level = [child for one in inner for child in (one.values() if isinstance(one, dict) else one)]
    return value  # type: ignore[no-any-return]


def same(left: Json, right: Json) -> bool:
    """Equality of JSON values: 1 and 1.0 are one number, 1 and true are not."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(value, right[name]) for name, value in left.items())
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return left == right
