"""A weighted sum of independent estimates, and on which side of a bound an estimate lies.

Only from values and intervals, so that estimates of any kind can be handed in. Not here: where the weights come from;
nothing in this package weighs by itself.
"""

from collections.abc import Sequence
from math import inf, sqrt
from statistics import NormalDist

Interval = tuple[float, float]


def weighted_sum(values: Sequence[float], intervals: Sequence[Interval], weights: Sequence[float]) -> Interval:
    """Interval of ``sum(w * value)`` from the intervals of its independent parts.

    The bounds of each part carry over instead of one standard error, so that skewed intervals stay skewed and a part
    at 0 or 1 keeps its width (MOVER; Zou, Huang and Zhang 2009, Comput. Stat. Data Anal. 53, 1080-1085):
    ``lo = sum - sqrt(sum(w^2 (value - lo)^2))``.

    Args:
        values: one of each part.
        intervals: of each, at the level that is wanted; the upper bound may be infinite.
        weights: 0 or more.

    Raises:
        ValueError: a negative weight, or lengths that differ.

    >>> lo, hi = weighted_sum([0.8, 0.6], [(0.7, 0.88), (0.5, 0.7)], [0.5, 0.5])
    >>> round(lo, 3), round(hi, 3)
    (0.629, 0.764)
    """
    if any(weight < 0 for weight in weights):
        raise ValueError(f"expected weights of 0 or more, found {min(weights)}")
    parts = list(zip(values, intervals, weights, strict=True))
    total = sum(weight * value for value, _, weight in parts)
    below = sqrt(sum((weight * (value - lo)) ** 2 for value, (lo, _), weight in parts))
    above = [weight * (hi - value) for value, (_, hi), weight in parts if weight > 0]
    return total - below, total + (inf if inf in above else sqrt(sum(arm**2 for arm in above)))


def sureness(value: float, interval: Interval, bound: float, level: float = 0.95) -> float:
    """How sure it is that the true value is at least `bound`: 1 - p of the one-sided test that the interval inverts.

    ``Phi(z * (value - bound) / arm)`` with the arm of the interval that points to the bound: exactly
    ``(1 + level) / 2`` where the bound is the interval's lower end. No share of belief.

    >>> round(sureness(0.8, (0.7, 0.88), 0.7), 3), sureness(0.8, (0.7, 0.88), 0.8)
    (0.975, 0.5)
    """
    lo, hi = interval
    arm = value - lo if bound <= value else hi - value
    if arm == 0:
        return float(bound <= value)
    normal = NormalDist()
    return normal.cdf(normal.inv_cdf((1 + level) / 2) * (value - bound) / arm)
