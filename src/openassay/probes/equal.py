"""Whether a value that code under test gave is the one expected: by type first, then by value.

Both sides are plain values here. A truth value is no number, 2 and 2.0 are one number, a tuple or an iterator may
stand for a list unless the task says otherwise, and what has no plain form equals nothing.
"""

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from openassay.probes.inside.wire import Taken


class Tolerance(NamedTuple):
    absolute: float = 0.0
    relative: float = 0.0
    exact_sequences: bool = False
    """A list is only a list and a tuple only a tuple; an iterator is neither."""


def same(want: Any, got: Any, allowed: Tolerance = Tolerance()) -> bool:  # noqa: B008  # frozen; one line a kind
    """Whether `got` is `want`.

    >>> same([1, 2.0], (1.0, 2)), same(True, 1), same({"a": {1}}, {"a": {1}})
    (True, False, True)
    """
    if want is None or isinstance(want, bool):
        return got is want
    if isinstance(want, int | float | Decimal | Fraction):
        return _number(want, got, allowed)
    if isinstance(want, list | tuple):
        return _sequence(want, got, allowed)
    if isinstance(want, dict):
        return isinstance(got, dict) and _items(want, got, allowed)
    if isinstance(want, set | frozenset):
        return isinstance(got, set | frozenset) and want == got
    return type(want) is type(got) and bool(want == got)


def _number(want: Any, got: Any, allowed: Tolerance) -> bool:
    if isinstance(got, bool) or not isinstance(got, int | float | Decimal | Fraction):
        return False
    try:
        return _near(want, got, allowed)
    except (ArithmeticError, ValueError):  # too large for a float, or a signalling NaN: nothing is near it
        return False


def _near(want: Any, got: Any, allowed: Tolerance) -> bool:
    if isinstance(want, float) and math.isnan(want):
        return bool(got != got)  # noqa: PLR0124  # the one number that is not itself
    if want == got or (isinstance(got, Fraction | Decimal) and float(got) == want):
        return True
    if not (allowed.absolute or allowed.relative):
        return False
    return math.isclose(float(want), float(got), rel_tol=allowed.relative, abs_tol=allowed.absolute)


def _sequence(want: Any, got: Any, allowed: Tolerance) -> bool:
    fits = type(got) is type(want) if allowed.exact_sequences else isinstance(got, list | tuple | Taken)
    return fits and len(want) == len(got) and all(same(a, b, allowed) for a, b in zip(want, got, strict=True))


def _items(want: dict[Any, Any], got: dict[Any, Any], allowed: Tolerance) -> bool:
    if len(want) != len(got):
        return False
    types = {key: type(key) for key in got}
    return all(key in got and types[key] is type(key) and same(want[key], got[key], allowed) for key in want)
