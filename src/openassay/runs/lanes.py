"""One lane an endpoint: how many calls may be in flight, when the next may start, and when it is dead.

Additive increase, multiplicative decrease: each good reply widens the lane a little, a fault that says *too much*
halves it. A lane that has failed and not yet answered again lets one call through at a time and waits longer after
each. The clock arrives as an argument, so that tests need none.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress

from openassay.schema.errors import EndpointError, FaultKind
from openassay.schema.plan import RetryRule

TOO_MUCH = frozenset({FaultKind.RATE_LIMITED, FaultKind.OVERLOADED})


class Lane:
    """Shared by all models behind one address."""

    def __init__(self, width: int, rule: RetryRule, clock: Callable[[], float], jitter: Callable[[], float]) -> None:
        self.in_flight = 0
        self.last_fault: EndpointError | None = None
        self.widest = width
        self._width = float(width)
        self._rule = rule
        self._clock = clock
        self._jitter = jitter
        self._not_before = 0.0
        self._failing_since: float | None = None
        self._failures = 0
        self._asked_wait = 0.0
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def enter(self) -> None:
        """Wait for a free place; `leave` gives it back."""
        while True:
            pause = self._not_before - self._clock()
            if pause <= 0 and self.in_flight < max(1, int(self._width)):
                self.in_flight += 1
                return
            await self._turn(pause)

    async def _turn(self, pause: float) -> None:
        """Sleep until the pause is over or a place may be free."""
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            with suppress(TimeoutError):
                await asyncio.wait_for(turn, pause if pause > 0 else None)
        finally:
            with suppress(ValueError):
                self._waiting.remove(turn)

    def leave(self) -> None:
        self.in_flight -= 1
        self._wake()

    def good(self) -> None:
        """A reply came."""
        self._failing_since = None
        self._failures = 0
        self.last_fault = None
        if self._width < self.widest:
            self._width = min(self.widest, self._width + 1 / max(1.0, self._width))
            self._wake()

    def bad(self, fault: EndpointError) -> None:
        """A call failed in a way that is tried again."""
        now = self._clock()
        self.last_fault = fault
        self._failures += 1
        if self._failing_since is None:
            self._failing_since = now
        self._width = max(1.0, self._width / 2)
        self._not_before = max(self._not_before, now + self._pause(fault))

    def _pause(self, fault: EndpointError) -> float:
        if fault.retry_after is not None:
            self._asked_wait = min(fault.retry_after, 4 * self._rule.longest_wait_ms / 1000)
            return self._asked_wait
        self._asked_wait = 0.0
        doubled: float = self._rule.first_wait_ms * (1 << min(self._failures - 1, 16)) / 1000
        left = self._rule.dead_after_s - self.failing_seconds()  # no pause goes past the moment of giving up
        return min(doubled * (0.5 + 0.5 * self._jitter()), self._rule.longest_wait_ms / 1000, max(left, 0.05))

    def dead(self) -> bool:
        """Nothing but failures for longer than the rule allows, on top of any wait that the server asked for."""
        if self._failing_since is None:
            return False
        return self.failing_seconds() >= self._rule.dead_after_s + self._asked_wait

    def failing_seconds(self) -> float:
        """Since the first failure after the last good reply; 0 where the last reply was good."""
        return 0.0 if self._failing_since is None else self._clock() - self._failing_since

    def waits_too_long(self) -> bool:
        """The server asks for a longer wait than the rule allows inside one run."""
        fault = self.last_fault
        longest = 4 * self._rule.longest_wait_ms / 1000
        return fault is not None and fault.retry_after is not None and fault.retry_after > longest

    def waiting(self) -> str:
        """What is waited for, in words; empty while calls go through."""
        if self.last_fault is None:
            return ""
        left = max(0.0, self._not_before - self._clock())
        return f"{self.last_fault.kind.value}, {self._failures} in a row, next try in {left:.0f} s"

    def _wake(self) -> None:
        free = max(1, int(self._width)) - self.in_flight
        while free > 0 and self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                free -= 1
