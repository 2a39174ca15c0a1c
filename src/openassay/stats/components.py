"""Where scores vary: between items, attempts at an item, judgements of an attempt; and what to buy more of.

Closed-form analysis of variance (Searle, Casella and McCulloch, Variance Components, 1992, chapter 4): as exact as a
mixed model on whole tables, and thousands of times faster. A component that comes out below 0 is 0, and said to be.

Not here: the interval of a score (`intervals`), the power of a comparison (`power`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor

import numpy as np
from numpy.typing import ArrayLike

from openassay.stats.design import Floats


@dataclass(frozen=True)
class Noise:
    """Variances of one result of one item.

    Of a mean over n items, k attempts and r judgements it is ``item / n + attempt / (n k) + judge / (n k r)``.
    """

    item: float
    attempt: float
    judge: float = 0.0

    def of_mean(self, items: int, attempts: int = 1, judgements: int = 1) -> float:
        """Variance of the mean of so many."""
        return (self.item + (self.attempt + self.judge / judgements) / attempts) / items

    @property
    def attempt_share(self) -> float:
        """Share of the variance of one result, 0..1, that another attempt or judgement would change."""
        total = self.item + self.attempt + self.judge
        return (self.attempt + self.judge) / total if total else 0.0


@dataclass(frozen=True)
class Components:
    """Variance components of a table of models x items x attempts [x judgements]."""

    model: float
    item: float
    model_item: float
    """What is hard for one model and easy for another."""
    attempt: float | None
    """None where there was one attempt each: it then hides in `model_item` (or `item`, of one model)."""
    judge: float | None
    """None where each attempt was judged once: it then hides in `attempt`."""
    clipped: tuple[str, ...]
    """Names of the components that came out below 0 and are given as 0."""

    @property
    def of_score(self) -> Noise:
        """Of one model's score."""
        return Noise(self.item + self.model_item, self.attempt or 0.0, self.judge or 0.0)

    @property
    def of_difference(self) -> Noise:
        """Of the difference of two models on the same items: the items' own difficulty drops out."""
        return Noise(2 * self.model_item, 2 * (self.attempt or 0.0), 2 * (self.judge or 0.0))


@dataclass(frozen=True)
class Split:
    """One way to spend a budget."""

    items: int
    attempts: int
    judgements: int
    cost: float
    variance: float
    """Of the mean; its standard error is the root."""

    @property
    def half_width(self) -> float:
        """Half of a 95 % interval."""
        return 1.96 * float(np.sqrt(self.variance))


@dataclass(frozen=True)
class Prices:
    """What one more of each costs, in one unit of money or time."""

    item: float = 0.0
    """Making or finding a new item; 0 where the pool has fresh ones."""
    attempt: float = 1.0
    judgement: float = 0.0


def variance_components(results: ArrayLike) -> Components:
    """Components of a whole table, attempts nested in model x item, judgements in attempts.

    Args:
        results: scores, models x items x attempts, or with a fourth axis of judgements. One model is allowed: then
            `model` and `model_item` are 0, and `item` holds both.

    Raises:
        ValueError: another number of axes, fewer than two items, or results missing.
    """
    table = np.asarray(results, dtype=np.float64)
    if table.ndim == 3:  # noqa: PLR2004
        table = table[..., None]
    if table.ndim != 4 or table.shape[1] < 2 or np.isnan(table).any():  # noqa: PLR2004
        raise ValueError(f"expected models x items x attempts, two items or more, none missing; found {table.shape}")
    models, _, attempts, judgements = table.shape
    squares = _mean_squares(table)
    judge = squares["judge"] if judgements > 1 else None
    attempt = (squares["attempt"] - (judge or 0.0)) / judgements if attempts > 1 else None
    below = squares["attempt"] if attempts > 1 else (judge or 0.0)
    each = attempts * judgements
    if models == 1:
        found = {"model": 0.0, "item": (squares["item"] - below) / each, "model_item": 0.0}
    else:
        found = {
            "model": (squares["model"] - squares["model_item"]) / (each * table.shape[1]),
            "item": (squares["item"] - squares["model_item"]) / (each * models),
            "model_item": (squares["model_item"] - below) / each,
        }
    clipped = tuple(name for name, value in {**found, "attempt": attempt or 0.0}.items() if value < 0)
    kept = {name: max(0.0, value) for name, value in found.items()}
    return Components(**kept, attempt=None if attempt is None else max(0.0, attempt), judge=judge, clipped=clipped)


def _mean_squares(table: Floats) -> dict[str, float]:
    models, items, attempts, judgements = table.shape
    whole, each = table.mean(), attempts * judgements
    cells, tries = table.mean(axis=(2, 3)), table.mean(axis=3)
    of_model, of_item = cells.mean(axis=1), cells.mean(axis=0)
    apart = cells - of_model[:, None] - of_item[None, :] + whole
    return {
        "model": items * each * _over(np.sum((of_model - whole) ** 2), models - 1),
        "item": models * each * _over(np.sum((of_item - whole) ** 2), items - 1),
        "model_item": each * _over(np.sum(apart**2), (models - 1) * (items - 1)),
        "attempt": judgements * _over(np.sum((tries - cells[..., None]) ** 2), models * items * (attempts - 1)),
        "judge": _over(np.sum((table - tries[..., None]) ** 2), models * items * attempts * (judgements - 1)),
    }


def _over(squares: float, degrees: int) -> float:
    return float(squares) / degrees if degrees else 0.0


def noise_of_passes(passes: Sequence[int], tried: Sequence[int]) -> Noise | None:
    """Of one model's score, from passes of possibly unequal numbers of attempts; None where no item was tried twice.

    Within an item ``p (1 - p) k / (k - 1)``, averaged over items tried twice or more; between items the variance of
    their means less what the attempts put into it.
    """
    good, all_ = np.asarray(passes, dtype=np.float64), np.asarray(tried, dtype=np.float64)
    again = all_ > 1
    if not again.any() or good.size < 2:  # noqa: PLR2004
        return None
    means = good / all_
    within = float(np.mean(means[again] * (1 - means[again]) * all_[again] / (all_[again] - 1)))
    return Noise(max(0.0, float(means.var(ddof=1)) - within * float(np.mean(1 / all_))), within)


def noise_of_judgements(scores: Sequence[Sequence[Sequence[float]]]) -> Noise | None:
    """Of one model's score, where attempts were judged again; None with fewer than two items or nothing judged twice.

    Numbers of attempts and judgements may differ from item to item. Each level's variance is pooled within the level
    above, less what the levels below put into it.

    Args:
        scores: items, of each its attempts, of each its judgements, 0..1.
    """
    judged = [np.asarray(attempt, dtype=np.float64) for item in scores for attempt in item]
    if len(scores) < 2 or all(attempt.size < 2 for attempt in judged):  # noqa: PLR2004
        return None
    judge = _pooled(judged)
    tries = [np.array([float(np.mean(attempt)) for attempt in item]) for item in scores]
    unsure = [float(np.mean([1 / len(attempt) for attempt in item])) for item in scores]
    free = sum(item.size - 1 for item in tries)
    below = judge * sum((item.size - 1) * share for item, share in zip(tries, unsure, strict=True)) / max(free, 1)
    attempt = max(0.0, _pooled(tries) - below)
    under = [(attempt + judge * share) / item.size for item, share in zip(tries, unsure, strict=True)]
    between = float(np.var([item.mean() for item in tries], ddof=1))
    return Noise(max(0.0, between - float(np.mean(under))), attempt, judge)


def _pooled(groups: Sequence[Floats]) -> float:
    """Variance within groups."""
    return _over(sum(float(np.sum((group - group.mean()) ** 2)) for group in groups), sum(len(g) - 1 for g in groups))


def plan(
    noise: Noise,
    *,
    budget: float,
    prices: Prices,
    most_items: int | None = None,
    most_attempts: int = 10,
    most_judgements: int = 1,
) -> tuple[Split, ...]:
    """How to split a budget between items, attempts and judgements: all splits, the least uncertain first.

    While fresh items cost no more than attempts, one attempt each is always best: further attempts pay where the pool
    is small (`most_items`), where items are dear, or where consistency itself is the question.

    Args:
        noise: `Components.of_score` or `.of_difference`, or `noise_of_passes` of an earlier run.
        budget: in the unit of the prices, for one model.
        prices: of one item, one attempt, one judgement.
        most_items: items in the pool; None for no bound.
        most_attempts: attempts at an item that are considered.
        most_judgements: judgements of an attempt that are considered.

    Raises:
        ValueError: the budget does not pay for one item.
    """
    splits = []
    for attempts in range(1, most_attempts + 1):
        for judgements in range(1, most_judgements + 1):
            price = prices.item + attempts * (prices.attempt + judgements * prices.judgement)
            items = floor(budget / price + 1e-9) if price else most_items or 0
            items = items if most_items is None else min(items, most_items)
            if items:
                variance = noise.of_mean(items, attempts, judgements)
                splits.append(Split(items, attempts, judgements, items * price, variance))
    if not splits:
        raise ValueError(f"expected a budget for at least one item, found {budget}")
    return tuple(sorted(splits, key=lambda split: (split.variance, split.cost)))
