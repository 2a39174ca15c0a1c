"""Reads what a hostile command writes, up to its caps, until it ends or must be ended.

The bytes are data: nothing here looks into them.
"""

import os
import selectors
import time
from collections.abc import Callable
from typing import Literal, NamedTuple

Limit = Literal["wall", "memory", "output", "result"]
Pipe = Literal["output", "result"]

CHUNK = 65536
WATCH_SECONDS = 0.1
DRAIN_SECONDS = 2.0
"""Longest wait for the rest in the pipes once every writer is dead."""


class Reader:
    """Two pipes, each with a cap.

    Args:
        pipes: name -> file descriptor to read and the bytes that are kept.
    """

    def __init__(self, pipes: dict[Pipe, tuple[int, int]]) -> None:
        self.kept: dict[Pipe, bytearray] = {name: bytearray() for name in pipes}
        self.full: Limit | None = None
        self._caps = {name: cap for name, (_, cap) in pipes.items()}
        self._selector = selectors.DefaultSelector()
        for name, (descriptor, _) in pipes.items():
            self._selector.register(descriptor, selectors.EVENT_READ, name)

    def until_end(self, process: int, wall: float, over: Callable[[], bool] | None = None) -> Limit | None:
        """Read until a process ends, and say which limit it met before.

        Args:
            process: its pidfd.
            wall: seconds from now.
            over: asked every now and then whether it takes more of the kernel's memory than is right.
        """
        self._selector.register(process, selectors.EVENT_READ, None)
        deadline = time.monotonic() + wall
        try:
            while self.full is None:
                left = deadline - time.monotonic()
                if left <= 0:
                    return "wall"
                if over is not None and over():
                    return "memory"
                if self._step(left if over is None else min(left, WATCH_SECONDS)):
                    return None
            return self.full
        finally:
            self._selector.unregister(process)

    def drain(self) -> Limit | None:
        """Read what is left once all writers are dead; the cap may be met only now."""
        deadline = time.monotonic() + DRAIN_SECONDS
        while self.full is None and self._selector.get_map() and time.monotonic() < deadline:
            self._step(DRAIN_SECONDS)
        return self.full

    def close(self) -> None:
        self._selector.close()

    def _step(self, seconds: float) -> bool:
        """Read what is ready; true where the process has ended."""
        ended = False
        for key, _ in self._selector.select(seconds):
            if key.data is None:
                ended = True
            else:
                self._take(key.fd, key.data)
        return ended

    def _take(self, descriptor: int, name: Pipe) -> None:
        chunk = os.read(descriptor, CHUNK)
        if not chunk:
            self._selector.unregister(descriptor)
            return
        kept = self.kept[name]
        room = self._caps[name] - len(kept)
        kept += chunk[:room]
        if len(chunk) > room:
            self.full = name


class Caught(NamedTuple):
    """What a command left in its pipes, and the limit it met, if any."""

    limit: Limit | None
    output: bytes
    result: bytes


def caught(reader: Reader, limit: Limit | None) -> Caught:
    return Caught(limit or reader.drain(), bytes(reader.kept["output"]), bytes(reader.kept["result"]))
