"""Values as JSON: what leaves a process that ran hostile code is copied to plain values first, by exact type.

A subclass of `int`, `str` or `list` comes out as what it holds, so that an overridden `__eq__` cannot reach a
comparison. What has no plain form comes out by name, or as a reference where the caller keeps one.
"""

import decimal
import fractions
import json
from typing import Any

DEPTH = 100
"""Nesting of a value; deeper, or a value that holds itself, is refused."""
MOST = 100_000
"""Items taken from one iterator."""
_BIG = 10_000
"""Bits from which an integer is written in hexadecimal: longer decimals are refused by Python's own limit."""
_LONGEST = 200_000
"""Bits of each part of a fraction that is read."""
_SCALARS = (str, bytes, bytearray, float, complex, decimal.Decimal, fractions.Fraction)
_CONTAINERS = (list, tuple, set, frozenset, dict)
PLAIN = (int, *_SCALARS, *_CONTAINERS)


class Unfit(ValueError):  # noqa: N818  # said of a value
    """A value that cannot leave its process. Told apart from what the code under test raises."""


class Opaque:
    """Something without a plain form, by the name of its class; equal to nothing else."""

    def __init__(self, name):
        self.name = name


class Taken(list):
    """What an iterator gave."""


def encode(value: Any, keep: Any = None, depth: int = 0) -> Any:
    """A JSON value.

    Args:
        value: anything.
        keep: gives the JSON form of what is no plain value, or None to have it taken apart or named.
        depth: for itself.
    """
    if depth > DEPTH:
        raise Unfit(f"the value is nested deeper than {DEPTH}")
    if value is None or value is True or value is False:
        return value
    kept = keep(value) if keep else None
    if kept is not None:
        return kept
    kind = next((one for one in type(value).__mro__ if one in _ENCODERS), None)
    if kind is not None:
        return _ENCODERS[kind](value, keep, depth + 1)
    return _iterated(value, depth + 1)


def _integer(value, _keep, _depth):
    number = int.__int__(value)
    return {"$": "int", "v": hex(number)} if number.bit_length() > _BIG else number


def _fraction(value, _keep, _depth):
    parts = fractions.Fraction.as_integer_ratio(value)
    return {"$": "fraction", "v": [_integer(one, None, 0) for one in parts]}


def _all(values, keep, depth):
    return [encode(one, keep, depth) for one in values]


def _dict(value, keep, depth):
    pairs = list(dict.items(value))
    if all(issubclass(type(key), str) and str.__str__(key) != "$" for key, _ in pairs):
        return {str.__str__(key): encode(one, keep, depth) for key, one in pairs}
    return {"$": "dict", "v": [[encode(key, keep, depth), encode(one, keep, depth)] for key, one in pairs]}


def _set(tag, iterate):
    def encoded(value, keep, depth):
        return {"$": tag, "v": sorted(_all(iterate(value), keep, depth), key=json.dumps)}

    return encoded


def _iterated(value, depth):
    """The items of a generator, range, view or queue; else the name of the class."""
    if hasattr(type(value), "__iter__") and not isinstance(value, type):
        items = []
        for item in value:
            if len(items) >= MOST:
                raise Unfit(f"the iterator gives more than {MOST} items")
            items.append(encode(item, None, depth))
        return {"$": "iterator", "v": items}
    return {"$": "object", "v": str(type(value).__name__)}


_ENCODERS = {
    int: _integer,
    float: lambda value, _keep, _depth: float.__float__(value),
    str: lambda value, _keep, _depth: str.__str__(value),
    bytes: lambda value, _keep, _depth: {"$": "bytes", "v": bytes.hex(value)},
    bytearray: lambda value, _keep, _depth: {"$": "bytes", "v": bytearray.hex(value)},
    complex: lambda value, _keep, _depth: {"$": "complex", "v": [complex(value).real, complex(value).imag]},
    decimal.Decimal: lambda value, _keep, _depth: {"$": "decimal", "v": decimal.Decimal.__str__(value)},
    fractions.Fraction: _fraction,
    list: lambda value, keep, depth: _all(list.__iter__(value), keep, depth),
    tuple: lambda value, keep, depth: {"$": "tuple", "v": _all(tuple.__iter__(value), keep, depth)},
    set: _set("set", set.__iter__),
    frozenset: _set("frozenset", frozenset.__iter__),
    dict: _dict,
}


def decode(value: Any, known: Any = None) -> Any:
    """The reverse of `encode`, from data that a hostile process may have written.

    Args:
        value: from `json.loads`.
        known: gives the object of a tag that is not known here; None to refuse such tags.

    Raises:
        ValueError: it is not what `encode` writes.
    """
    if isinstance(value, list):
        return [decode(one, known) for one in value]
    if not isinstance(value, dict):
        return value
    if "$" not in value:
        return {key: decode(one, known) for key, one in value.items()}
    make = _DECODERS.get(str(value["$"]))
    try:
        if make is not None:
            return make(value["v"], known)
        if known is not None:
            return known(value)
    except (KeyError, TypeError, ArithmeticError, AttributeError) as error:
        raise ValueError(f"a value cannot be read: {type(error).__name__}") from None
    raise ValueError("a value of an unknown kind")


def _decoded(values, known):
    return [decode(one, known) for one in values]


def _as_fraction(parts, _known):
    over, under = (decode(one) for one in parts)
    if type(over) is not int or type(under) is not int or max(over.bit_length(), under.bit_length()) > _LONGEST:
        raise ValueError("no fraction")  # one written in powers of ten takes memory without end
    return fractions.Fraction(over, under)


_DECODERS = {
    "int": lambda value, _known: int(value, 16),
    "bytes": lambda value, _known: bytes.fromhex(value),
    "complex": lambda value, _known: complex(*value),
    "decimal": lambda value, _known: decimal.Decimal(value),
    "fraction": _as_fraction,
    "tuple": lambda value, known: tuple(_decoded(value, known)),
    "set": lambda value, known: set(_decoded(value, known)),
    "frozenset": lambda value, known: frozenset(_decoded(value, known)),
    "dict": lambda value, known: {decode(key, known): decode(one, known) for key, one in value},
    "iterator": lambda value, known: Taken(_decoded(value, known)),
    "object": lambda value, _known: Opaque(str(value)),
}
