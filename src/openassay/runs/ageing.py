"""Which tasks of a benchmark are worn: solved by everybody, old, or sent to many places. From the runs on this machine.

A list for people, with what to do; nothing is removed. Not here: flaws of single items (`stats.screen`), leaks.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from urllib.parse import urlsplit

from openassay.runs.cells import read_cells
from openassay.runs.folder import RunFolder
from openassay.schema.benchmark import Benchmark
from openassay.schema.models import ModelSpec

OLD = timedelta(days=365)
"""Since it was first sent to somebody else's endpoint: models trained later may have met it."""
WIDELY = 5
"""Endpoints of others that have seen a task."""
ENOUGH = 3
"""Models that must have tried a task before it counts as solved by everybody."""
IN_COMMON = 5
"""Items that all models of a category must have tried before anything is said of it."""
REPLACE = "write a variant with other values, or a new task of the same kind, and retire this one"


class Use(NamedTuple):
    """What became of one task in earlier runs, as it is now."""

    task: str
    category: str
    runs: int
    models: int
    solved_by: int
    """Models that passed it in every attempt."""
    failed_by: int
    """Models that passed it in none."""
    places: tuple[str, ...]
    """Hosts of others that it was sent to; local and pasted models see it nowhere else."""
    first_sent: str
    """Date of the first run that sent it there; empty where none did."""


class Worn(NamedTuple):
    task: str
    why: str
    todo: str


class Saturated(NamedTuple):
    category: str
    why: tuple[str, ...]


def uses(benchmark: Benchmark, folders: Sequence[RunFolder]) -> tuple[Use, ...]:
    """One a task that some run used, in the benchmark's order; a task that was changed since starts anew."""
    categories = {task.id: task.category for task in benchmark.tasks}
    tried: dict[str, dict[tuple[str, str], list[bool]]] = {}
    places: dict[str, dict[str, str]] = {}
    runs: dict[str, int] = {}
    for folder in sorted(folders, key=lambda one: one.plan_file.created):
        same = _unchanged(folder, benchmark)
        hosts = {one.name: _host(folder.plan_file.connections.get(one.name)) for one in folder.plan.models}
        versions = {one.name: (one.endpoint, one.model) for one in folder.plan.models}
        for cell in read_cells(folder):
            name, model = cell.attempt.task, cell.attempt.model
            if name not in same:
                continue
            if hosts[model]:
                places.setdefault(name, {}).setdefault(hosts[model], folder.plan_file.created[:10])
            if cell.scoring is not None and cell.scoring.score.passed is not None:
                tried.setdefault(name, {}).setdefault(versions[model], []).append(cell.scoring.score.passed)
        for name in same:
            runs[name] = runs.get(name, 0) + 1
    used = [task.id for task in benchmark.tasks if task.id in runs]
    return tuple(_use(categories[name], name, runs[name], tried.get(name, {}), places.get(name, {})) for name in used)


def _unchanged(folder: RunFolder, benchmark: Benchmark) -> set[str]:
    """Tasks of a run that the benchmark holds as they were then."""
    now = {task.id: task.identity for task in benchmark.tasks}
    return {one.task for one in folder.draw.tasks if now.get(one.task) == one.identity}


def _use(category: str, task: str, runs: int, tried: dict[tuple[str, str], list[bool]], places: dict[str, str]) -> Use:
    return Use(
        task=task,
        category=category,
        runs=runs,
        models=len(tried),
        solved_by=sum(all(passes) for passes in tried.values()),
        failed_by=sum(not any(passes) for passes in tried.values()),
        places=tuple(places),
        first_sent=min(places.values(), default=""),
    )


def _host(spec: ModelSpec | None) -> str:
    """Where a prompt leaves this machine to; empty where it does not."""
    if spec is None or spec.endpoint in {"local", "scripted", "manual"}:
        return ""
    host = urlsplit(spec.base_url).hostname or spec.provider or spec.endpoint
    return "" if host in {"127.0.0.1", "localhost", "::1"} else host


def worn(found: Sequence[Use], now: datetime) -> Iterator[Worn]:
    """Tasks that people should look at, with what to do."""
    for use in found:
        if use.models >= ENOUGH and use.solved_by == use.models:
            why = f"all {use.models} models passed it in every attempt: it tells none of them apart"
            yield Worn(use.task, why, "make it harder, or replace it: " + REPLACE)
        if use.first_sent and now - datetime.fromisoformat(use.first_sent).replace(tzinfo=UTC) > OLD:
            yield Worn(use.task, f"first sent to others on {use.first_sent}: later models may have met it", REPLACE)
        if len(use.places) >= WIDELY:
            yield Worn(use.task, f"sent to {len(use.places)} places: {', '.join(use.places[:WIDELY])}", REPLACE)


def saturated(benchmark: Benchmark, folders: Sequence[RunFolder]) -> Iterator[Saturated]:
    """Categories in which the best models of these runs can no longer be told apart."""
    import numpy as np

    from openassay.stats import saturation

    table: dict[str, dict[str, dict[str, list[float]]]] = {}
    categories = {task.id: task.category for task in benchmark.tasks}
    for folder in folders:
        same = _unchanged(folder, benchmark)
        for cell in read_cells(folder):
            score = cell.scoring.score if cell.scoring else None
            if cell.attempt.task in same and score is not None and score.passed is not None:
                tried = table.setdefault(categories[cell.attempt.task], {}).setdefault(cell.attempt.model, {})
                tried.setdefault(cell.attempt.task, []).append(float(score.passed))
    for category, rows in table.items():
        items = sorted({task for row in rows.values() for task in row})
        means = np.array([[np.mean(row[task]) if task in row else np.nan for task in items] for row in rows.values()])
        if len(rows) > 1 and (~np.isnan(means)).all(axis=0).sum() >= IN_COMMON:
            reasons = saturation(means).reasons
            if reasons:
                yield Saturated(category, reasons)
