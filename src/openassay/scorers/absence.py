"""Whether a word is surely not in a text: not its stem, nor in another alphabet's letters that look alike.

Errs on the side of "may be there". Not here: translations and synonyms, which nothing looks up.
"""

import html
import re
import unicodedata
from typing import NamedTuple

from openassay.scorers.fold import UNSPACED, fold

_LOOKALIKE = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u0501\u04bb\u043a\u043c\u0442\u043d\u0432\u0433"
    "\u0131\u03b1\u03b5\u03bf\u03c1\u03c5\u03bd\u03b9\u03ba\u03c4\u03c7\u0261\u0251",
    "aeopcyxijsdhkmthbr" + "iaeopuviktxga",
)
"""Letters of other alphabets, by the Latin one they look like."""


class Held(NamedTuple):
    """An output, to look up what is not in it."""

    flat: str
    """Its letters and digits in a row: a word spelt with spaces is in it."""
    words: frozenset[str]
    """Of three signs or more."""
    heads: frozenset[str]
    """The first four signs of each word, for its stem."""


def _flat(text: str) -> str:
    """Folded until two words that look alike are alike: no case, accents, entities, letters of another alphabet."""
    apart = unicodedata.normalize("NFKD", fold(html.unescape(text)))
    return "".join(sign for sign in apart.casefold() if not unicodedata.combining(sign)).translate(_LOOKALIKE)


def held_by(output: str) -> Held:
    flat = _flat(output)
    words = frozenset(re.findall(r"\w{3,}", flat))
    letters = "".join(sign for sign in flat if sign.isalnum())
    return Held(letters, words, frozenset(word[:4] for word in words))


def is_absent(word: str, held: Held) -> bool:
    """Neither it nor its stem stands in the output, nor a word of the output within it."""
    flat = "".join(sign for sign in _flat(word) if sign.isalnum())
    if UNSPACED.search(word):
        return not set(flat) & set(held.flat)
    within = (flat[start:end] for start in range(len(flat)) for end in range(start + 3, len(flat) + 1))
    return flat not in held.flat and flat[:4] not in held.heads and held.words.isdisjoint(within)
