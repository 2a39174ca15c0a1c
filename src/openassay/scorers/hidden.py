"""Characters of a text that no reader sees, counted and taken out: nobody can write to a judge between the lines.

Joiners stay between letters and signs that are written with them (Persian, Hindi, composed emoji). Linear. Not here:
what is removed to compare texts (`fold`), and pages, which spell such characters out.
"""

import re
from functools import cache

_ALWAYS = (
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # controls, but not tab, line feed, carriage return
    "\u00ad\u034f\u180e\u200b\u2060-\u206f\ufeff\ufff9-\ufffb"  # zero width, isolates, deprecated format characters
    "\u202a-\u202e"  # embeddings and overrides of direction
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"  # beams of music; tags and selectors that carry bytes
)
_JOINING = (
    "\u0590-\u109f\u1200-\u1aff\u1b00-\u1cff\ua800-\uabff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00011fff"  # scripts
    "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"  # emoji
)
_CJK = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"


@cache
def _seen_through() -> re.Pattern[str]:
    return re.compile(
        f"[{_ALWAYS}]"
        # joiners and marks of direction, where the sign before does not use them
        f"|(?<![{_JOINING}])(?<![{_JOINING}]\ufe0f)[\u200c\u200d\u200e\u200f\u061c]"
        # selectors of a variant; a digit has one in a keycap
        f"|(?<![{_JOINING}{_CJK}0-9#*])[\ufe00-\ufe0f]"
    )


def without_hidden(text: str) -> tuple[str, int]:
    r"""The text without hidden characters, and how many they were.

    >>> without_hidden("pa\u200bss\u202e")
    ('pass', 2)
    """
    if text.isascii() and text.isprintable():
        return text, 0
    return _seen_through().subn("", text)
