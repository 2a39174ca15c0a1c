"""`format`: length, list items, words that must or must not stand in the answer, and its language.

Words are runs of characters that hold a letter or digit; each Chinese, Japanese or Thai character is a word. Words to
include match whole, without case: "art" does not stand in "start".
"""

import re
from collections.abc import Iterator

from openassay.schema.checks import FormatOptions
from openassay.schema.evidence import Evidence
from openassay.schema.record import Json
from openassay.scorers.answers import final_answer, settle
from openassay.scorers.finding import Finding, decided, malformed, shown, unmeasurable
from openassay.scorers.fold import UNSPACED, key, plain, visible

_BULLET = re.compile(r"^[ \t]*(?:[-*+\u2022\u2023\u25e6\u2043\u2013]|\d{1,3}[.)])[ \t]+\S", re.MULTILINE)
_FENCED = re.compile(r"^[ \t]*(?:```|~~~)[^\n]*$", re.MULTILINE)
_LETTERS_NEEDED = 20


def score(reference: Json, options: FormatOptions, evidence: Evidence) -> Finding:  # noqa: ARG001  # one form
    marked = visible(evidence.answer)
    if options.answer_prefix:
        took = settle(final_answer(evidence.answer, options.answer_prefix), lambda text: text, options.answer_prefix)
        if isinstance(took, Finding):
            return took
        marked = took
    faults = [*_length_faults(plain(marked), options), *_bullet_faults(marked, options), *_word_faults(marked, options)]
    if faults:
        return malformed("; ".join(faults), marked[:500])
    if options.language:
        return _language(plain(marked), options.language)
    return decided(passed=True, reason=f"{count_words(plain(marked))} words in the form demanded", took=marked[:500])


def count_words(text: str) -> int:
    spaced, alone = UNSPACED.subn(" ", text)
    return alone + sum(any(char.isalnum() for char in run) for run in spaced.split())


def _length_faults(text: str, options: FormatOptions) -> Iterator[str]:
    count = count_words(text)
    if options.min_words is not None and count < options.min_words:
        yield f"{count} words, expected at least {options.min_words}"
    if options.max_words is not None and count > options.max_words:
        yield f"{count} words, expected at most {options.max_words}"


def count_bullets(text: str) -> int:
    """List items of a markdown text, those in code fences left out."""
    outside = "".join(_FENCED.split(text)[::2])
    return sum(1 for _ in _BULLET.finditer(outside))


def _bullet_faults(text: str, options: FormatOptions) -> Iterator[str]:
    count = count_bullets(text)
    if options.bullets is not None and count != options.bullets:
        yield f"{count} list items, expected {options.bullets}"


def _word_faults(text: str, options: FormatOptions) -> Iterator[str]:
    texts = (key(text), key(plain(text)))
    for words in options.must_include:
        if not any(_stands_in(key(words), one) for one in texts):
            yield f"{shown(words)} is missing"
    for words in options.must_not_include:
        if any(_stands_in(key(words), one) for one in texts):
            yield f"{shown(words)} stands in it"


def _stands_in(words: str, text: str) -> bool:
    before = r"(?<!\w)" if _has_edge(words[:1]) else ""
    after = r"(?!\w)" if _has_edge(words[-1:]) else ""
    return re.search(before + re.escape(words) + after, text) is not None


def _has_edge(char: str) -> bool:
    """Scripts without spaces have no edge of a word to look for."""
    return char.isalnum() and not UNSPACED.match(char)


def _language(text: str, wanted: str) -> Finding:
    if sum(char.isalpha() for char in text) < _LETTERS_NEEDED:
        return unmeasurable(f"the language cannot be told from fewer than {_LETTERS_NEEDED} letters")
    import py3langid  # loads a model of 20 MB: only where a check names a language

    found, _ = py3langid.classify(text[:20_000])
    return decided(found == wanted, f"the detector finds the language {found!r}, expected {wanted!r}", text[:500])
