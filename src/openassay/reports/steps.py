"""What it would take to show a gap between two models: items, attempts, draws, and their cost.

From the noise of a run or from assumptions. Not here: the formulas (`stats.power`), the command (`cli.power`).
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from openassay.reports import pair_words
from openassay.reports.comparing_contract import Measure
from openassay.reports.power_contract import PowerCategory, Spending, Way
from openassay.reports.table import Measured
from openassay.reports.words import counted, usd
from openassay.stats import (
    Design,
    Noise,
    Prices,
    Split,
    assumed_noise,
    chance_to_show,
    designs,
    mdd,
    noise_of_difference,
    paired_diff,
    plan,
)
from openassay.stats.pairs import FEWEST_ITEMS

USUAL_GAP = 0.1
"""Looked for where no gap was seen, or a smaller one that no small benchmark can show."""
USUAL_RATE = 0.8
ATTEMPTS = (1, 2, 4, 8)
SPENDINGS = 5
"""Ways to spend a budget that are shown."""
ROUGH = 30
"""Items below which a measured noise is itself hardly known."""
TWO = 2


class Means(NamedTuple):
    """What there is to spend and to draw from."""

    pool: int | None = None
    """Items that exist; None where it is not known."""
    drawn: int | None = None
    """Items that one draw takes; None for all."""
    price: float | None = None
    """US dollars of one answer, its judging included; None where nothing was paid."""


class Aim(NamedTuple):
    """What is asked for."""

    gap: float
    attempts: Sequence[int] = ATTEMPTS
    budget: float | None = None
    attempt_share: float | None = None
    """Assumed share of attempts in the noise, where each item was tried once."""


class Rivals(NamedTuple):
    """Two models, and what is known of the noise of their difference."""

    category: str
    title: str
    measure: Measure
    a: str
    b: str
    n_items: int | None
    noise: Noise


def rivals(measured: Measured, rows: tuple[int, int], title: str, attempt_share: float | None = None) -> Rivals:
    """Two rows of a run; noise is assumed where they have too few items in common."""
    table = measured.table
    names = table.models[rows[0]], table.models[rows[1]]
    both = ~np.isnan(measured.means[list(rows)]).any(axis=0)
    found = noise(measured, rows, attempt_share)
    return Rivals(table.category, title, measured.measure, *names, int(both.sum()), found)


def noise(measured: Measured, rows: tuple[int, int], attempt_share: float | None = None) -> Noise:
    """Of the difference of two rows, items of one source counted as one; assumed with fewer than two items."""
    both = np.asarray(~np.isnan(measured.means[list(rows)]).any(axis=0))
    if both.sum() < TWO:
        return assumed_noise(USUAL_RATE, USUAL_GAP)
    of_a, of_b = (measured.means[row][both] for row in rows)
    tried = measured.tried[both]
    found = noise_of_difference(of_a, of_b, [int(number) for number in tried], attempt_share)
    units = [unit for unit, here in zip(measured.units, both, strict=True) if here]
    pair = paired_diff(of_a, of_b, clusters=units)
    whole = (pair.mdd80 / mdd(1, 1)) ** 2 * pair.n_items  # so that `compare` and `power` say the same
    again = min(found.attempt, whole) * float(np.mean(1 / tried))
    return Noise(whole - again, min(found.attempt, whole))


def nearest(measured: Measured) -> tuple[int, int] | None:
    """Rows of the two best models: those that are hardest to tell apart and most worth it; None with fewer than two."""
    if len(measured.means) < TWO:
        return None
    best = np.argsort(-np.nanmean(measured.means, axis=1), kind="stable")
    return int(best[0]), int(best[1])


def needed(found: Rivals, means: Means, aim: Aim) -> PowerCategory:
    """What it takes to see the gap between these two."""
    ways = enough(aim.gap, found.noise, means, aim.attempts)
    return PowerCategory(
        category=found.category,
        title=found.title,
        measure=found.measure,
        a=found.a,
        b=found.b,
        n_items=found.n_items,
        item_noise=found.noise.item,
        attempt_noise=found.noise.attempt,
        pool=means.pool,
        price_usd=means.price,
        ways=tuple(map(_way, ways)),
        spendings=_spendings(found.noise, means, aim),
        answer=_answer(ways, means, aim) + _roughly(found.n_items),
    )


def enough(gap: float, spread: Noise, means: Means, attempts: Sequence[int] = ATTEMPTS) -> list[Design]:
    """Designs that show the gap, never with fewer items than a comparison takes; the fewest answers first."""
    pool, price = means.pool, means.price
    found = designs(gap, spread, attempts=attempts, pool=pool, per_draw=means.drawn, price=price)
    kept = [_with_items(one, max(one.items, FEWEST_ITEMS), means) for one in found]
    return sorted(kept, key=lambda one: (not one.possible, one.answers))


def _with_items(one: Design, items: int, means: Means) -> Design:
    answers = items * one.attempts * TWO
    return replace(
        one,
        items=items,
        answers=answers,
        draws=1 if means.drawn is None else -(-items // means.drawn),
        cost=None if means.price is None else answers * means.price,
        possible=means.pool is None or items <= means.pool,
    )


def _way(one: Design) -> Way:
    return Way(
        items=one.items,
        attempts=one.attempts,
        draws=one.draws,
        answers=one.answers,
        cost_usd=one.cost,
        possible=one.possible,
    )


def _spendings(spread: Noise, means: Means, aim: Aim) -> tuple[Spending, ...]:
    if aim.budget is None or not means.price:
        return ()
    prices = Prices(attempt=TWO * means.price)
    splits = plan(spread, budget=aim.budget, prices=prices, most_items=means.pool, most_attempts=max(aim.attempts))
    return tuple(_spending(one, aim.gap) for one in splits[:SPENDINGS])


def _spending(split: Split, gap: float) -> Spending:
    return Spending(
        items=split.items,
        attempts=split.attempts,
        cost_usd=split.cost,
        gap_shown=min(1.0, mdd(split.variance, 1)),
        chance=chance_to_show(gap, split.variance),
    )


def _answer(ways: Sequence[Design], means: Means, aim: Aim) -> str:
    best = ways[0]
    said = f"To see a gap of {points(aim.gap)} with a chance of 80 %: {_way_words(best)}."
    if means.pool is None:
        return said
    if best.possible:
        return f"{said} The pool holds {means.pool:,}."
    most = counted(max(one.attempts for one in ways), "attempt")
    return f"{said} The pool holds {means.pool:,}, and up to {most} at these would not show it: write more items."


def points(gap: float) -> str:
    return pair_words.points(gap, fine=bool(round(100 * gap, 6) % 1))


def _roughly(n_items: int | None) -> str:
    if n_items is None or n_items >= ROUGH:
        return ""
    return f" The noise was measured on {counted(n_items, 'item')} only, so this is a rough guess."


def _way_words(one: Design) -> str:
    cost = "" if one.cost is None else f", about {usd(one.cost)}"
    size = counted(pair_words.round_up(one.items), "item")
    return f"about {size} with {counted(one.attempts, 'attempt')} each ({one.answers:,} answers of both models{cost})"


def cheapest(measured: Measured, means: Means) -> str:
    """The cheapest thing that would settle more in a small category, in words."""
    rows = _widest(measured)
    if rows is None:
        return "Compare at least two models."
    seen = abs(float(np.nanmean(measured.means[rows[0]]) - np.nanmean(measured.means[rows[1]])))
    gap = max(seen, USUAL_GAP)
    found = enough(gap, noise(measured, rows), means)
    again = "" if measured.tried.max() > 1 else _AGAIN
    return f"{again}To settle a gap of {points(gap)} by counts: {_way_words(found[0])}; {_where_from(found[0], means)}."


_AGAIN = "Try each item again (--attempts 4): whether a model would do it again is the cheapest thing not known here. "


def _where_from(one: Design, means: Means) -> str:
    if means.pool is None:
        return "more items must be written"
    todo = "draw more of it (--per-category)" if one.possible else "write more"
    return f"the pool holds {means.pool:,}, so {todo}"


def _widest(measured: Measured) -> tuple[int, int] | None:
    """Rows of the pair with the largest difference; None with fewer than two models."""
    if len(measured.means) < TWO:
        return None
    order = np.argsort(-np.nanmean(measured.means, axis=1), kind="stable")
    return int(order[0]), int(order[-1])
