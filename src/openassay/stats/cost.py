"""What answers cost, what a solved item costs, and which models give the most for their price.

Costs per item are skewed: on 24 real models Student's interval around their mean covers .88 instead of .95 at 20 items
and .90 at 50. With the skewness taken out (Hall 1992, J. R. Stat. Soc. B 54, 221-228) it covers .92 and .94.

Not here: prices (they come with the run), scores (`intervals`).
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from math import exp, inf, log

import numpy as np
from numpy.typing import ArrayLike

from openassay.stats.design import Floats, numbered
from openassay.stats.intervals import student

ITEMS_FOR_COST = 50
"""Below, the interval of a mean cost is too narrow: say so beside it."""
SYMMETRIC = 1e-6
"""Skewness up to which costs count as symmetric, as the formula divides by it."""
AT_ONCE = 100
"""Bootstrap draws computed at a time, which bounds memory."""


@dataclass(frozen=True)
class CostEstimate:
    """A mean over items, in the unit of the costs handed in (money, seconds, tokens)."""

    mean: float
    lo: float
    hi: float
    median: float
    n_items: int
    level: float

    @property
    def few_items(self) -> bool:
        """Too few items for so skewed a thing: the interval is likely too narrow."""
        return self.n_items < ITEMS_FOR_COST


@dataclass(frozen=True)
class CostPerSolved:
    """Cost of all items over the number solved; `hi` is infinite, and `value` too, where none was solved."""

    value: float
    lo: float
    hi: float
    solved: float
    """Items solved; means of attempts count as parts."""
    n_items: int
    level: float


@dataclass(frozen=True)
class Frontier:
    """Which models are beaten by no other on score and cost at once."""

    on_it: tuple[bool, ...]
    """By the results as they are."""
    chance: tuple[float, ...]
    """By how many of the bootstrap draws of items, 0..1: how sure that is."""


def mean_cost(costs: ArrayLike, *, level: float = 0.95) -> CostEstimate:
    """Mean cost of an item with Hall's interval, longer towards the side of the tail; unbounded above for one item.

    Student's t is taken through ``g(u) = 3 sqrt(n) / s * (cbrt(1 + s * (u / sqrt(n) - s / (6 n))) - 1)`` with the
    skewness s of the costs; for symmetric costs it is Student's interval.

    Args:
        costs: mean over the attempts of each item, 0 or more.
        level: nominal coverage.

    Raises:
        ValueError: no items, or a negative cost.
    """
    values = _costs(costs)
    mean = float(values.mean())
    below, above = _arms(values, level) if values.size > 1 else (inf, inf)
    return CostEstimate(mean, max(0.0, mean - below), mean + above, float(np.median(values)), values.size, level)


def _arms(values: Floats, level: float) -> tuple[float, float]:
    """How far the interval of the mean reaches down and up."""
    n, spread = values.size, float(values.std())
    t, error = student(level, n - 1), float(values.std(ddof=1)) / float(np.sqrt(n))
    skew = float(np.mean((values - values.mean()) ** 3)) / spread**3 if spread > 0 else 0.0
    if abs(skew) < SYMMETRIC:
        return t * error, t * error
    root = float(np.sqrt(n))
    down, up = (3 * root / skew * (float(np.cbrt(1 + skew * (u / root - skew / (6 * n)))) - 1) * error for u in (t, -t))
    return down, -up


def cost_per_solved(
    costs: ArrayLike, passed: ArrayLike, *, clusters: Sequence[Hashable] | None = None, level: float = 0.95
) -> CostPerSolved:
    """What one solved item costs, failures paid for.

    A ratio of sums; its interval is linearised on the scale of the logarithm (Cochran, Sampling Techniques, 1977,
    section 6.4), over items or groups, with Student's t.

    Args:
        costs: mean over the attempts of each item.
        passed: the same of the passes, 0..1.
        clusters: group of each item.
        level: nominal coverage.

    Raises:
        ValueError: no items, different numbers of them, or a negative cost.
    """
    values, solved = _costs(costs), np.asarray(passed, dtype=np.float64)
    if values.shape != solved.shape:
        raise ValueError(f"expected a cost and a result of each item, found {values.size} and {solved.size}")
    total, count = float(values.sum()), float(solved.sum())
    units = np.arange(values.size) if clusters is None else numbered(clusters)
    groups = int(units.max()) + 1
    if count == 0 or total == 0 or groups == 1:
        ratio = total / count if count else inf
        return CostPerSolved(ratio, 0.0, inf, count, values.size, level)
    apart = np.bincount(units, weights=values / total - solved / count)
    half = student(level, groups - 1) * float(np.sqrt(np.sum(apart**2) * groups / (groups - 1)))
    centre = log(total / count)
    return CostPerSolved(exp(centre), exp(centre - half), exp(centre + half), count, values.size, level)


def frontier(
    scores: ArrayLike,
    costs: ArrayLike,
    *,
    seed: int,
    clusters: Sequence[Hashable] | None = None,
    draws: int = 1_000,
) -> Frontier:
    """Models that no other one beats on score without costing more, and how sure that is over other draws of items.

    Args:
        scores: models x items, 0..1, none missing.
        costs: models x items, none missing.
        seed: of the bootstrap; the same seed gives the same chances.
        clusters: group of each item; whole groups are drawn.
        draws: number of draws.

    Raises:
        ValueError: shapes that differ, or something missing.
    """
    both = np.stack([np.atleast_2d(np.asarray(table, dtype=np.float64)) for table in (scores, costs)])
    if np.isnan(both).any() or not both.size:
        raise ValueError("expected a score and a cost of every model and item, found some missing")
    units = np.arange(both.shape[2]) if clusters is None else numbered(clusters)
    sums = np.zeros((2, both.shape[1], int(units.max()) + 1))
    np.add.at(np.moveaxis(sums, 2, 0), units, np.moveaxis(both, 2, 0))
    on_it = _unbeaten(both[0].mean(axis=1)[None, :], both[1].mean(axis=1)[None, :])[0]
    hits = np.zeros(both.shape[1])
    for weights in _weights(sums.shape[2], draws, np.random.default_rng(seed)):
        hits += _unbeaten(weights @ sums[0].T, weights @ sums[1].T).sum(axis=0)
    return Frontier(tuple(map(bool, on_it)), tuple(map(float, hits / draws)))


def _weights(units: int, draws: int, chance: np.random.Generator) -> Iterator[Floats]:
    """How often each unit is in each bootstrap draw; draws x units, some draws at a time."""
    for start in range(0, draws, AT_ONCE):
        some = min(AT_ONCE, draws - start)
        picked = chance.integers(0, units, (some, units)) + units * np.arange(some)[:, None]
        yield np.bincount(picked.ravel(), minlength=some * units).reshape(some, units).astype(np.float64)


def _unbeaten(score: Floats, cost: Floats) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Draws x models: whether no other model is as good at no more, and better or cheaper."""
    found = np.empty(score.shape, dtype=np.bool_)
    for model in range(score.shape[1]):
        own, price = score[:, [model]], cost[:, [model]]
        found[:, model] = ~((score >= own) & (cost <= price) & ((score > own) | (cost < price))).any(axis=1)
    return found


def _costs(costs: ArrayLike) -> Floats:
    values = np.asarray(costs, dtype=np.float64)
    if values.size == 0 or not (values >= 0).all():
        raise ValueError(f"expected costs of 0 or more, found {values.min() if values.size else 'none'}")
    return values
