"""A category with fewer than 10 items: no rank and no comparison of counts, but what tells its models apart.

Three to five tasks a dimension are enough to see where models differ, check by check, with the evidence; they are not
enough to say how often. Not here: categories with more items (`pairs`).
"""

from collections.abc import Iterator
from math import isnan

from openassay.reports.ballots import Ballot, Ballots
from openassay.reports.comparing_contract import CheckCount, Differentiation, ToldApart
from openassay.reports.steps import Means, cheapest
from openassay.reports.table import Table, measures
from openassay.reports.words import anchor, bounds, counted
from openassay.schema.attempt import Outcome
from openassay.schema.task import Check, Task
from openassay.stats.intervals import wilson
from openassay.stats.pairs import FEWEST_ITEMS

TWO = 2


def differentiation(table: Table, ballots: Ballots | None, means: Means) -> Differentiation | None:
    """None where there are items enough, or fewer than two whole models."""
    if len(table.tasks) >= FEWEST_ITEMS or len(table.models) < TWO:
        return None
    each = (_counts(table, task, ballots) if ballots else _passes(table, at) for at, task in enumerate(table.tasks))
    counts = tuple(one for found in each for one in found)
    told = tuple(found for one in counts if (found := _told(table, one)))
    measured = next(measures(table), None)
    return Differentiation(
        run=table.run,
        category=table.category,
        track=table.track,
        n_items=len(table.tasks),
        why=(
            f"{counted(len(table.tasks), 'item')}: {_example(len(table.tasks))}, so counts are shown, and models are "
            f"neither compared by them nor ranked below {FEWEST_ITEMS} items."
        ),
        told_apart=told,
        checks=counts,
        next_step="" if measured is None else cheapest(measured, means),
    )


def _example(n_items: int) -> str:
    """How little so few items tell, at the count of passes just below all of them."""
    passes = max(n_items - 1, 1)
    return f"{passes} of {n_items} would fit a true rate anywhere from {bounds(wilson(passes / n_items, n_items))}"


def _counts(table: Table, task: Task, ballots: Ballots) -> Iterator[CheckCount]:
    said = {model: ballots.by.get((model, task.id), []) for model in table.models}
    for check in task.checks:
        met = {model: [_met(one, check) for one in of_model] for model, of_model in said.items()}
        if any(None in one for one in met.values()):
            continue  # not measured in some attempt: a count would be of less than it says
        yield CheckCount(
            task=task.id,
            check=check.id,
            hard=check.hard,
            attempts=max(map(len, met.values()), default=0),
            met={model: sum(map(bool, one)) for model, one in met.items()},
        )


def _passes(table: Table, at: int) -> Iterator[CheckCount]:
    """Of imported results, which have one check an item and no verdicts beside it."""
    tried, check = int(table.tried[at]), table.tasks[at].checks[0]
    passed = dict(zip(table.models, table.passed[:, at].tolist(), strict=True))
    if not any(map(isnan, passed.values())):
        met = {model: round(share * tried) for model, share in passed.items()}
        yield CheckCount(task=table.tasks[at].id, check=check.id, hard=check.hard, attempts=tried, met=met)


def _met(ballot: Ballot, check: Check) -> bool | None:
    """None where the check was not measured."""
    if ballot.outcome is not Outcome.ANSWERED:
        return False
    verdict = next((one for one in ballot.verdicts if one.check == check.id), None)
    if verdict is None or verdict.result == "unmeasurable" or not verdict.counts:
        return None
    return verdict.result == "pass"


def _told(table: Table, count: CheckCount) -> ToldApart | None:
    met = tuple(model for model, number in count.met.items() if number == count.attempts)
    missed = tuple(model for model, number in count.met.items() if not number)
    if not met or not missed:
        return None
    check = next(one for task in table.tasks if task.id == count.task for one in task.checks if one.id == count.check)
    return ToldApart(
        task=count.task,
        check=count.check,
        hard=count.hard,
        dimension=check.dimension,
        met=met,
        missed=missed,
        attempts=count.attempts,
        anchor=anchor(table.run, count.task),
    )
