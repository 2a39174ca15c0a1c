"""What a reference must look like, scorer by scorer, and bringing it to that shape.

A CSV cell is text; a number, list or object in it is parsed here, so that the same item has the same reference from
every file format. Messages say the shape that was found, never the reference itself: it is the solution.
"""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from openassay.schema.blank import is_blank
from openassay.tasks.values import OTHER_QUOTES, is_number, kind, number, parse

EXPECTED = {
    "text": "text",
    "texts": "text, or a list of accepted texts",
    "label": "the letter or label of the right choice",
    "number": "a number such as 12 or 0.5",
    "json": "a JSON value",
    "objects": "a list of objects",
    "labels": 'an object such as {"item": "label"}',
    "codes": 'an object such as {"coder": {"span": ["code"]}}',
    "flag": "true or false",
    "criteria": "a criterion in words, or a list of them",
}
"""By `ScorerKind.reference`, for messages and docs."""

A_LIST = 'write ["one", "two"]; a text that itself has a bracket first or | in it is a list of one: ["[0, 1)"]'
"""What to do about a text that may have been meant as several."""


def shaped(shape: str, value: Any, *, from_text: bool = False) -> Any:
    """A reference in the shape its scorer takes; ValueError with a sentence where it is not.

    Args:
        shape: `ScorerKind.reference`, any but ``none``.
        value: as written.
        from_text: it was a cell of text, not a JSON value.

    >>> shaped("number", "12.50", from_text=True), shaped("texts", 1815)
    (Decimal('12.50'), '1815')
    """
    return _SHAPES[shape](_from_cell(shape, value) if from_text else value)


def _from_cell(shape: str, cell: str) -> Any:
    if shape in {"json", "objects", "labels", "codes"}:
        return _parsed(cell, shape)
    return _list_or_text(cell) if shape in {"texts", "criteria"} and cell.lstrip().startswith(("[", "{")) else cell


def _parsed(cell: str, shape: str) -> Any:
    try:
        return parse(cell)
    except ValueError as error:
        msg = f"expected {EXPECTED[shape]} written as JSON: {error}"
        raise ValueError(msg) from None


def _list_or_text(cell: str) -> Any:
    try:
        found = parse(cell)
    except ValueError as error:  # taken as text, a list in the wrong quotes would be the one right answer
        msg = f"begins with a bracket and is no JSON ({error}); a list is JSON with straight double quotes"
        raise ValueError(msg) from None
    return found if isinstance(found, list) else cell


def looks_like_several(text: str) -> bool:
    """Whether one accepted text looks like a list of them.

    >>> [looks_like_several(text) for text in ("yes|ja", "['yes', 'ja']", "P(A|B)", "a || b", "[0, 1]")]
    [True, True, False, False, False]
    """
    text = text.strip()
    if text.startswith("[") and text.endswith("]"):
        return text[1:-1].strip().startswith(('"', *OTHER_QUOTES))
    if text.startswith("(") and text.endswith(")"):
        text = text[1:-1]
    parts = text.split("|")
    return len(parts) > 1 and "\n" not in text and all(part.strip() and _is_closed(part) for part in parts)


def _is_closed(part: str) -> bool:
    return all(part.count(left) == part.count(right) for left, right in ("()", "[]", "{}"))


def _wrong(shape: str, value: Any) -> ValueError:
    return ValueError(f"expected {EXPECTED[shape]}, found {kind(value)}")


def _text(value: Any) -> str:
    """Numbers are taken as they were written; true and false are no text."""
    if is_number(value):
        value = format(value, "f") if isinstance(value, Decimal) else str(value)
    if not isinstance(value, str):
        raise _wrong("text", value)
    if is_blank(value):
        msg = "is empty"
        raise ValueError(msg)
    return value.strip()


def _texts(value: Any) -> Any:
    if not isinstance(value, list):
        return _text(value)
    if not value:
        msg = "is an empty list"
        raise ValueError(msg)
    return [_text(inner) for inner in value]


def _number(value: Any) -> Any:
    if isinstance(value, str):
        try:
            return number(value)
        except ValueError:
            msg = f"expected {EXPECTED['number']} without thousands separators, found other text"
            raise ValueError(msg) from None
    if not is_number(value):
        raise _wrong("number", value)
    return value


def _flag(value: Any) -> bool:
    word = {"true": True, "false": False}.get(value.strip().lower(), value) if isinstance(value, str) else value
    if not isinstance(word, bool):
        raise _wrong("flag", value)
    return word


def _filled(shape: str, value: Any, wanted: type) -> Any:
    if isinstance(value, str):
        value = _parsed(value, shape)
    if not isinstance(value, wanted):
        raise _wrong(shape, value)
    if not value:
        msg = "is empty"
        raise ValueError(msg)
    return value


def _objects(value: Any) -> Any:
    records = _filled("objects", value, list)
    if wrong := next((inner for inner in records if not isinstance(inner, dict) or not inner), None):
        raise _wrong("objects", [wrong])
    return records


def _labels(value: Any) -> Any:
    return {key: _text(inner) for key, inner in _filled("labels", value, dict).items()}


def _codes(value: Any) -> Any:
    coders = _filled("codes", value, dict)
    return {coder: {span: _codes_of(codes) for span, codes in _spans(spans)} for coder, spans in coders.items()}


def _spans(spans: Any) -> Any:
    if not isinstance(spans, dict) or not spans:
        raise _wrong("codes", spans)
    return spans.items()


def _codes_of(codes: Any) -> list[str]:
    if not isinstance(codes, list):
        raise _wrong("codes", codes)
    return [_text(code) for code in codes]


_SHAPES: dict[str, Callable[[Any], Any]] = {
    "text": _text,
    "texts": _texts,
    "label": _text,
    "number": _number,
    "json": lambda value: value,
    "objects": _objects,
    "labels": _labels,
    "codes": _codes,
    "flag": _flag,
    "criteria": _texts,
}
