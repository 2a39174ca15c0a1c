"""Every cell of a run as a number, and which are finished: one byte a cell, however long the run.

Order of numbers: attempt, then draw and task, then model, so that an interrupted run has seen all tasks once before any
twice, and all models alike.
"""

from collections.abc import Collection, Iterator

from openassay.schema.errors import RunFolderError
from openassay.schema.plan import Cell, Draw, Plan

TODO, FINISHED, SCORED, LEFT_OUT = 0, 1, 2, 3


class Grid:
    """Cells of one plan and draw, and the state of each."""

    def __init__(self, plan: Plan, draw: Draw, left_out: Collection[tuple[int, str]] = ()) -> None:
        """`left_out`: draw and task of cells that the plan's rule for stopping made needless."""
        self.models = tuple(model.name for model in plan.models)
        self._slots = [(number, task) for number, tasks in enumerate(draw.draws) for task in tasks]
        self._slot_of = {slot: index for index, slot in enumerate(self._slots)}
        self._model_of = {name: index for index, name in enumerate(self.models)}
        self._state = bytearray(plan.attempts * len(self._slots) * len(self.models))
        self._attempts = plan.attempts
        self.finished = 0
        self.scored = 0
        self.left_out = 0
        for slot in left_out:
            self._leave_out(self._slot_of[slot])

    def _leave_out(self, slot: int) -> None:
        for attempt in range(self._attempts):
            start = (attempt * len(self._slots) + slot) * len(self.models)
            self._state[start : start + len(self.models)] = bytes([LEFT_OUT]) * len(self.models)
            self.left_out += len(self.models)

    @property
    def planned(self) -> int:
        return len(self._state) - self.left_out

    @property
    def size(self) -> int:
        """Cells by number, those left out too."""
        return len(self._state)

    def index(self, cell: Cell) -> int:
        """The cell's number; `RunFolderError` where the plan has no such cell."""
        slot = self._slot_of.get((cell.draw, cell.task))
        model = self._model_of.get(cell.model)
        if slot is None or model is None or not 0 <= cell.attempt < self._attempts:
            raise RunFolderError(
                f"the journal holds the cell {cell.key()!r}, and the plan and draw of this run have none such",
                todo="plan.json, draw.json or the journal was changed after it was written: restore it from a backup",
            )
        return (cell.attempt * len(self._slots) + slot) * len(self.models) + model

    def cell(self, index: int) -> Cell:
        rest, model = divmod(index, len(self.models))
        attempt, slot = divmod(rest, len(self._slots))
        draw, task = self._slots[slot]
        return Cell(self.models[model], task, draw, attempt)

    def state(self, cell: Cell) -> int:
        return self._state[self.index(cell)]

    def mark_finished(self, cell: Cell) -> None:
        index = self.index(cell)
        if self._state[index] == TODO:
            self._state[index] = FINISHED
            self.finished += 1

    def mark_scored(self, cell: Cell) -> None:
        index = self.index(cell)
        if self._state[index] == FINISHED:
            self._state[index] = SCORED
            self.scored += 1

    def todo(self, model: str) -> Iterator[Cell]:
        """Cells of a model that are not finished, in order, looked at only when asked for."""
        step = len(self.models)
        for index in range(self._model_of[model], len(self._state), step):
            if self._state[index] == TODO:
                yield self.cell(index)

    @property
    def planned_per_model(self) -> int:
        return self.planned // len(self.models)

    def finished_for(self, model: str) -> int:
        column = self._state[self._model_of[model] :: len(self.models)]
        return len(column) - column.count(TODO) - column.count(LEFT_OUT)
