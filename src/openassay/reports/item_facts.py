"""What models' answers say about the items themselves: difficulty, steadiness, signs of a fault, room left.

A sign of a fault is a reason for people to look, never to take an item away. Not here: where each model stands
(`results`, `pairs`).
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

import numpy as np

from openassay.reports.ballots import Ballots
from openassay.reports.comparing_contract import SaturationFacts
from openassay.reports.contract import Item, Result
from openassay.reports.table import Measured, Table, measures
from openassay.schema.models import ModelSpec
from openassay.stats import ItemScreen, item_screen
from openassay.stats import saturation as saturation_of
from openassay.stats.pairs import FEWEST_ITEMS

TWO = 2
HERE = "this machine"
PERSON = "a person, by hand"


class Screened(NamedTuple):
    """Items of one category as the models' answers show them."""

    measured: Measured
    screen: tuple[ItemScreen, ...]

    @property
    def flagged(self) -> list[bool]:
        return [bool(one.reasons) for one in self.screen]


def screened(table: Table, ballots: Ballots | None) -> Screened | None:
    """None where no hard check decides, or no model is whole."""
    for measured in measures(table):
        if measured.measure == "pass rate":
            return Screened(measured, item_screen(measured.means, answers=_answers(measured, ballots)))
    return None


def _answers(measured: Measured, ballots: Ballots | None) -> list[list[Hashable | None]] | None:
    """The most common wrong answer of each model to each item, as a digest."""
    if ballots is None or not ballots.wrong:
        return None
    return [[_usual(ballots, model, task.id) for task in measured.tasks] for model in measured.table.models]


def _usual(ballots: Ballots, model: str, task: str) -> Hashable | None:
    said = ballots.wrong.get((model, task))
    return min(said.items(), key=lambda one: (-one[1], one[0]))[0] if said else None


def with_facts(
    items: Sequence[Item], tables: Sequence[tuple[Table, Screened | None]], sent: Mapping[str, Mapping[str, int]]
) -> tuple[Item, ...]:
    """The items, each with what is known of it.

    Args:
        items: of one run.
        tables: of its categories.
        sent: task -> endpoint -> times its text was sent there.
    """
    found: dict[str, dict[str, object]] = {}
    for table, screen in tables:
        found |= _facts(table, screen)
    return tuple(
        item.model_copy(update=found.get(item.task, {}) | {"sent": dict(sent.get(item.task, {}))}) for item in items
    )


def _facts(table: Table, screen: Screened | None) -> dict[str, dict[str, object]]:
    facts: dict[str, dict[str, object]] = {}
    for at, task in enumerate(table.tasks):
        shares = table.scored[:, at][~np.isnan(table.scored[:, at])]
        facts[task.id] = {"n_models": len(shares), "solved": float(shares.mean()) if shares.size else None}
    if screen is None:
        return facts
    again = screen.measured.tried > 1
    for at, (task, one) in enumerate(zip(screen.measured.tasks, screen.screen, strict=True)):
        column = screen.measured.means[:, at]
        facts[task.id] = {
            "n_models": one.n_models,
            "solved": one.solved,
            "instability": float(np.mean((column > 0) & (column < 1))) if again[at] else None,
            "wrong_share": one.wrong_share,
            "item_rest": one.item_rest,
            "signs": one.reasons,
        }
    return facts


def with_bounds(results: Sequence[Result], screens: Sequence[Screened | None]) -> tuple[Result, ...]:
    """The results, each with how far its pass rate could move if every item with a sign of a fault were wrong."""
    found = {
        (screen.measured.table.category, model): bound
        for screen in screens
        if screen
        for model, bound in _bounds(screen).items()
    }
    return tuple(
        result.model_copy(update=found[result.category, result.model])
        if (result.category, result.model) in found
        else result
        for result in results
    )


def _bounds(screen: Screened) -> dict[str, dict[str, object]]:
    flagged = np.array(screen.flagged)
    means, n = screen.measured.means, len(flagged)
    if not flagged.any():
        return {}
    sums = means.sum(axis=1)
    lowest, highest = sums - means[:, flagged].sum(axis=1), sums + (1 - means[:, flagged]).sum(axis=1)
    return {
        model: {
            "items_with_signs": int(flagged.sum()),
            "if_faulty": (float(np.clip(lowest[row] / n, 0, 1)), float(np.clip(highest[row] / n, 0, 1))),
        }
        for row, model in enumerate(screen.measured.table.models)
    }


def saturation(measured: Measured) -> SaturationFacts | None:
    """Whether the best models can still be told apart; None with fewer than two whole ones, or too few items."""
    table = measured.table
    if len(table.models) < TWO or measured.measure != "pass rate" or len(measured.tasks) < FEWEST_ITEMS:
        return None
    found = saturation_of(measured.means)
    return SaturationFacts(
        run=table.run,
        category=table.category,
        track=table.track,
        n_items=len(measured.tasks),
        models=tuple(table.models[row] for row in found.top),
        informative=found.informative,
        solved_by_all=found.solved_by_all,
        pairs=found.pairs,
        pairs_shown=found.pairs_shown,
        headroom=found.headroom,
        reasons=found.reasons,
    )


def sent_to(ballots: Ballots, connections: Mapping[str, ModelSpec]) -> dict[str, dict[str, int]]:
    """Task -> where its text went -> how often; retries count, judges do not."""
    where = {name: endpoint(spec) for name, spec in connections.items()}
    found: dict[str, dict[str, int]] = {}
    for task, models in ballots.sent.items():
        counts = found.setdefault(task, {})
        for model, times in models.items():
            place = where.get(model, model)
            counts[place] = counts.get(place, 0) + times
    return found


def endpoint(spec: ModelSpec) -> str:
    """Where a model's prompts go: a host's name without port, path and credentials, or this machine, or a person."""
    if spec.endpoint in {"local", "scripted"}:
        return HERE
    if spec.endpoint == "manual":
        return PERSON
    host = urlsplit(spec.base_url).hostname or ""
    if host in {"localhost", "::1"} or host.startswith("127."):
        return HERE
    return host or (spec.provider or spec.endpoint)
