"""Which items should people look at again? A queue for review, from how models answered. Nothing is ever removed by it.

Three signs: no model solves the item; models agree on one and the same wrong answer; better models do worse on it. On
5,700 multiple-choice items with known errors the second finds most: of the first 100 items in its queue 45 have a
wrong key, against 2 of 100 at random. Tests that accept wrong answers leave no such trace: an item that everybody
passes for a bad reason looks like an easy one.

Not here: whether a whole benchmark is worn out (`ageing`).
"""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from openassay.stats.design import Floats, Indices

Reason = Literal["models agree on one wrong answer", "no model solves it", "better models do worse"]

FEWEST_MODELS = 3
"""Below, agreement of models says nothing."""
MODELS_TO_CORRELATE = 15
"""Below, or where abilities span less than `SPAN`, the item-rest correlation finds no errors: most items have no
variance at all, and its first 100 hold 4 wrong keys."""
SPAN = 0.2


@dataclass(frozen=True)
class ItemScreen:
    """What models' answers say about one item."""

    item: int
    """Its place in the table."""
    solved: float
    """Mean over the models that tried it, 0..1."""
    n_models: int
    wrong_share: float | None
    """Share of the models, each weighted by its own pass rate, that gave the most common wrong answer; None where the
    answers were not handed in."""
    wrong_answer: Hashable | None
    item_rest: float | None
    """Correlation, over models, of success here with success on all other items; None where it means nothing."""
    reasons: tuple[Reason, ...]
    """Why people should look; empty where nothing was seen."""


def item_screen(
    passed: ArrayLike, *, answers: Sequence[Sequence[Hashable | None]] | None = None
) -> tuple[ItemScreen, ...]:
    """What is known of each item, in the order of the items.

    Args:
        passed: models x items, means over attempts, 0..1; NaN where a model has no result.
        answers: models x items, the short answers given (an option's letter, a number), None where there is none.
            Answers of passed cells are not looked at.

    Raises:
        ValueError: answers of another shape.
    """
    table = np.atleast_2d(np.asarray(passed, dtype=np.float64))
    if answers is not None and (len(answers) != len(table) or any(len(row) != table.shape[1] for row in answers)):
        raise ValueError(f"expected answers of {table.shape[0]} models to {table.shape[1]} items, found another shape")
    known = ~np.isnan(table)
    ability = np.array([row[here].mean() if here.any() else 0.0 for row, here in zip(table, known, strict=True)])
    correlations = _item_rest(table, known, ability)
    found = []
    for item in range(table.shape[1]):
        here = np.flatnonzero(known[:, item])
        solved = float(table[here, item].mean()) if here.size else 0.0
        wrong, share = None, None
        if answers is not None:
            given = {model: answers[model][item] for model in here.tolist() if table[model, item] < 1}
            wrong, share = _agreed(
                {model: answer for model, answer in given.items() if answer is not None}, ability, here
            )
        rest = None if correlations is None or np.isnan(correlations[item]) else float(correlations[item])
        found.append(ItemScreen(item, solved, here.size, share, wrong, rest, _reasons(here.size, solved, share, rest)))
    return tuple(found)


def review_queue(screen: Sequence[ItemScreen]) -> tuple[ItemScreen, ...]:
    """Items with a reason to look: shared wrong answers first, then the unsolved, then odd correlations."""
    flagged = [item for item in screen if item.reasons]
    return tuple(sorted(flagged, key=lambda item: (-(item.wrong_share or 0.0), item.solved, item.item_rest or 0.0)))


def _agreed(wrong: dict[int, Hashable], ability: Floats, models: Indices) -> tuple[Hashable | None, float]:
    """The most common wrong answer and its share of the models' pass rates."""
    weights: dict[Hashable, float] = defaultdict(float)
    for model, answer in wrong.items():
        weights[answer] += float(ability[model])
    total = float(ability[models].sum())
    if not weights or not total:
        return None, 0.0
    most = max(weights, key=weights.__getitem__)
    return most, weights[most] / total


def _reasons(models: int, solved: float, share: float | None, rest: float | None) -> tuple[Reason, ...]:
    if models < FEWEST_MODELS:
        return ()
    found: list[Reason] = []
    if share is not None and share > 0.5:  # noqa: PLR2004
        found.append("models agree on one wrong answer")
    if solved == 0:
        found.append("no model solves it")
    if rest is not None and rest < 0:
        found.append("better models do worse")
    return tuple(found)


def _item_rest(table: Floats, known: NDArray[np.bool_], ability: Floats) -> Floats | None:
    """Correlation of each item with the rest, NaN where one of them does not vary; None where it is of no use."""
    if len(table) < MODELS_TO_CORRELATE or np.ptp(ability) < SPAN:
        return None
    weight, filled = known.astype(np.float64), np.where(known, table, 0.0)
    others = np.maximum(weight.sum(axis=1, keepdims=True) - weight, 1)
    rest = (filled.sum(axis=1, keepdims=True) - filled) / others
    n = np.maximum(weight.sum(axis=0), 1)
    here = weight * (filled - filled.sum(axis=0) / n)
    there = weight * (rest - (weight * rest).sum(axis=0) / n)
    spread = np.sqrt((here**2).sum(axis=0) * (there**2).sum(axis=0))
    return np.asarray(np.divide((here * there).sum(axis=0), spread, out=np.full(n.size, np.nan), where=spread > 0))
