"""A hard cap on money: what a call may cost at most is reserved before it is sent, and settled after.

What was reserved and never settled (the process was killed) counts as spent at its upper bound, for ever: the endpoint
may have charged it. Where a reply reports more than its bound, later bounds of that model grow by the same factor.
Pure arithmetic over the lines of `calls`; all amounts in micro-dollars.
"""

from collections.abc import Iterable
from typing import NamedTuple, Self

from openassay.schema.attempt import Reservation, Settlement


class Reserved(NamedTuple):
    """The money of a `Reservation`."""

    call: str
    model: str
    upper: int
    plain: int

    @classmethod
    def of(cls, line: Reservation) -> Self:
        return cls(line.call, line.model, line.upper, line.plain)


class Settled(NamedTuple):
    """The money of a `Settlement`."""

    call: str
    cost: int

    @classmethod
    def of(cls, line: Settlement) -> Self:
        return cls(line.call, line.cost)


class Budget:
    """What is spent, what is reserved, and whether one more call fits."""

    def __init__(self, cap: int | None) -> None:
        self.cap = cap
        self.settled = 0
        self.reserved = 0
        self.calls = 0
        self._open: dict[str, Reserved] = {}
        self._factor: dict[str, float] = {}

    @property
    def spent(self) -> int:
        """Settled cost plus everything reserved by calls in flight."""
        return self.settled + self.reserved

    def bound(self, model: str, upper: int) -> int:
        """The upper bound to reserve for a call that should cost at most `upper`."""
        return -(-upper * round(self._factor.get(model, 1.0) * 1024) // 1024)

    def fits(self, upper: int) -> bool:
        return self.cap is None or self.spent + upper <= self.cap

    def reserve(self, reservation: Reserved) -> None:
        self.calls += 1
        self._open[reservation.call] = reservation
        self.reserved += reservation.upper

    def settle(self, settlement: Settled) -> None:
        """Replace a reservation by what the call cost; ignored where it was settled already."""
        reservation = self._open.pop(settlement.call, None)
        if reservation is None:
            return
        self.reserved -= reservation.upper
        self.settled += settlement.cost
        plain = reservation.plain or reservation.upper
        if plain > 0:
            seen = settlement.cost / plain
            self._factor[reservation.model] = max(self._factor.get(reservation.model, 1.0), seen)

    def write_off(self) -> None:
        """Count everything reserved as spent: the process that would have settled it is gone."""
        self.settled += self.reserved
        self.reserved = 0
        self._open.clear()


def replay(lines: Iterable[Reserved | Settled], cap: int | None) -> Budget:
    """The budget as dead processes leave it."""
    budget = Budget(cap)
    for line in lines:
        if isinstance(line, Reserved):
            budget.reserve(line)
        else:
            budget.settle(line)
    budget.write_off()
    return budget
