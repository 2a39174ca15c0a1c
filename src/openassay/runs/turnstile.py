"""Lets one worker through in each round of the event loop, so that replies that came together do not stay together.

Without it, replies that are ready in one round are all scored before any of the next requests is written, and those
requests are then written, and answered, together again: a burst never spreads out, and every endpoint idles while the
burst is worked on. Measured at 256 connections and 200 ms in `bench/`.
Not here: how many calls may be in flight (`lanes`).
"""

import asyncio
from collections import deque


class Turnstile:
    """Shared by all workers of one loop."""

    def __init__(self) -> None:
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._turning = False

    async def turn(self) -> None:
        """Go on at once where nobody else did in this round, else in order of arrival."""
        loop = asyncio.get_running_loop()
        if not self._turning:
            self._turning = True
            loop.call_soon(self._next)
            return
        place = loop.create_future()
        self._waiting.append(place)
        await place

    def _next(self) -> None:
        while self._waiting:
            place = self._waiting.popleft()
            if not place.done():  # a cancelled worker does not use up the round
                place.set_result(None)
                asyncio.get_running_loop().call_soon(self._next)
                return
        self._turning = False
