"""Which tasks a run uses: stratified draws by category, from a seed, without replacement while the pool lasts.

A *unit* is one task, or a whole group of tasks that belong together. Consecutive draws of a category walk through one
seeded permutation of its units, so that every unit is used once before any is used twice. Pure: same input, same draw.
"""

import hashlib
import random
from collections.abc import Iterator, Sequence

from openassay.schema.task import Task

Unit = tuple[str, ...]
"""Ids of the tasks that are drawn together."""


def units(tasks: Sequence[Task], category: str) -> list[Unit]:
    """The units of a category, in the order of their first task.

    Tasks of one group and one category are one unit.
    """
    found: dict[str, list[str]] = {}
    for task in tasks:
        if task.category == category:
            found.setdefault(f"group {task.group}" if task.group else f"task {task.id}", []).append(task.id)
    return [tuple(members) for members in found.values()]


def draw(
    tasks: Sequence[Task],
    categories: Sequence[str],
    *,
    per_category: int | None,
    draws: int,
    seed: int,
    salt: str,
    shuffled: bool = False,
) -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]:
    """The task ids of each draw, and one sentence for each category whose pool was used up.

    Args:
        tasks: the whole pool.
        categories: which to draw from, in order.
        per_category: units for each category and draw; None for all of them in every draw.
        draws: how many draws.
        seed: the user's seed.
        salt: digest of the benchmark, so that one seed does not pick the same places everywhere.
        shuffled: a whole pool too comes in random order, as a run that may stop early needs it.
    """
    chosen: list[list[str]] = [[] for _ in range(draws)]
    notes = []
    for category in categories:
        pool = units(tasks, category)
        rng = random.Random(_number(seed, salt, category))
        if shuffled:
            pool = rng.sample(pool, len(pool))
        for one, taken in zip(chosen, _walk(pool, per_category, draws, rng), strict=True):
            one.extend(task for unit in taken for task in unit)
        notes += _notes(category, len(pool), per_category, draws)
    return tuple(tuple(one) for one in chosen), tuple(notes)


def _walk(pool: list[Unit], per_category: int | None, draws: int, rng: random.Random) -> Iterator[list[Unit]]:
    """The units of each draw: one permutation after another, none twice within a draw."""
    if per_category is None or per_category >= len(pool):
        yield from (list(pool) for _ in range(draws))
        return
    queue: list[Unit] = []
    for _ in range(draws):
        taken, queue = queue[:per_category], queue[per_category:]
        if len(taken) < per_category:
            fresh = rng.sample(pool, len(pool))
            fresh.sort(key=lambda unit: unit in taken)  # stable: those of this draw go last
            missing = per_category - len(taken)
            taken, queue = taken + fresh[:missing], fresh[missing:]
        yield taken


def _number(seed: int, salt: str, category: str) -> int:
    return int.from_bytes(hashlib.sha256(f"openassay draw 1|{seed}|{salt}|{category}".encode()).digest())


def _notes(category: str, pool: int, per_category: int | None, draws: int) -> list[str]:
    if per_category is None:
        return []
    if per_category > pool:
        return [f"{category}: {per_category} were asked for in each draw, the pool has {pool}; all of them were taken"]
    needed = per_category * draws
    if needed > pool:
        return [f"{category}: {draws} draws of {per_category} need {needed}, the pool has {pool}; some come twice"]
    return []
