"""The models beside each other, item by item: what each came to, in counts. No intervals, and no comparison.

Not here: what the answers say of an item (`item_facts`), and how the page shows it (`matrix`).
"""

from collections.abc import Callable, Sequence
from functools import lru_cache

from openassay.reports.contract import Item, ItemResult
from openassay.reports.results import Column
from openassay.reports.tally import ItemTally, words_of
from openassay.schema.record import MILLION


def items_of(columns: Sequence[Column]) -> tuple[Item, ...]:
    """Every item of every category, in the order of the draw."""
    beside: dict[str, list[Column]] = {}
    for column in columns:
        beside.setdefault(column.category.id, []).append(column)
    same = lru_cache(maxsize=None)(_item_result)  # of thousands of items few differ, and records are frozen
    return tuple(_item(group, at, same) for group in beside.values() for at in range(len(group[0].tasks)))


def _item(columns: Sequence[Column], at: int, result_of: Callable[..., ItemResult]) -> Item:
    first = columns[0]
    task, hard, planned = first.tasks[at], first.drawn.hard[at], first.drawn.times[at]
    models = {column.model: result_of(planned, hard, *_key(column.items[at])) for column in columns}
    levels = {(r.passed / r.scored, r.score) for r in models.values() if r.scored}
    return Item(
        run=first.facts.id,
        task=task.id,
        category=task.category,
        track=first.category.track,
        hard=hard,
        different=len(levels) > 1,
        models=models,
    )


def _key(item: ItemTally) -> tuple[int, int, float | None, bool, tuple[int, ...]]:
    score = item.score / item.rated / MILLION if item.rated else None
    return item.scored, item.passed, score, item.unsure, tuple(item.marks)


def _item_result(  # a key of the cache
    planned: int,
    hard: bool,  # noqa: FBT001
    scored: int,
    passed: int,
    score: float | None,
    unsure: bool,  # noqa: FBT001
    marks: tuple[int, ...],
) -> ItemResult:
    return ItemResult(
        planned=planned,
        scored=scored,
        passed=passed,
        score=score,
        unstable=hard and 0 < passed < scored,
        unsure=unsure,
        marks=words_of(marks),
    )
