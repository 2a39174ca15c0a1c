"""What is counted of an answer beside right and wrong: length, hedging, whether it refuses. No verdicts.

By word lists in English, German, French and Spanish: an answer in other words or languages counts as neither. Not
here: that the material does not say something (`abstains`).
"""

import re
from functools import lru_cache
from typing import NamedTuple

from openassay.scorers.fold import key, plain
from openassay.scorers.form import count_words
from openassay.scorers.unsupported import sentences

CHARS = 50_000

_HEDGES = re.compile(
    r"\b(?:may|might|perhaps|possibly|probably|likely|unlikely|could be|seems?|appears?|suggests?|i think|i believe|"
    r"it depends|in general|vielleicht|möglicherweise|vermutlich|wahrscheinlich|eventuell|womöglich|könnte|scheint|"
    r"peut-être|probablement|sans doute|semble|pourrait|quizás?|tal vez|probablemente|posiblemente|parece|podría)\b"
)
_REFUSALS = re.compile(
    r"\b(?:i(?:'m| am) (?:not able|unable|not comfortable)\b|"
    r"i(?:'m| am) (?:sorry|afraid)\b[^.\n]{0,80}\b(?:can(?:not|'t)|unable)\b|"
    r"i (?:can(?:not|'t| not)|could(?: not|n't)|won't|will not|am not able to|must decline to|decline to) "
    r"(?:\w+ )?(?:help|assist|answer|provide|comply|comment|judge|decide|assess|rate)|"
    r"as an? (?:ai|language model|ki)\b[^.\n]{0,80}\b(?:can(?:not|'t)|unable|not)\b|"
    r"(?:ich|wir) (?:kann|können|darf|möchte|werde)\b[^.\n]{0,80}\bnicht (?:helfen|beantworten|beurteilen|entscheiden)|"
    r"je ne (?:peux|puis) pas (?:vous )?(?:aider|répondre|décider)|no puedo (?:ayudar|responder|decidir))"
)


class Measures(NamedTuple):
    words: int
    sentences: int
    hedges: int
    """Words such as "perhaps" and "might"."""
    refuses: bool


@lru_cache(maxsize=8)
def measure(answer: str) -> Measures:
    """The measures of an answer; its reasoning and markdown do not count.

    >>> measure("**Perhaps.** It might be 4.")
    Measures(words=5, sentences=2, hedges=2, refuses=False)
    >>> measure("I'm sorry, but I can't help with that.").refuses
    True
    """
    text = plain(answer)[:CHARS]
    folded = key(text)
    return Measures(
        count_words(text), len(sentences(text)), len(_HEDGES.findall(folded)), _REFUSALS.search(folded) is not None
    )
