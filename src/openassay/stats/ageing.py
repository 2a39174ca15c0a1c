"""Is a benchmark worn out: too easy for the best models, or seen by one of them before?

Not here: single items (`screen`).
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from openassay.stats.intervals import student
from openassay.stats.pairs import paired_diff

TOP = 5
"""Best models that are looked at."""
INFORMATIVE = 0.1
"""Share of items that tell the best models apart, below which a benchmark is saturated."""
PAIRS_SHOWN = 0.2
"""Share of pairs of the best models shown to differ, up to which it is; counted from `ITEMS_FOR_PAIRS` items."""
ITEMS_FOR_PAIRS = 100


@dataclass(frozen=True)
class Saturation:
    """How much room a benchmark leaves to the best models."""

    top: tuple[int, ...]
    """Numbers of the best models, the best first."""
    informative: float
    """Share of items that not all of them solve alike."""
    solved_by_all: float
    pairs: int
    pairs_shown: int
    """Pairs of them that differ with p < .05, not corrected for their number."""
    headroom: float
    """1 - score of the best."""
    reasons: tuple[str, ...]
    """Why it counts as saturated; empty where it does not."""


def saturation(passed: ArrayLike, *, flaw_rate: float = 0.0) -> Saturation:
    """Whether the five best models can still be told apart.

    Args:
        passed: models x items, means over attempts, 0..1; items that one of the best did not try are left out.
        flaw_rate: estimated share of items with a fault: of the room above the best model, so much is no room.

    Raises:
        ValueError: fewer than two models, or no item that all of the best tried.
    """
    table = np.atleast_2d(np.asarray(passed, dtype=np.float64))
    if len(table) < 2:  # noqa: PLR2004
        raise ValueError(f"expected at least two models, found {len(table)}")
    score = np.nanmean(table, axis=1)
    top = np.argsort(-score, kind="stable")[:TOP]
    best = table[top][:, ~np.isnan(table[top]).any(axis=0)]
    if not best.size:
        raise ValueError("expected items that all of the best models tried, found none")
    informative = float(np.mean(np.ptp(best, axis=0) > 0))
    shown = [paired_diff(a, b).p < 0.05 for a, b in combinations(best, 2)]  # noqa: PLR2004
    headroom = 1 - float(score[top[0]])
    reasons = []
    if informative < INFORMATIVE:
        same = f"the {len(best)} best models do alike on {100 * (1 - informative):.0f} % of the items"
        reasons.append(f"{same}, and fail most" if headroom > 0.5 else same)  # noqa: PLR2004
    if len(best) == TOP and best.shape[1] >= ITEMS_FOR_PAIRS and sum(shown) <= PAIRS_SHOWN * len(shown):
        reasons.append(f"only {sum(shown)} of {len(shown)} pairs of the best models differ")
    if flaw_rate and headroom < 2 * flaw_rate:
        reasons.append(f"the best model leaves {headroom:.1%}, and about {flaw_rate:.1%} of the items have a fault")
    return Saturation(
        top=tuple(map(int, top)),
        informative=informative,
        solved_by_all=float(np.mean((best == 1).all(axis=0))),
        pairs=len(shown),
        pairs_shown=sum(shown),
        headroom=headroom,
        reasons=tuple(reasons),
    )


@dataclass(frozen=True)
class ExposureGap:
    """How much better a model does on items that were public, beyond what other models do."""

    gap: float
    lo: float
    hi: float
    p: float
    """One-sided: chance of so large a gap, or a larger one, where there is none."""
    raw: float
    """Public minus private score of the model alone: it is no sign where one half is easier."""
    level: float


def exposure_gap(public: ArrayLike, private: ArrayLike, model: int, *, level: float = 0.95) -> ExposureGap:
    """Difference in differences: the model's lead over the mean of the others, on public less on private items.

    Welch's t over items. The others may have seen the public items too: then only a further exposure is found.

    Args:
        public: models x public items, 0..1.
        private: the same models x private items of the same kind.
        model: the row in question.
        level: nominal coverage of the two-sided interval.

    Raises:
        ValueError: other models in the two tables, only one model, or fewer than two items in one of them.
    """
    from scipy.special import stdtr  # slow to import

    seen, unseen = (np.atleast_2d(np.asarray(table, dtype=np.float64)) for table in (public, private))
    if len(seen) != len(unseen) or len(seen) < 2 or min(seen.shape[1], unseen.shape[1]) < 2:  # noqa: PLR2004
        raise ValueError(
            f"expected the same models, at least two, and at least two items, found {seen.shape}, {unseen.shape}"
        )
    leads = [table[model] - np.delete(table, model, axis=0).mean(axis=0) for table in (seen, unseen)]
    gap = float(leads[0].mean() - leads[1].mean())
    parts = [float(lead.var(ddof=1)) / lead.size for lead in leads]
    error = float(np.sqrt(sum(parts)))
    if error == 0:
        return ExposureGap(gap, gap, gap, float(gap <= 0), float(seen[model].mean() - unseen[model].mean()), level)
    degrees = sum(parts) ** 2 / sum(part**2 / (lead.size - 1) for part, lead in zip(parts, leads, strict=True))
    half = student(level, degrees) * error
    return ExposureGap(
        gap=gap,
        lo=gap - half,
        hi=gap + half,
        p=float(stdtr(degrees, -gap / error)),
        raw=float(seen[model].mean() - unseen[model].mean()),
        level=level,
    )
