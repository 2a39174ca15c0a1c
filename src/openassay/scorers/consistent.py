"""`consistent`: the answer agrees with the majority of its group's answers, by content or by form.

The group is the answer itself and its siblings. Empty answers are left out; with fewer than two answers there is
nothing to agree with. Where no answer is more frequent than every other, there is no majority and the check fails.
"""

from collections import Counter

from openassay.schema.checks import ConsistentOptions
from openassay.schema.evidence import Evidence
from openassay.schema.record import Json
from openassay.scorers.answers import final_answer
from openassay.scorers.finding import Finding, decided, failed, malformed, shown, unmeasurable
from openassay.scorers.fold import key, plain, visible, without_ends, without_reasoning
from openassay.scorers.form import count_bullets
from openassay.scorers.quantities import prepared, quantities
from openassay.scorers.records import comparable
from openassay.scorers.strict_json import values_in

_LEAST = 2


def score(reference: Json, options: ConsistentOptions, evidence: Evidence) -> Finding:  # noqa: ARG001  # one form
    answers = [answer for answer in (evidence.answer, *evidence.siblings) if plain(answer)]
    if len(answers) < _LEAST:
        return unmeasurable(f"{len(answers)} answers in the group, and agreement needs {_LEAST}")
    measure = content if options.compare == "same" else _form
    texts = [final(answer, options.answer_prefix) for answer in answers]
    if not texts[0]:
        return malformed(
            f"expected the answer after {shown(options.answer_prefix or '')}, which the text does not hold"
        )
    kinds = [measure(text) for text in texts]
    (most, count), *others = Counter(kinds).most_common()
    if others and others[0][1] == count:
        return failed(
            f"no majority: {count} of {len(kinds)} answers for each of several, such as {shown(most)}", texts[0]
        )
    reason = f"took {shown(kinds[0])}, and {count} of {len(kinds)} answers of the group have {shown(most)}"
    return decided(kinds[0] == most, reason, texts[0])


def final(answer: str, prefix: str | None) -> str:
    """The last declared final answer, or the whole text; empty where a demanded prefix is missing."""
    found = final_answer(answer, prefix)
    if found.declared:
        return found.texts[-1] if found.texts else ""
    return without_reasoning(answer).strip()


def content(text: str) -> str:
    """What makes two answers the same: the JSON value, the number, or the words."""
    values = values_in(text)[0] if text[:1] in "{[`" else []
    if len(values) == 1:
        return comparable(values[0])
    numbers = quantities(prepared(without_ends(plain(text))))
    words = key(without_ends(plain(text)))
    return str(numbers[0].value) if len(numbers) == 1 and not any(char.isalpha() for char in words) else words


def _form(text: str) -> str:
    """What makes two answers alike in form."""
    values = values_in(text)[0]
    if values and isinstance(values[0], dict):
        return f"JSON with the fields {', '.join(sorted(values[0]))}"
    if values and isinstance(values[0], list):
        return "a JSON list"
    bare = without_ends(plain(text))
    if not any(char.isalpha() for char in bare) and quantities(prepared(bare)):
        return "a number"
    return _shape(visible(text), bare)


def _shape(marked: str, bare: str) -> str:
    bullets = count_bullets(marked)
    if bullets:
        return f"a list of {bullets}"
    if "\n" in bare:
        return "several lines"
    return "one word" if len(bare.split()) == 1 else "one line"
