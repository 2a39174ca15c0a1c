"""JSON values as people write them: parsed strictly, numbers kept exact.

Stricter than `json.loads`: a key given twice, `NaN` and numbers that no digest can hold are refused. Decimals stay
`Decimal`, so that ``1.50`` in a JSON line and in a CSV cell are the same value and the same text.
"""

import json
from decimal import Decimal, InvalidOperation
from typing import Any

LARGEST = 2**53 - 1
"""Larger integers are not the same number in every program that reads JSON."""

OTHER_QUOTES = tuple("'`\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u00ab\u00bb\u2039\u203a")
"""Quotation marks that JSON does not know."""

_EXPONENT = 40


def parse(text: str) -> Any:
    """A JSON value; ValueError with a sentence for a person where it is none."""
    try:
        value = json.loads(text, parse_float=number, parse_constant=_constant, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        msg = f"not valid JSON: {error.msg} at character {error.pos + 1}{_quotes(error)}"
        raise ValueError(msg) from error
    except RecursionError as error:
        msg = "nested too deeply"
        raise ValueError(msg) from error
    check(value)
    return value


def number(text: str) -> int | Decimal:
    """An exact number from its digits; ValueError where it is none.

    >>> number("0.10"), number("3"), number("2e2")
    (Decimal('0.10'), 3, Decimal('2E+2'))
    """
    try:
        found = Decimal(text.strip().replace("\N{MINUS SIGN}", "-"))
    except InvalidOperation:
        msg = f"expected a number such as 12 or 0.5, found {short(text)}"
        raise ValueError(msg) from None
    if not found.is_finite() or abs(found.adjusted()) > _EXPONENT:
        msg = f"expected a finite number of ordinary size, found {short(text)}"
        raise ValueError(msg)
    return int(found) if found.as_tuple().exponent == 0 else found


def check(value: Any) -> None:
    """ValueError where a parsed value (JSON, TOML, YAML) is more than JSON can hold."""
    if isinstance(value, dict):
        for key, inner in value.items():
            check(key)
            check(inner)
    elif isinstance(value, list):
        for inner in value:
            check(inner)
    elif isinstance(value, str):
        _check_text(value)
    elif isinstance(value, int | float | Decimal):
        _check_number(value)
    elif value is not None:
        msg = f"expected text, a number, true, false, a list or an object, found a {type(value).__name__}"
        raise ValueError(msg)


def is_number(value: Any) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def short(value: Any, longest: int = 40) -> str:
    """A value quoted for a message, cut: messages never carry whole texts.

    >>> short("abcdef", 4)
    "'abcd...'"
    """
    if isinstance(value, str):
        return repr(value if len(value) <= longest else value[:longest] + "...")
    if isinstance(value, dict | list | tuple):
        return kind(value)
    return str(value)


def kind(value: Any) -> str:
    """What a value is, in words, without showing it."""
    names = {dict: "an object", list: "a list", tuple: "a list", str: "text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number" if is_number(value) else f"a {type(value).__name__}")


def _quotes(error: json.JSONDecodeError) -> str:
    """A hint where word processors or Python put their own quotation marks."""
    rest = error.doc[error.pos :]
    never_closed = error.msg.startswith("Unterminated") and any(mark in rest for mark in OTHER_QUOTES)
    return "; JSON has straight double quotes" if never_closed or rest.startswith(OTHER_QUOTES) else ""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            msg = f"the key {short(key)} stands twice in one object"
            raise ValueError(msg)
        found[key] = value
    return found


def _constant(name: str) -> Any:
    msg = f"{name} is not a JSON number"
    raise ValueError(msg)


def _check_text(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        msg = "text holds half of a surrogate pair, which is no character"
        raise ValueError(msg) from None


def _check_number(value: float | Decimal) -> None:
    exact = Decimal(str(value)) if not isinstance(value, bool) else Decimal(0)
    whole = exact.is_finite() and exact == exact.to_integral_value()
    if not exact.is_finite() or abs(exact.adjusted()) > _EXPONENT or (whole and abs(exact) > LARGEST):
        msg = f"expected a finite number, whole ones at most {LARGEST}; write larger ones as text"
        raise ValueError(msg)
