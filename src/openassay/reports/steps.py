"""What it would take to show a gap between two models: items, attempts, draws, and their cost.

From the noise of a run. Not here: the formulas (`stats.power`), the command (`cli.power`).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from openassay.reports import pair_words
from openassay.reports.table import Measured
from openassay.reports.words import counted, usd
from openassay.stats import Design, Noise, assumed_noise, designs, noise_of_difference

USUAL_GAP = 0.1
"""Looked for where no gap was seen, or a smaller one that no small benchmark can show."""
ATTEMPTS = (1, 2, 4, 8)
TWO = 2


class Means(NamedTuple):
    """What there is to spend and to draw from."""

    pool: int | None
    """Items that exist; None where it is not known."""
    drawn: int | None
    """Items of a draw that were used."""
    price: float | None
    """US dollars of one answer, its judging included; None where nothing was paid."""


def noise(measured: Measured, first: int, second: int) -> Noise:
    """Of the difference of two rows; assumed where they have too few items in common."""
    both = ~np.isnan(measured.means[[first, second]]).any(axis=0)
    if both.sum() < TWO:
        return assumed_noise(0.8, USUAL_GAP)
    of_a, of_b = measured.means[first][both], measured.means[second][both]
    found = noise_of_difference(of_a, of_b, [int(tried) for tried in measured.tried[both]])
    return found if found.item + found.attempt > 0 else assumed_noise(0.8, USUAL_GAP)


def widest(measured: Measured) -> tuple[int, int] | None:
    """Rows of the pair with the largest difference; None with fewer than two models."""
    if len(measured.means) < TWO:
        return None
    rates = np.nanmean(measured.means, axis=1)
    return int(np.argmax(rates)), int(np.argmin(rates)) if np.ptp(rates) else int(np.argmax(rates)) + 1


def cheapest(measured: Measured, means: Means) -> str:
    """One sentence: the cheapest thing that would settle more in a small category."""
    rows = widest(measured)
    if rows is None:
        return "Compare at least two models."
    first, second = rows
    seen = abs(float(np.nanmean(measured.means[first]) - np.nanmean(measured.means[second])))
    gap = max(seen, USUAL_GAP)
    spread = noise(measured, first, second)
    found = designs(gap, spread, attempts=ATTEMPTS, pool=means.pool, price=means.price)
    return " ".join([_attempts_first(measured), _items(found, gap, means)]).strip()


def _attempts_first(measured: Measured) -> str:
    if measured.tried.max() > 1:
        return ""
    return "Try each item again (--attempts 4): whether a model would do it again is the cheapest thing not known here."


def _items(found: Sequence[Design], gap: float, means: Means) -> str:
    best = found[0]
    cost = "" if best.cost is None else f", about {usd(best.cost)}"
    tries = counted(best.attempts, "attempt")
    size = counted(pair_words.round_up(best.items), "item")
    told = f"A gap of {pair_words.points(gap)} would be shown by about {size} with {tries} each{cost}"
    if means.pool is None or (best.possible and best.items <= (means.drawn or 0)):
        return f"{told}."
    if best.possible:
        return f"{told}: the pool holds {means.pool:,}, so draw more of it (--per-category)."
    return f"{told}: the pool holds {means.pool:,}, so more items must be written."
