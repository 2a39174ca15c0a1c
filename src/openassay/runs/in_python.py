"""A whole run in one call, and its cells as a table: what a Python program uses in place of the command line.

The same records, rules and run folders as the command line; nothing can be done here that leaves no trace there.
Not here: any rule of its own. The names are offered by `openassay` itself.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from openassay.models.connect import connect
from openassay.models.model import Model
from openassay.models.specs import resolve
from openassay.runs import engine
from openassay.runs.cells import CellResult, answer_text, read_cells
from openassay.runs.folder import RunFolder, open_run
from openassay.runs.imported import refuse_imported
from openassay.runs.left import left_to_do
from openassay.runs.observer import Observer, Silent
from openassay.runs.preflight import preflight
from openassay.runs.prepare import RunOptions, prepare
from openassay.runs.run_end import RunEnd
from openassay.schema.benchmark import Benchmark
from openassay.schema.errors import IncompleteError, PlanError
from openassay.schema.models import ModelSpec, PlannedModel
from openassay.schema.record import MILLION

if TYPE_CHECKING:
    import polars as pl

OUT = Path("runs")


def run(
    benchmark: Benchmark,
    models: Sequence[str | ModelSpec],
    *,
    judges: Sequence[str | ModelSpec] = (),
    options: RunOptions | None = None,
    out: Path | str = OUT,
    observer: Observer | None = None,
) -> RunFolder:
    """Put models to a benchmark and return the run's folder once every cell is scored.

    Args:
        benchmark: from `openassay.load`.
        models: names as after ``--model`` (from `models.toml`, or ``NAME=URL#MODEL``), or entries.
        judges: the same, the primary one first.
        options: what flags would say; the benchmark's defaults where it is silent.
        out: folder that holds run folders.
        observer: told about twice a second how far it is.

    Raises:
        OpenAssayError: it was refused, or an endpoint cannot be used.
        IncompleteError: it stopped before its end; `resume` goes on.
    """
    _refuse_mistaken(benchmark, models, judges, options)
    folder = prepare(
        benchmark, Path(benchmark.folder), _specs(models), _specs(judges), options or RunOptions(), Path(out)
    )
    return _carry_out(folder, observer or Silent(), None)


def resume(path: Path | str, *, budget: int | None = None, observer: Observer | None = None) -> RunFolder:
    """Go on with a run that stopped; see `run`.

    Args:
        path: the run folder.
        budget: a new cap over the whole run in micro-dollars, spent money included.
        observer: as for `run`.
    """
    folder = open_run(Path(path))
    refuse_imported(folder, "resume", "nobody here can ask its models")
    return _carry_out(folder, observer or Silent(), budget)


def cells(folder: RunFolder) -> "pl.DataFrame":
    """One row for each attempt that the run holds.

    Columns: ``model category task draw attempt outcome passed score answer tokens_in tokens_out cost_usd seconds``.
    `passed` is null where no hard check decides; `score` is 0 to 1, before a failed hard check makes it count as 0.
    """
    import polars as pl  # 60 MB that a run does without

    schema = {
        "model": pl.String,
        "category": pl.String,
        "task": pl.String,
        "draw": pl.Int64,
        "attempt": pl.Int64,
        "outcome": pl.String,
        "passed": pl.Boolean,
        "score": pl.Float64,
        "answer": pl.String,
        "tokens_in": pl.Int64,
        "tokens_out": pl.Int64,
        "cost_usd": pl.Float64,
        "seconds": pl.Float64,
    }
    rows = [_row(folder, cell) for cell in read_cells(folder)]
    return pl.DataFrame(rows, schema=schema, orient="row")


def _refuse_mistaken(benchmark: object, models: object, judges: object, options: object) -> None:
    """What a type checker would have said, for those who use none."""
    if not isinstance(benchmark, Benchmark):
        todo = f"load it first: openassay.run(openassay.load({str(benchmark)!r}), ...)"
        raise PlanError(f"expected a loaded benchmark, found {benchmark!r}", where="openassay.run", todo=todo)
    for name, given in (("models", models), ("judges", judges)):
        if isinstance(given, str | ModelSpec):
            shown = repr(given) if isinstance(given, str) else f"the entry of {given.name!r}"
            todo = f"put it into a list: {name}=[...]"
            raise PlanError(f"expected a list of {name}, found {shown}", where="openassay.run", todo=todo)
    if options is not None and not isinstance(options, RunOptions):
        todo = "write options=openassay.RunOptions(attempts=2)"
        raise PlanError(f"expected RunOptions, found {type(options).__name__}", where="openassay.run", todo=todo)


def _specs(named: Sequence[str | ModelSpec]) -> tuple[ModelSpec, ...]:
    return tuple(one if isinstance(one, ModelSpec) else resolve([one])[0] for one in named)


def _carry_out(folder: RunFolder, observer: Observer, budget: int | None) -> RunFolder:
    end = asyncio.run(_run(folder, observer, budget))
    if end.state != "complete":
        raise IncompleteError(
            f"{end.finished} of {end.planned} attempts finished, {end.scored} scored: {end.message}",
            where=str(folder.path),
            todo=f"{end.todo or 'resume it'}: openassay.resume({str(folder.path)!r})",
        )
    return folder


async def _run(folder: RunFolder, observer: Observer, budget: int | None) -> RunEnd:
    models, judges = (_connected(folder, planned) for planned in left_to_do(folder))
    try:
        await preflight(folder, models=models, judges=judges, budget=budget)
        stop = asyncio.Event()
        return await engine.run(folder, models=models, judges=judges, observer=observer, stop=stop, budget=budget)
    finally:
        for model in [*models.values(), *judges.values()]:
            await model.close()


def _connected(folder: RunFolder, planned: Sequence[PlannedModel]) -> dict[str, Model]:
    connections = folder.plan_file.connections
    return {one.name: connect(connections[one.name], read_blob=folder.objects.get) for one in planned}


def _row(folder: RunFolder, cell: CellResult) -> tuple[object, ...]:
    attempt, score = cell.attempt, cell.scoring.score if cell.scoring else None
    return (
        attempt.model,
        folder.tasks[attempt.task].category,
        attempt.task,
        attempt.draw,
        attempt.attempt,
        str(score.outcome if score else attempt.outcome),
        score.passed if score else None,
        None if score is None or score.score is None else score.score / MILLION,
        answer_text(folder, attempt),
        attempt.usage.tokens_in,
        attempt.usage.tokens_out,
        attempt.cost / MILLION,
        attempt.took_ms / 1000,
    )
