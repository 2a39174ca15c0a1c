"""What one process writes of a run: its segments, the budget, and the state of every cell.

`open_books` reads what earlier processes left, repairs torn lines and opens fresh segments. Only for the lock's holder.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from pydantic import TypeAdapter

from openassay.runs import journal
from openassay.runs.budget import Budget, Reserved, Settled, replay
from openassay.runs.folder import RunFolder
from openassay.runs.grid import FINISHED, LEFT_OUT, Grid
from openassay.runs.imported import refuse_imported
from openassay.runs.settling import Settling, dropped_slots
from openassay.schema.attempt import ABOUT_THE_MODEL, Attempt, JudgeReply, Outcome, Reservation, Scoring, Settlement
from openassay.schema.plan import Cell, Draw, StopRule
from openassay.schema.review import Review


class Books:
    """One process's part of the journal."""

    def __init__(self, folder: RunFolder, grid: Grid, budget: Budget, repaired: list[str]) -> None:
        number = journal.next_number(folder.journal)
        self.grid = grid
        self.budget = budget
        self.scored: Callable[[Scoring], None] = lambda _: None
        """Told of every answer that is scored."""
        self.repaired = repaired
        self._number = number
        self.attempts_path = journal.segment(folder.journal, "attempts", number)
        self._calls, self._attempts, self._verdicts, self._replies = self._open = tuple(
            journal.Writer(journal.segment(folder.journal, kind, number))
            for kind in ("calls", "attempts", "verdicts", "replies")
        )

    def next_call(self) -> str:
        """A name for the next call, unique in the run folder."""
        return f"{self._number}-{self.budget.calls + 1}"

    def reserve(self, reservation: Reservation) -> None:
        """Journal what a call may cost, before it is sent."""
        self._calls.append(journal.sealed(reservation))
        self.budget.reserve(Reserved.of(reservation))

    def settle(self, settlement: Settlement) -> None:
        self._calls.append(journal.sealed(settlement))
        self.budget.settle(Settled.of(settlement))

    def finish(self, attempt: Attempt) -> None:
        """Journal an attempt; its cell is finished where the outcome says something about the model."""
        self._attempts.append(journal.sealed(attempt))
        if attempt.outcome in ABOUT_THE_MODEL:
            self.grid.mark_finished(cell_of(attempt))

    def judge(self, scoring: Scoring) -> None:
        """Journal the verdicts on one attempt."""
        self._verdicts.append(journal.sealed(scoring))
        if scoring.score.outcome != Outcome.SCORER_ERROR:
            self.grid.mark_scored(cell_of(scoring))
            self.scored(scoring)

    def hear(self, reply: JudgeReply) -> None:
        """Journal where a judge's reply is kept, so that the same question is never paid for twice."""
        self._replies.append(journal.sealed(reply))

    def sync(self) -> None:
        for writer in self._open:
            writer.sync()

    def close(self) -> None:
        for writer in self._open:
            writer.close()


def open_books(folder: RunFolder, cap: int | None) -> Books:
    """Repair, replay, and open this process's segments."""
    refuse_imported(folder, "resume", "nobody here can ask its models")
    repaired = journal.repair(folder.journal)
    whole = {0, *(one.number for one in folder.passes)}
    return Books(folder, read_grid(folder, whole), replay(read_money(folder.journal), cap), repaired)


def read_budget(folder: RunFolder) -> Budget:
    """The plan's cap and what is spent of it."""
    return replay(read_money(folder.journal), folder.plan.budget)


def grid_of(folder: RunFolder) -> Grid:
    """Every cell of the plan that is needed, none finished yet."""
    return Grid(folder.plan, folder.draw, dropped_slots(folder.draw, folder.tasks, folder.stopped))


def kept_draw(folder: RunFolder) -> Draw:
    """The draw without what was left out because it was not needed any more."""
    out = dropped_slots(folder.draw, folder.tasks, folder.stopped)
    draws = tuple(
        tuple(name for name in ids if (number, name) not in out) for number, ids in enumerate(folder.draw.draws)
    )
    return folder.draw.model_copy(update={"draws": draws}) if out else folder.draw


def watched(folder: RunFolder, books: Books) -> Settling:
    """The rule for stopping early, with all that earlier processes scored; told of what is scored from now on."""
    settling = Settling(folder, folder.plan.stop or StopRule())
    for attempt in read_attempts(folder.journal):
        settling.begun(attempt.model, cell_of(attempt))
    for line in journal.read(folder.journal, "verdicts"):
        settling.note(Scoring.model_validate_json(line.body))
    books.scored = settling.note
    return settling


def read_grid(folder: RunFolder, passes: set[int]) -> Grid:
    """Which cells are finished, and which are scored by one of these passes, from the journal alone."""
    grid = grid_of(folder)
    for line in journal.read(folder.journal, "attempts"):
        cell, outcome = _cell_and_outcome(line.body)
        if outcome in ABOUT_THE_MODEL:
            grid.mark_finished(cell)
    # A line of another pass need not be parsed; text inside a string has its quotes escaped and cannot look like this.
    marks = [b'"pass_number":%d,' % number for number in passes]
    for line in journal.read(folder.journal, "verdicts"):
        if not any(mark in line.body for mark in marks):
            continue
        scoring = Scoring.model_validate_json(line.body)
        if scoring.pass_number in passes and scoring.score.outcome != Outcome.SCORER_ERROR:
            grid.mark_scored(cell_of(scoring))
    return grid


_HEAD = re.compile(rb'{"model":"([\w.-]+)","task":"([\w.-]+)","draw":(\d+),"attempt":(\d+),"outcome":"(\w+)"')


def _cell_and_outcome(body: bytes) -> tuple[Cell, Outcome]:
    """The beginning of an attempt line, ten times faster than the whole record where it is written as usual."""
    head = _HEAD.match(body)
    if head is None:
        attempt = Attempt.model_validate_json(body)
        return cell_of(attempt), attempt.outcome
    model, task, draw, number, outcome = head.groups()
    return Cell(model.decode(), task.decode(), int(draw), int(number)), Outcome(outcome.decode())


def finished_before(folder: RunFolder, books: Books) -> Iterator[Attempt]:
    """Attempts that earlier processes finished, of tasks that still lack verdicts somewhere; group members all.

    Reads only segments older than this process's own.
    """
    if books.grid.scored == books.grid.finished:
        return
    grouped = {task.id for task in folder.tasks.values() if task.group}
    for path in journal.segments(folder.journal, "attempts"):
        if path == books.attempts_path:
            continue
        for line in journal.read_segment(path):
            attempt = Attempt.model_validate_json(line.body)
            state = books.grid.state(cell_of(attempt))
            lacking = state == FINISHED
            if state != LEFT_OUT and attempt.outcome in ABOUT_THE_MODEL and (lacking or attempt.task in grouped):
                yield attempt


def read_attempts(folder: Path) -> Iterator[Attempt]:
    """Every attempt line, oldest first; a cell may stand twice where an earlier try met an infrastructure error."""
    for line in journal.read(folder, "attempts"):
        yield Attempt.model_validate_json(line.body)


_CALL: TypeAdapter[Reservation | Settlement] = TypeAdapter(Reservation | Settlement)
_RESERVED = re.compile(
    rb'{"kind":"reserve","call":"([\w-]+)","model":"([\w.-]+)","purpose":"\w+","cell":"[\w./-]*","upper":(\d+)'
    rb'(?:,"plain":(\d+))?,'
)
_SETTLED = re.compile(rb'{"kind":"settle","call":"([\w-]+)","cost":(\d+)')


def read_money(folder: Path) -> Iterator[Reserved | Settled]:
    """What every call reserved and cost, oldest first; reads only the beginning of lines that are written as usual."""
    for line in journal.read(folder, "calls"):
        if head := _RESERVED.match(line.body):
            call, model, upper, plain = head.groups()
            yield Reserved(call.decode(), model.decode(), int(upper), int(plain or 0))
        elif head := _SETTLED.match(line.body):
            yield Settled(head[1].decode(), int(head[2]))
        else:
            found = _CALL.validate_json(line.body)
            yield Reserved.of(found) if isinstance(found, Reservation) else Settled.of(found)


def cell_of(record: Attempt | Scoring | Review) -> Cell:
    return Cell(record.model, record.task, record.draw, record.attempt)
