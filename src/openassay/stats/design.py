"""What the way items were drawn and repeated does to the variance of their mean: groups, strata, a frozen pool.

Not here: the interval (`intervals`), and choosing what to draw (`sampling`).
"""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]


@dataclass(frozen=True)
class Strata:
    """Items that were drawn apart for each stratum."""

    labels: Sequence[Hashable]
    """Stratum of each item, in the order of the items."""
    shares: Mapping[Hashable, float]
    """Stratum -> its share of the pool. Every stratum with a share has items."""

    def weights(self, items: int) -> Floats:
        """Weight of each item in the mean; they add up to 1."""
        if len(self.labels) != items:
            raise ValueError(f"expected a stratum for each of {items} items, found {len(self.labels)}")
        sizes = Counter(self.labels)
        if empty := [label for label, share in self.shares.items() if share > 0 and label not in sizes]:
            raise ValueError(f"expected items of every stratum, found none of {empty}")
        found = np.array([self.shares[label] / sizes[label] for label in self.labels], dtype=np.float64)
        return np.asarray(found / found.sum(), dtype=np.float64)


def numbered(labels: Sequence[Hashable]) -> Indices:
    """0, 1, 2, ... for each label, in the order in which they first appear."""
    number: dict[Hashable, int] = {}
    return np.array([number.setdefault(label, len(number)) for label in labels], dtype=np.intp)


def variance_over_units(means: Floats, value: float, units: Indices, *, fractional: bool) -> float:
    """Variance of the plain mean, cluster-robust (Liang and Zeger 1986) where units hold several items.

    `fractional`: with one more unit at 0 and one at 1, so that equal scores do not feign certainty.
    """
    sums = np.bincount(units, weights=means - value)
    count, squares = len(sums), float(np.sum(sums**2)) / means.size**2
    if fractional:
        return squares * count / (count + 1) + (value**2 + (1 - value) ** 2) / (count * (count + 1))
    return squares * count / (count - 1) if count > 1 else 0.0


def variance_over_strata(means: Floats, weights: Floats, units: Indices, strata: Strata) -> float:
    """``sum of W_h^2 * s_h^2 / n_h`` (Cochran, Sampling Techniques, 1977, section 5.3), cluster-robust over units.

    Each s_h^2 is taken with half an item at 0 and half at 1 added, as small strata where all pass are common.
    """
    labels, added, residuals = numbered(strata.labels), 0.0, np.empty_like(means)
    for stratum in range(int(labels.max()) + 1):
        here = labels == stratum
        some = means[here]
        residuals[here] = weights[here] * (some - some.mean())
        added += float(weights[here].sum()) ** 2 / some.size * _smoothing(some)
    sums = np.bincount(units, weights=residuals)
    grouped = len(sums) / (len(sums) - 1) if 1 < len(sums) < means.size else 1.0
    return float(np.sum(sums**2)) * grouped + added


def _smoothing(some: Floats) -> float:
    """How much more the scores of a stratum vary with half an item at 0 and half at 1."""
    mean, squares = (float(some.sum()) + 0.5) / (some.size + 1), (float(np.sum(some**2)) + 0.5) / (some.size + 1)
    return max(0.0, squares - mean**2 - float(some.var()))


def noise_of_attempts(means: Floats, attempts: int | Sequence[int]) -> float:
    """Variance that chance between attempts leaves in the mean, from the pass rates of items tried more than once."""
    tried = np.broadcast_to(np.asarray(attempts, dtype=np.float64), means.shape)
    again = tried > 1
    if not again.any():
        return 0.0
    return float(np.mean(means[again] * (1 - means[again]) / (tried[again] - 1))) / means.size


def left_of_pool(items: int, pool_size: int) -> float:
    """``(N - n) / (N - 1)``: what stays unknown of a frozen pool of N items once n are drawn, each once."""
    if pool_size < items:
        raise ValueError(f"expected a pool of at least the {items} items drawn, found {pool_size}")
    return (pool_size - items) / (pool_size - 1) if pool_size > 1 else 0.0
