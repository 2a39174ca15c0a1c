"""Which ranks a model may have. A rank is never given alone: near rivals trade places from draw to draw.

Not here: which of two models is better (`pairs`). Percentile bootstrap ranks are not offered: all at once they cover
.00 to .58 on real boards instead of .95.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from openassay.stats.design import Floats, Indices, numbered


@dataclass(frozen=True)
class RankSets:
    """Ranks of M models, 1 the best."""

    lo: tuple[int, ...]
    """Best rank that each model may have."""
    hi: tuple[int, ...]
    """Worst rank that each model may have."""
    level: float
    simultaneous: bool
    """Whether the level holds for all sets together, or for each of them."""

    @property
    def may_be_best(self) -> tuple[int, ...]:
        """Numbers of the models whose set holds rank 1."""
        return tuple(model for model, best in enumerate(self.lo) if best == 1)


def rank_sets(
    means: ArrayLike,
    *,
    seed: int,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
    simultaneous: bool = False,
    draws: int = 2_000,
) -> RankSets:
    """Confidence sets for the ranks of models that answered the same items.

    Mogstad, Romano, Shaikh and Wilhelm (2024), Rev. Econ. Stud. 91, 476-518, the single-step sets: model j's rank lies
    between 1 + the number of models shown to be better and M - the number shown to be worse, by a critical value that
    is the `level` quantile of the largest standardised difference from j. It is drawn from a normal distribution with
    the paired covariance of the means, over Student's chi of n - 1 (or groups - 1) degrees of freedom; the standard
    error of each difference has two more items, one won by each. On a real board of 24 models it covers .98 to 1.

    Args:
        means: models x items, mean over attempts, 0..1, none missing.
        seed: of the draws; the same seed gives the same sets.
        clusters: group of each item.
        level: nominal coverage.
        simultaneous: one critical value for all models: for "who is best of all".
        draws: number of draws.

    Raises:
        ValueError: fewer than two models or two items, or results missing.
    """
    table = np.asarray(means, dtype=np.float64)
    if table.ndim != 2 or min(table.shape) < 2 or np.isnan(table).any():  # noqa: PLR2004
        raise ValueError(f"expected models x items, at least 2 x 2 and none missing, found shape {table.shape}")
    covariance, errors, degrees = _noise(table, None if clusters is None else numbered(clusters))
    drawn = _draws(covariance, degrees, draws, np.random.default_rng(seed))
    largest = np.array(list(_largest(drawn, errors)))
    critical = np.quantile(largest.max(axis=0), level) if simultaneous else np.quantile(largest, level, axis=1)
    value = table.mean(axis=1)
    ahead = value[None, :] - value[:, None] > np.reshape(critical, (-1, 1)) * errors  # [j, k]: k shown better than j
    behind = value[:, None] - value[None, :] > np.reshape(critical, (-1, 1)) * errors
    lo, hi = 1 + ahead.sum(axis=1), len(table) - behind.sum(axis=1)
    return RankSets(tuple(map(int, lo)), tuple(map(int, hi)), level, simultaneous)


def _noise(table: Floats, units: Indices | None) -> tuple[Floats, Floats, int]:
    """Covariance of the models' means, standard errors of their differences, and degrees of freedom."""
    items = table.shape[1]
    deviations = table - table.mean(axis=1, keepdims=True)
    if units is not None:
        sums = np.zeros((len(table), int(units.max()) + 1))
        np.add.at(sums.T, units, deviations.T)
        deviations = sums
    count = deviations.shape[1]
    if count < 2:  # noqa: PLR2004
        raise ValueError("expected items of at least two groups, found one")
    covariance = deviations @ deviations.T * (count / (count - 1)) / items**2
    own = np.diag(covariance)
    spread = np.maximum(own[:, None] + own[None, :] - 2 * covariance, 0.0)
    return covariance, np.sqrt(spread * (items / (items + 2)) ** 2 + 2 / (items + 2) ** 2), count - 1


def _draws(covariance: Floats, degrees: int, draws: int, chance: np.random.Generator) -> Floats:
    values, vectors = np.linalg.eigh(covariance)
    normal = chance.standard_normal((draws, len(values))) * np.sqrt(np.maximum(values, 0.0)) @ vectors.T
    return np.asarray(normal / np.sqrt(chance.chisquare(degrees, (draws, 1)) / degrees), dtype=np.float64)


def _largest(drawn: Floats, errors: Floats) -> Iterator[Floats]:
    """Of each model and draw, the largest standardised difference from another model."""
    for model in range(drawn.shape[1]):
        gaps = np.abs(drawn - drawn[:, [model]]) / errors[model]
        yield gaps.max(axis=1)
