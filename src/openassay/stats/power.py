"""How large a gap a comparison can show.

Not here: the comparison itself (`pairs`).
"""

from math import ceil
from statistics import NormalDist

import numpy as np


def mdd(var_diff: float, n: float, power: float = 0.8, alpha: float = 0.05) -> float:
    """Minimum detectable difference of `n` items: ``(z_(1 - alpha/2) + z_power) * sqrt(var_diff / n)``.

    Args:
        var_diff: variance of the item differences: for 0/1 results discordant share - difference^2.
        n: items, effective ones where they share groups.
        power: chance of showing it.
        alpha: two-sided chance of showing a difference between equal models.
    """
    return (_z(1 - alpha / 2) + _z(power)) * float(np.sqrt(var_diff / n))


def items_needed(var_diff: float, delta: float, power: float = 0.8, alpha: float = 0.05) -> int:
    """Items that show a true gap of `delta` with this power: ``((z_(1 - alpha/2) + z_power) / delta)^2 * var_diff``.

    >>> items_needed(var_diff=0.1568, delta=0.03)
    1368
    """
    if delta == 0:
        raise ValueError("expected a gap other than 0: no number of items shows that there is none")
    return max(1, ceil(((_z(1 - alpha / 2) + _z(power)) / delta) ** 2 * var_diff))


def _z(share: float) -> float:
    return NormalDist().inv_cdf(share)
