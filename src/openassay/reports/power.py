"""What `power` answers: from the variance of a run, category by category, or from assumptions.

Not here: how much it takes (`steps`), the formulas (`stats.power`).
"""

from collections.abc import Iterator, Sequence

from openassay.reports.comparing import means_of, tables
from openassay.reports.power_contract import Power, PowerCategory
from openassay.reports.results import Column, result
from openassay.reports.steps import Aim, Means, Rivals, nearest, needed, rivals
from openassay.reports.table import Measured, measures
from openassay.schema.errors import InputError
from openassay.stats import assumed_noise

USUAL_ATTEMPTS = 0.2
"""Share of attempts in the noise of one result where nothing is known; .13 to .60 on real sets."""


_NOTHING = Means()


def power_of_run(
    columns: Sequence[Column], aim: Aim, models: Sequence[str] = (), only: Sequence[str] = (), given: Means = _NOTHING
) -> Power:
    """From an earlier run.

    Args:
        columns: its models in its categories.
        aim: what is asked for.
        models: two of its models; none for the two best of each category.
        only: categories; none for all.
        given: pool and price, where they are to stand for those of the run.

    Raises:
        InputError: in no category two of the models have everything scored.
    """
    facts = columns[0].facts
    results = [result(column) for column in columns]
    titles = {category.id: category.title for category in facts.info.category}
    wanted = [table for table in tables(columns) if not only or table.category in only]
    found: list[PowerCategory] = []
    for table in wanted:
        for measured in _first(measures(table)):
            rows = _rows(measured, models)
            if rows:
                means = _over(means_of(facts, table.category, results), given)
                one = rivals(measured, rows, titles[table.category], aim.attempt_share)
                found.append(needed(one, means, aim))
    if not found:
        raise InputError(
            "expected two models with everything planned scored, found fewer in every category",
            where=facts.id,
            todo=f"`openassay resume {facts.id}`, or say what you expect: --rate 80 --gap 3",
        )
    return Power(source="run", run=facts.id, gap=aim.gap, budget_usd=aim.budget, categories=tuple(found))


def _over(measured: Means, given: Means) -> Means:
    pool = measured.pool if given.pool is None else given.pool
    return Means(pool, measured.drawn, measured.price if given.price is None else given.price)


def _first(found: Iterator[Measured]) -> list[Measured]:
    """The pass rate where there is one, else the score."""
    first = next(found, None)
    return [] if first is None else [first]


def _rows(measured: Measured, models: Sequence[str]) -> tuple[int, int] | None:
    if not models:
        return nearest(measured)
    names = measured.table.models
    if any(name not in names for name in models):
        return None
    return names.index(models[0]), names.index(models[1])


def power_assumed(rate: float, correlation: float, means: Means, aim: Aim) -> Power:
    """From what one expects of the better model and of the likeness of the two."""
    share = USUAL_ATTEMPTS if aim.attempt_share is None else aim.attempt_share
    spread = assumed_noise(rate, aim.gap, correlation=correlation, attempt_share=share)
    one = Rivals("", "assumed", "pass rate", "the better", "the other", None, spread)
    return Power(
        source="assumptions", run=None, gap=aim.gap, budget_usd=aim.budget, categories=(needed(one, means, aim),)
    )
