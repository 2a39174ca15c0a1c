"""How large a gap a comparison can show, and how many items, attempts and draws it takes to show one.

From the noise of an earlier run, or from assumptions where there is none. Formulas of the normal distribution: below
some 30 items, where the interval is wider than these say, they promise a little too much.

Not here: the comparison itself (`pairs`), how to spend a budget on one score (`components.plan`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import ceil, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from openassay.stats.components import Noise


def mdd(var_diff: float, n: float, power: float = 0.8, alpha: float = 0.05) -> float:
    """Minimum detectable difference of `n` items: ``(z_(1 - alpha/2) + z_power) * sqrt(var_diff / n)``.

    Args:
        var_diff: variance of the item differences: for 0/1 results discordant share - difference^2.
        n: items, effective ones where they share groups.
        power: chance of showing it.
        alpha: two-sided chance of showing a difference between equal models.
    """
    return (_z(1 - alpha / 2) + _z(power)) * sqrt(var_diff / n)


def items_needed(var_diff: float, delta: float, power: float = 0.8, alpha: float = 0.05) -> int:
    """Items that show a true gap of `delta` with this power: ``((z_(1 - alpha/2) + z_power) / delta)^2 * var_diff``.

    >>> items_needed(var_diff=0.1568, delta=0.03)
    1368
    """
    if delta == 0:
        raise ValueError("expected a gap other than 0: no number of items shows that there is none")
    return max(1, ceil(((_z(1 - alpha / 2) + _z(power)) / delta) ** 2 * var_diff))


@dataclass(frozen=True)
class Design:
    """A way to show a gap."""

    items: int
    attempts: int
    draws: int
    """Draws of so many fresh items as one draw holds."""
    answers: int
    """Of both models: items x attempts x 2."""
    cost: float | None
    possible: bool
    """Whether the pool holds so many items."""


def chance_to_show(gap: float, variance: float, alpha: float = 0.05) -> float:
    """Chance that a true gap is shown, in its right direction, where the difference of the means has this variance.

    >>> round(chance_to_show(0.03, 0.0001146), 2)
    0.8
    """
    return NormalDist().cdf(abs(gap) / float(np.sqrt(variance)) - _z(1 - alpha / 2)) if variance > 0 else 1.0


def noise_of_difference(
    a: ArrayLike, b: ArrayLike, attempts: int | Sequence[int] = 1, attempt_share: float | None = None
) -> Noise:
    """Noise of the difference of two models, from the means of their attempts at the same items.

    Within an item ``p (1 - p) / (k - 1)`` of each model is what its attempts put into its mean; the rest is the items'.
    With one attempt the two cannot be told apart: `attempt_share` says which part to take for attempts (measured on
    real sets: .13 to .60), else all counts as the items', which promises nothing of further attempts.

    Args:
        a: means of model A, 0..1.
        b: means of model B, same items.
        attempts: attempts at each item, of both models.
        attempt_share: share of the attempts in the variance of one difference, where it was not measured.

    Raises:
        ValueError: fewer than two items.
    """
    first, second = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if first.size < 2:  # noqa: PLR2004
        raise ValueError(f"expected at least two items, found {first.size}")
    tried = np.broadcast_to(np.asarray(attempts, dtype=np.float64), first.shape)
    total = float(np.var(first - second, ddof=1))
    again = tried > 1
    if not again.any():
        share = attempt_share or 0.0
        return Noise(total * (1 - share), total * share)
    spread = (first * (1 - first) + second * (1 - second))[again]
    within = float(np.mean(spread * tried[again] / (tried[again] - 1)))
    return Noise(max(0.0, total - within * float(np.mean(1 / tried))), within)


def assumed_noise(rate: float, gap: float, *, correlation: float = 0.5, attempt_share: float = 0.2) -> Noise:
    """Noise of the difference of two models, from what one expects of them.

    ``p1 q1 + p2 q2 - 2 r sqrt(p1 q1 p2 q2)`` for one attempt each. Near rivals (under 5 points apart) correlate .39 to
    .57 item by item on real sets. Never below ``gap - gap^2``, the variance where the worse model passes nothing that
    the better one fails: two rates that differ cannot be wholly alike.

    Args:
        rate: expected pass rate of the better model, 0..1.
        gap: by which the other is worse.
        correlation: between their results on the same items; 0 is an unpaired comparison.
        attempt_share: share of the attempts in the variance of one difference.

    Raises:
        ValueError: a rate outside 0..1, or a correlation outside -1..1.
    """
    if not (rate - abs(gap) >= 0 and rate <= 1 and -1 <= correlation <= 1):
        raise ValueError(
            f"expected rates from 0 to 1 and a correlation, found {rate}, {rate - abs(gap)}, {correlation}"
        )
    own, other = rate * (1 - rate), (rate - abs(gap)) * (1 - rate + abs(gap))
    gap = abs(gap)
    total = max(own + other - 2 * correlation * float(np.sqrt(own * other)), gap - gap**2)
    return Noise(total * (1 - attempt_share), total * attempt_share)


def designs(
    gap: float,
    noise: Noise,
    *,
    attempts: Sequence[int] = (1, 2, 4, 8),
    chance: float = 0.8,
    pool: int | None = None,
    per_draw: int | None = None,
    price: float | None = None,
) -> tuple[Design, ...]:
    """How many items it takes to show a gap, for each number of attempts at an item; the fewest answers first.

    Args:
        gap: true difference to be shown, 0..1.
        noise: of the difference: `noise_of_difference`, `Components.of_difference` or `assumed_noise`.
        attempts: numbers of attempts at an item to consider.
        chance: of showing it; two-sided level .05.
        pool: items there are; None for as many as needed.
        per_draw: items of one draw; None for one draw of all.
        price: of one answer; None where it is not known.
    """
    found = []
    for tries in attempts:
        items = items_needed(noise.of_mean(1, tries), gap, chance)
        answers = items * tries * 2
        found.append(
            Design(
                items=items,
                attempts=tries,
                draws=1 if per_draw is None else ceil(items / per_draw),
                answers=answers,
                cost=None if price is None else answers * price,
                possible=pool is None or items <= pool,
            )
        )
    return tuple(sorted(found, key=lambda design: (not design.possible, design.answers)))


@cache
def _z(share: float) -> float:
    return NormalDist().inv_cdf(share)
