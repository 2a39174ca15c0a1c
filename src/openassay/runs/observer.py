"""How a run tells what it is doing: one `Progress` about twice a second, to whoever watches."""

from typing import NamedTuple, Protocol


class ModelProgress(NamedTuple):
    """One model's share of a run."""

    planned: int
    finished: int
    in_flight: int
    waiting: str
    """What is waited for, how often it was tried, until when; empty while calls go through."""


class Progress(NamedTuple):
    """A snapshot of a run; cumulative over resumes except where said."""

    planned: int
    finished: int
    """Attempts finished, in this process and before."""
    scored: int
    finished_now: int
    """Attempts finished by this process, for the rate."""
    seconds: float
    """Since this process began."""
    in_flight: int
    spent: int
    """Micro-dollars; calls in flight at their upper bound."""
    cap: int | None
    """Micro-dollars."""
    outcomes: dict[str, int]
    """Of this process."""
    faults: dict[str, int]
    """Failed tries of this process, by kind."""
    models: dict[str, ModelProgress]
    counted: str = "attempts"
    """What is planned and finished."""

    def rate(self) -> float:
        """Attempts a second in this process."""
        return self.finished_now / self.seconds if self.seconds > 0 else 0.0

    def seconds_left(self) -> float | None:
        """Estimate; None while nothing has finished."""
        rate = self.rate()
        return (self.planned - self.finished) / rate if rate > 0 else None

    def waiting(self) -> str:
        """What is waited for, by any model."""
        return "; ".join(f"{name}: {one.waiting}" for name, one in self.models.items() if one.waiting)


class Observer(Protocol):
    def on(self, progress: Progress) -> None:
        """Called from the event loop: must return at once."""
        ...


class Silent:
    """An observer that shows nothing."""

    def on(self, progress: Progress) -> None:
        """Ignore it."""
