"""From a gold set and a judge to a run folder in which the judge is measured. It is a run, and is resumed like one.

Each output of the gold set is a task, answered beforehand; each gold item is one of its judged checks. The first draw
holds every output, and its twins in another style; each further draw holds the outputs again, and is judged anew.
Not here: what the verdicts come to (`measured_judge`), and asking (`engine`).
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import ValidationError

from openassay.runs import journal
from openassay.runs.books import read_attempts
from openassay.runs.calls import upper_bound
from openassay.runs.cells import answer_text
from openassay.runs.folder import RunFolder, create_run, open_run
from openassay.runs.gold_tasks import AS_WRITTEN, TITLES
from openassay.runs.gold_tasks import answers as gold_answers
from openassay.runs.objects import Objects
from openassay.runs.prepare import Drawn, RunOptions, make_plan, new_folder, write_draw
from openassay.runs.refusals import refuse
from openassay.runs.scoring import evidence_of
from openassay.schema.attempt import Attempt, Outcome
from openassay.schema.benchmark import Benchmark, BenchmarkInfo, Category
from openassay.schema.canonical import digest
from openassay.schema.errors import RunFolderError
from openassay.schema.gold import GoldSet
from openassay.schema.judging import DisputeRules, JudgePolicy
from openassay.schema.message import ModelRequest
from openassay.schema.models import ModelSpec
from openassay.schema.plan import Draw, Plan, PlanFile
from openassay.schema.task import Task
from openassay.scorers import judge, judge_prompt
from openassay.tasks.identity import benchmark_digest

GOLD_FILE = "gold.json"
"""The gold set in the run folder, verdicts and all: the truth that no judge sees."""
INLINE = 2_048
"""Characters; a longer output stands in an object."""


class Measuring(NamedTuple):
    """How a judge is measured."""

    policy: JudgePolicy = JudgePolicy()
    """Of the benchmark: mode, passes and bar."""
    repeats: int = 1
    """Times that all is asked again."""
    twins: bool = True
    budget: int | None = None
    """Micro-dollars."""
    concurrency: int = 16
    visibility: Literal["private", "confidential", "public"] = "private"
    """Of the benchmark: outputs of a confidential one go only where its tasks may."""
    endpoints: tuple[str, ...] = ()


class Asking(NamedTuple):
    """What a calibration asks, before it does."""

    outputs: int
    twins: int
    items: int
    requests: int
    cost_max: int | None
    """Micro-dollars without retries; null where the price is not known."""


def begin(gold: GoldSet, spec: ModelSpec, how: Measuring, out: Path) -> RunFolder:
    """Write the run folder, the answers and the truth in it; the engine does the rest.

    Args:
        gold: as read.
        spec: the judge.
        how: see `Measuring`.
        out: folder that holds run folders; made where it is missing.

    Raises:
        RefusedError: the judge may not be asked, or a budget cannot be kept.
        RunFolderError: the folder cannot be written.
    """
    answers = tuple(gold_answers(gold, twins=how.twins))
    benchmark = _benchmark(gold, spec, how, tuple(one.task for one in answers))
    candidate = ModelSpec(name="gold" if spec.name != "gold" else "gold-set", endpoint="manual", model=gold.digest)
    # Nobody is asked for the answers, so the rule about who may see them is the judge's alone.
    refuse(benchmark, [candidate.model_copy(update={"endpoint": "scripted"})], [spec], how.budget)
    plan = _plan(benchmark, candidate, spec, how)
    path = new_folder(out, plan)
    objects = Objects(path / "objects")
    drawn = write_draw(benchmark, plan, Drawn(_draws(benchmark.tasks, how.repeats), (), benchmark.tasks), objects)
    (path / GOLD_FILE).touch(mode=0o600)
    (path / GOLD_FILE).write_text(gold.model_dump_json(exclude_defaults=True) + "\n", encoding="utf-8")
    _write_answers(path, objects, drawn, candidate.name, {one.task.id: one.text for one in answers})
    plan_file = PlanFile(
        plan=plan,
        digest=digest(plan),
        benchmark_path="",
        created=datetime.now(UTC).isoformat(timespec="milliseconds"),
        concurrency=how.concurrency,
        connections={one.name: one for one in (candidate, spec)},
    )
    create_run(path, plan_file, drawn)
    return open_run(path)


def asking(folder: RunFolder) -> Asking:
    """Every request that the judge of a calibration gets, counted, and the bound of what they cost."""
    (planned,) = folder.plan.judges
    calls = [call for attempt in read_attempts(folder.journal) for call in _calls(folder, attempt)]
    written = [task for task in folder.tasks.values() if task.category == AS_WRITTEN]
    return Asking(
        outputs=len(written),
        twins=len(folder.tasks) - len(written),
        items=sum(len(task.checks) for task in written),
        requests=len(calls),
        cost_max=None if planned.price is None else sum(upper_bound(planned.price, call) for call in calls),
    )


def read_gold_file(folder: RunFolder) -> GoldSet:
    """The truth; `RunFolderError` where it is gone."""
    path = folder.path / GOLD_FILE
    try:
        return GoldSet.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        raise RunFolderError(
            f"expected the gold set in {GOLD_FILE}, found none that can be read",
            where=str(path),
            todo="restore it from a backup, or begin a new calibration",
        ) from None


def _calls(folder: RunFolder, attempt: Attempt) -> Iterator[ModelRequest]:
    """What the judge is asked about one answer."""
    task, policy = folder.tasks[attempt.task], folder.judge_policy
    request = judge.request(task, evidence_of(task, answer_text(folder, attempt), ()))
    if request is None:
        return
    for order in range(1, policy.passes + 1):
        yield from map(judge_prompt.prompt, judge.posed(request, policy, order, attempt.draw))


def _benchmark(gold: GoldSet, spec: ModelSpec, how: Measuring, tasks: tuple[Task, ...]) -> Benchmark:
    styles = {task.category for task in tasks}
    alone = {"required": False, "different_lineage": False, "disputes": DisputeRules(), "audit": Decimal(0)}
    info = BenchmarkInfo(
        id=f"calibration-{spec.name}"[:100],
        version="1-A",
        title=f"The judge {spec.name} on the gold set {gold.name}",
        developers="",
        purpose="How far the verdicts of a judge agree with those of people",
        licence="",
        funding="",
        visibility=how.visibility,
        endpoints=how.endpoints,
        category=tuple(
            Category(id=style, track="gold", title=title, definition=definition)
            for style, (title, definition) in TITLES.items()
            if style in styles
        ),
        judge=how.policy.model_copy(update=alone),
    )
    return Benchmark(info=info, tasks=tasks, digest=benchmark_digest(info, (task.identity for task in tasks)))


def _plan(benchmark: Benchmark, candidate: ModelSpec, spec: ModelSpec, how: Measuring) -> Plan:
    options = RunOptions(draws=1 + how.repeats, attempts=1, budget=how.budget, concurrency=how.concurrency)
    plan = make_plan(benchmark, [candidate], [spec], options)
    # No bar holds back the verdicts of a judge that is being measured.
    return plan.model_copy(update={"calibration": True, "standings": None})


def _draws(tasks: Sequence[Task], repeats: int) -> tuple[tuple[str, ...], ...]:
    again = tuple(task.id for task in tasks if task.category == AS_WRITTEN)
    return (tuple(task.id for task in tasks), *[again] * repeats)


def _write_answers(path: Path, objects: Objects, drawn: Draw, model: str, texts: dict[str, str]) -> None:
    """The whole grid, answered: only verdicts are left to do."""
    prompts = {one.task: one.prompt for one in drawn.tasks}
    (path / "journal").mkdir(mode=0o700)
    writer = journal.Writer(journal.segment(path / "journal", "attempts", 1))
    try:
        for number, tasks in enumerate(drawn.draws):
            for task in tasks:
                writer.append(journal.sealed(_attempt(model, task, number, texts[task], prompts[task], objects)))
        writer.sync()
    finally:
        writer.close()


def _attempt(model: str, task: str, number: int, text: str, prompt: str, objects: Objects) -> Attempt:
    place = objects.put(text.encode()) if len(text) > INLINE else None
    return Attempt(
        model=model,
        task=task,
        draw=number,
        attempt=0,
        outcome=Outcome.ANSWERED,
        answer="" if place else text,
        answer_object=place,
        prompt=prompt,
        started_ms=0,
        took_ms=0,
        imported=True,
    )
