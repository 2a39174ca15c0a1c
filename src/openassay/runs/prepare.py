"""From a benchmark, model entries and options to a run folder that is ready: everything refused is refused here.

No call is made. What the run would do and may cost stands in `estimate`.
"""

import os
import secrets
import shutil
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, Self

from pydantic import Field, ModelWrapValidatorHandler, ValidationError, model_validator

from openassay import __version__
from openassay.models.lineage import lineage_of
from openassay.models.local_weights import find, shelf, wanted_sha256
from openassay.models.prices import price_of
from openassay.runs import evidence
from openassay.runs.draw import draw, units
from openassay.runs.folder import RunFolder, create_run, pack, pack_prompts
from openassay.runs.objects import Objects
from openassay.runs.probing import UNSAFE, sandbox_for, store_files
from openassay.runs.prompts import prompt_digest
from openassay.runs.refusals import refuse
from openassay.runs.standing import standings
from openassay.runs.strata import Strata, draw_by_strata
from openassay.schema.benchmark import Benchmark
from openassay.schema.canonical import canonical, digest, freeze
from openassay.schema.errors import PlanError, RunFolderError
from openassay.schema.judging import Calibration
from openassay.schema.models import ModelSpec, PlannedModel
from openassay.schema.plan import Draw, DrawnTask, Plan, PlanFile, RetryRule, StopRule
from openassay.schema.record import Json, Record
from openassay.schema.suggest import unknown_name
from openassay.schema.task import Task
from openassay.solvers.resolve import solver_named, template_digest
from openassay.solvers.solver import view

ROOM = 64 * 1024 * 1024
"""Bytes that must be free before a run begins."""


class RunOptions(Record):
    """What flags and the plan file say; null takes the benchmark's default."""

    categories: tuple[str, ...] = ()
    per_category: int | None = Field(default=None, ge=1)
    draws: int | None = Field(default=None, ge=1)
    attempts: int | None = Field(default=None, ge=1)
    seed: int = 0
    budget: int | None = Field(default=None, ge=0)
    """Micro-dollars."""
    concurrency: int = Field(default=16, ge=1)
    solver: str = "single_turn"
    max_tokens: int | None = Field(default=None, ge=1)
    """Wins over every model's and task's own."""
    parameters: dict[str, Json] = {}
    """Sent to every model alike."""
    retry: RetryRule = RetryRule()
    disclosures: tuple[str, ...] = ()
    calibrations: tuple[Calibration, ...] = ()
    """What is known of judges; used where the benchmark sets a bar."""
    difficulty: dict[str, float] = {}
    """Task -> share passed by other models before (`strata.difficulty`): draws by strata of difficulty."""
    stop_when_settled: bool = False
    """End a category once an e-value shows a difference for every pair of models in it; declared in the plan."""
    unsafe: bool = False
    """Run code without a sandbox where there is none; disclosed in the plan."""

    @model_validator(mode="wrap")
    @classmethod
    def _told(cls, given: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        """A wrong option is told as every mistake is: with the nearest right name."""
        try:
            return handler(given)
        except ValidationError as error:
            raise _wrong_option(error) from None


def _wrong_option(error: ValidationError) -> PlanError:
    first = error.errors()[0]
    place = first["loc"]
    if first["type"] == "extra_forbidden":
        known = RunOptions.model_fields if len(place) == 1 else RetryRule.model_fields
        what = unknown_name("option", str(place[-1]), known)
    else:
        what = f"{'.'.join(map(str, place))}: {first['msg']}, found {first['input']!r}"
    return PlanError(what, where="RunOptions", todo="correct or remove it")


def prepare(
    benchmark: Benchmark,
    benchmark_path: Path,
    specs: Sequence[ModelSpec],
    judge_specs: Sequence[ModelSpec],
    options: RunOptions,
    out: Path,
) -> RunFolder:
    """Write the run folder; `RefusedError` or `PlanError` where the run may not or cannot be.

    Args:
        benchmark: loaded.
        benchmark_path: for messages only.
        specs: the candidates, in the order of the report.
        judge_specs: the judges, the primary one first.
        options: see `RunOptions`.
        out: folder that holds run folders; made where it is missing.
    """
    refuse(benchmark, specs, judge_specs, options.budget)
    plan = make_plan(benchmark, specs, judge_specs, options)
    chosen = _by_difficulty(benchmark, plan, options.difficulty) if options.difficulty else _drawn(benchmark, plan)
    sandbox_for(chosen.tasks, unsafe=options.unsafe)  # a run that could not be scored is refused before it begins
    path = new_folder(out, plan)
    drawn = write_draw(benchmark, plan, chosen, Objects(path / "objects"))
    plan_file = PlanFile(
        plan=plan,
        digest=digest(plan),
        benchmark_path=str(benchmark_path),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        concurrency=options.concurrency,
        unsafe=options.unsafe,
        connections={spec.name: spec for spec in (*specs, *judge_specs)},
    )
    return create_run(path, plan_file, drawn)


def make_plan(
    benchmark: Benchmark, specs: Sequence[ModelSpec], judge_specs: Sequence[ModelSpec], options: RunOptions
) -> Plan:
    """The frozen plan; flags win over models' own entries, those over the benchmark's defaults."""
    info, defaults = benchmark.info, benchmark.info.defaults
    forced: dict[str, Json] = {} if options.max_tokens is None else {"max_tokens": options.max_tokens}
    shared = {**defaults.parameters, **_frozen(options.parameters), **forced}
    won = set(options.parameters) | set(forced)
    judges = tuple(_planned(spec, set()) for spec in judge_specs)
    return Plan(
        software=__version__,
        benchmark=info.id,
        benchmark_version=info.version,
        benchmark_digest=benchmark.digest,
        visibility=info.visibility,
        categories=_categories(benchmark, options.categories),
        models=tuple(_planned(spec, won) for spec in specs),
        judges=judges,
        standings=standings(info.judge, judges, options.calibrations),
        solver=options.solver,
        template_digest=template_digest(options.solver),
        per_category=options.per_category or defaults.per_category,
        draws=options.draws or defaults.draws,
        attempts=options.attempts or defaults.attempts,
        seed=options.seed,
        max_tokens=options.max_tokens or defaults.max_tokens,
        parameters=shared,
        budget=options.budget,
        retry=options.retry,
        stop=StopRule() if options.stop_when_settled else None,
        disclosures=(*options.disclosures, *((UNSAFE,) if options.unsafe else ())),
    )


def _planned(spec: ModelSpec, won: set[str]) -> PlannedModel:
    own = {name: value for name, value in spec.parameters.items() if name not in won}
    return PlannedModel(
        name=spec.name,
        endpoint=spec.endpoint,
        model=spec.model,
        developer=spec.developer,
        lineage=lineage_of(spec),
        price=price_of(spec),
        parameters=_frozen(own),
        modalities=spec.modalities,
        weights_sha256=_weights(spec) if spec.endpoint == "local" else "",
    )


def _weights(spec: ModelSpec) -> str:
    """The digest asked for, or that of the file given."""
    return wanted_sha256(spec) or find(spec, shelf()).sha256


def _frozen(parameters: dict[str, Json]) -> dict[str, Any]:
    return {name: freeze(value) for name, value in parameters.items()}


def _categories(benchmark: Benchmark, wanted: tuple[str, ...]) -> tuple[str, ...]:
    known = [category.id for category in benchmark.info.category]
    for name in wanted:
        if name not in known:
            raise PlanError(unknown_name("category", name, known), where="--category")
    return tuple(name for name in known if not wanted or name in wanted)


class Drawn(NamedTuple):
    draws: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]
    tasks: tuple[Task, ...]
    """All that stand in some draw."""
    by: Strata | None = None
    """Where it was taken by difficulty."""


def _drawn(benchmark: Benchmark, plan: Plan) -> Drawn:
    draws, notes = draw(
        benchmark.tasks,
        plan.categories,
        per_category=plan.per_category,
        draws=plan.draws,
        seed=plan.seed,
        salt=plan.benchmark_digest,
        shuffled=plan.stop is not None,
    )
    used = {task for one in draws for task in one}
    tasks = tuple(task for task in benchmark.tasks if task.id in used)
    return Drawn(draws, (*notes, *evidence.note(benchmark, tasks)), tasks)


def _by_difficulty(benchmark: Benchmark, plan: Plan, known: dict[str, float]) -> Drawn:
    if plan.draws > 1 or plan.per_category is None:
        found = f"{plan.draws} draws of {plan.per_category or 'all items'}"
        raise PlanError(
            f"strata of difficulty need one draw of some items of each category, found {found}",
            where="--strata-from",
            todo="give --per-category N and one draw",
        )
    by = draw_by_strata(benchmark.tasks, plan.categories, known, per_category=plan.per_category, seed=plan.seed)
    tasks = tuple(task for task in benchmark.tasks if task.id in by.label_of)
    unknown = sum(task.id not in known for task in benchmark.tasks if task.category in plan.categories)
    notes = ("drawn by strata of difficulty, from results of other models in earlier runs",)
    more = (f"{unknown} tasks that nobody tried before count as of middling difficulty",) if unknown else ()
    return Drawn((by.tasks,), (*notes, *more, *evidence.note(benchmark, tasks)), tasks, by)


def write_draw(benchmark: Benchmark, plan: Plan, drawn: Drawn, objects: Objects) -> Draw:
    tasks = drawn.tasks
    store_files(benchmark, tasks, objects)
    solver = solver_named(plan.solver)
    prompts = tuple(solver.render(view(task, plan.max_tokens)) for task in tasks)
    return Draw(
        info=objects.put(canonical(benchmark.info)),
        records=objects.put(pack(tasks)),
        prompts=objects.put(pack_prompts(prompts)),
        tasks=tuple(
            DrawnTask(task=task.id, category=task.category, identity=task.identity, prompt=prompt_digest(prompt))
            for task, prompt in zip(tasks, prompts, strict=True)
        ),
        draws=drawn.draws,
        pool=_pool(benchmark, plan.categories),
        strata=drawn.by.strata if drawn.by else (),
        stratum_of=drawn.by.label_of if drawn.by else {},
        notes=drawn.notes,
    )


def _pool(benchmark: Benchmark, categories: Sequence[str]) -> dict[str, int]:
    return {category: len(units(benchmark.tasks, category)) for category in categories}


def new_folder(out: Path, plan: Plan) -> Path:
    """A fresh folder that only its owner reads, on a disk with room."""
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    path = out / f"{plan.benchmark}-{stamp}-{secrets.token_hex(2)}"
    try:
        out.mkdir(parents=True, exist_ok=True)
        path.mkdir(mode=0o700)
        (path / "objects").mkdir(mode=0o700)
        free = shutil.disk_usage(path).free
    except OSError as fault:
        raise RunFolderError(
            f"the folder for runs cannot be written: {os.strerror(fault.errno or 0)}",
            where=str(out),
            todo="give a folder that you may write to with --out",
        ) from None
    if free < ROOM:
        shutil.rmtree(path)
        raise RunFolderError(
            f"the disk has {free // 2**20} MB free, expected at least {ROOM // 2**20} MB",
            where=str(out),
            todo="free some space, or give a folder on another disk with --out",
        )
    return path
