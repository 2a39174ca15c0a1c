"""Canonical JSON (RFC 8785) and the digests taken of it.

A digested value holds no float: two programs may print the same float differently, and a signature would break.
`freeze` turns every float into ``{"decimal": "0.7"}`` and `thaw` turns it back.
"""

import hashlib
import re
from decimal import Decimal
from typing import Any

import rfc8785
from pydantic import BaseModel

from openassay.schema.record import Json

_DECIMAL = re.compile(r"-?\d+(\.\d+)?")


def freeze(value: Any) -> Json:
    """Copy a JSON value with every float as ``{"decimal": "<digits>"}``; integral floats become integers.

    >>> freeze({"temperature": 0.7, "n": 2.0})
    {'temperature': {'decimal': '0.7'}, 'n': 2}
    """
    if isinstance(value, dict):
        return {str(key): freeze(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [freeze(inner) for inner in value]
    if isinstance(value, float | Decimal):
        return _frozen_number(Decimal(str(value)))
    return value  # type: ignore[no-any-return]


def _frozen_number(number: Decimal) -> Json:
    if not number.is_finite():
        msg = f"expected a finite number, found {number}"
        raise ValueError(msg)
    if number == number.to_integral_value():
        return int(number)
    return {"decimal": format(number.normalize(), "f")}


def thaw(value: Json) -> Json:
    """The reverse of `freeze`.

    >>> thaw({"temperature": {"decimal": "0.7"}})
    {'temperature': 0.7}
    """
    if isinstance(value, dict):
        digits = value.get("decimal")
        if len(value) == 1 and isinstance(digits, str) and _DECIMAL.fullmatch(digits):
            return float(digits)
        return {key: thaw(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [thaw(inner) for inner in value]
    return value


def canonical(value: Any) -> bytes:
    """RFC 8785 bytes of a record or a JSON value, floats frozen, fields that are not set left out."""
    if isinstance(value, BaseModel):
        value = value.model_dump(mode="json", exclude_none=True)
    return rfc8785.dumps(freeze(value))


def sha256_hex(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def digest(value: Any) -> str:
    """sha256 (hexadecimal) of the canonical bytes of a record or a JSON value."""
    return sha256_hex(canonical(value))
