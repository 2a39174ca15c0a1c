"""`openassay score`: verdicts anew on stored answers; the models under test are never called again."""

import asyncio
import contextlib
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openassay.cli import ending, execution, manual, run_folders
from openassay.cli.execution import Manner, exit_code
from openassay.cli.flags import Calibrations, JsonFlag, Judges, ModelsFile, RunFolderPath, Unsafe
from openassay.cli.progress import Display
from openassay.runs import rescore
from openassay.runs.calibrations import known
from openassay.runs.folder import RunFolder, open_run
from openassay.runs.imported import refuse_imported
from openassay.runs.prepare import RunOptions, make_plan
from openassay.runs.refusals import refuse
from openassay.runs.standing import standings
from openassay.sandbox.find import find_sandbox
from openassay.schema.benchmark import Benchmark
from openassay.schema.errors import PlanError
from openassay.schema.judging import Standing
from openassay.schema.models import ModelSpec, PlannedModel

if TYPE_CHECKING:
    from openassay.runs.run_end import RunEnd

EXAMPLES = """
openassay score runs/desk-20260101-101500-ab12
openassay score runs/desk-20260101-101500-ab12 --judge referee
openassay score runs/desk-20260101-101500-ab12 --bench my-benchmark --no-judge
"""


def command(
    run: RunFolderPath,
    *,
    judge: Judges = None,
    no_judge: Annotated[bool, typer.Option("--no-judge", help="Scripts only; judged checks stay unmeasured.")] = False,
    bench: Annotated[
        Path | None, typer.Option("--bench", metavar="BENCH", help="Take corrected checks from this folder.")
    ] = None,
    models_file: ModelsFile = None,
    calibration: Calibrations = None,
    unsafe: Unsafe = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress display.")] = False,
    as_json: JsonFlag = False,
) -> int:
    """Score the stored answers of a run again: with corrected checks, another judge, or a later version.

    The old verdicts are kept beside the new. Without --judge the judges of the last scoring are asked again.
    """
    folder = run_folders.opened(run)
    refuse_imported(folder, "score", "it holds scores and no answers, so there is nothing to score")
    corrected = _load(bench) if bench else None
    specs = [] if no_judge else _judges(folder, judge, models_file)
    planned = _planned(folder, specs)
    manner = Manner(quiet=quiet, as_json=as_json)
    policy = corrected.info.judge if corrected else folder.judge_policy
    found = standings(policy, planned, known(calibration or ()))
    end = asyncio.run(_score(folder, corrected, specs, planned, found, manner, unsafe=unsafe))
    scored = ending.show(open_run(folder.path), end, as_json=as_json)  # read anew: the new pass changes what it holds
    return exit_code(end, scored=scored)


def _load(bench: Path) -> Benchmark:
    from openassay.tasks.load import load

    return load(bench)


def _judges(folder: RunFolder, names: Sequence[str] | None, models_file: Path | None) -> list[ModelSpec]:
    from openassay.models.specs import resolve

    if names:
        return list(resolve(names, models_file, flag="--judge"))
    return last_judges(folder)


def last_judges(folder: RunFolder) -> list[ModelSpec]:
    """Whom the latest scoring with judges asked, as far as it is known how to reach them; else the run's own."""
    known = dict(folder.plan_file.connections)
    asked = [folder.plan.judges]
    for one in folder.passes:
        known |= one.connections
        asked.append(one.judges)
    reachable = [[known[judge.name] for judge in judges if judge.name in known] for judges in reversed(asked)]
    return next((specs for specs in reachable if specs), [])


def _planned(folder: RunFolder, judges: Sequence[ModelSpec]) -> tuple[PlannedModel, ...]:
    """The judges as records, refused by the same rules as in a run."""
    candidates = [folder.plan_file.connections[one.name] for one in folder.plan.models]
    stored = Benchmark(info=folder.info, tasks=tuple(folder.tasks.values()), digest=folder.plan.benchmark_digest)
    refuse(stored, candidates, judges, None)
    if not judges and folder.info.judge.required:
        raise PlanError("this benchmark requires a judge", where="--no-judge", todo="name one with --judge NAME")
    return make_plan(stored, candidates, judges, RunOptions()).judges


async def _score(
    folder: RunFolder,
    corrected: Benchmark | None,
    specs: Sequence[ModelSpec],
    planned: tuple[PlannedModel, ...],
    found: tuple[Standing, ...] | None,
    manner: Manner,
    *,
    unsafe: bool,
) -> "RunEnd":
    sandbox = find_sandbox(unsafe=True) if unsafe else None
    async with contextlib.AsyncExitStack() as stack:
        shown = Display(time.monotonic, quiet=manner.quiet or manner.as_json)
        display, stop = await execution.watch(stack, shown, "The same `openassay score` again goes on.")
        opened = await execution.connect_all(stack, folder, specs, manner, manual.pasting(stop.is_set))
        return await rescore.score(
            folder,
            observer=display,
            stop=stop,
            benchmark=corrected,
            judges=opened,
            planned_judges=planned,
            connections={spec.name: spec for spec in specs},
            standings=found,
            sandbox=sandbox,
        )
