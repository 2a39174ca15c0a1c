"""Several raters over the same items: how reliable are their labels, and where do their numbers differ?

Not here: two raters, or a judge against the truth (`agreement`).
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from openassay.stats.agreement import ROUNDING, Clusters, Coefficient, reach
from openassay.stats.design import Floats
from openassay.stats.intervals import student, wilson

Metric = Literal["nominal", "ordinal", "interval"]


@dataclass(frozen=True)
class RaterComponents:
    """Variances of numbers that the same raters gave to the same items, in squared units of the rating."""

    item: float
    rater: float
    """Severity: one rater is higher throughout."""
    residual: float
    n_items: int
    n_raters: int

    def reliability(self, raters: int = 1) -> float | None:
        """Share of the variance of a mean over so many raters that is the items'; None where nothing varies.

        ICC(2,k) of Shrout and Fleiss 1979, Psychol. Bull. 86, 420-428.
        """
        whole = self.item + (self.rater + self.residual) / raters
        return self.item / whole if whole > 0 else None


def krippendorff_alpha(
    ratings: Sequence[Sequence[Hashable]],
    *,
    metric: Metric = "nominal",
    clusters: Clusters = None,
    level: float = 0.95,
) -> Coefficient | None:
    """Krippendorff's alpha: any number of raters, missing ratings allowed.

    ``1 - observed / expected`` disagreement over the matrix of coincidences (Krippendorff 2011, Computing
    Krippendorff's Alpha-Reliability). The interval leaves out one item, or one group, at a time (jackknife, Student's
    t): no chance is involved. With few disagreements it also reaches as far as Wilson's bounds of the share of pairs
    that agree, counted as one an item or group, put into the formula (see `agreement`).

    Args:
        ratings: one row an item, one label a rater; None where a rater gave none. Items with fewer than two labels
            say nothing and are left out.
        metric: what a difference weighs: any is as bad as any other (`nominal`), its distance in ranks (`ordinal`,
            labels that sort) or in numbers (`interval`), squared.
        clusters: group of each item.
        level: nominal coverage.

    Returns:
        None where fewer than two different labels stand in the items with two or more.
    """
    given = [[label for label in row if label is not None] for row in ratings]
    kept = [number for number, row in enumerate(given) if len(row) > 1]
    seen: list[Any] = list(dict.fromkeys(label for number in kept for label in given[number]))
    if len(seen) < 2:  # noqa: PLR2004  # agreement beyond chance needs two labels
        return None
    known = seen if metric == "nominal" else sorted(seen)
    scale = np.array(known if metric == "interval" else range(len(known)), dtype=np.float64)
    groups: dict[Hashable, list[list[Any]]] = {}
    for number in kept:
        groups.setdefault(number if clusters is None else clusters[number], []).append(given[number])
    parts = [_coincidences(rows, known) for rows in groups.values()]
    whole = np.sum(parts, axis=0)
    value = _alpha(whole, scale, metric)
    half = _jackknife([_alpha(whole - part, scale, metric) for part in parts], level)
    agree = float(np.trace(whole) / whole.sum())
    lo, hi = reach(value, half, _of_raw_agreement(value, whole, len(parts), level), agree, len(parts))
    return Coefficient(value, lo, hi, len(kept), len(parts), level, f"Krippendorff's alpha ({metric}), jackknife")


def rater_components(ratings: ArrayLike) -> RaterComponents:
    """Variance of items, of raters' severity and of the rest, by analysis of variance of a full table.

    Mean squares of the two-way layout with one rating a cell, solved for the variances (Shrout and Fleiss 1979);
    negative ones are set to 0.

    Args:
        ratings: numbers, one row an item, one column a rater; at least two of each, none missing.
    """
    table = np.asarray(ratings, dtype=np.float64)
    if table.ndim != 2 or min(table.shape) < 2 or np.isnan(table).any():  # noqa: PLR2004  # rows and columns, two each
        raise ValueError(f"expected a full table of at least 2 items by 2 raters, found shape {table.shape}")
    items, raters = table.shape
    rows, columns = table.mean(axis=1, keepdims=True), table.mean(axis=0, keepdims=True)
    rest = table - rows - columns + table.mean()
    residual = float(np.sum(rest**2)) / ((items - 1) * (raters - 1))
    item = max(0.0, float(np.var(rows, ddof=1)) - residual / raters)
    rater = max(0.0, float(np.var(columns, ddof=1)) - residual / items)
    return RaterComponents(item, rater, residual, items, raters)


def _coincidences(rows: Sequence[Sequence[Any]], known: Sequence[Any]) -> Floats:
    """Pairs of labels that meet in an item, each item with m labels counted as m."""
    number = {label: place for place, label in enumerate(known)}
    found = np.zeros((len(known), len(known)))
    for row in rows:
        counts = np.bincount([number[label] for label in row], minlength=len(known)).astype(np.float64)
        found += (np.outer(counts, counts) - np.diag(counts)) / (len(row) - 1)
    return found


def _alpha(pairs: Floats, scale: Floats, metric: Metric) -> float:
    """Alpha of a matrix of coincidences; 0 where only one label is left, as that shows nothing."""
    counts = pairs.sum(axis=0)
    if metric == "ordinal":
        scale = np.cumsum(counts) - counts / 2
    weight = np.not_equal.outer(scale, scale).astype(np.float64)
    if metric != "nominal":
        weight = np.subtract.outer(scale, scale) ** 2
    expected = float(counts @ weight @ counts)
    if expected < ROUNDING:
        return 0.0
    return 1 - (float(counts.sum()) - 1) * float(np.sum(pairs * weight)) / expected


def _of_raw_agreement(value: float, pairs: Floats, units: int, level: float) -> tuple[float, float]:
    """Bounds of alpha if disagreements were as rare, or as common, as Wilson's interval allows."""
    counts, everything = pairs.sum(axis=0), float(pairs.sum())
    differ = min(1.0, max(0.0, 1 - float(np.trace(pairs)) / everything))
    each = (1 - value) / differ if differ > ROUNDING else 1 / (1 - float(counts @ counts) / everything**2)
    least, most = wilson(1 - differ, units, level)
    return 1 - (1 - least) * each, 1 - (1 - most) * each


def _jackknife(left_out: Sequence[float], level: float) -> float:
    """Half the width of the interval, from the statistic without each unit."""
    units = len(left_out)
    if units == 1:
        return 0.0
    variance = float(np.var(left_out)) * (units - 1)
    return student(level, units - 1) * float(np.sqrt(variance))
