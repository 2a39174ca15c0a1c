"""What a reference must look like, scorer by scorer, and bringing it to that shape.

A CSV cell is text; a number, list or object in it is parsed here, so that the same item has the same reference from
every file format. Messages say the shape that was found, never the reference itself: it is the solution.
"""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from openassay.tasks.values import is_number, kind, number, parse

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
    if shape in {"texts", "criteria"} and cell.lstrip().startswith("["):
        return _list_or_text(cell)
    return cell


def _parsed(cell: str, shape: str) -> Any:
    try:
        return parse(cell)
    except ValueError as error:
        msg = f"expected {EXPECTED[shape]} written as JSON: {error}"
        raise ValueError(msg) from None


def _list_or_text(cell: str) -> Any:
    try:
        found = parse(cell)
    except ValueError:
        return cell  # a text that happens to open with a bracket
    return found if isinstance(found, list) else cell


def _wrong(shape: str, value: Any) -> ValueError:
    return ValueError(f"expected {EXPECTED[shape]}, found {kind(value)}")


def _text(value: Any) -> str:
    """Numbers are taken as they were written; true and false are no text."""
    if is_number(value):
        value = format(value, "f") if isinstance(value, Decimal) else str(value)
    if not isinstance(value, str):
        raise _wrong("text", value)
    if not value.strip():
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
