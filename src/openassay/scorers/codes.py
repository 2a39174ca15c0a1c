"""`codes`: qualitative coding, compared with every human coder and set beside the coders' own agreement.

Each span has a set of codes; two sets agree by Jaccard's index (shared codes over all codes, 1 for two empty sets).
The value is the mean over coders of the mean over spans. A code outside the codebook fails the answer.
"""

import re
from fractions import Fraction
from itertools import combinations
from typing import Any

from openassay.schema.checks import CodesOptions
from openassay.schema.errors import ScorerError
from openassay.schema.evidence import Evidence
from openassay.schema.record import MILLION, Json
from openassay.scorers.finding import Finding, decided, failed, listed
from openassay.scorers.fold import key, without_ends
from openassay.scorers.labels import by_id

Coding = dict[str, frozenset[str]]
_SEPARATORS = re.compile(r"\s*[,;/+&]\s*|\s+(?:and|und|et|y|e)\s+")
_NONE = frozenset(("", "none", "no code", "-", "n/a", "keine", "aucun", "ninguno", "[]"))


def score(reference: Json, options: CodesOptions, evidence: Evidence) -> Finding:
    coders = _coders(reference)
    spans = list(dict.fromkeys(span for coding in coders.values() for span in coding))
    given = by_id(evidence.answer, options.answer_prefix, spans)
    if isinstance(given, Finding):
        return given
    book = {key(code) for code in options.codebook}
    answer = {span: _codes(labels, book) for span, labels in given.items()}
    took = "; ".join(f"{span}: {', '.join(sorted(codes))}" for span, codes in answer.items())[:500]
    outside = sorted({code for codes in answer.values() for code in codes} - book)
    if outside:
        return failed(f"took codes that the codebook does not hold: {listed(outside)}", took)
    with_each = {name: _agreement(answer, coding) for name, coding in coders.items()}
    mean = sum(with_each.values(), Fraction(0)) / len(with_each)
    reason = (
        f"agreement {_spelled(mean)} ({', '.join(f'with {name} {_spelled(one)}' for name, one in with_each.items())})"
    )
    return decided(mean >= Fraction(str(options.min_agreement)), reason + _among(coders), took, round(mean * MILLION))


def _coders(reference: Json) -> dict[str, Coding]:
    coders: Any = reference
    fits = isinstance(coders, dict) and all(isinstance(coding, dict) and coding for coding in coders.values())
    if not fits or not coders:
        raise ScorerError("expected coder -> {span -> [codes]} as reference of `codes`, found something else")
    return {name: {key(span): _set(codes) for span, codes in coding.items()} for name, coding in coders.items()}


def _set(codes: Any) -> frozenset[str]:
    return frozenset(key(str(code)) for code in ([codes] if isinstance(codes, str) else codes))


def _codes(labels: list[Any], book: set[str]) -> frozenset[str]:
    """All codes given to a span; a code of the book is kept whole though it holds a comma or an "and"."""
    flat = [one for label in labels for one in (label if isinstance(label, list) else [label])]
    found: set[str] = set()
    for label in flat:
        name = key(without_ends(str(label).strip("[]")))
        parts = [name] if name in book else [key(without_ends(part)) for part in _SEPARATORS.split(name)]
        found.update(part for part in parts if part not in _NONE or part in book)
    return frozenset(found)


def _agreement(left: Coding, right: Coding) -> Fraction:
    """Mean Jaccard index over the spans of `right`."""
    return sum((_jaccard(left.get(span), codes) for span, codes in right.items()), Fraction(0)) / len(right)


def _jaccard(left: frozenset[str] | None, right: frozenset[str]) -> Fraction:
    if left is None:
        return Fraction(0)  # a span left out is not a span coded with nothing
    return Fraction(len(left & right), len(left | right)) if left | right else Fraction(1)


def _among(coders: dict[str, Coding]) -> str:
    pairs = [_agreement(coders[one], coders[other]) for one, other in combinations(coders, 2)]
    return f"; the coders among themselves {_spelled(sum(pairs, Fraction(0)) / len(pairs))}" if pairs else ""


def _spelled(share: Fraction) -> str:
    return f"{float(share):.3f}"
