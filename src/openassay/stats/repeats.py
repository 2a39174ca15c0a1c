"""What several attempts at the same items say: does a model do again what it did once?

Not here: the mean score. Attempts never count as items (`intervals.score_ci`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb


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


def repeats(passes: Sequence[int], tried: Sequence[int]) -> Repeats | None:
    """Consistency from the passes and attempts of each item; None where no item was tried twice."""
    rows = [(good, all_) for good, all_ in zip(passes, tried, strict=True) if all_ > 1]
    if not rows:
        return None
    most = min(all_ for _, all_ in rows)
    same = sum(good in (0, all_) for good, all_ in rows) / len(rows)
    curve = tuple(sum(pass_all(good, all_, k) for good, all_ in rows) / len(rows) for k in range(1, most + 1))
    return Repeats(len(rows), most, same, curve)
