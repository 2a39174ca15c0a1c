"""`numeric`: the final answer is the reference within a tolerance.

Which number is the answer: in a declared final answer and in a whole text alike, the only number (values counted, not
spellings); else the one number after the last sign of a result ("=", "is", "gives", ...) in the last sentence that
holds a number. Where several remain, the answer fails: a right number somewhere in a text is no answer.
Percent without a declared unit: a share where the reference is at most 1, a plain number otherwise.
"""

import re
from fractions import Fraction

from openassay.schema.checks import NumericOptions
from openassay.schema.errors import ScorerError
from openassay.schema.evidence import Evidence
from openassay.schema.record import Json
from openassay.scorers.answers import final_answer, settle
from openassay.scorers.finding import Finding, decided, failed, listed, shown
from openassay.scorers.quantities import Quantity, prepared, quantities
from openassay.scorers.units import convert

_SENTENCES = re.compile(r"(?<=[.!?。])\s+|\n+")
_STEP = re.compile(
    # Never over a line's end: from every line on to the next word would take a minute on 50,000 characters.
    r"^[^\w\n]{0,20}(?:step|schritt|étape|paso|passo)[^\S\n]{1,9}\d+\s{0,9}[:.)]|^[^\S\n]{0,20}\d{1,2}[.)]\s+(?=\D)",
    re.IGNORECASE | re.MULTILINE,
)
_RESULT = re.compile(
    r"=|≈|≃|→|->|⇒|是|为|等于|は|\b(?:is|are|was|equals?|gives|makes|yields|totals?|becomes|comes to|amounts to|"
    r"ist|sind|ergibt|beträgt|macht|est|sont|font|donne|es|son|sono|fa|fanno|são|zijn|wordt|равно|составляет)\b|(?<=\s)[èé](?=\s)",
    re.IGNORECASE,
)
_REASONS = re.compile(
    r",?\s+(?:because|since|as|weil|denn|da|parce|car|porque|ya que|perché|want|omdat)\b|\(", re.IGNORECASE
)
_CHARS = 50_000


def score(reference: Json, options: NumericOptions, evidence: Evidence) -> Finding:
    wanted = _reference(reference, options)
    answer = final_answer(evidence.answer, options.answer_prefix)
    took = settle(answer, lambda text: _measure(text, options, wanted), options.answer_prefix)
    if isinstance(took, Finding):
        return took
    found = _the_number(took, options)
    if isinstance(found, Finding):
        return found
    value = _in_unit(found, options, wanted)
    if value is None:
        return failed(
            f"took {shown(_spelled(found))}, which cannot be converted to {shown(options.unit)}", _spelled(found)
        )
    slack = max(_exact(options.absolute), _exact(options.relative) * abs(wanted))
    within = f" within {float(slack):g}" if slack else ""
    reason = f"took {_spelled(found)}, expected {_digits(wanted)}{' ' + options.unit if options.unit else ''}{within}"
    return decided(abs(value - wanted) <= slack, reason, _spelled(found))


def stated_number(text: str, options: NumericOptions) -> Fraction | None:
    """The number that a final answer gives as its result, in the unit of the options; None where it gives none."""
    found = _the_number(text, options)
    if isinstance(found, Finding):
        return None
    return convert(found, options.unit) if options.unit else found.value


def _reference(reference: Json, options: NumericOptions) -> Fraction:
    if isinstance(reference, int | float) and not isinstance(reference, bool):
        return _exact(reference)
    found = quantities(prepared(str(reference), decimal_comma=options.decimal_comma))
    if len(found) != 1:
        raise ScorerError(
            "expected a number as reference of `numeric`, found something else", todo="correct `reference`"
        )
    return found[0].value


def _exact(number: float) -> Fraction:
    return Fraction(number) if isinstance(number, int) else Fraction(repr(number))


def _measure(text: str, options: NumericOptions, wanted: Fraction) -> Fraction | None:
    found = _the_number(text, options)
    return None if isinstance(found, Finding) else _in_unit(found, options, wanted)


def _the_number(text: str, options: NumericOptions) -> Quantity | Finding:
    """The number that a text gives as its result, or the finding that there is none."""
    text = prepared(_STEP.sub("", text[-_CHARS:]), decimal_comma=options.decimal_comma)
    found = quantities(text)
    if all(one.refused for one in found):
        return failed(f"took {shown(text)}, in which no number is given as the answer", text[:500])
    if _one_value(found):
        return found[0]
    result = _stated_result(text)
    if result:
        return result
    spelled = dict.fromkeys(_spelled(one) for one in found)
    return failed(f"several numbers and none stated as the result: {listed(spelled)}", text[:500])


def _one_value(found: list[Quantity]) -> bool:
    return len({(one.value, one.percent) for one in found}) == 1 and not any(one.refused for one in found)


def _stated_result(text: str) -> Quantity | None:
    """The one number after the last sign of a result in the last sentence that holds a number."""
    for sentence in reversed(_SENTENCES.split(text)):
        if not quantities(sentence):
            continue
        marks = [mark.end() for mark in _RESULT.finditer(sentence)]
        after = [_REASONS.split(sentence[end:], maxsplit=1)[0] for end in reversed(marks)]
        found = next((numbers for part in after if (numbers := quantities(part))), [])
        return found[0] if found and _one_value(found) else None
    return None


def _in_unit(found: Quantity, options: NumericOptions, wanted: Fraction) -> Fraction | None:
    """The value in the reference's unit; None where it cannot be converted."""
    if options.unit:
        return convert(found, options.unit)
    if found.percent and abs(wanted) <= 1:
        return found.value / 100
    return found.value


def _spelled(found: Quantity) -> str:
    return f"{_digits(found.value)} {found.unit}".strip()


def _digits(value: Fraction) -> str:
    if value.denominator == 1:
        return str(value.numerator) if abs(value) < 10**30 else "a number beyond 10^30"
    return f"{float(value):.12g}" if abs(value) < 10**300 else "a number beyond 10^300"
