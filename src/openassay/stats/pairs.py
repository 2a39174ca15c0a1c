"""Is one model better than another on the same items? The difference, how sure it is, and a fixed word for it.

Both models answer the same items, so the items' difficulty drops out: an unpaired comparison wants 1.7 to 2.5 times as
many.

Not here: many models at once (`many`), ranks (`ranks`), looking again and again during a run (`sequential`).
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from openassay.stats.design import Floats, numbered
from openassay.stats.differences import ROUNDING, Groups, Intervals, Spread, intervals, over_groups, passes_only
from openassay.stats.intervals import FEWEST_GROUPS
from openassay.stats.power import items_needed, mdd

Verdict = Literal["A better", "B better", "no difference shown", "practically equal", "too few items"]

FEWEST_ITEMS = 10
"""Below, a difference is not judged."""


@dataclass(frozen=True)
class PairResult:
    """A minus B over their common items; shares, -1..1."""

    diff: float
    lo: float
    hi: float
    wins: int
    """Items on which A did better."""
    losses: int
    """Items on which B did better."""
    ties: int
    p: float
    """Chance of so large a difference, or a larger one, between equal models."""
    mdd80: float
    """Minimum detectable difference: a true gap of this size would be shown in 80 of 100 such comparisons."""
    n_needed: int | None
    """Items that would show a gap of the observed size in 80 of 100 comparisons; None where no gap was observed."""
    verdict: Verdict
    n_items: int
    n_units: int
    """Independent units: groups where items share one, items otherwise."""
    level: float
    method: str
    margin: float | None = None
    """Differences up to this size were declared beforehand to make no difference."""
    p_adjusted: float | None = None
    """Corrected for the number of pairs looked at; None where this pair stands alone."""


def paired_diff(
    a: ArrayLike,
    b: ArrayLike,
    *,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
    margin: float | None = None,
) -> PairResult:
    """Compare two models on the items that both answered.

    - One attempt, passed or not: Bonett-Price interval and mid-p McNemar test (Fagerland, Lydersen and Laake 2013, BMC
      Med. Res. Methodol. 13:91; the exact test is too timid, the chi-square one is not bound by its level).
    - Means of attempts, or fractional scores: the same interval with a normal test; from 200 items on Student's t.
    - Groups: cluster-robust variance, never below the one of independent items, with Student's t over G - 1.

    Args:
        a: mean over attempts of each item for model A, 0..1; NaN where there is none, and the item is left out.
        b: the same for model B, in the same order of items.
        clusters: group of each item.
        level: nominal coverage; a verdict wants p below 1 - level.
        margin: differences up to this size make no difference to the user; to be declared before the run.

    Raises:
        ValueError: the two have different numbers of items, or no item in common.

    >>> found = paired_diff([1] * 20 + [0] * 5, [1] * 12 + [0] * 13)
    >>> found.wins, found.losses, found.verdict
    (8, 0, 'A better')
    """
    first, second = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if first.shape != second.shape:
        raise ValueError(f"expected the same items for both models, found {first.size} and {second.size}")
    both = ~(np.isnan(first) | np.isnan(second))
    if not both.any():
        raise ValueError("expected at least one item that both models answered, found none")
    first, second = first[both], second[both]
    differences = first - second
    spread = Spread(
        np.array([first.size]),
        np.array([differences.sum()]),
        np.array([np.sum(differences**2)]),
        np.array([np.sum(differences > 0)]),
        np.array([np.sum(differences < 0)]),
        np.array([passes_only(first) and passes_only(second)]),
    )
    if clusters is None:
        return judge(intervals(spread, level), level, margin)[0]
    units = numbered([cluster for cluster, kept in zip(clusters, both, strict=True) if kept])
    sizes, sums = np.bincount(units).astype(np.float64), np.bincount(units, weights=differences)
    groups = Groups(sizes, np.array([np.sum(sums**2)]), np.array([np.sum(sizes * sums)]))
    return judge(over_groups(intervals(spread, level), groups, level), level, margin)[0]


def judge(
    found: Intervals, level: float, margin: float | None, p_adjusted: Floats | None = None
) -> tuple[PairResult, ...]:
    """The result of each pair in words and numbers."""
    spread, alpha = found.spread, 1 - level
    results = []
    for at in range(len(spread.n)):
        n, diff = int(spread.n[at]), float(spread.total[at] / spread.n[at])
        diff = diff if abs(diff) > ROUNDING else 0.0
        variance = float(found.error[at]) ** 2 * n  # of one item, a shared group included
        lo, hi, p, units = float(found.lo[at]), float(found.hi[at]), float(found.p[at]), int(found.units[at])
        adjusted = None if p_adjusted is None else float(p_adjusted[at])
        one = PairResult(
            diff=diff,
            lo=lo,
            hi=hi,
            wins=int(spread.wins[at]),
            losses=int(spread.losses[at]),
            ties=n - int(spread.wins[at]) - int(spread.losses[at]),
            p=p,
            mdd80=mdd(variance, n, alpha=alpha),
            n_needed=items_needed(variance, diff, alpha=alpha) if diff else None,
            verdict=word((lo, hi), p if adjusted is None else adjusted, n, units, level=level, margin=margin),
            n_items=n,
            n_units=units,
            level=level,
            method=found.method[at],
            margin=margin,
            p_adjusted=adjusted,
        )
        results.append(one)
    return tuple(results)


def word(
    interval: tuple[float, float], p: float, n_items: int, n_units: int, *, level: float, margin: float | None
) -> Verdict:
    lo, hi = interval
    if n_items < FEWEST_ITEMS or n_units < min(FEWEST_GROUPS, n_items):
        return "too few items"
    if margin is not None and -margin <= lo and hi <= margin:
        return "practically equal"
    if p < 1 - level and (lo > 0 or hi < 0):
        return "A better" if lo > 0 else "B better"
    return "no difference shown"
