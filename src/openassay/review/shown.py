"""Text that may be hostile, made fit to be read on a page: escaped, nothing invisible, nothing endless.

A character that cannot be seen, or that turns the direction of reading, stands as its number. Of a long text the
beginning and the end are shown, so that padding hides neither; the whole can be had as a file.
"""

import re
import unicodedata
from collections.abc import Callable
from typing import NamedTuple

from markupsafe import Markup, escape

MOST = 20_000
"""Characters of one text on the page."""
TAIL = 5_000
"""Of these, from its end."""

_UNSEEN = {"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"}
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0\u034f")
"""Letters and signs by name, blank by look."""
_JOINERS = frozenset("\u200c\u200d")
_SELECTORS = range(0xE0100, 0xE01F0)
_MARK = re.compile(r"⟦U\+[0-9A-F]{4,6}⟧")


class Shown(NamedTuple):
    head: Markup
    hidden: int
    """Characters left out between `head` and `tail`."""
    tail: Markup
    length: int


def shown(text: str, edit: Callable[[str], str] = str) -> Shown:
    """A text of any length, ready for the page.

    Args:
        text: as it is stored.
        edit: a last change to what is shown, with hidden characters spelt out and nothing escaped yet.
    """
    whole = text.replace("\r\n", "\n")
    hidden = max(0, len(whole) - MOST)
    head, tail = (whole[: MOST - TAIL], whole[-TAIL:]) if hidden else (whole, "")
    return Shown(marked(edit(spelt(head))), hidden, marked(edit(spelt(tail))), len(whole))


def marked(text: str) -> Markup:
    """Escaped, with marks where something cannot be seen."""
    safe = str(escape(spelt(text)))
    marks = _MARK.sub(lambda found: f'<span class="unseen" title="a hidden character">{found[0]}</span>', safe)
    return Markup(marks)  # noqa: S704 - escaped above


def spelt(text: str) -> str:
    r"""The text with every character that cannot be seen written as its number.

    >>> spelt("a\u202eb \u200b.")
    'a⟦U+202E⟧b ⟦U+200B⟧.'
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        f"⟦U+{ord(char):04X}⟧" if _unseen(char) and not _joins(text, place) else char for place, char in enumerate(text)
    )


def _unseen(char: str) -> bool:
    if char in "\n\t":
        return False
    return unicodedata.category(char) in _UNSEEN or char in _BLANK or ord(char) in _SELECTORS


def _joins(text: str, place: int) -> bool:
    """Whether a joiner does its work in an emoji or a script that needs it, and hides nothing."""
    if text[place] not in _JOINERS or not 0 < place < len(text) - 1:
        return False
    around = text[place - 1] + text[place + 1]
    return not around.isascii() and not any(map(_unseen, around))
