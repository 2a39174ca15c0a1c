"""Cost against score: what each model's answers cost, and which models nothing beats on both at once.

Only where ten items and two models with a known price are there. Not here: what a month would cost (a reader's needs).
"""

from collections.abc import Iterator, Sequence
from math import isfinite

import numpy as np

from openassay.reports.contract import Result
from openassay.reports.cost_contract import CostOfModel, Costs
from openassay.reports.results import Column
from openassay.reports.table import Floats, Measured, measures, table_of
from openassay.schema.record import MILLION
from openassay.stats import cost_per_solved, frontier, mean_cost
from openassay.stats.pairs import FEWEST_ITEMS

TWO = 2


def costs_of(columns: Sequence[Column], results: Sequence[Result], seed: int) -> tuple[Costs, ...]:
    """One record for each category that can bear it.

    Args:
        columns: of one run.
        results: of the same.
        seed: of the draws that say how sure a place on the frontier is.
    """
    beside: dict[str, list[Column]] = {}
    for column in columns:
        beside.setdefault(column.category.id, []).append(column)
    found = (_category(group, results, seed) for group in beside.values())
    return tuple(one for costs in found for one in costs)


def _category(columns: Sequence[Column], results: Sequence[Result], seed: int) -> Iterator[Costs]:
    if sum(column.group.cost > 0 for column in columns) < TWO:
        return
    table = table_of(columns)
    measured = next(measures(table), None)
    if measured is None or len(measured.tasks) < FEWEST_ITEMS or np.isnan(measured.means).any():
        return
    of_model = {column.model: column for column in columns}
    prices = np.array([[_price(of_model[name], task.id) for task in measured.tasks] for name in table.models])
    known = [row for row, name in enumerate(table.models) if prices[row].sum() > 0 and _reported(of_model[name])]
    if len(known) < TWO:
        return
    beaten = frontier(measured.means[known], prices[known], seed=seed, clusters=measured.units)
    mine = {result.model: result for result in results if result.category == table.category}
    yield Costs(
        run=table.run,
        category=table.category,
        track=table.track,
        measure=measured.measure,
        n_items=len(measured.tasks),
        models=tuple(
            _model(measured, mine[table.models[row]], row, prices[row], (beaten.on_it[at], beaten.chance[at]))
            for at, row in enumerate(known)
        ),
        without=tuple(name for row, name in enumerate(table.models) if row not in known),
    )


def _price(column: Column, task: str) -> float:
    """Dollars for one attempt at an item, on average."""
    item = column.counts.items[column.model, task]
    return item.cost / len(item.marks) / MILLION


def _reported(column: Column) -> bool:
    """An endpoint that reports no usage seems to cost nothing; an imported table states costs themselves."""
    return column.facts.plan.imported is not None or not column.group.usage_unknown


def _model(measured: Measured, result: Result, row: int, prices: Floats, frontier: tuple[bool, float]) -> CostOfModel:
    passes = measured.measure == "pass rate"
    cost = mean_cost(prices)
    solved = cost_per_solved(prices, measured.means[row], clusters=measured.units) if passes else None
    whole = solved is not None and isfinite(solved.value)
    return CostOfModel(
        model=result.model,
        score=float(measured.means[row].mean()),
        score_interval=result.interval if passes else result.score_interval,
        cost_usd=cost.mean,
        cost_interval=(cost.lo, cost.hi),
        few_items=cost.few_items,
        per_solved_usd=solved.value if solved and whole else None,
        per_solved_interval=(solved.lo, solved.hi) if solved and isfinite(solved.hi) else None,
        on_frontier=frontier[0],
        frontier_chance=frontier[1],
    )
