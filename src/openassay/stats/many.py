"""All pairs of models at once, with the chance of a false claim held over all of them.

Every sum that a pair's interval needs is an entry of a product of matrices, so thousands of pairs cost a second. Holm's
correction for what is claimed in public (no false claim on the whole board), Benjamini and Hochberg's for screens of
items (few false ones among the flagged).

Not here: one pair (`pairs`), ranks (`ranks`).
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from openassay.stats.design import Floats, Indices, numbered
from openassay.stats.differences import Groups, Spread, intervals, over_groups, passes_only
from openassay.stats.pairs import PairResult, judge, paired_diff, word


@dataclass(frozen=True)
class PairTable:
    """Every pair i < j of M models, in the order (0, 1), (0, 2), ..., (1, 2), ..."""

    n_models: int
    pairs: tuple[PairResult, ...]
    """A is the model with the smaller number; `p_adjusted` and `verdict` hold over all pairs."""

    def pair(self, first: int, second: int) -> PairResult:
        """The pair of these two models, the smaller number first."""
        if not 0 <= first < second < self.n_models:
            raise ValueError(f"expected 0 <= first < second < {self.n_models}, found {first} and {second}")
        return self.pairs[first * (2 * self.n_models - first - 1) // 2 + second - first - 1]


def all_pairs(
    means: ArrayLike,
    *,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
    margin: float | None = None,
    adjust: Literal["holm", "benjamini-hochberg"] = "holm",
) -> PairTable:
    """`paired_diff` of every pair of rows.

    Args:
        means: models x items, mean over attempts, 0..1; NaN where a model has no result.
        clusters: group of each item; where results are missing too, pair after pair is computed, about a second for
            2,000 pairs.
        level: nominal coverage of each interval; a verdict wants an adjusted p below 1 - level.
        margin: differences up to this size make no difference; to be declared before the run.
        adjust: how p is corrected for the number of pairs.

    Raises:
        ValueError: fewer than two models, or two without a common item.
    """
    table = np.atleast_2d(np.asarray(means, dtype=np.float64))
    first, second = (side.astype(np.intp) for side in np.triu_indices(len(table), 1))
    if not first.size:
        raise ValueError(f"expected at least two models, found {len(table)}")
    correct: Callable[[ArrayLike], Floats] = holm if adjust == "holm" else benjamini_hochberg
    if clusters is None or not np.isnan(table).any():
        found = intervals(_spread(table, first, second), level)
        if clusters is not None:
            found = over_groups(found, _groups(table, numbered(clusters), first, second), level)
        return PairTable(len(table), judge(found, level, margin, correct(found.p)))
    alone = [
        paired_diff(table[a], table[b], clusters=clusters, level=level, margin=margin)
        for a, b in zip(first, second, strict=True)
    ]
    adjusted = correct([pair.p for pair in alone])
    return PairTable(len(table), tuple(_adjusted(pair, float(p)) for pair, p in zip(alone, adjusted, strict=True)))


def holm(p: ArrayLike) -> Floats:
    """P-values adjusted so that the chance of any false claim is bounded.

    Holm, S. (1979), Scand. J. Stat. 6, 65-70.

    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    values = np.asarray(p, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    stepped = np.maximum.accumulate(values[order] * np.arange(values.size, 0, -1))
    return _back(np.minimum(stepped, 1.0), order)


def benjamini_hochberg(p: ArrayLike) -> Floats:
    """P-values adjusted so that the expected share of false claims among the claims is bounded.

    Benjamini, Y. and Hochberg, Y. (1995), J. R. Stat. Soc. B 57, 289-300.
    """
    values = np.asarray(p, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    scaled = values[order] * values.size / np.arange(1, values.size + 1)
    return _back(np.minimum(np.minimum.accumulate(scaled[::-1])[::-1], 1.0), order)


def _back(ordered: Floats, order: Indices) -> Floats:
    found = np.empty_like(ordered)
    found[order] = ordered
    return found


def _adjusted(pair: PairResult, p: float) -> PairResult:
    verdict = word((pair.lo, pair.hi), p, pair.n_items, pair.n_units, level=pair.level, margin=pair.margin)
    return replace(pair, p_adjusted=p, verdict=verdict)


def _spread(table: Floats, first: Indices, second: Indices) -> Spread:
    """The sums of every pair, from Gram matrices over the items that both answered."""
    here = ~np.isnan(table)
    filled = table if here.all() else np.where(here, table, 0.0)
    both_known, sums, squares = _over_common(filled, here)
    n, products = both_known[first, second], filled @ filled.T
    if not n.all():
        at = int(np.argmin(n))
        raise ValueError(f"expected an item that both answered, found none for models {first[at]} and {second[at]}")
    passes = np.array([passes_only(filled[model]) for model in range(len(table))])
    both = passes[first] & passes[second]
    if both.all():  # then a win is a pass that the other has not
        wins = (sums - products)[first, second], (sums.T - products)[first, second]
    else:
        wins = _wins(np.where(here, table, np.nan), first, second)
    return Spread(
        n,
        (sums - sums.T)[first, second],
        (squares + squares.T - 2 * products)[first, second],
        wins[0],
        wins[1],
        both,
    )


def _groups(table: Floats, units: Indices, first: Indices, second: Indices) -> Groups:
    """The sums of every pair within groups, from sums of each model."""
    sums = np.stack([np.bincount(units, weights=row) for row in table])
    sizes, products = np.bincount(units).astype(np.float64), sums @ sums.T
    own, weighted = np.diag(products), sums @ sizes
    return Groups(sizes, own[first] + own[second] - 2 * products[first, second], weighted[first] - weighted[second])


def _over_common(filled: Floats, here: NDArray[np.bool_]) -> tuple[Floats, Floats, Floats]:
    """Models x models, over the items that both answered: their number, and sum and sum of squares of the first."""
    if here.all():  # then they are those of all items, and no product is needed
        models, items = filled.shape
        own = np.stack([np.full(models, float(items)), filled.sum(axis=1), (filled**2).sum(axis=1)])
        number, sums, squares = np.broadcast_to(own[:, :, None], (3, models, models))
        return number, sums, squares
    known = here.astype(np.float64)
    return known @ known.T, filled @ known.T, filled**2 @ known.T


def _wins(table: Floats, first: Indices, second: Indices) -> tuple[Floats, Floats]:
    better = np.array([np.sum(row > table, axis=1) for row in table], dtype=np.float64)
    return better[first, second], better[second, first]
