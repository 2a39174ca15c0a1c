"""Stopping a category early once every pair of models in it is settled, by a rule that was declared before the run.

Evidence is an e-value over the items in the random order of the draw, first attempts only, groups as one item; it stays
valid however often one looks (`stats.sequential`). What was settled is written to `stopped.json` before a cell is left
out, so that a resumed run leaves out the same ones. Not here: what a report says of a run that was stopped early.
"""

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations, product
from typing import NamedTuple

from openassay.runs.folder import RunFolder
from openassay.schema.attempt import Scoring
from openassay.schema.plan import Cell, Draw, Settled, SettledPair, StopRule
from openassay.schema.record import MILLION
from openassay.schema.task import Task

LEAST_AHEAD = 8
"""Items that a model may be ahead of the slowest; more where more calls are in flight."""
Slot = tuple[int, str]
"""Draw and task."""


class Unit(NamedTuple):
    """What counts as one item: a task, or the tasks of a group together; the first time it is drawn."""

    slots: tuple[Slot, ...]


def units_of(draw: Draw, tasks: Mapping[str, Task], category: str) -> tuple[Unit, ...]:
    """The units of a category in the order of the draw, none twice."""
    found: dict[str, dict[str, Slot]] = {}
    for number, name in ((number, name) for number, ids in enumerate(draw.draws) for name in ids):
        task = tasks[name]
        if task.category == category:
            unit = found.setdefault(f"group {task.group}" if task.group else f"task {name}", {})
            unit.setdefault(name, (number, name))
    return tuple(Unit(tuple(unit.values())) for unit in found.values())


class Settling:
    """The state of one run under its rule."""

    def __init__(self, folder: RunFolder, rule: StopRule) -> None:
        self._folder = folder
        self._rule = rule
        self._models = tuple(one.name for one in folder.plan.models)
        units = {name: units_of(folder.draw, folder.tasks, name) for name in folder.plan.categories}
        self._units = {name: found for name, found in units.items() if found}
        self._place = {
            slot: (category, number)
            for category, units in self._units.items()
            for number, unit in enumerate(units)
            for slot in unit.slots
        }
        self._worth: dict[tuple[str, Slot], float] = {}
        self._open = {category: _Category(len(units)) for category, units in self._units.items()}
        self.settled: dict[str, Settled] = {one.category: one for one in folder.stopped}
        self._taken = dict.fromkeys(product(self._models, self._units), -1)
        self._moved = asyncio.Condition()
        self._ahead = max(LEAST_AHEAD, folder.plan_file.concurrency)

    def note(self, scoring: Scoring) -> None:
        """Take up one scored answer; writes down a category that it settles."""
        slot = (scoring.draw, scoring.task)
        if scoring.attempt or scoring.pass_number or slot not in self._place:
            return
        worth = _worth(scoring, self._folder.tasks[scoring.task])
        if worth is None:
            return
        self._worth[scoring.model, slot] = worth
        category, _ = self._place[slot]
        if category not in self.settled:
            self._look(category)

    def leaves_out(self, cell: Cell) -> bool:
        """Whether this cell need not be run any more."""
        place = self._place.get((cell.draw, cell.task))
        if place is None:  # drawn again in a later draw: needed as long as its category is
            return self._folder.tasks[cell.task].category in self.settled
        category, number = place
        return category in self.settled and number >= self.settled[category].units

    async def wants(self, cell: Cell) -> bool:
        """Whether to run this cell; waits while its model is far ahead of another, so that little is run in vain."""
        place = self._place.get((cell.draw, cell.task))
        if place is not None and cell.attempt == 0:
            await self._keep_pace(cell.model, *place)
        return not self.leaves_out(cell)

    async def _keep_pace(self, model: str, category: str, number: int) -> None:
        async with self._moved:
            await self._moved.wait_for(lambda: self._near(category, number))
            self._taken[model, category] = max(number, self._taken[model, category])
            self._moved.notify_all()

    def _near(self, category: str, number: int) -> bool:
        slowest = min(self._taken[model, category] for model in self._models)
        return category in self.settled or number - slowest <= self._ahead

    def begun(self, model: str, cell: Cell) -> None:
        """An earlier process has run this cell."""
        place = self._place.get((cell.draw, cell.task))
        if place is not None:
            category, number = place
            self._taken[model, category] = max(number, self._taken[model, category])

    def _look(self, category: str) -> None:
        """Count every unit that is complete for all models and was not counted, in the order of the draw."""
        state, units = self._open[category], self._units[category]
        while state.counted < len(units):
            means = self._means(units[state.counted])
            if means is None:
                return
            state.add(means)
            pairs = list(self._pairs(state))
            if len(pairs) == len(self._models) * (len(self._models) - 1) // 2:
                self._settle(category, state.counted, pairs)
                return

    def _means(self, unit: Unit) -> dict[str, float] | None:
        found = {}
        for model in self._models:
            values = [self._worth.get((model, slot)) for slot in unit.slots]
            if None in values:
                return None
            found[model] = sum(value for value in values if value is not None) / len(values)
        return found

    def _pairs(self, state: "_Category") -> Iterator[SettledPair]:
        from openassay.stats import threshold  # numpy: only where the rule is declared

        watched = len(self._open) * len(self._models) * (len(self._models) - 1) // 2
        limit = threshold(float(self._rule.alpha), watched)
        for a, b in combinations(self._models, 2):
            value, at = state.best.get((a, b), (0.0, 0))
            if value >= limit:
                yield SettledPair(a=a, b=b, evalue=f"{min(value, 1e12):.4g}", units=at)

    def _settle(self, category: str, units: int, pairs: list[SettledPair]) -> None:
        one = Settled(category=category, units=units, of=len(self._units[category]), pairs=tuple(pairs))
        self.settled[category] = one
        self._folder.write_stopped((*self._folder.stopped, one))


class _Category:
    """Evidence on every pair after the units that are counted."""

    def __init__(self, size: int) -> None:
        self.counted = 0
        self.size = size
        self._differences: dict[tuple[str, str], list[float]] = {}
        self.best: dict[tuple[str, str], tuple[float, int]] = {}
        """Pair -> its largest e-value and after how many units: what was shown once stays shown."""

    def add(self, means: dict[str, float]) -> None:
        from openassay.stats import evalue_paired, evalues

        self.counted += 1
        for a, b in combinations(means, 2):
            differences = self._differences.setdefault((a, b), [])
            differences.append(means[a] - means[b])
            if all(one in (-1, 0, 1) for one in differences):
                value = evalue_paired(differences.count(1), differences.count(-1))
            else:
                value = float(evalues(differences)[-1])
            if value > self.best.get((a, b), (0.0, 0))[0]:
                self.best[a, b] = (value, self.counted)


def _worth(scoring: Scoring, task: Task) -> float | None:
    """1 or 0 where something hard decides, else the score; None while it is open."""
    if scoring.score.passed is not None:
        return float(scoring.score.passed)
    if scoring.score.counted is None or any(check.hard for check in task.checks):
        return None
    return scoring.score.counted / MILLION


def dropped_slots(draw: Draw, tasks: Mapping[str, Task], stopped: Iterable[Settled]) -> frozenset[Slot]:
    """Draw and task of every cell that was left out."""
    out: set[Slot] = set()
    for one in stopped:
        kept = {slot for unit in units_of(draw, tasks, one.category)[: one.units] for slot in unit.slots}
        out |= {
            (number, name)
            for number, ids in enumerate(draw.draws)
            for name in ids
            if tasks[name].category == one.category and (number, name) not in kept
        }
    return frozenset(out)
