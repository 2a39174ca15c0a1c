"""Do two raters agree? Two people, two passes of one judge, or a judge against the truth.

No one number will do. Raw agreement flatters where one label is common, Cohen's kappa collapses there, Gwet's AC1 does
not, and a judge may be good at one class only: so all are shown side by side, with their intervals. No verdict is
neither right nor wrong: it is counted apart.

Not here: more than two raters (`raters`), the score of a model under a fallible judge (`correction`).
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from openassay.stats.design import Floats, Indices, numbered
from openassay.stats.intervals import Estimate, score_ci, student

Clusters = Sequence[Hashable] | None

VERDICTS = ("pass", "fail")
FEW = 20
"""Disagreements, or agreements, below which a large-sample interval is not to be trusted."""
ROUNDING = 1e-12
"""Below this a number is 0 but for rounding."""


@dataclass(frozen=True)
class Coefficient:
    """Agreement beyond chance: 1 is perfect, 0 is chance, below 0 is worse than chance."""

    value: float
    lo: float
    hi: float
    n_items: int
    n_units: int
    """Independent units: groups where items share one, items otherwise."""
    level: float
    method: str


@dataclass(frozen=True)
class Agreement:
    """Two raters over the items that both labelled."""

    raw: Estimate
    """Share of items with the same label."""
    kappa: Coefficient | None
    """None where both always give one and the same label."""
    ac1: Coefficient | None
    """None where only one label is known."""
    confusion: tuple[tuple[Hashable, Hashable, int], ...]
    """Label of the first, label of the second, items: every pair of labels, in order of first appearance."""


@dataclass(frozen=True)
class JudgeReport:
    """A judge's verdicts, ``pass`` or ``fail``, against the truth."""

    n_items: int
    coverage: Estimate
    """Share of items with a verdict."""
    agreement: Agreement | None
    """Over the items with a verdict; None where there is none."""
    strict: Estimate
    """Share of all items judged rightly, where no verdict is a miss."""
    sensitivity: Estimate | None
    """Share judged ``pass`` of those that truly pass and have a verdict; None where there are none."""
    specificity: Estimate | None
    """Share judged ``fail`` of those that truly fail and have a verdict; None where there are none."""
    confusion: tuple[tuple[str, str | None, int], ...]
    """Truth, verdict (None: no verdict), items: all six pairs."""


def agreement(
    first: Sequence[Hashable],
    second: Sequence[Hashable],
    *,
    labels: Sequence[Hashable] = (),
    clusters: Clusters = None,
    level: float = 0.95,
) -> Agreement:
    """Raw agreement, Cohen's kappa and Gwet's AC1 of two raters over nominal labels, one label an item.

    Kappa is ``(po - pe) / (1 - pe)`` with ``pe = sum of p1 p2`` (Cohen 1960), AC1 the same with ``pe = sum of
    p (1 - p) / (Q - 1)``, where p is the mean share of a label and Q the number of labels (Gwet 2008, Br. J. Math.
    Stat. Psychol. 61, 29-48). Their variance is the large-sample one (Fleiss, Cohen and Everitt 1969, Psychol. Bull.
    72, 323-327; Gwet 2008), with n - 1 for n, as a sum over items of squared influences; where items share a group,
    the sum is over groups. Student's t stands for the normal quantile. With fewer than 20 disagreements (or agreements)
    the interval also reaches as far as the bounds of raw agreement, put into the formula: the large-sample one alone is
    then too narrow (at 3 in 300 it covered .85 instead of .95), and ±0 with none, or where one rater never varies.

    Args:
        first: label of each item by one rater; None where there is none. Such items are left out.
        second: the same by the other.
        labels: all labels there are, where not all of them need appear.
        clusters: group of each item.
        level: nominal coverage.

    Raises:
        ValueError: no item has both labels, or the lengths differ.
    """
    pairs, groups = _both(first, second, clusters)
    known = list(dict.fromkeys([*labels, *(label for pair in pairs for label in pair)]))
    number = {label: place for place, label in enumerate(known)}
    x, y = (np.array([number[pair[side]] for pair in pairs], dtype=np.intp) for side in (0, 1))
    same = np.asarray(x == y, dtype=np.float64)
    raw = score_ci(same, clusters=groups, level=level)
    counts = Counter(pairs)
    return Agreement(
        raw=raw,
        kappa=_beyond_chance(raw, same, _cohen(x, y, len(known)), groups, "Cohen's kappa"),
        ac1=_beyond_chance(raw, same, _gwet(x, y, len(known)), groups, "Gwet's AC1") if len(known) > 1 else None,
        confusion=tuple((a, b, counts[a, b]) for a, b in product(known, known)),
    )


def judge_report(
    truth: Sequence[str], judged: Sequence[str | None], *, clusters: Clusters = None, level: float = 0.95
) -> JudgeReport:
    """A judge's verdicts against the truth.

    Args:
        truth: ``pass`` or ``fail`` of each item.
        judged: the judge's verdict; None where it gave none.
        clusters: group of each item.
        level: nominal coverage.

    Raises:
        ValueError: no items, lengths that differ, or another word.
    """
    _only(VERDICTS, truth)
    _only((*VERDICTS, None), judged)
    pairs = list(zip(truth, judged, strict=True))
    counts = Counter(pairs)

    def of_class(word: str) -> Estimate | None:
        hits = [verdict == word if right == word and verdict is not None else None for right, verdict in pairs]
        return _share(hits, clusters, level)

    return JudgeReport(
        n_items=len(pairs),
        coverage=score_ci([float(verdict is not None) for verdict in judged], clusters=clusters, level=level),
        agreement=agreement(truth, judged, labels=VERDICTS, clusters=clusters, level=level) if any(judged) else None,
        strict=score_ci([float(right == verdict) for right, verdict in pairs], clusters=clusters, level=level),
        sensitivity=of_class("pass"),
        specificity=of_class("fail"),
        confusion=tuple((a, b, counts[a, b]) for a in VERDICTS for b in (*VERDICTS, None)),
    )


def pair_consistency(
    first: Sequence[Hashable], second: Sequence[Hashable], *, clusters: Clusters = None, level: float = 0.95
) -> Estimate | None:
    """Share of items on which two passes agree, among those measured twice; None where there are none."""
    agree = [None if a is None or b is None else a == b for a, b in zip(first, second, strict=True)]
    return _share(agree, clusters, level)


def _share(hits: Sequence[bool | None], clusters: Clusters, level: float) -> Estimate | None:
    """Share of hits among the items that count; None marks one that does not."""
    kept = [number for number, hit in enumerate(hits) if hit is not None]
    if not kept:
        return None
    groups = None if clusters is None else [clusters[number] for number in kept]
    return score_ci([float(hits[number] is True) for number in kept], clusters=groups, level=level)


def _both(
    first: Sequence[Hashable], second: Sequence[Hashable], clusters: Clusters
) -> tuple[list[tuple[Hashable, Hashable]], list[Hashable] | None]:
    """The items with two labels, and their groups."""
    pairs = list(zip(first, second, strict=True))
    kept = [number for number, pair in enumerate(pairs) if None not in pair]
    if not kept:
        raise ValueError("expected at least one item with two labels, found none")
    return [pairs[number] for number in kept], None if clusters is None else [clusters[number] for number in kept]


def _cohen(x: Indices, y: Indices, size: int) -> tuple[float, Floats]:
    """Chance agreement, and how each item moves it."""
    p, q = (np.bincount(side, minlength=size) / side.size for side in (x, y))
    chance = float(p @ q)
    return chance, q[x] + p[y] - 2 * chance


def _gwet(x: Indices, y: Indices, size: int) -> tuple[float, Floats]:
    """Chance agreement, and how each item moves it."""
    p = (np.bincount(x, minlength=size) + np.bincount(y, minlength=size)) / (2 * x.size)
    same = float(p @ p)
    return (1 - same) / (size - 1), (2 * same - p[x] - p[y]) / (size - 1)


def _beyond_chance(
    raw: Estimate, same: Floats, chance: tuple[float, Floats], clusters: Clusters, method: str
) -> Coefficient | None:
    expected, moves = chance
    if expected > 1 - ROUNDING:
        return None
    value = (raw.value - expected) / (1 - expected)
    influence = (same - raw.value) / (1 - expected) - (1 - raw.value) / (1 - expected) ** 2 * moves
    half = _half_width(influence, clusters, raw.level)
    wide = (raw.lo - expected) / (1 - expected), (raw.hi - expected) / (1 - expected)
    lo, hi = reach(value, half, wide, raw.value, raw.n_units)
    return Coefficient(value, lo, hi, raw.n_items, raw.n_units, raw.level, method)


def reach(value: float, half: float, wide: tuple[float, float], agree: float, units: int) -> tuple[float, float]:
    """The large-sample interval; with few disagreements, or no variance, also as far as the bounds of raw agreement."""
    lo, hi = value - half, value + half
    if half < ROUNDING or min(agree, 1 - agree) * units < FEW:
        lo, hi = min(lo, wide[0]), max(hi, wide[1])
    return max(-1.0, lo), min(1.0, hi)


def _half_width(influence: Floats, clusters: Clusters, level: float) -> float:
    """Of a smooth statistic: ``t * sqrt(sum over groups of (sum of influences)^2 / n^2 * G / (G - 1))``."""
    sums = influence if clusters is None else np.bincount(numbered(clusters), weights=influence)
    units = len(sums)
    if units == 1:
        return 0.0
    return student(level, units - 1) * float(np.sqrt(sums @ sums * units / (units - 1))) / influence.size


def _only(allowed: Sequence[str | None], words: Sequence[str | None]) -> None:
    for word in words:
        if word not in allowed:
            raise ValueError(f"expected one of {allowed}, found {word!r}")
