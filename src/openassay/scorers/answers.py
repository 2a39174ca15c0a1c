r"""Find the final answer in what a model wrote.

In this order: what follows a declared `answer_prefix` (then nothing else counts); ``\boxed{}`` and "Final answer:";
"Answer:" or "The answer is" in several languages; else the whole text. All declarations of the first kind found are
returned, and a scorer that finds them to differ (by its own measure: 4 and 4.0 are one number) fails the answer.
"""

import re
from collections.abc import Callable, Hashable
from typing import NamedTuple

from openassay.scorers.finding import Finding, failed, listed, malformed, shown
from openassay.scorers.fold import fold, plain

_FINAL = (
    "final answer|endgültige antwort|réponse finale|respuesta final|risposta finale|resposta final|eindantwoord|"
    "definitief antwoord|slutgiltigt svar|ostateczna odpowiedź|итоговый ответ|окончательный ответ|最终答案|最終答案|"
    "最終的な答え|최종 답"
)
_PLAIN = (
    "answer|antwort|réponse|respuesta|risposta|resposta|antwoord|svar|vastaus|odpowiedź|odpověď|ответ|відповідь|cevap|"
    "yan\u0131t|答案|答え|回答|答|정답|답|الجواب|الإجابة|الاجابة|उत्तर|đáp án|trả lời|"
    "jawaban|válasz|răspuns|απάντηση|תשובה"
)
_SENTENCE = (
    r"\b(?:the|my)\s+(?P<sure>final\s+)?(?:correct\s+|right\s+|best\s+)?answer\s+(?:is|would\s+be|must\s+be|should\s+be)|"
    r"\bdie\s+(?:richtige\s+|korrekte\s+)?antwort\s+(?:ist|lautet)|\bla\s+(?:bonne\s+)?réponse\s+(?:correcte\s+)?est|"
    r"\bla\s+respuesta\s+(?:correcta\s+)?es|\bla\s+risposta\s+(?:corretta\s+)?è|\ba\s+resposta\s+(?:correta\s+)?é|"
    r"\bhet\s+(?:juiste\s+)?antwoord\s+is"
)
_NEGATION = r"(?!\s*(?:not|nicht|keine?|pas|no|non|não|niet)\b)"
_DECLARED = re.compile(
    fold(
        rf"(?:^|(?<=[.!?]\s))[^\w\n]{{0,6}}(?:(?:the|my|so the|our)\s+)?(?:(?P<final>{_FINAL})|{_PLAIN})(?:\s+is)?\s*:"
        rf"[^\S\n]*(?P<label>[^\n]*)|(?:{_SENTENCE})\b{_NEGATION}:?[^\S\n]*(?P<sentence>[^\n]*)"
    ),
    re.IGNORECASE | re.MULTILINE,
)
_INNER = re.compile(fold(rf"^(?:{_SENTENCE})\b{_NEGATION}:?\s*"), re.IGNORECASE)
_BOX = "\\boxed{"
_BOX_CHARS = 2_000
_MOST = 100
"""Declarations looked at, from the end: more say nothing new, and a hostile answer may hold millions."""


class Answer(NamedTuple):
    """Where the final answer stands."""

    texts: tuple[str, ...]
    """The declared final answers in order, or the whole text alone; empty where a demanded prefix is missing."""
    declared: str = ""
    """How they were declared, such as ``after 'Total:'``; empty for the whole text."""


def final_answer(text: str, prefix: str | None = None) -> Answer:
    """The final answer as declared, Unicode folded and markdown removed.

    >>> final_answer("40 + 2. **Answer:** 42").texts
    ('42',)
    >>> final_answer("Subtotal: 3. Total: 5", "Total:").texts
    ('5',)
    """
    whole = plain(text)
    if prefix:
        return _after_prefix(whole, prefix)
    boxes = _boxed(whole) if _BOX in whole else []
    if not boxes and ":" not in whole and len(whole) <= _MOST and " " not in whole:
        return Answer((whole,))  # the hot path: a bare word or number
    sure, usual = _labelled(whole)
    if boxes or sure:
        return Answer((*boxes, *sure), "in \\boxed{}" if boxes else "after 'Final answer'")
    return Answer(tuple(usual), "after 'Answer'") if usual else Answer((whole,))


def _after_prefix(whole: str, prefix: str) -> Answer:
    wanted = plain(prefix)
    edge = r"(?<!\w)" if wanted[:1].isalnum() else ""
    found = re.compile(rf"{edge}{re.escape(wanted)}[^\S\n]*([^\n]*)", re.IGNORECASE).finditer(whole)
    texts = [_or_next_line(whole, match.end(), match[1]) for match in found]
    return Answer(tuple(text for text in texts[-_MOST:] if text), f"after {shown(prefix, 30)}")


def _labelled(whole: str) -> tuple[list[str], list[str]]:
    """Declarations that call themselves final, and the others."""
    sure: list[str] = []
    usual: list[str] = []
    for match in _DECLARED.finditer(whole):
        rest = match["label"] if match["label"] is not None else match["sentence"]
        text = _INNER.sub("", _or_next_line(whole, match.end(), rest))
        if text:
            (sure if match["final"] or match["sure"] else usual).append(text)
    return sure[-_MOST:], usual[-_MOST:]


def _or_next_line(whole: str, end: int, rest: str) -> str:
    """The rest of the line, or the next line that holds something."""
    if rest.strip():
        return rest.strip()
    return whole[end : end + _BOX_CHARS].strip().split("\n", 1)[0].strip()


def _boxed(whole: str) -> list[str]:
    r"""What stands in ``\boxed{}``, braces balanced."""
    found: list[str] = []
    start = whole.rfind(_BOX)
    for _ in range(_MOST):
        if start < 0:
            break
        inside = _balanced(whole[start + len(_BOX) : start + _BOX_CHARS])
        if inside.strip():
            found.append(inside.strip())
        start = whole.rfind(_BOX, 0, start)
    return found[::-1]


def _balanced(text: str) -> str:
    depth = 1
    for place, char in enumerate(text):
        depth += (char == "{") - (char == "}")
        if depth == 0:
            return text[:place]
    return ""


def settle(answer: Answer, measure: Callable[[str], Hashable], prefix: str | None) -> str | Finding:
    """The one final answer, or the finding that there is none or several.

    Args:
        answer: from `final_answer`.
        measure: what makes two answers the same; None for a text that holds no answer.
        prefix: the prefix demanded, for the reason.
    """
    if not answer.texts:
        return malformed(f"expected the answer after {shown(prefix or '')}, which the text does not hold")
    if len(answer.texts) == 1:
        return answer.texts[0]
    distinct = {measure(text): text for text in answer.texts}
    distinct.pop(None, None)
    if len(distinct) > 1:
        return failed(f"several different final answers: {listed(distinct.values())}", " | ".join(answer.texts)[:500])
    return next(iter(distinct.values()), answer.texts[-1])
