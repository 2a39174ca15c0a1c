"""How one process's part of a run, or of a second scoring, ended: counts, what happened, and what to do about it.

Not here: the exit code and the lines around it (`cli`).
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from openassay.runs.calls import RunStop
from openassay.runs.grid import Grid

State = Literal["complete", "incomplete", "interrupted", "budget", "stopped", "dead_endpoint"]


class RunEnd(NamedTuple):
    """How one process's part of a run ended."""

    state: State
    """`complete`: every cell finished and scored. Anything else can be resumed."""
    planned: int
    finished: int
    scored: int
    spent: int
    """Micro-dollars, over all processes."""
    message: str
    """What happened, in words; empty for `complete`."""
    todo: str
    repaired: tuple[str, ...] = ()
    """Torn lines that were cut off at the start."""


def end_of_run(grid: Grid, reason: RunStop | None, *, waiting: int, spent: int, repaired: Sequence[str]) -> RunEnd:
    """The end of a run.

    Args:
        grid: as it stands.
        reason: what stopped the run early; None where nothing did.
        waiting: prompts that a person has not answered yet.
        spent: micro-dollars.
        repaired: torn lines that were cut off.
    """
    failed = grid.planned - grid.finished - waiting
    state, message, todo = _ending(reason, failed, waiting, grid.finished - grid.scored)
    return RunEnd(state, grid.planned, grid.finished, grid.scored, spent, message, todo, tuple(repaired))


def _ending(reason: RunStop | None, failed: int, waiting: int, unjudged: int) -> tuple[State, str, str]:
    if reason is not None:
        return reason.state, reason.message, reason.todo
    if failed:
        more = f"; {waiting} more wait for your answers" if waiting else ""
        lost = f"{failed} attempts failed at the endpoint, none of them counted"
        return "incomplete", lost + more, "resume to try them again"
    if waiting:
        wait = "1 prompt waits for your answer" if waiting == 1 else f"{waiting} prompts wait for your answers"
        return "incomplete", wait, "resume and paste them, or bring them in a table with --answers FILE"
    if unjudged:
        again = "resume to score them again; no model is asked again"
        return "incomplete", f"{unjudged} answers could not be scored", again
    return "complete", "", ""


def end_of_scoring(grid: Grid, reason: RunStop | None, *, spent: int) -> RunEnd:
    """The end of a pass over stored answers."""
    state, message, todo = _scoring_ending(grid, reason)
    return RunEnd(state, grid.planned, grid.finished, grid.scored, spent, message, todo)


def _scoring_ending(grid: Grid, reason: RunStop | None) -> tuple[State, str, str]:
    if reason is not None:
        return reason.state, reason.message, "run the same `openassay score` again to go on"
    if unscored := grid.finished - grid.scored:
        again = "run the same `openassay score` again; no model is asked again"
        return "incomplete", f"{unscored} answers could not be scored", again
    if unfinished := grid.planned - grid.finished:
        return "incomplete", f"{unfinished} of {grid.planned} attempts are not finished", "resume the run"
    return "complete", "", ""
