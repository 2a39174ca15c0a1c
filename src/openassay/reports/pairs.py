"""Every pair of models in one category, and the ranks that each model may have.

Only over items that both have, attempts counted as attempts, groups as one source. Not here: the words (`pair_words`),
what would turn a verdict (`turns`).
"""

from collections.abc import Iterator
from itertools import combinations
from math import ceil

import numpy as np

from openassay.reports import pair_words
from openassay.reports.comparing_contract import Pair, Ranks, RankSet
from openassay.reports.table import Measured
from openassay.stats import PairResult, all_pairs, mdd, rank_sets
from openassay.stats.intervals import FEWEST_GROUPS
from openassay.stats.pairs import FEWEST_ITEMS

TWO = 2
LEVEL = 0.95
MOST_RANKED = 200
"""Models up to which rank sets are computed: their cost grows with the square."""


def pairs_of(measured: Measured, margin: float | None = None) -> tuple[Pair, ...]:
    """Every pair in the order of the plan; none with fewer than two whole models, or two without a common item."""
    found = compared(measured, margin)
    return tuple(_pair(measured, one, *rows, number=len(found)) for rows, one in found)


def compared(measured: Measured, margin: float | None = None) -> list[tuple[tuple[int, int], PairResult]]:
    """Row numbers of each pair and what its comparison found, p corrected over all of them."""
    known = (~np.isnan(measured.means)).astype(np.float64)
    if len(known) < TWO or not (known @ known.T).all():
        return []
    found = all_pairs(measured.means, clusters=clusters(measured), level=LEVEL, margin=margin)
    rows = combinations(range(len(known)), 2)
    return list(zip(rows, found.pairs, strict=True))


def clusters(measured: Measured) -> list[int] | None:
    """Number of each item's source; None where no two share one, and thousands of pairs take no longer than one."""
    units = measured.units
    numbers = {unit: number for number, unit in enumerate(dict.fromkeys(units))}
    return [numbers[unit] for unit in units] if len(numbers) < len(units) else None


def _pair(measured: Measured, found: PairResult, first: int, second: int, *, number: int) -> Pair:
    table = measured.table
    both = ~np.isnan(measured.means[[first, second]]).any(axis=0)
    tried = measured.tried[both]
    of_a, of_b = measured.means[first][both], measured.means[second][both]
    passes = measured.measure == "pass rate"
    few, more = found.verdict == "too few items", stricter(number)
    better = {"A better": table.models[first], "B better": table.models[second]}.get(found.verdict)
    pair = Pair(
        run=table.run,
        category=table.category,
        track=table.track,
        measure=measured.measure,
        a=table.models[first],
        b=table.models[second],
        n_items=found.n_items,
        n_units=found.n_units,
        mean_a=float(of_a.mean()),
        mean_b=float(of_b.mean()),
        passed_a=round(float(of_a @ tried)) if passes else None,
        passed_b=round(float(of_b @ tried)) if passes else None,
        tried=round(float(tried.sum())) if passes else None,
        wins=found.wins,
        losses=found.losses,
        ties=found.ties,
        diff=None if found.n_items < FEWEST_ITEMS else found.diff,
        interval=None if few else (found.lo, found.hi),
        p=None if few else found.p,
        p_adjusted=None if few else found.p_adjusted,
        n_pairs=number,
        gap_shown=None if few else min(1.0, more * found.mdd80),
        items_needed=None if few or found.n_needed is None else ceil(more**2 * found.n_needed),
        verdict=found.verdict,
        better=better,
        margin=found.margin,
        method=found.method,
        sentence="",
    )
    return pair.model_copy(update={"sentence": pair_words.sentence(pair)})


def stricter(number: int) -> float:
    """How much wider a gap must be for the verdict to find it among so many pairs, whatever the others do.

    Holm's method asks p < .05 / number of the first pair, and of no pair more than that.

    >>> round(stricter(1), 3), round(stricter(10), 3)
    (1.0, 1.302)
    """
    return mdd(1, 1, alpha=(1 - LEVEL) / number) / mdd(1, 1, alpha=1 - LEVEL)


def flipped(pair: Pair) -> Pair:
    """The same pair, the other model first."""
    verdict = {"A better": "B better", "B better": "A better"}.get(pair.verdict, pair.verdict)
    swapped = pair.model_copy(
        update={
            "a": pair.b,
            "b": pair.a,
            "mean_a": pair.mean_b,
            "mean_b": pair.mean_a,
            "passed_a": pair.passed_b,
            "passed_b": pair.passed_a,
            "wins": pair.losses,
            "losses": pair.wins,
            "diff": None if pair.diff is None else -pair.diff,
            "interval": None if pair.interval is None else (-pair.interval[1], -pair.interval[0]),
            "verdict": verdict,
        }
    )
    return swapped.model_copy(update={"sentence": pair_words.sentence(swapped)})


def ranks_of(measured: Measured, seed: int) -> Iterator[Ranks]:
    """The rank sets of one measure; nothing where items or sources are too few, or a model lacks an item."""
    means, units = measured.means, measured.units
    few = len(units) < FEWEST_ITEMS or len(set(units)) < min(FEWEST_GROUPS, len(units))
    if few or not TWO <= len(means) <= MOST_RANKED or np.isnan(means).any():
        return
    sources = clusters(measured)
    alone = rank_sets(means, seed=seed, clusters=sources, level=LEVEL)
    together = rank_sets(means, seed=seed, clusters=sources, level=LEVEL, simultaneous=True)
    table = measured.table
    yield Ranks(
        run=table.run,
        category=table.category,
        track=table.track,
        measure=measured.measure,
        n_items=len(units),
        models=tuple(
            RankSet(model=model, alone=(alone.lo[at], alone.hi[at]), together=(together.lo[at], together.hi[at]))
            for at, model in enumerate(table.models)
        ),
        may_be_best=tuple(table.models[at] for at in together.may_be_best),
        level=LEVEL,
    )
