"""`abstains`: the answer says that the information is missing, or must not say so.

Found by phrases in several languages, as whole words, in the declared final answer or in the whole text; short ones
("unknown", "n/a") count only as the whole answer. The phrases and `options.phrases` are all that is known: an answer
that says it in other words is taken as not saying it.
"""

import re
from functools import lru_cache

from openassay.schema.checks import AbstainsOptions
from openassay.schema.errors import ScorerError
from openassay.schema.evidence import Evidence
from openassay.schema.record import Json
from openassay.scorers.answers import final_answer, settle
from openassay.scorers.finding import Finding, decided, failed, shown
from openassay.scorers.fold import key, plain, without_ends
from openassay.scorers.phrases import PHRASES, WHOLE

CHARS = 50_000


def score(reference: Json, options: AbstainsOptions, evidence: Evidence) -> Finding:
    if not isinstance(reference, bool):
        raise ScorerError("expected true or false as reference of `abstains`, found something else")
    answer = final_answer(evidence.answer, options.answer_prefix)
    took = settle(answer, lambda text: says_missing(text, options.phrases) is not None, options.answer_prefix)
    if isinstance(took, Finding):
        return took
    phrase = says_missing(took, options.phrases)
    if not key(without_ends(plain(took))):
        return failed("the answer holds no word", took)
    says = (
        f"says that the information is missing ({shown(phrase)})"
        if phrase
        else "does not say that the information is missing"
    )
    must = "" if reference else "not "
    return decided((phrase is not None) == reference, f"took {shown(took)}, which {says}; it must {must}say so", took)


def says_missing(text: str, more: tuple[str, ...] = ()) -> str | None:
    """The phrase that says so; None where there is none."""
    folded = key(text[:CHARS])
    if key(without_ends(folded)) in WHOLE:
        return folded
    found = _pattern().search(folded)
    if found:
        return found[0]
    return next((phrase for phrase in more if phrase.strip() and _holds(folded, key(phrase))), None)


def _holds(text: str, phrase: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", text) is not None or (
        not phrase.isascii() and phrase in text
    )


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    return re.compile("|".join(PHRASES))
