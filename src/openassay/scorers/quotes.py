"""`quotes_supported`: every quotation in the answer stands in some material, word for word.

Read: text in double quotes of any style, in single ones where it has two words or more, and markdown block quotes; in
a JSON answer, the strings under fields named like quote or evidence. Case, white space, quote marks and punctuation at
the ends do not matter; an ellipsis or a bracket stands for words left out, in order, within one material.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from openassay.schema.checks import QuotesSupportedOptions
from openassay.schema.evidence import Evidence
from openassay.schema.record import Json
from openassay.scorers.finding import Finding, decided, failed, listed, malformed, shown, unmeasurable
from openassay.scorers.fold import key, without_ends, without_reasoning
from openassay.scorers.strict_json import values_in

CHARS = 200_000
_PAIRED = (
    re.compile('\u201c([^\u201c\u201d"]{1,5000})[\u201d"]'),
    re.compile('\u201e([^\u201e\u201c\u201d"]{1,5000})[\u201c\u201d"]'),
    re.compile("\u00ab([^\u00ab\u00bb]{1,5000})\u00bb"),
    re.compile("\u00bb([^\u00ab\u00bb]{1,5000})\u00ab"),
    re.compile("[\u300c\u300e]([^\u300c-\u300f]{1,5000})[\u300d\u300f]"),
    re.compile("\u2039([^\u2039\u203a]{1,5000})\u203a"),
    re.compile(
        r"(?<!\w)['\u2018](?=\w)([^'\u2018\u2019\n]{1,2000}(?:['\u2019](?=\w)[^'\u2018\u2019\n]{1,2000}){0,5})['\u2019](?!\w)"
    ),
)
_STRAIGHT = re.compile(r'(?<!\d)"|"(?=[^\w]*$)|(?<=\d)"(?=[.,;:]?\s)')
_BLOCK = re.compile(r"(?:^[ \t]{0,3}>[^\n]*\n?)+", re.MULTILINE)
_BLOCK_MARK = re.compile(r"^[ \t]{0,3}>[ \t]?", re.MULTILINE)
_GAP = re.compile(r"\[[^\[\]]{0,80}\]|\(\s*(?:\.{3,}|\u2026)\s*\)|\.{3,}|\. \. \.|\u2026")
_FIELD = re.compile(r"quot|evidence|excerpt|citation|passage|zitat|beleg|cita|preuve", re.IGNORECASE)
_MIN_SINGLE_WORDS = 2


def score(reference: Json, options: QuotesSupportedOptions, evidence: Evidence) -> Finding:  # noqa: ARG001  # one form
    if not evidence.materials:
        return unmeasurable("the task supplies no material that a quotation could stand in")
    text = without_reasoning(evidence.answer)[:CHARS]
    if options.answer_prefix:
        _, prefix, text = text.rpartition(options.answer_prefix)
        if not prefix:
            return malformed(f"expected the answer after {shown(options.answer_prefix)}, which the text does not hold")
    quotes = list(dict.fromkeys(quote for quote in quotations(text) if key(quote)))
    materials = [_folded(material.text) for material in evidence.materials]
    absent = [quote for quote in quotes if not any(_stands_in(quote, material) for material in materials)]
    took = " | ".join(quotes)[:500]
    if absent:
        return failed(f"{len(absent)} of {len(quotes)} quotations stand in no material: {listed(absent)}", took)
    enough = len(quotes) >= options.min_quotes
    return decided(
        enough, f"{len(quotes)} quotations, all in the material; expected at least {options.min_quotes}", took
    )


def quotations(text: str) -> Iterator[str]:
    """Every quotation of a text, without its marks."""
    values = values_in(text)[0] if "{" in text or "[" in text else []
    if any(isinstance(value, dict | list) and value for value in values):
        yield from (quote for value in values for quote in _of_json(value, named=False))
        return
    for block in _BLOCK.findall(text):
        yield without_ends(_BLOCK_MARK.sub("", block))
    text = _BLOCK.sub("\n", text)
    for pattern in _PAIRED[:-1]:
        yield from pattern.findall(text)
        text = pattern.sub(" ", text)
    yield from (quote for paragraph in re.split(r"\n\s*\n", text) for quote in _straight(paragraph))
    text = re.sub(r'"[^"]*"', " ", text)
    yield from (quote for quote in _PAIRED[-1].findall(text) if len(quote.split()) >= _MIN_SINGLE_WORDS)


def _straight(paragraph: str) -> Iterator[str]:
    """Between one straight quote and the next; a last one without partner opens a quotation to the paragraph's end."""
    marks = [mark.start() for mark in _STRAIGHT.finditer(paragraph)]
    for place in range(0, len(marks), 2):
        end = marks[place + 1] if place + 1 < len(marks) else len(paragraph)
        quote = paragraph[marks[place] + 1 : end]
        if any(char.isalnum() for char in quote):
            yield quote


def _of_json(value: Json, *, named: bool) -> Iterator[str]:
    if isinstance(value, str):
        if named:
            yield without_ends(value)
    elif isinstance(value, list):
        for one in value:
            yield from _of_json(one, named=named)
    elif isinstance(value, dict):
        for name, one in value.items():
            yield from _of_json(one, named=named or bool(_FIELD.search(name)))


@lru_cache(maxsize=64)
def _folded(text: str) -> str:
    return _loose(text)


def _loose(text: str) -> str:
    """Folded, with all kinds of quote marks as one."""
    return key(text).replace('"', "'").replace("''", "'")


def _stands_in(quote: str, material: str) -> bool:
    """Every part between gaps stands in the material, in order, as whole words."""
    place = 0
    parts: list[Any] = [_loose(without_ends(part)) for part in _GAP.split(quote)]
    wanted = [part for part in parts if any(char.isalnum() for char in part)]
    for part in wanted:
        place = _find_whole(part, material, place)
        if place < 0:
            return False
    return bool(wanted)


def _find_whole(part: str, material: str, start: int) -> int:
    """Where the part ends, standing as whole words; -1 where it does not."""
    place = material.find(part, start)
    while place >= 0:
        end = place + len(part)
        before, after = material[place - 1 : place] if place else "", material[end : end + 1]
        if not (before.isalnum() and part[0].isalnum() and part[0].isascii()) and not (
            after.isalnum() and part[-1].isalnum() and part[-1].isascii()
        ):
            return end
        place = material.find(part, place + 1)
    return -1
