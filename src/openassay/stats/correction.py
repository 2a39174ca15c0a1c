"""The score that people would have given, from a fallible judge's verdicts on all answers and people's on a few.

The judge alone gives a narrow interval around the wrong value: on 999 real pairs its 95 % interval covers about 80 %.
The difference between people and judge on a random sample corrects the mean and says how far it may still be off; the
better the judge, the more a label is worth.

Not here: how good the judge is (`agreement`), and which answers people see. They must be drawn at random, with known
probability: an audit of the disputed ones alone corrects nothing.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from openassay.stats.design import Floats, numbered
from openassay.stats.intervals import FEWEST_GROUPS, Estimate, score_ci, student, wilson

FEWEST_LABELS = 20
"""Below, the correction saves no labels: it is as wide as the labels alone."""

Target = Literal["pool", "task_kind"]


@dataclass(frozen=True)
class Corrected:
    """A mean verdict of people over all judged answers, 0..1, with its uncertainty."""

    value: float
    lo: float
    hi: float
    n_labelled: int
    n_unlabelled: int
    rho: float | None
    """Correlation of people's and judge's verdicts; None where either never varies among the labelled."""
    lam: float
    """How far the judge is relied on: 0 not at all, 1 fully."""
    gain: float
    """So many times the labels would be needed without the judge, for an interval as narrow."""
    judge_only: float
    """Mean of the judge's verdicts over all answers, uncorrected."""
    human_only: Estimate
    """From the labels alone."""
    level: float
    target: Target
    """What the interval is about: answers of this kind, or just those judged."""
    method: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Audit:
    """The arrays of one correction; the labelled answers come first among all."""

    truth: Floats
    judge: Floats
    """Of the labelled."""
    judged: Floats
    """Of all."""
    weights: Floats
    """Inverse chance of a label, of the labelled."""
    clusters: Sequence[Hashable] | None
    """Of all; None also where the claim is about the judged answers only."""
    target: Target

    @property
    def labelled_units(self) -> int:
        """Independent units among the labelled."""
        return len(set(self.clusters[: self.truth.size])) if self.clusters is not None else self.truth.size


def ppi_mean(
    labelled_truth: ArrayLike,
    labelled_judge: ArrayLike,
    unlabelled_judge: ArrayLike,
    *,
    weights: ArrayLike | None = None,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
    target: Target = "task_kind",
) -> Corrected:
    """Prediction-powered mean, power-tuned (PPI++: Angelopoulos, Duchi and Zrnic 2023, arXiv 2311.01453).

    With k labelled among N judged answers, y people's and f the judge's verdicts: ``mean of b f over all + mean of
    (y - b f) over the labelled``, which is PPI++ with ``lam = b (N - k) / N``, ``b = Cov(y, f) / Var(f)``, lam cut to
    0..1. As the labelled are drawn from the judged, without replacement, the variance for answers of this kind is about
    ``Var(y) / k * (1 - rho^2 (1 - k / N))``, and for the judged answers alone ``(1 - k / N) Var(y - b f) / k``: nothing
    is unknown once all are labelled. Both are sums of squared influences, over groups where answers share one.
    Student's t with one degree of freedom less than labelled units stands for the normal quantile.

    The variance is taken with two more labels, one on which people pass what the judge fails and one the other way
    round. Without them a good judge that errs on none of the labelled would seem never to err: at 50 labels and a
    judge right 99 times of 100, the interval for the pool covered .57 instead of .95. With them it covered .92 to 1 in
    all that was simulated (20 to 200 labels, judges with a correlation of .5 to .97), and is wide for the best judges.

    Args:
        labelled_truth: people's verdict on each labelled answer, 0..1.
        labelled_judge: the judge's verdicts on the same, in the same order. No verdict may enter as any fixed number
            (one half, say): the correction stays valid.
        unlabelled_judge: the judge's verdicts on all other answers.
        weights: inverse chance of each labelled answer to be drawn (Horvitz and Thompson 1952; here normed by their
            sum, Hajek 1971), where the chances differ: 1 for those that people always see. At least 1.
        clusters: group of each answer, labelled ones first. For the pool alone groups do not matter.
        level: nominal coverage.
        target: answers of this kind, or the judged ones only.

    Returns:
        The labels alone, with a note, where there are fewer than 20, or fewer than 8 groups of them, where the judge
        or people never vary among them, or where the judge's verdicts do not rise with people's. A note also where
        the weights do not add up to about the number of answers, so that some may have had no chance to be drawn.

    Raises:
        ValueError: no labels, lengths that differ, verdicts outside 0..1, weights below 1, or all 1 though answers are
            left without a label.
    """
    audit = _audit(labelled_truth, labelled_judge, unlabelled_judge, weights, clusters, target)
    humans = _labels_alone(audit, level, weighted=weights is not None)
    rho, lam = _tuned(audit)
    against = _against(audit, rho, lam)
    if against:
        value, lo, hi, lam, method = humans.value, humans.lo, humans.hi, 0.0, "labels alone"
    else:
        slope = lam * audit.judged.size / (audit.judged.size - audit.truth.size)
        rest = np.average(audit.truth - slope * audit.judge, weights=audit.weights)
        value = float(np.clip(slope * audit.judged.mean() + rest, 0.0, 1.0))
        half = student(level, audit.labelled_units - 1) * _variance(audit, slope) ** 0.5
        lo, hi, method = max(0.0, value - half), min(1.0, value + half), "PPI++, t"
    return Corrected(
        value=value,
        lo=lo,
        hi=hi,
        n_labelled=audit.truth.size,
        n_unlabelled=audit.judged.size - audit.truth.size,
        rho=rho,
        lam=lam,
        gain=1.0 if against else (2 * humans.half_width / (hi - lo)) ** 2,
        judge_only=float(audit.judged.mean()),
        human_only=humans,
        level=level,
        target=target,
        method=method,
        notes=tuple(filter(None, (against, _odd_weights(audit)))),
    )


def _audit(
    truth: ArrayLike,
    judge: ArrayLike,
    others: ArrayLike,
    weights: ArrayLike | None,
    clusters: Sequence[Hashable] | None,
    target: Target,
) -> _Audit:
    y, f, rest = (np.asarray(some, dtype=np.float64) for some in (truth, judge, others))
    if y.size == 0 or y.shape != f.shape:
        raise ValueError(f"expected a judge's verdict for each of at least one label, found {f.size} for {y.size}")
    judged = np.concatenate([f, rest])
    if not all(np.all((some >= 0) & (some <= 1)) for some in (y, judged)):
        raise ValueError("expected verdicts between 0 and 1, found others")
    w = np.full_like(y, judged.size / y.size) if weights is None else np.asarray(weights, dtype=np.float64)
    if w.shape != y.shape or not np.all((w >= 1) & np.isfinite(w)):
        raise ValueError(f"expected a weight of at least 1 for each of {y.size} labels, found {w.tolist()[:5]}")
    if rest.size and np.all(w == 1):
        raise ValueError(
            f"expected labels from a random draw, found {y.size} sure ones, and {rest.size} answers never drawn"
        )
    if clusters is not None and len(clusters) != judged.size:
        raise ValueError(f"expected a group for each of {judged.size} answers, found {len(clusters)}")
    return _Audit(y, f, judged, w, clusters if target == "task_kind" else None, target)


def _labels_alone(audit: _Audit, level: float, *, weighted: bool) -> Estimate:
    groups = None if audit.clusters is None else audit.clusters[: audit.truth.size]
    if not weighted:
        shares = bool(np.any((audit.truth > 0) & (audit.truth < 1)))
        pool = audit.judged.size if audit.target == "pool" else None
        return score_ci(audit.truth, clusters=groups, level=level, fractional=shares, pool_size=pool)
    value, variance = float(np.average(audit.truth, weights=audit.weights)), _variance(audit, 0.0)
    spread = value * (1 - value)
    known = spread / variance if variance > 0 else float("inf")
    n_eff = known if spread > 0 else float(audit.weights.sum() ** 2 / np.sum(audit.weights**2))
    units = audit.labelled_units
    lo, hi = wilson(value, n_eff, level, quantile=student(level, units - 1) if units > 1 else None)
    method = "Wilson on effective n, weighted"
    return Estimate(value, lo, hi, audit.truth.size, units, n_eff, level, method, audit.target)


def _tuned(audit: _Audit) -> tuple[float | None, float]:
    """Correlation of people and judge, and PPI++'s lambda."""
    y, f = (some - np.average(some, weights=audit.weights) for some in (audit.truth, audit.judge))
    both, of_y, of_f = (float(np.average(a * b, weights=audit.weights)) for a, b in ((y, f), (y, y), (f, f)))
    if min(of_y, of_f) < 1e-12:  # noqa: PLR2004  # nothing but rounding
        return None, 0.0
    share_unlabelled = 1 - audit.truth.size / audit.judged.size
    return both / (of_y * of_f) ** 0.5, float(np.clip(share_unlabelled * both / audit.judged.var(), 0.0, 1.0))


def _against(audit: _Audit, rho: float | None, lam: float) -> str:
    """Why the judge is not used; empty where it is."""
    labels, units = audit.truth.size, audit.labelled_units
    if labels == audit.judged.size:
        return "people labelled every answer, so the judge is not needed"
    if labels < FEWEST_LABELS:
        return f"the judge is not used: {labels} labels, fewer than {FEWEST_LABELS}"
    if units < min(labels, FEWEST_GROUPS):
        return f"the judge is not used: labels of {units} groups, fewer than {FEWEST_GROUPS}"
    if rho is None:
        return "the judge is not used: people's labels, or its verdicts on the same answers, are all alike"
    return "the judge is not used: its verdicts do not rise with people's" if lam == 0 else ""


def _odd_weights(audit: _Audit) -> str:
    stood_for, answers = float(audit.weights.sum()), audit.judged.size
    if 2 / 3 <= stood_for / answers <= 3 / 2:  # chance alone hardly moves it further with 20 labels
        return ""
    return f"the labels stand for {stood_for:.0f} answers, but {answers} were judged: was each one free to be drawn?"


def _variance(audit: _Audit, slope: float) -> float:
    """Of the corrected mean; with slope 0, of the mean of the labels.

    Each labelled answer moves it by ``w (e - mean e) / sum of w`` with ``e = y - slope f``, and for answers of this
    kind each judged one by ``slope (f - mean f) / N`` too. For the pool, that much of a label's part is known as its
    chance to be drawn (Poisson sampling, which for a plain draw is exactly the finite population correction).
    """
    pseudo = np.array([1.0, -slope])
    rest = np.concatenate([audit.truth - slope * audit.judge, pseudo])
    weights = np.concatenate([audit.weights, np.full(2, audit.weights.mean())])
    moves = weights * (rest - np.average(rest, weights=weights)) / weights.sum()
    if audit.target == "pool":
        return float(np.sum((1 - 1 / weights) * moves**2)) * rest.size / (rest.size - 1)
    influence = slope * (audit.judged - audit.judged.mean()) / audit.judged.size
    influence[: audit.truth.size] += moves[:-2]
    sums = influence if audit.clusters is None else np.bincount(numbered(audit.clusters), weights=influence)
    units = audit.labelled_units + 2
    return float(sums @ sums + moves[-2:] @ moves[-2:]) * units / (units - 1)
