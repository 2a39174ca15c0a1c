"""Reading a run's results: each finished or failed cell once, with its latest verdicts. Needs no lock.

Memory holds one small entry a cell, never an answer: lines are read again from their place when they are asked for.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from openassay.runs import journal
from openassay.runs.books import cell_of, grid_of, read_money
from openassay.runs.budget import replay
from openassay.runs.folder import RunFolder
from openassay.runs.grid import LEFT_OUT, SCORED, TODO, Grid
from openassay.runs.imported import attempts_of
from openassay.runs.reviews import Reviews, overlay, read_reviews
from openassay.schema.attempt import ABOUT_THE_MODEL, Attempt, Outcome, Scoring
from openassay.schema.errors import FaultKind


class Place(NamedTuple):
    path: Path
    offset: int


class CellResult(NamedTuple):
    attempt: Attempt
    scoring: Scoring | None
    """From the last whole pass of scoring; null where the answer is not scored yet."""
    earlier: tuple[Scoring, ...] = ()
    """From earlier passes, oldest first."""
    machine: Scoring | None = None
    """As scripts and judges left it, where people's decisions are in `scoring`; null where it is the same."""


class Totals(NamedTuple):
    planned: int
    finished: int
    scored: int
    spent_micro_usd: int
    outcomes: dict[str, int]
    """Of attempts as made; scorer errors are counted as such."""

    @property
    def complete(self) -> bool:
        return self.planned == self.scored


class Index(NamedTuple):
    """Where the deciding lines of every cell stand."""

    attempts: dict[int, Place]
    """Cell number -> its attempt: the finished one, else the last that failed."""
    scorings: dict[int, list[Place]]
    """Cell number -> its scorings of whole passes, oldest first."""
    totals: Totals


def read_cells(folder: RunFolder) -> Iterator[CellResult]:
    """Every cell that has an attempt, in the order of the plan, people's decisions in force."""
    if folder.plan.imported is not None:
        yield from (CellResult(attempt, scoring) for attempt, scoring in attempts_of(folder))
        return
    found = index(folder)
    reviews = read_reviews(folder)
    for number in sorted(found.attempts):
        yield _with_people(_result(found, number), folder, reviews)


def totals(folder: RunFolder) -> Totals:
    if (elsewhere := folder.plan.imported) is None:
        return index(folder).totals
    planned, number = grid_of(folder).planned, elsewhere.number
    return Totals(planned, number, number, 0, {Outcome.ANSWERED: number})


def answer_text(folder: RunFolder, attempt: Attempt) -> str:
    """The whole answer, from the line or from its object."""
    return attempt.answer if attempt.answer_object is None else folder.objects.get(attempt.answer_object).decode()


def index(folder: RunFolder) -> Index:
    """Go through the journal once."""
    grid = grid_of(folder)
    attempts: dict[int, Place] = {}
    failed: dict[int, Outcome] = {}
    outcomes: dict[str, int] = {}
    for line in journal.read(folder.journal, "attempts"):
        attempt = Attempt.model_validate_json(line.body)
        cell = cell_of(attempt)
        number = grid.index(cell)
        if grid.state(cell) != TODO or attempt.faults[-1:] == (FaultKind.UNANSWERED,):
            continue  # no answer brought yet: earlier versions wrote a line for that
        attempts[number] = Place(line.path, line.offset)
        if attempt.outcome in ABOUT_THE_MODEL:
            grid.mark_finished(cell)
            failed.pop(number, None)
            outcomes[attempt.outcome] = outcomes.get(attempt.outcome, 0) + 1
        else:
            failed[number] = attempt.outcome
    scorings = _scorings(folder, grid, outcomes)
    for outcome in failed.values():
        outcomes[outcome] = outcomes.get(outcome, 0) + 1
    spent = replay(read_money(folder.journal), None).spent
    return Index(attempts, scorings, Totals(grid.planned, grid.finished, grid.scored, spent, outcomes))


def _scorings(folder: RunFolder, grid: Grid, outcomes: dict[str, int]) -> dict[int, list[Place]]:
    """Cell number -> places of its scorings; a cell counts as scored by the latest one."""
    whole = {0, *(one.number for one in folder.passes)}
    places: dict[int, list[Place]] = {}
    broken: set[int] = set()
    for line in journal.read(folder.journal, "verdicts"):
        scoring = Scoring.model_validate_json(line.body)
        cell = cell_of(scoring)
        if scoring.pass_number not in whole or grid.state(cell) in (TODO, LEFT_OUT):
            continue
        number = grid.index(cell)
        places.setdefault(number, []).append(Place(line.path, line.offset))
        if scoring.score.outcome == Outcome.SCORER_ERROR:
            broken.add(number)
        else:
            broken.discard(number)
            if grid.state(cell) != SCORED:
                grid.mark_scored(cell)
    if broken:
        outcomes[Outcome.SCORER_ERROR] = len(broken)
        grid.scored -= sum(grid.state(grid.cell(number)) == SCORED for number in broken)
    return places


def _result(found: Index, number: int) -> CellResult:
    attempt = Attempt.model_validate_json(journal.line_at(*found.attempts[number]))
    scorings = [Scoring.model_validate_json(journal.line_at(*place)) for place in found.scorings.get(number, [])]
    return CellResult(attempt, scorings[-1] if scorings else None, tuple(scorings[:-1]))


def _with_people(cell: CellResult, folder: RunFolder, reviews: Reviews) -> CellResult:
    said = reviews.of(cell_of(cell.attempt))
    if not said or cell.scoring is None:
        return cell
    scoring = overlay(cell.scoring, cell.attempt, folder.tasks[cell.attempt.task], said)
    return cell if scoring is cell.scoring else cell._replace(scoring=scoring, machine=cell.scoring)
