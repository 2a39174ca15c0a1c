"""Which items to draw where their difficulty is known from earlier runs of other models.

A draw that takes the same share of easy and of hard items says as much with 28 to 55 % fewer items (five real sets).

Not here: the draw of a run by category, which is public and needs no earlier results; the interval of a score from such
a draw (`intervals.score_ci` with `StratifiedSample.strata`).
"""

from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from openassay.stats.design import Strata

PER_STRATUM = 10
"""Items of a stratum, at least: with fewer its variance is mostly smoothing."""


@dataclass(frozen=True)
class StratifiedSample:
    """Items drawn by strata of difficulty, in random order."""

    ids: tuple[str, ...]
    labels: tuple[int, ...]
    """Stratum of each item, 0 the one of the lowest numbers."""
    weights: tuple[float, ...]
    """Weight of each item in the mean over the pool; they add up to 1."""
    shares: Mapping[Hashable, float]
    """Stratum -> its share of the pool."""

    @property
    def strata(self) -> Strata:
        """What `score_ci` wants to know of the draw."""
        return Strata(self.labels, self.shares)


def sample_stratified(difficulty: Mapping[str, float], n: int, *, seed: int, strata: int = 5) -> StratifiedSample:
    """Draw n items, from each of some equally large strata of difficulty its share.

    Fewer strata than asked for where one would hold less than `PER_STRATUM` drawn items: more strata save little.

    Args:
        difficulty: item -> any number that orders items by difficulty, such as the share of earlier models that passed.
            Not of the models to be tested: their own luck would come back as difficulty.
        n: items to draw.
        seed: the same seed draws the same items, in whichever order the pool is given.
        strata: number of strata.

    Raises:
        ValueError: n is not between 1 and the size of the pool.
    """
    if not 1 <= n <= len(difficulty):
        raise ValueError(f"expected to draw 1 to {len(difficulty)} items, found {n}")
    chance = Random(seed)
    pool = sorted(difficulty)
    chance.shuffle(pool)  # equal items fall to either side by chance
    pool.sort(key=difficulty.__getitem__)
    parts = _parts(pool, max(1, min(strata, n // PER_STRATUM)))
    taken = _shares_of(n, [len(part) for part in parts])
    drawn = [(item, label) for label, part in enumerate(parts) for item in chance.sample(part, taken[label])]
    chance.shuffle(drawn)
    shares: dict[Hashable, float] = {label: len(part) / len(pool) for label, part in enumerate(parts)}
    sizes = Counter(label for _, label in drawn)
    return StratifiedSample(
        ids=tuple(item for item, _ in drawn),
        labels=tuple(label for _, label in drawn),
        weights=tuple(shares[label] / sizes[label] for _, label in drawn),
        shares=shares,
    )


def _parts(pool: list[str], count: int) -> list[list[str]]:
    """The pool in so many parts, whose sizes differ by one at most."""
    bounds = [round(len(pool) * number / count) for number in range(count + 1)]
    return [pool[low:high] for low, high in pairwise(bounds)]


def _shares_of(n: int, sizes: list[int]) -> list[int]:
    """Split n in proportion to the sizes, the largest remainders rounded up."""
    exact = [n * size / sum(sizes) for size in sizes]
    taken = [int(share) for share in exact]
    by_remainder = sorted(range(len(sizes)), key=lambda part: taken[part] - exact[part])
    for part in by_remainder[: n - sum(taken)]:
        taken[part] += 1
    return taken
