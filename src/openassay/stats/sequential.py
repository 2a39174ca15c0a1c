"""When may a run stop early because its answer is clear? Evidence that stays valid however often one looks.

A test made for one look, looked at after every 10 items, cries wolf in a quarter of all comparisons of equal models. An
e-value does not: it is the wealth of a bettor who bets on one model being better, and equal models let it reach
1 / alpha with a chance of at most alpha, whenever one looks (Ville 1939; Ramdas et al., arXiv 2210.01948, section 3).

The rule (alpha, and the number of pairs watched) is declared before the run, and items count in the random order of the
draw, not in the order of completion: slow items are hard ones.
"""

from math import exp, lgamma, log

import numpy as np
from numpy.typing import ArrayLike

from openassay.stats.design import Floats

LARGEST = 700.0
"""Logarithm above which an e-value is given as infinite."""
BETS = 400
"""Stakes in the mixture of `evalues`, evenly from -1 to 1."""


def evalue_paired(wins: int, losses: int) -> float:
    """Evidence that two models differ, from items on which just one of them passed.

    ``2^(b + c) * B(1 + b, 1 + c)``: the likelihood of the wins under all win rates alike over the one under 1/2.

    >>> evalue_paired(3, 3) < 1 < 20 < evalue_paired(12, 1)
    True
    """
    total = wins + losses
    logarithm = total * log(2) + lgamma(1 + wins) + lgamma(1 + losses) - lgamma(2 + total)
    return exp(logarithm) if logarithm < LARGEST else float("inf")


def evalues(differences: ArrayLike) -> Floats:
    """The same evidence after each item, for differences of any size: means of attempts, fractional scores.

    ``mean over stakes s of product of (1 + s * d)``, s evenly from -1 to 1: for d of -1, 0 and 1 it is `evalue_paired`.
    Any mixture of stakes is a fair bet, so that their number does not touch the bound on false alarms.

    Args:
        differences: A minus B of each item, -1..1, in the random order in which the items were run.

    Returns:
        One e-value an item: after it and all before.
    """
    values = np.asarray(differences, dtype=np.float64)
    if values.size and np.abs(values).max() > 1:
        raise ValueError(f"expected differences from -1 to 1, found {values[np.argmax(np.abs(values))]}")
    stakes = (np.arange(BETS) + 0.5) * 2 / BETS - 1
    wealth = np.zeros(BETS)
    found = np.empty(values.size)
    for at, difference in enumerate(values):
        wealth += np.log1p(stakes * difference)
        top = wealth.max()
        found[at] = top + np.log(np.mean(np.exp(wealth - top)))
    return np.exp(np.minimum(found, LARGEST))


def threshold(alpha: float = 0.05, pairs: int = 1) -> float:
    """E-value from which a difference counts as shown: ``pairs / alpha`` where so many pairs are watched at once.

    >>> threshold(0.05)
    20.0
    """
    if not 0 < alpha < 1 or pairs < 1:
        raise ValueError(f"expected alpha between 0 and 1 and at least one pair, found {alpha} and {pairs}")
    return pairs / alpha


def settled_at(differences: ArrayLike, *, alpha: float = 0.05, pairs: int = 1) -> int | None:
    """Number of items after which a difference counted as shown, looking after every item; None if it never did.

    Args:
        differences: A minus B of each item in the order of the draw; NaN where one is not answered yet, and then only
            the items before it count.
        alpha: chance of a false alarm over the whole run and all pairs.
        pairs: pairs of models watched at once.
    """
    values = np.asarray(differences, dtype=np.float64)
    open_ = np.flatnonzero(np.isnan(values))
    reached = np.flatnonzero(evalues(values[: open_[0]] if open_.size else values) >= threshold(alpha, pairs))
    return int(reached[0]) + 1 if reached.size else None
