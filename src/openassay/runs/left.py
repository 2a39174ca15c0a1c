"""Who still has something to do in a run, so that nobody is connected or asked for nothing."""

from typing import NamedTuple

from openassay.runs.books import read_grid
from openassay.runs.folder import RunFolder
from openassay.runs.grid import LEFT_OUT, SCORED
from openassay.schema.models import PlannedModel


class Left(NamedTuple):
    models: tuple[PlannedModel, ...]
    """Those with attempts that are not finished."""
    judges: tuple[PlannedModel, ...]
    """All, where an answer that a judge is asked about is not scored; else none."""


def left_to_do(folder: RunFolder) -> Left:
    """Read from the journal alone; needs no lock."""
    grid = read_grid(folder, {0, *(one.number for one in folder.passes)})
    judged = {task.id for task in folder.tasks.values() if any(check.by == "judge" for check in task.checks)}
    cells = (grid.cell(number) for number in range(grid.size)) if folder.plan.judges and judged else ()
    unjudged = any(cell.task in judged and grid.state(cell) not in (SCORED, LEFT_OUT) for cell in cells)
    return Left(
        models=tuple(one for one in folder.plan.models if grid.finished_for(one.name) < grid.planned_per_model),
        judges=folder.plan.judges if unjudged else (),
    )
