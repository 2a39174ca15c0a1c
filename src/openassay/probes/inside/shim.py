"""The few names of pytest that hidden tests may use, so that the same file also runs under pytest itself."""

import re
import types

from peer import Gone


class Raises:
    """As in ``with pytest.raises(ValueError, match="..."):``."""

    def __init__(self, expected, match=None):
        self.expected = expected
        self.match = match
        self.value = None

    def __enter__(self):
        return self

    def __exit__(self, kind, error, _trace):
        if kind is None:
            raise AssertionError(f"expected {self.expected}, nothing was raised")
        if issubclass(kind, Gone) or not issubclass(kind, self.expected):
            return False
        self.value = error
        if self.match is not None and not re.search(self.match, str(error)):
            raise AssertionError(f"the message {str(error)!r} does not match {self.match!r}")
        return True


def raises(expected, *call, match=None, **kwargs):
    guard = Raises(expected, match)
    if not call:
        return guard
    with guard:
        call[0](*call[1:], **kwargs)
    return guard


class Approx:
    """``assert value == pytest.approx(0.3)``: a number, or a list, tuple or dictionary of them."""

    def __init__(self, expected, rel=None, abs=None):  # noqa: A002  # as in pytest
        self.expected = expected
        self.rel = 1e-6 if rel is None else rel
        self.abs = 1e-12 if abs is None else abs

    def __eq__(self, other):
        return self._near(self.expected, other)

    __hash__ = None

    def __repr__(self):
        return f"approximately {self.expected}"

    def _near(self, want, got):
        if isinstance(want, dict):
            return (
                isinstance(got, dict) and want.keys() == got.keys() and all(self._near(want[k], got[k]) for k in want)
            )
        if isinstance(want, list | tuple):
            same = isinstance(got, list | tuple) and len(want) == len(got)
            return same and all(map(self._near, want, got))
        if isinstance(got, bool) or not isinstance(got, int | float):
            return want == got
        return want == got or abs(want - got) <= max(self.abs, self.rel * abs(want))


def parametrize(names, values, **_ids):
    wanted = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)

    def decorate(function):
        rows = [dict(zip(wanted, row if len(wanted) > 1 else (row,), strict=True)) for row in values]
        before = getattr(function, "cases", [{}])
        function.cases = [{**old, **row} for old in before for row in rows]
        return function

    return decorate


def fail(reason=""):
    raise AssertionError(reason)


def module():
    """What ``import pytest`` gives."""
    found = types.ModuleType("pytest")
    found.raises, found.approx, found.fail = raises, Approx, fail
    found.mark = types.SimpleNamespace(parametrize=parametrize)
    return found
