"""The nearest right name for a wrong one, for messages."""

import difflib
from collections.abc import Iterable


def nearest(wrong: str, known: Iterable[str]) -> str | None:
    """The known name most like the wrong one; None where none is near.

    >>> nearest("exakt", ["exact", "numeric"])
    'exact'
    """
    names = list(known)
    found = difflib.get_close_matches(wrong.lower(), [name.lower() for name in names], n=1, cutoff=0.6)
    return next((name for name in names if name.lower() == found[0]), None) if found else None


def unknown_name(kind: str, wrong: str, known: Iterable[str]) -> str:
    """One sentence: the unknown name, the nearest right one, and all that are known.

    >>> unknown_name("scorer", "exakt", ["exact", "numeric"])
    "unknown scorer 'exakt'; did you mean 'exact'? (known: exact, numeric)"
    >>> unknown_name("option", "abs", ["ignore_case"])
    "unknown option 'abs' (known: ignore_case)"
    """
    names = list(known)
    near = nearest(wrong, names)
    hint = f"; did you mean {near!r}?" if near else ""
    return f"unknown {kind} {wrong!r}{hint} (known: {', '.join(names)})"
