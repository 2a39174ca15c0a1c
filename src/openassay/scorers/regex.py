"""`regex`: a pattern matches the answer. A pattern that does not end in time is `unmeasurable`, never a hang.

Read: what follows `answer_prefix` where there is one, else the answer as written and without markdown; with `full`,
the declared final answer too. The first 100,000 characters only.
"""

import re

from openassay.schema.checks import RegexOptions
from openassay.schema.errors import ScorerError
from openassay.schema.evidence import Evidence
from openassay.schema.record import Json
from openassay.scorers.answers import final_answer, settle
from openassay.scorers.finding import Finding, decided, shown, unmeasurable
from openassay.scorers.fold import plain, visible, without_reasoning
from openassay.tasks.timelimit import SECONDS, TimeLimitError, limited

CHARS = 100_000


def score(reference: Json, options: RegexOptions, evidence: Evidence) -> Finding:  # noqa: ARG001  # one form for all scorers
    _compiled(options.pattern)
    texts = _texts(options, evidence.answer)
    if isinstance(texts, Finding):
        return texts
    try:
        found = limited(f"{__name__}:first_match", options.pattern, options.full, list(texts))
    except TimeLimitError:
        return unmeasurable(f"the pattern {shown(options.pattern)} did not end within {SECONDS:g} s on this answer")
    took = found if found is not None else texts[0]
    how = "matches" if found is not None else "does not match"
    return decided(found is not None, f"took {shown(took)}, which {how} {shown(options.pattern)}", took)


def _compiled(pattern: str) -> None:
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise ScorerError(f"expected a regular expression, found {shown(pattern)}: {error}") from None


def _texts(options: RegexOptions, answer: str) -> list[str] | Finding:
    if options.answer_prefix or options.full:
        took = settle(final_answer(answer, options.answer_prefix), lambda text: text, options.answer_prefix)
        if isinstance(took, Finding):
            return took
        if options.answer_prefix:
            return [took[:CHARS]]
        return [took[:CHARS], visible(answer)[:CHARS]]
    texts = [without_reasoning(answer).strip(), visible(answer), plain(answer)]
    return list(dict.fromkeys(text[:CHARS] for text in texts))


def first_match(pattern: str, full: bool, texts: list[str]) -> str | None:  # noqa: FBT001  # JSON values only
    """The first text's match; called under the time limit."""
    compiled = re.compile(pattern)
    for text in texts:
        match = compiled.fullmatch(text) if full else compiled.search(text)
        if match:
            return match[0][:500]
    return None
