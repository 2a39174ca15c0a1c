"""The mean of paired differences on any scale (words, ratios), with Student's t and no feigned certainty.

Not here: differences of passes and shares, which are bounded (`pairs`).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from openassay.stats.intervals import student

LEAST = 2


@dataclass(frozen=True)
class MeanDifference:
    """Mean of first minus second, in the unit of the differences."""

    diff: float
    lo: float
    hi: float
    p: float
    """Two-sided chance of so large a mean, or a larger one, where the true mean is 0."""
    n: int
    level: float


def mean_difference(differences: ArrayLike, *, level: float = 0.95) -> MeanDifference:
    """Student's t on the differences, their variance taken with one more of 0.

    ``s^2 = (sum (d - m)^2 + m^2) / n``: around no difference that is the plain variance, and a handful of equal
    differences does not feign certainty (10 times +5 words is 3.9 to 6.1, not 5 to 5). Too wide, never too narrow, for
    large effects. Where all differences are 0 so are both bounds, and p is 1.

    Args:
        differences: one for each independent pair.
        level: nominal coverage.

    Raises:
        ValueError: fewer than two differences.

    >>> found = mean_difference([5.0] * 10)
    >>> round(found.lo, 1), round(found.hi, 1), found.p < 0.001
    (3.9, 6.1, True)
    """
    from scipy.special import stdtr  # slow to import

    values = np.asarray(differences, dtype=np.float64)
    if values.size < LEAST:
        raise ValueError(f"expected at least two differences, found {values.size}")
    mean = float(values.mean())
    error = float(np.sqrt((np.sum((values - mean) ** 2) + mean**2) / values.size / values.size))
    half = student(level, values.size - 1) * error
    p = 2 * float(stdtr(values.size - 1, -abs(mean) / error)) if error else 1.0
    return MeanDifference(mean, mean - half, mean + half, p, values.size, level)
