"""`choice`: the answer names one of the choices, by its letter or by its text.

A letter counts where it stands alone, before ``)``, ``.`` or ``:`` at the start of a line, after "option" or "answer",
or as a capital on its own; the article "a" does not. Several letters of equal standing are a fail.
"""

import re
from functools import lru_cache

from openassay.schema.checks import ChoiceOptions
from openassay.schema.evidence import Evidence
from openassay.schema.record import Json
from openassay.scorers.answers import final_answer, settle
from openassay.scorers.finding import Finding, decided, failed, listed, shown
from openassay.scorers.fold import fold, key, without_ends

_CHARS = 20_000
_REFUSED = r"(?:\b(?:not|nicht|pas|no|non|never|than|isn't|wasn't)\s+(?:option\s+|choice\s+)?[\(\[]?)"
_WRONG = r"[\)\]]?\s+(?:is|are|ist|was)\s+(?:not|wrong|incorrect|false|nicht|falsch)\b"
_NAMING = r"(?:options?|choices?|letters?|answers?|antwort|réponse|opción|opzione|opção|respuesta|risposta|variant)"


class _Shapes:
    """The patterns for one set of letters."""

    def __init__(self, letters: tuple[str, ...]) -> None:
        either = "|".join(re.escape(letter) for letter in sorted(letters, key=len, reverse=True))
        self.leading = re.compile(
            rf"^[\(\[]?({either})(?:[\)\]]|[.:](?=\s|$)|\s+-\s|\s*$)", re.IGNORECASE | re.MULTILINE
        )
        self.named = re.compile(
            rf"\b{_NAMING}(?:\s+(?:is|ist|est|es|è|é))?:?\s+[\(\[]?({either})(?:[\)\]]|(?=[.,;:!]|\s*$)|(?=\s)(?-i:(?<![a-z])))",
            re.IGNORECASE | re.MULTILINE,
        )
        self.alone = re.compile(rf"(?<![\w'\-])({either})(?![\w'\-])")
        self.spelling = {letter.casefold(): letter for letter in letters}


@lru_cache(maxsize=256)
def _shapes(letters: tuple[str, ...]) -> _Shapes:
    return _Shapes(letters)


def score(reference: Json, options: ChoiceOptions, evidence: Evidence) -> Finding:
    right = _letter_of(str(reference), options)
    answer = final_answer(evidence.answer, options.answer_prefix)
    took = settle(answer, lambda text: frozenset(_letters(text, options)) or None, options.answer_prefix)
    if isinstance(took, Finding):
        return took
    found = _letters(took, options)
    if not found:
        return failed(f"took {shown(took)}, which names none of the choices; expected {_named(right, options)}", took)
    if len(found) > 1:
        return failed(f"several different choices: {listed(sorted(found))}; expected {_named(right, options)}", took)
    (letter,) = found
    return decided(letter == right, f"took {_named(letter, options)}, expected {_named(right, options)}", letter)


def _named(letter: str, options: ChoiceOptions) -> str:
    return shown(f"{letter}) {options.choices[letter]}" if letter in options.choices else letter)


def _letter_of(reference: str, options: ChoiceOptions) -> str:
    """The reference's letter; the reference itself where it is neither letter nor text of a choice."""
    for letter, text in options.choices.items():
        if key(reference) == key(letter) or key(reference) == key(text):
            return letter
    return reference


def _letters(text: str, options: ChoiceOptions) -> set[str]:
    """The choices that a text names: letters first, and texts where there is no letter."""
    text = text[:_CHARS]
    bare = key(without_ends(text))
    for letter, label in options.choices.items():
        if bare in (key(letter), key(without_ends(label))):
            return {letter}
    letters = _by_letter(text, _shapes(tuple(options.choices)))
    labels = _by_label(text, options)
    if not letters:
        return labels
    return letters | labels if len(letters) == 1 and labels and not letters & labels else letters


def _by_letter(text: str, shapes: _Shapes) -> set[str]:
    """Letters of the strongest standing found: leading a line, named as an option, alone in capitals."""
    for pattern in (shapes.leading, shapes.named):
        found = {shapes.spelling[match[1].casefold()] for match in pattern.finditer(text) if _meant(text, match)}
        if found:
            return found
    return {
        shapes.spelling[m[1].casefold()] for m in shapes.alone.finditer(text) if _meant(text, m) and _no_word(text, m)
    }


def _meant(text: str, match: re.Match[str]) -> bool:
    """Neither refused ("not B", "B is wrong") nor the article before a word."""
    before, after = text[max(0, match.start(1) - 30) : match.start(1)], text[match.end(1) : match.end(1) + 30]
    if re.search(_REFUSED + "$", before, re.IGNORECASE) or re.match(_WRONG, after, re.IGNORECASE):
        return False
    return not (match[1] == "a" and re.match(r"\s+\w", after))


def _no_word(text: str, match: re.Match[str]) -> bool:
    """A lone capital that is also a word ("A city", "I think") counts only at the end of a clause."""
    if match[1] not in ("A", "I", "a", "i", "O", "E", "Y"):
        return match[1].isupper() or match[1].isdigit() or len(match[1]) > 1
    return match[1].isupper() and bool(
        re.match(r"\s*(?:$|[).,;:!\]]|because\b|since\b|and\b|or\b)", text[match.end(1) :][:20])
    )


def _by_label(text: str, options: ChoiceOptions) -> set[str]:
    """Choices whose text stands in the answer as whole words; a longer text hides a shorter one in it."""
    rest, found = key(text), set()
    for letter, label in sorted(options.choices.items(), key=lambda item: -len(item[1])):
        pattern = re.compile(rf"(?<!\w){re.escape(key(fold(label)))}(?!\w)")
        if label.strip() and any(
            not re.search(_REFUSED + "$", rest[: hit.start()][-30:]) for hit in pattern.finditer(rest)
        ):
            found.add(letter)
        rest = pattern.sub(" ", rest)
    return found
