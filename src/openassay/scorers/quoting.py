"""Whether a judge's reason quotes the output it is about. Not here: quotations of a candidate (`quotes`).

Case, white space, Unicode form, quote marks and markdown do not matter; an ellipsis stands for words left out, in
order. Linear in both texts: a bounded number of spans, each looked up once a reading.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from openassay.scorers.fold import UNSPACED, UNSPACED_SIGNS, fold, key, without_ends, without_markup

LEAST_CHARS = 4
"""Letters and digits of a quotation of one word; a whole output that is shorter is quoted whole."""
LEAST_WORDS = 2
_LEAST_UNSPACED = 2
_REASON_CHARS = 20_000
_SPANS = 100
_CLOSES = 3
"""Ends tried for one single quote that opens: `'the kings' home'` has two."""

_PAIRED = (
    re.compile('[\u201c\u201e\u201f]([^\u201c-\u201f"]{1,2000})[\u201c\u201d"]'),
    re.compile('"([^"]{1,2000})"'),
    re.compile("\u00ab([^\u00ab\u00bb]{1,2000})\u00bb"),
    re.compile("\u00bb([^\u00ab\u00bb]{1,2000})\u00ab"),
    re.compile("[\u300c\u300e]([^\u300c-\u300f]{1,2000})[\u300d\u300f]"),
    re.compile("\u2039([^\u2039\u203a]{1,2000})\u203a"),
    re.compile("`{1,3}([^`]{1,2000})`{1,3}"),
)
_OPENS = re.compile(r"(?<!\w)['\u2018\u201a](?=\S)")
_ENDS = re.compile(r"(?<=\S)['\u2018\u2019](?!\w)")
_GAP = re.compile(r"\[(?:\.{2,4}|\u2026)\]|\((?:\.{3}|\u2026)\)|\.{3,}|\u2026")
_LETTER = rf"[^\W_{UNSPACED_SIGNS}]"
"""A sign that glues to the next one as one word; signs of scripts without spaces do not."""
_GLUES = re.compile(_LETTER)


def quotes_output(reason: str, output: str) -> bool:
    """Whether something in quotation marks in the reason stands in the output.

    >>> quotes_output("It says 'the kings ... in Paris'.", "Because the kings lived in Paris.")
    True
    """
    spans = dict.fromkeys(islice(_spans(reason[:_REASON_CHARS]), _SPANS))
    return any(_stands_in(span, said) for said in _readings(output) for span in spans)


def _spans(reason: str) -> Iterator[str]:
    """What stands between quotation marks; apostrophes within words are none."""
    for pattern in _PAIRED:
        yield from pattern.findall(reason)
    ends = [mark.start() for mark in _ENDS.finditer(reason)]
    place = 0
    for mark in _OPENS.finditer(reason):
        while place < len(ends) and ends[place] <= mark.start():
            place += 1
        yield from (reason[mark.end() : end] for end in ends[place : place + _CLOSES])


@lru_cache(maxsize=8)
def _readings(output: str) -> tuple[str, ...]:
    """The output with and without its markdown."""
    return tuple(dict.fromkeys((_loose(output), _loose(without_markup(fold(output))))))


def _loose(text: str) -> str:
    """Folded, with all kinds of quotation marks left out."""
    return key(re.sub("[\"'`]", "", fold(text)))


def _stands_in(span: str, said: str) -> bool:
    """Every piece between gaps stands in the text, in order, and one of them is long enough to be a quotation."""
    pieces = [_loose(without_ends(piece)) for piece in _GAP.split(span)]
    pieces = [piece for piece in pieces if piece]
    if not any(map(_is_enough, pieces)):
        return len(pieces) == 1 and pieces[0] == without_ends(said)
    place = 0
    for piece in pieces:
        place = _end_of(piece, said, place)
        if place < 0:
            return False
    return True


def _is_enough(piece: str) -> bool:
    letters = sum(sign.isalnum() for sign in piece)
    least = _LEAST_UNSPACED if UNSPACED.search(piece) else LEAST_CHARS
    return letters >= least or (len(piece.split()) >= LEAST_WORDS and letters >= LEAST_WORDS)


def _end_of(piece: str, said: str, start: int) -> int:
    """Where the piece ends, from this place on, as whole words; -1 where it does not stand there."""
    before = f"(?<!{_LETTER})" if _GLUES.match(piece) else ""
    after = f"(?!{_LETTER})" if _GLUES.match(piece[-1]) else ""
    found = re.compile(before + re.escape(piece) + after).search(said, start)
    return found.end() if found else -1
