"""What a person sees while a run works: how far, how fast, how dear, what fails, what is waited for.

On a terminal the lines are redrawn; elsewhere one line is written at least every ten seconds, also while nothing
happens, so that nobody wonders whether the program hangs. Not here: the run (`runs.engine` calls `on`).
"""

import asyncio
import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from types import TracebackType
from typing import TYPE_CHECKING, Self

from openassay.cli import console

if TYPE_CHECKING:
    from rich.live import Live

    from openassay.runs.observer import Progress

SILENCE_S = 8.0
"""A plain line after so long, well under the ten seconds promised."""
FRAMES_S = 0.25


def lines(progress: "Progress", *, priced: bool = True) -> list[str]:
    """The display as plain text: progress and money, then outcomes and faults, then what is waited for."""
    rows = [" · ".join(part for part in _headline(progress, priced=priced) if part)]
    counts = [_counts("", progress.outcomes), _counts("failed calls: ", progress.faults)]
    if any(counts):
        rows.append("  " + " · ".join(part for part in counts if part))
    if waiting := progress.waiting():
        rows.append(f"  waiting for {waiting}")
    return [console.safe(row).replace("\n", " ") for row in rows]


def _headline(progress: "Progress", *, priced: bool) -> list[str]:
    per_second, left = progress.rate(), progress.seconds_left()
    cap = f" of {dollars(progress.cap)}" if progress.cap is not None else ""
    return [
        f"{progress.finished}/{progress.planned} {progress.counted}",
        f"{per_second:.1f}/s" if per_second >= 1 else f"{per_second * 60:.1f}/min",
        f"about {duration(left)} left" if left and not progress.waiting() else "",  # nobody knows while all wait
        f"{dollars(progress.spent)}{cap}" if priced or progress.spent else "price unknown",
        f"{progress.in_flight} in flight" if progress.in_flight else "",
    ]


def _counts(head: str, counts: Mapping[str, int]) -> str:
    return head + ", ".join(f"{name} {n}" for name, n in counts.items() if n) if any(counts.values()) else ""


def dollars(micro_usd: int) -> str:
    """Money for people: cents where they suffice, more digits for less.

    >>> dollars(1_234_567), dollars(1_200), dollars(0)
    ('$1.23', '$0.0012', '$0')
    """
    value = micro_usd / 1_000_000
    if not micro_usd:
        return "$0"
    return f"${value:,.2f}" if value >= 1 else f"${value:.6f}".rstrip("0")


def duration(seconds: float) -> str:
    """Time for people, in the largest two units.

    >>> duration(42), duration(200), duration(7300)
    ('42 s', '3 min 20 s', '2 h 1 min')
    """
    whole = round(seconds)
    if whole < 60:  # noqa: PLR2004
        return f"{whole} s"
    if whole < 3600:  # noqa: PLR2004
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


class Display(AbstractContextManager["Display"]):
    """An observer of a run that shows it; `quiet` shows nothing.

    Args:
        clock: seconds that only grow.
        quiet: show nothing.
        priced: whether what is spent is known.
        lively: redraw lines; by default where stderr is a terminal.
    """

    def __init__(
        self, clock: Callable[[], float], *, quiet: bool = False, priced: bool = True, lively: bool | None = None
    ) -> None:
        self._clock = clock
        self._priced = priced
        self._quiet = quiet
        self._lively = console.lively(sys.stderr) if lively is None else lively
        self._latest: Progress | None = None
        self.waiting = ""
        """What is waited for before the run begins."""
        self._said_at = clock()
        self._live: Live | None = None

    def __enter__(self) -> Self:
        if self._lively and not self._quiet:
            self._live = _live()
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give the terminal back."""
        if self._live is not None:
            self._live.stop()
            self._live = None

    def on(self, progress: "Progress") -> None:
        self._latest = progress

    async def keep_talking(self) -> None:
        """Redraw, or say a line, until cancelled; runs beside the engine."""
        while not self._quiet:
            await asyncio.sleep(FRAMES_S)
            self._draw()

    def _draw(self) -> None:
        if self._live is not None:
            from rich.text import Text

            self._live.update(Text("\n".join(self._lines())), refresh=True)  # Text, not markup: nothing is interpreted
        elif self._clock() - self._said_at >= SILENCE_S:
            self._said_at = self._clock()
            console.say("  ".join(self._lines()))

    def _lines(self) -> list[str]:
        if self._latest is None:
            return [f"waiting for {self.waiting}" if self.waiting else "starting"]
        return lines(self._latest, priced=self._priced)


def _live() -> "Live":
    from rich.console import Console
    from rich.live import Live

    return Live(console=Console(stderr=True, highlight=False), auto_refresh=False, transient=True)
