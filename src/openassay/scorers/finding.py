"""What every scorer returns, before it becomes a `Verdict`.

A scorer is a function ``(reference, options, evidence) -> Finding``: pure, and without a model's name. A scorer named
by a dotted path has the same form; its `options` is a plain dict.
"""

import re
from typing import Literal, NamedTuple

from openassay.schema.record import Millionths

_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]+")
TOOK_CHARS = 500


class Finding(NamedTuple):
    """One check's result, without who gave it."""

    result: Literal["pass", "fail", "unmeasurable"]
    reason: str
    """What was taken from the answer and what it was compared with."""
    took: str = ""
    value: Millionths | None = None
    malformed: bool = False
    """The answer was not in the form demanded."""
    ended: str = ""
    """`Verdict.ended`."""
    flags: tuple[str, ...] = ()
    sandbox: str = ""


def decided(passed: bool, reason: str, took: str = "", value: int | None = None) -> Finding:  # noqa: FBT001  # reads as a sentence
    return Finding("pass" if passed else "fail", reason, took, value)


def failed(reason: str, took: str = "") -> Finding:
    return Finding("fail", reason, took)


def malformed(reason: str, took: str = "") -> Finding:
    """A fail because the answer is not in the form demanded."""
    return Finding("fail", reason, took, malformed=True)


def unmeasurable(reason: str) -> Finding:
    return Finding("unmeasurable", reason)


def shown(text: object, limit: int = 80) -> str:
    r"""Text of unknown origin, quoted and cut for a reason: one line, no control or direction characters.

    >>> shown("Paris\n\tor Rome")
    "'Paris or Rome'"
    """
    raw = str(text)
    line = _UNPRINTABLE.sub(" ", raw[: limit * 2]).strip()
    return f"'{line}'" if len(line) <= limit and len(raw) <= limit * 2 else f"'{line[:limit]}…'"


def listed(texts: object, most: int = 4) -> str:
    """The first few of several texts, each `shown`."""
    items = [shown(text, 40) for text in texts]  # type: ignore[attr-defined]
    more = f" and {len(items) - most} more" if len(items) > most else ""
    return ", ".join(items[:most]) + more
