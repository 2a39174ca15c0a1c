"""Yes and no by the thousand, in little memory, and the rates they come to.

Each stands with its source (a group's name, or a task), because what shares a source is not independent. Not here:
what is counted (`hearing`).
"""

from array import array
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

from openassay.reports.judging_contract import Beyond, Compared, Rate
from openassay.stats import Coefficient, Estimate, agreement, paired_diff, score_ci

WORDS = ("fail", "pass")


@dataclass(slots=True)
class Shares:
    """Yes or no, a byte and a number each."""

    hits: bytearray = field(default_factory=bytearray)
    units: "array[int]" = field(default_factory=lambda: array("L"))

    def add(self, hit: bool, unit: int) -> None:  # noqa: FBT001  # what is counted, not how
        self.hits.append(hit)
        self.units.append(unit)

    def rate(self) -> Rate | None:
        """None where nothing was counted."""
        return rate_of(self.hits, self.units)


@dataclass(slots=True)
class Twice:
    """Two verdicts on each of the same checks, 1 for a pass."""

    judged: int = 0
    """Checks with a verdict of the first."""
    first: bytearray = field(default_factory=bytearray)
    second: bytearray = field(default_factory=bytearray)
    units: "array[int]" = field(default_factory=lambda: array("L"))

    def add(self, first: bool, second: bool, unit: int) -> None:  # noqa: FBT001  # what is counted, not how
        self.first.append(first)
        self.second.append(second)
        self.units.append(unit)

    def compared(self, candidates: str) -> Compared | None:
        """None where no check has both."""
        first, passed = rate_of(self.first, self.units), rate_of(self.second, self.units)
        same = rate_of([a == b for a, b in zip(self.first, self.second, strict=True)], self.units)
        if first is None or passed is None or same is None:
            return None
        kappa = agreement(self.first, self.second, labels=(0, 1), clusters=self.units).kappa
        gap = paired_diff(list(self.first), list(self.second), clusters=self.units)
        return Compared(
            candidates=candidates,
            judged=self.judged,
            n=same.n,
            agreement=same,
            kappa=beyond(kappa),
            first_passed=first,
            second_passed=passed,
            first_only=gap.wins,
            second_only=gap.losses,
            difference=gap.diff,
            difference_interval=(gap.lo, gap.hi),
        )


def rate_of(hits: Sequence[int] | bytearray, units: Sequence[Hashable]) -> Rate | None:
    """The rate of some hits; None where there are none to count."""
    if not hits:
        return None
    found = score_ci([float(hit) for hit in hits], clusters=units)
    return rate(found)


def rate(found: Estimate | None) -> Rate | None:
    """An estimate as it stands in the report."""
    if found is None:
        return None
    return Rate(
        hits=round(found.value * found.n_items),
        n=found.n_items,
        n_units=found.n_units,
        share=found.value,
        interval=(found.lo, found.hi),
    )


def beyond(found: Coefficient | None) -> Beyond | None:
    """A coefficient as it stands in the report."""
    return None if found is None else Beyond(value=found.value, interval=(found.lo, found.hi), n=found.n_items)
