"""Whether a text holds anything that a reader can see. Not here: taking single hidden signs out of a text."""

import unicodedata

_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zs", "Zl", "Zp"})
_EMPTY_BY_LOOK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and signs by name that show nothing."""
_SELECTORS = (range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0), range(0x180B, 0x1810))


def is_blank(text: str) -> bool:
    r"""Whether there is nothing in it that can be seen. Stops at the first sign that can.

    >>> is_blank(" \u200b\u2800 "), is_blank("7")
    (True, False)
    """
    return all(map(_unseen, text))


def _unseen(sign: str) -> bool:
    if sign in _EMPTY_BY_LOOK or unicodedata.category(sign) in _UNSEEN:
        return True
    return any(ord(sign) in selectors for selectors in _SELECTORS)
