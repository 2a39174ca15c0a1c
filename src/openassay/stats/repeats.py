"""What several attempts at the same items say: does a model do again what it did once?

Not here: the mean score. Attempts never count as items (`intervals.score_ci`).
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from math import comb
from typing import Literal

import numpy as np

from openassay.stats.design import Floats
from openassay.stats.intervals import Estimate, score_ci


@dataclass(frozen=True)
class Repeats:
    """Consistency over attempts, over the items tried at least twice."""

    n_items: int
    attempts: int
    """Attempts that every one of these items has."""
    same: float
    """Share of items whose attempts all passed or all failed."""
    pass_all: tuple[float, ...]
    """pass^1, pass^2, ...: share of items expected to pass that many attempts out of that many."""


def pass_all(passes: int, tried: int, k: int) -> float:
    """Unbiased estimate of the chance that k fresh attempts at one item all pass: ``C(c, k) / C(n, k)``.

    Yao et al., tau-bench, arXiv 2406.12045, section 3. The plug-in ``(c / n)^k`` is biased upwards.

    >>> pass_all(passes=3, tried=4, k=2)
    0.5
    """
    if not 1 <= k <= tried:
        raise ValueError(f"expected k between 1 and {tried} attempts, found {k}")
    return comb(passes, k) / comb(tried, k)


def pass_any(passes: int, tried: int, k: int) -> float:
    """Unbiased estimate of the chance that any of k fresh attempts at one item passes: ``1 - C(n - c, k) / C(n, k)``.

    Chen et al., arXiv 2107.03374, section 2.1. The plug-in ``1 - (1 - c / n)^k`` is biased downwards.

    >>> pass_any(passes=1, tried=4, k=2)
    0.5
    """
    return 1 - pass_all(tried - passes, tried, k)


def pass_k(passes: Sequence[int], tried: Sequence[int], k: int, kind: Literal["all", "any"] = "all") -> Floats:
    """pass^k (`all`) or pass@k (`any`) of each item; items with fewer than k attempts are an error, never a guess."""
    return _curve(passes, tried, kind)(k)


def _curve(passes: Sequence[int], tried: Sequence[int], kind: Literal["all", "any"]) -> Callable[[int], Floats]:
    """`pass_k` of the same items for any k; of thousands of items few differ, and each kind is computed once."""
    one, number = (pass_all if kind == "all" else pass_any), dict[tuple[int, int], int]()
    at = np.array([number.setdefault(row, len(number)) for row in zip(passes, tried, strict=True)], dtype=np.intp)
    return lambda k: np.array([one(good, all_, k) for good, all_ in number], dtype=np.float64)[at]


def reliability_curve(
    passes: Sequence[int],
    tried: Sequence[int],
    *,
    kind: Literal["all", "any"] = "all",
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
) -> tuple[Estimate, ...]:
    """pass^1, pass^2, ... (or pass@1, ...) over items, each with Wilson's interval on the effective number of items.

    As far as every item has attempts. From 20 items it covers .94 to .97 on real repeated answers.

    Args:
        passes: attempts of each item that passed.
        tried: attempts of each item.
        kind: `all` of k attempts pass, or `any`.
        clusters: group of each item.
        level: nominal coverage.
    """
    if not tried:
        raise ValueError("expected at least one item, found none")
    means = _curve(passes, tried, kind)
    return tuple(score_ci(means(k), attempts=tried, clusters=clusters, level=level) for k in range(1, min(tried) + 1))


def repeats(passes: Sequence[int], tried: Sequence[int]) -> Repeats | None:
    """Consistency from the passes and attempts of each item; None where no item was tried twice."""
    rows = [(good, all_) for good, all_ in zip(passes, tried, strict=True) if all_ > 1]
    if not rows:
        return None
    most = min(all_ for _, all_ in rows)
    same = sum(good in (0, all_) for good, all_ in rows) / len(rows)
    means = _curve([good for good, _ in rows], [all_ for _, all_ in rows], "all")
    return Repeats(len(rows), most, same, tuple(sum(means(k).tolist()) / len(rows) for k in range(1, most + 1)))
