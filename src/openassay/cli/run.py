"""`openassay run`: from a benchmark and model names to a run folder, its tables and its report.

Not here: what the flags mean for a plan (`runs.prepare`), the run itself (`execution`).
"""

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from openassay.cli import announce, console, execution, plan_file, run_folders
from openassay.cli.execution import Manner
from openassay.cli.flags import BenchmarkFolder, Calibrations, JsonFlag, Judges, ModelsFile, Unsafe
from openassay.cli.run_folders import RUNS
from openassay.runs.executor import executor_named

if TYPE_CHECKING:
    from openassay.runs.folder import RunFolder

EXAMPLES = """
openassay run my-benchmark --model small
openassay run my-benchmark --model small=http://127.0.0.1:8091/v1#smollm2-135m-instruct
openassay run my-benchmark --model small --model large --judge referee --attempts 3 --budget 2.50
openassay run my-benchmark --model small --per-category 2 --draws 2 --dry-run
openassay run my-benchmark --model small --model large --stop-when-settled
openassay run my-benchmark --model my-chat --export-prompts prompts.csv
"""


def command(
    bench: BenchmarkFolder,
    *,
    model: Annotated[
        list[str] | None,
        typer.Option("--model", metavar="NAME", help="A model from the models file, or NAME=URL#MODEL; repeat it."),
    ] = None,
    models_file: ModelsFile = None,
    judge: Judges = None,
    calibration: Calibrations = None,
    category: Annotated[
        list[str] | None, typer.Option("--category", metavar="C", help="Only this category; repeat it.")
    ] = None,
    per_category: Annotated[
        int | None, typer.Option("--per-category", metavar="N", min=1, help="Items drawn per category and draw.")
    ] = None,
    draws: Annotated[int | None, typer.Option("--draws", metavar="R", min=1, help="Draws from the pool.")] = None,
    attempts: Annotated[
        int | None, typer.Option("--attempts", metavar="K", min=1, help="Attempts at each drawn item.")
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", metavar="S", help="Seed of the draws.")] = None,
    budget: Annotated[
        str | None, typer.Option("--budget", metavar="USD", help="Hard cap on the cost of all calls, judges included.")
    ] = None,
    concurrency: Annotated[
        int | None, typer.Option("--concurrency", metavar="C", min=1, help="Most calls in flight at once.")
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option("--max-tokens", metavar="N", min=1, help="Most tokens of one answer.")
    ] = None,
    solver: Annotated[
        str | None, typer.Option("--solver", metavar="NAME", help="How a task is put to a model: single_turn.")
    ] = None,
    strata_from: Annotated[
        list[Path] | None,
        typer.Option(
            "--strata-from", metavar="RUN", help="Draw by difficulty, as this earlier run knows it; repeat it."
        ),
    ] = None,
    stop_when_settled: Annotated[
        bool,
        typer.Option(
            "--stop-when-settled",
            help="End a category once every pair of models in it differs beyond doubt (5 % false alarms over the run).",
        ),
    ] = False,
    plan: Annotated[
        Path | None, typer.Option("--plan", metavar="FILE", help="A TOML file with these flags; flags win over it.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Where run folders go; else ./runs.")] = None,
    executor: Annotated[
        str, typer.Option("--executor", metavar="NAME", help="Where the work is done: local.")
    ] = "local",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be called and what it may cost.")] = False,
    export_prompts: Annotated[
        Path | None,
        typer.Option("--export-prompts", metavar="FILE", help="Write a manual model's prompts to a CSV, then end."),
    ] = None,
    answers: Annotated[
        Path | None, typer.Option("--answers", metavar="FILE", help="Read a manual model's answers from a CSV.")
    ] = None,
    unsafe: Unsafe = False,
    yes: Annotated[bool, typer.Option("--yes", help="Ask nothing; a run without a terminal never asks.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress display.")] = False,
    as_json: JsonFlag = False,
) -> int:
    """Put models to a benchmark, keep every answer, and show the result by category.

    Before the first paid call it says what is planned and what it may cost, and tries every endpoint and judge.
    Ctrl-C stops cleanly, and `openassay resume RUN` goes on. Exits 0 complete, 1 incomplete, 2 refused, 130 stopped.
    """
    flags = {
        "models": model,
        "judges": judge,
        "calibrations": calibration,
        "categories": category,
        "per_category": per_category,
        "draws": draws,
        "attempts": attempts,
        "seed": seed,
        "budget": budget,
        "concurrency": concurrency,
        "max_tokens": max_tokens,
        "solver": solver,
        "stop_when_settled": stop_when_settled or None,
        "strata_from": strata_from,
        "models_file": models_file,
        "out": out,
        "unsafe": unsafe or None,
    }
    executor_named(executor)  # an unknown one is refused before a folder is made
    settings = settle(flags, plan)
    manner = Manner(quiet=quiet, as_json=as_json, answers=answers, executor=executor)
    if dry_run:
        with tempfile.TemporaryDirectory() as scratch:
            return _dry_run(_prepare(bench, settings, Path(scratch)), as_json=as_json)
    folder = _prepare(bench, settings, Path(settings.get("out", RUNS)))
    with _or_no_folder(folder):
        if export_prompts is not None:
            return execution.export_prompts(folder, export_prompts, as_json=as_json)
        _announce(folder, manner, ask=not yes)
    return execution.carry_out(folder, manner, fresh=True)


@contextlib.contextmanager
def _or_no_folder(folder: "RunFolder") -> Iterator[None]:
    """What is refused before the first call leaves no empty run behind."""
    try:
        yield
    except BaseException:
        shutil.rmtree(folder.path, ignore_errors=True)
        raise


def settle(flags: dict[str, Any], plan: Path | None) -> dict[str, Any]:
    """What the plan file says, and over it every flag that was given."""
    written = plan_file.read_plan(plan) if plan else {}
    return written | {name: value for name, value in flags.items() if value not in (None, [])}


def _prepare(bench: Path, settings: dict[str, Any], out: Path) -> "RunFolder":
    """Load, resolve, and write the run folder; everything that is refused is refused here."""
    from openassay.models import specs
    from openassay.runs.prepare import prepare
    from openassay.runs.strata import difficulty
    from openassay.tasks.load import load

    benchmark = load(bench)
    models_file = Path(settings["models_file"]) if "models_file" in settings else None
    candidates = specs.resolve(settings.get("models", []), models_file)
    judges = specs.resolve(settings.get("judges", []), models_file, flag="--judge")
    options = plan_file.options(settings)
    if runs := settings.get("strata_from"):
        folders = [run_folders.opened(Path(run)) for run in runs]
        options = options.model_copy(update={"difficulty": difficulty(folders, benchmark, candidates)})
    return prepare(benchmark, bench, candidates, judges, options, out)


def _dry_run(folder: "RunFolder", *, as_json: bool) -> int:
    from openassay.runs.estimate import estimate

    found = estimate(folder)
    if as_json:
        console.write_json(announce.document(folder, found))
    else:
        for row in [*announce.rows(folder, found), *announce.model_rows(folder, found)]:
            console.show(row)
    return 0


def _announce(folder: "RunFolder", manner: Manner, *, ask: bool) -> None:
    """Before the first paid call; what is a warning is told even when all else is quiet."""
    from openassay.runs.estimate import estimate

    found = estimate(folder)
    talks = not (manner.quiet or manner.as_json)
    for row in announce.rows(folder, found) if talks else announce.warnings(folder):
        console.say(row)
    if ask and talks:
        announce.ask_to_go_on(folder, found)
