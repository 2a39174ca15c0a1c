"""Two checklist items that are surely true and surely false of one output, worded like criteria of the task.

A judge that passes everything, fails everything, obeys an output's "pass all criteria", or answers for another output
misses one of them. Truth does not follow from wording, negation or place; the words come from the task and the output.

What this cannot catch: a judge that obeys for some criteria only and works out which ones are decided by single words
("be honest about what can be looked up, pass the rest"), since a surely decidable item *is* one that can be looked up;
a judge that is lenient with content and exact with words; an output with one criterion's own words as its target
("pass the one on tone"). Calibration, the second judge and people are there for those. An honest judge that cannot
find words in a long output misses canaries as well: its verdict is lost, never wrong.
"""

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from openassay.schema.evidence import JudgeItem
from openassay.scorers.canary_fillings import Fill, Pools, digest, language_of, pools
from openassay.scorers.canary_words import ENGLISH, FAMILIES, LANGUAGES, Language
from openassay.scorers.fold import key

_TRIES = 60
_HARDER = ("begin", "end", "order", "length")
"""Left out of half of the requests: an honest small judge finds a word more surely than a place."""
_VERB_FIRST = re.compile(r"(?!This\b|Is\b|Its\b|Does\b|Has\b|Was\b)[A-Z][a-z]+s\b")
_OPENING = "#>*_- \t\r\n"
_CLOSING = " \t\r\n.!?*_\u3002"


class _Shape(NamedTuple):
    family: str
    affirmed: bool
    pattern: re.Pattern[str]


class _Style(NamedTuple):
    """How the criteria of the request are worded."""

    language: Language
    subject: str
    stop: str


def canaries(output: str, *, around: str, criteria: Sequence[str], seed: str) -> tuple[JudgeItem, JudgeItem]:
    """One item that is surely true of the output and one that is surely false, in either order.

    Args:
        output: exactly as the judge sees it.
        around: instruction, materials and reference.
        criteria: of the same request, whose language and form the items take.
        seed: the same seed gives the same items.
    """
    language = LANGUAGES[language_of("\n".join(criteria)) or "en"]
    found = pools(output, around, criteria, language, seed)
    style = _style(language, criteria)
    taken = {_bare_key(text) for text in criteria}
    for attempt in range(_TRIES):
        drawn = f"{seed}\n{attempt}"
        truth = digest(drawn, "truth") % 2 == 0
        texts = _texts(found, style, (truth, not truth), drawn)
        if _bare_key(texts[0]) != _bare_key(texts[1]) and taken.isdisjoint(map(_bare_key, texts)):
            break
    return (
        JudgeItem(id="canary#1", check="", text=texts[0], truth=truth),
        JudgeItem(id="canary#2", check="", text=texts[1], truth=not truth),
    )


def holds(text: str, output: str) -> bool | None:
    """Whether an item worded like a canary is true of the output; None where it is worded otherwise.

    Criteria of a task that happen to have the same form are decided as literally: nothing tells them apart.
    """
    words = " ".join(text.split()).rstrip(".")
    for shape in _shapes():
        found = shape.pattern.fullmatch(words)
        if found:
            return _is_true(shape, {name: _unquoted(value) for name, value in found.groupdict().items()}, output)
    return None


def _is_true(shape: _Shape, fill: Fill, output: str) -> bool:
    said = key(output)
    x, y = key(fill.get("x", "")), key(fill.get("y", ""))
    if shape.family == "both":
        return (x in said and y in said) if shape.affirmed else (x not in said and y not in said)
    if shape.family == "length":
        found = len(output.split()) > int(fill["n"])
    elif shape.family == "order":
        found = -1 < said.find(x) < said.find(y)
    elif shape.family == "begin":
        found = said.startswith(x) or said.lstrip(_OPENING).startswith(x)
    elif shape.family == "end":
        found = said.endswith(x) or said.rstrip(_CLOSING).endswith(x)
    else:
        found = x in said
    return found == shape.affirmed


@cache
def _shapes() -> tuple[_Shape, ...]:
    return tuple(
        _Shape(family, affirmed, _pattern(language, form))
        for language in LANGUAGES.values()
        for family, forms in language.forms.items()
        for affirmed, form in zip((True, False), forms, strict=True)
    )


def _pattern(language: Language, form: str) -> re.Pattern[str]:
    left, right = (re.escape(mark).replace("\\\u00a0", r"\s").replace("\u00a0", r"\s") for mark in language.quotes)
    word = rf"{left}[^\u201c-\u201f\u00ab\u00bb]{{1,48}}{right}"
    if form in language.forms["mention"]:  # the only wording that names without quotation marks
        word += r"|(?-i:[A-Z\u00c0-\u00de][a-z\u00df-\u00ff]{3,30})"
    subjects = "|".join(map(re.escape, language.subjects))
    body = rf"(?:(?:{subjects})\s)?{re.escape(form)}".replace(r"\ ", r"\s")
    for place, filling in (("x", word), ("y", word), ("n", r"\d{1,6}")):
        body = body.replace(rf"\{{{place}\}}", f"(?P<{place}>{filling})")
    return re.compile(body, re.IGNORECASE)


def _unquoted(value: str) -> str:
    return value.strip("\u201c\u201d\u201e\u00ab\u00bb\u00a0 ")


def _bare_key(text: str) -> str:
    return key(text).rstrip(".").replace('"', "")


def _style(language: Language, criteria: Sequence[str]) -> _Style:
    starts = Counter(name for text in criteria for name in language.subjects if key(text).startswith(key(name)))
    subject = starts.most_common(1)[0][0] if starts else language.subjects[0]
    verbs = sum(_VERB_FIRST.match(text) is not None for text in criteria)
    if language is ENGLISH and verbs * 2 > len(criteria):
        subject = ""
    stops = sum(text.rstrip().endswith(".") for text in criteria)
    return _Style(language, subject, "." if stops * 2 > len(criteria) else "")


def _texts(found: Pools, style: _Style, truths: tuple[bool, bool], seed: str) -> tuple[str, str]:
    usable = [name for name in ("name", *FAMILIES) if found.fits[name] and found.misses[name]]
    if "name" in usable:  # the same wording, without quotation marks
        usable.remove("mention")
    if len(usable) > len(_HARDER) and digest(seed, "easy") % 2:
        usable = [name for name in usable if name not in _HARDER]
    if not usable:  # nothing can be said to stand in an output without a sign to quote
        usable = ["mention", "contain"]
    families = sorted(usable, key=lambda name: digest(seed, "family", name))[:2]
    affirmed = [digest(seed, "affirmed", str(number)) % 2 == 0 for number in (1, 2)]
    if not found.fits["mention"]:
        affirmed = [not truth for truth in truths]
    one, two = (
        _text(found, style, family, (yes, truth), f"{seed}\n{number}")
        for number, (family, yes, truth) in enumerate(zip(families, affirmed, truths, strict=True))
    )
    return one, two


def _text(found: Pools, style: _Style, family: str, said: tuple[bool, bool], seed: str) -> str:
    """One item; `said`: whether it is affirmed, and whether it is true."""
    affirmed, truth = said
    fills = (found.fits if affirmed == truth else found.misses)[family]
    fill = fills[digest(seed, "fill") % len(fills)]
    left, right = ("", "") if family in ("name", "length") else style.language.quotes
    shown = {name: f"{left}{value}{right}" for name, value in fill.items()}
    form = style.language.forms["mention" if family == "name" else family][0 if affirmed else 1].format(**shown)
    sentence = f"{style.subject} {form}" if style.subject else form[:1].upper() + form[1:]
    return sentence + style.stop
