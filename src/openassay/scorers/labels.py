"""`labels`: a label for each of several ids, compared by share of agreement and Cohen's kappa.

Read as a JSON object id -> label, a JSON list of objects with an id and a label, or lines ``id: label``. An id without
a label, or with two different ones, disagrees. Kappa: J. Cohen, Educ. Psychol. Meas. 20 (1960) 37.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from openassay.schema.checks import LabelsOptions
from openassay.schema.errors import ScorerError
from openassay.schema.evidence import Evidence
from openassay.schema.record import MILLION, Json
from openassay.scorers.finding import Finding, decided, listed, malformed, shown
from openassay.scorers.fold import key, plain, without_ends, without_reasoning
from openassay.scorers.strict_json import values_in

_LINE = re.compile(
    r"^[^\w\n]*?([\w][^:=|\t\n]{0,200}?)[\"'\]\)]*\s*(?:[:=|\t]|->|\s-\s)\s*(\S[^\n|]{0,2000})", re.MULTILINE
)
NO_LABEL = ""


def score(reference: Json, options: LabelsOptions, evidence: Evidence) -> Finding:
    if not isinstance(reference, dict) or not reference:
        raise ScorerError("expected an object id -> label as reference of `labels`, found something else")
    given = by_id(evidence.answer, options.answer_prefix, reference)
    if isinstance(given, Finding):
        return given
    wanted = [_label(label) for label in reference.values()]
    found = [_one_label(given.get(key(name), [])) for name in reference]
    agreed = sum(one == other for one, other in zip(wanted, found, strict=True))
    share, kappa = Fraction(agreed, len(wanted)), cohens_kappa(wanted, found)
    differ = [name for name, one, other in zip(reference, wanted, found, strict=True) if one != other]
    reason = f"{agreed} of {len(wanted)} labels agree ({float(share):.3f}), kappa {float(kappa):.3f}"
    reason += f"; different: {listed(differ)}" if differ else ""
    passed = _passes(share, kappa, options)
    measured = kappa if options.min_agreement is None and options.min_kappa is not None else share
    took = ", ".join(f"{name}={label}" for name, label in zip(reference, found, strict=True))
    return decided(passed, reason, took[:500], round(max(measured, Fraction(0)) * MILLION))


def _passes(share: Fraction, kappa: Fraction, options: LabelsOptions) -> bool:
    least = options.min_agreement
    if least is None:
        least = 1.0 if options.min_kappa is None else 0.0
    return share >= Fraction(str(least)) and (options.min_kappa is None or kappa >= Fraction(str(options.min_kappa)))


def cohens_kappa(left: Sequence[str], right: Sequence[str]) -> Fraction:
    """Agreement beyond chance, -1 to 1; 1 where both give one and the same label throughout."""
    count = len(left)
    observed = Fraction(sum(one == other for one, other in zip(left, right, strict=True)), count)
    shares, others = Counter(left), Counter(right)
    chance = sum((Fraction(shares[label] * others[label], count * count) for label in shares), Fraction(0))
    return Fraction(1) if chance == 1 else (observed - chance) / (1 - chance)


def by_id(answer: str, prefix: str | None, known: Iterable[str]) -> dict[str, list[Any]] | Finding:
    """Folded id -> everything that the answer gives it, for the ids known."""
    ids = {key(name) for name in known}
    text = without_reasoning(answer)
    if prefix:
        _, found_prefix, text = text.rpartition(prefix)
        if not found_prefix:
            return malformed(f"expected the labels after {shown(prefix)}, which the text does not hold")
    pairs = _from_json(values_in(text)[0], ids) or [(name, label) for name, label in _LINE.findall(plain(text))]
    given: dict[str, list[Any]] = {}
    for name, label in pairs:
        if key(without_ends(str(name))) in ids:
            given.setdefault(key(without_ends(str(name))), []).append(label)
    return given or malformed(f"none of the ids {listed(known)} stands in {shown(text)}", text.strip()[:500])


def _from_json(values: list[Json], ids: set[str]) -> list[tuple[Any, Any]]:
    """Pairs in objects id -> label, in lists of objects with an id and one more field, and in objects holding those."""
    pairs: list[tuple[Any, Any]] = []
    for value in values:
        if isinstance(value, dict) and any(key(name) in ids for name in value):
            pairs += value.items()
        elif isinstance(value, dict) and len(value) == 1:
            pairs += _from_json(list(value.values()), ids)
        elif isinstance(value, dict):
            pairs += _from_row(value, ids)
        elif isinstance(value, list):
            pairs += _from_json(value, ids)
    return pairs


def _from_row(row: dict[str, Json], ids: set[str]) -> list[tuple[Any, Any]]:
    named = [field for field, value in row.items() if isinstance(value, str | int) and key(str(value)) in ids]
    rest = [value for field, value in row.items() if field not in named[:1]]
    return [(row[named[0]], rest[0])] if named and rest else []


def _label(value: Any) -> str:
    return key(without_ends(str(value)))


def _one_label(labels: list[Any]) -> str:
    """The one label given; none where there are several different ones."""
    distinct = {_label(label) for label in labels}
    return distinct.pop() if len(distinct) == 1 else NO_LABEL
