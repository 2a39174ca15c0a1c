"""Text from models and contributed tasks, made fit to be looked at: nothing invisible, nothing endless.

Not here: HTML escaping, which the templates do for every value.
"""

import unicodedata
from typing import NamedTuple

MOST_ANSWER = 20_000
MOST_PROMPT = 40_000
MOST_REASON = 4_000
MOST_EXCHANGE = 6_000
"""Characters shown of each; the whole text stays in the run folder."""

_UNSEEN = {"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"}
_PLAIN = {"\n", "\t"}
_JOINERS = {"\u200c", "\u200d", "\u00ad"}
"""Needed to write some scripts and emoji; they cannot reorder what is read."""


class Shown(NamedTuple):
    text: str
    hidden: int = 0
    """Characters left out."""


def shown(text: str, most: int = MOST_ANSWER) -> Shown:
    """The beginning of a text with control and direction-changing characters spelt out."""
    clean = text[:most].replace("\r\n", "\n")
    return Shown(visible(clean), max(0, len(text) - most))


def shown_exchange(text: str) -> Shown:
    """The beginning of a judge's prompt, and its reply: a long prompt must not hide what was replied."""
    prompt, mark, reply = text.rpartition("\n\n[reply]\n")
    asked, said = shown(prompt, MOST_EXCHANGE), shown(reply, MOST_EXCHANGE)
    left_out = "\n[... the rest of the prompt is left out ...]" if asked.hidden else ""
    return Shown(f"{asked.text}{left_out}{mark}{said.text}", asked.hidden + said.hidden)


def visible(text: str) -> str:
    r"""The text with every character that cannot be seen, or that reorders others, written as its number.

    >>> visible("a\x1b[31m \u202ereversed")
    'a<U+001B>[31m <U+202E>reversed'
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_spelt, text))


def _spelt(char: str) -> str:
    if char in _PLAIN or char in _JOINERS or unicodedata.category(char) not in _UNSEEN:
        return char
    return f"<U+{ord(char):04X}>"
