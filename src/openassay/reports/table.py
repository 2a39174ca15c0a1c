"""One category as the arrays that `stats` takes: models by items, means over attempts.

Only models whose planned attempts are all scored have a row: what is missing is rarely missing by chance. Not here:
what the arrays say (`pairs`, `item_facts`).
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from openassay.reports.comparing_contract import Measure
from openassay.reports.results import Column
from openassay.schema.record import MILLION
from openassay.schema.task import Task

Floats = NDArray[np.float64]
Unit = tuple[bool, str]
"""What an item shares with others: its group, or itself; the flag keeps names of groups and of tasks apart."""

SAME = 1e-6
"""Scores this near are the same: they are kept in millionths."""


class Table(NamedTuple):
    """Results of whole models in one category of one run."""

    run: str
    category: str
    track: str
    models: tuple[str, ...]
    tasks: tuple[Task, ...]
    tried: Floats
    """Attempts at each item, the same for every model."""
    passed: Floats
    """Models x items, 0..1; NaN where no hard check decides."""
    scored: Floats
    """Models x items, 0..1; NaN where no check was measured."""


class Measured(NamedTuple):
    """One measure of a table, over the items that have it."""

    measure: Measure
    table: Table
    tasks: tuple[Task, ...]
    tried: Floats
    means: Floats
    """Models x items; for scores NaN where one model has none."""

    @property
    def units(self) -> list[Unit]:
        return units(self.tasks)


def units(tasks: Sequence[Task]) -> list[Unit]:
    return [(True, task.group) if task.group else (False, task.id) for task in tasks]


def table_of(columns: Sequence[Column]) -> Table:
    """The columns of one category of one run, incomplete ones left out."""
    first = columns[0]
    whole = [column for column in columns if column.group.scored == column.planned]
    shape = (len(whole), len(first.tasks))
    passed, scored = np.full(shape, np.nan), np.full(shape, np.nan)
    hard = np.array(first.drawn.hard, dtype=np.bool_)
    for row, column in enumerate(whole):
        passed[row, hard] = [item.passed / item.scored for item in column.hard_items]
        scored[row] = [item.score / item.rated / MILLION if item.rated else np.nan for item in column.items]
    return Table(
        first.facts.id,
        first.category.id,
        first.category.track,
        tuple(column.model for column in whole),
        first.tasks,
        np.array(first.drawn.times, dtype=np.float64),
        passed,
        scored,
    )


def measures(table: Table) -> Iterator[Measured]:
    """The pass rate where hard checks decide anything; the score where it says something else."""
    if not table.models:
        return
    hard = np.asarray(~np.isnan(table.passed).any(axis=0))
    if hard.any():
        yield _measured("pass rate", table, hard, table.passed)
    rated = np.asarray(~np.isnan(table.scored).all(axis=0))
    if rated.any() and not (np.array_equal(hard, rated) and _same(table.passed[:, hard], table.scored[:, hard])):
        yield _measured("score", table, rated, table.scored)


def _same(passed: Floats, scored: Floats) -> bool:
    return bool(np.allclose(passed, scored, atol=SAME, rtol=0, equal_nan=True))


def _measured(measure: Measure, table: Table, kept: NDArray[np.bool_], values: Floats) -> Measured:
    tasks = tuple(task for task, here in zip(table.tasks, kept, strict=True) if here)
    return Measured(measure, table, tasks, table.tried[kept], values[:, kept])
