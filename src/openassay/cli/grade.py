"""`openassay grade`: verdicts on one answer from a file, without a run and without a model under test."""

import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from openassay.cli import console
from openassay.cli.flags import JsonFlag, Judges, ModelsFile, Unsafe
from openassay.schema.benchmark import Benchmark
from openassay.schema.errors import InputError, PlanError
from openassay.schema.suggest import unknown_name
from openassay.schema.task import Task

if TYPE_CHECKING:
    from openassay.schema.attempt import Scoring

EXAMPLES = """
openassay grade my-benchmark#sum-1 answer.txt
openassay grade my-benchmark/tasks/letters/reply-to-mr-k answer.txt --judge referee
echo 42 | openassay grade my-benchmark#sum-1 - --json
"""

BENCHMARK_FILE = "benchmark.toml"


def command(
    task: Annotated[str, typer.Argument(metavar="TASK", help="A task folder, or BENCH#task-id.")],
    answer_file: Annotated[str, typer.Argument(metavar="ANSWER_FILE", help="The answer as text, or - for stdin.")],
    *,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Also write score.json and the answer there.")
    ] = None,
    judge: Judges = None,
    models_file: ModelsFile = None,
    unsafe: Unsafe = False,
    as_json: JsonFlag = False,
) -> int:
    """Score one answer against one task and say, check by check, why.

    Exits 0 if it passes (or no check decides), 1 if a hard check fails.
    """
    benchmark, found = find_task(task)
    answer = read_answer(answer_file)
    scoring = asyncio.run(_grade(benchmark, found, answer, judge, models_file, unsafe=unsafe))
    document = _document(found, scoring)
    if out is not None:
        _write(out, answer, document)
    if as_json:
        console.write_json(document)
    else:
        _show(document)
    return 1 if scoring.score.passed is False else 0


def find_task(place: str) -> tuple[Benchmark, Task]:
    """The benchmark and the task that a TASK on the command line names."""
    from openassay.tasks.load import load

    bench, hash_sign, task_id = place.rpartition("#")
    if hash_sign:
        benchmark = load(Path(bench))
        known = [task.id for task in benchmark.tasks]
        if task_id not in known:
            raise InputError(unknown_name("task", task_id, known), where=bench, todo="name one of its tasks")
        return benchmark, benchmark.task(task_id)
    folder = Path(place).resolve()
    root = next((one for one in folder.parents if (one / BENCHMARK_FILE).is_file()), None)
    if root is None:
        raise InputError(
            f"expected a task folder inside a benchmark, or BENCH#task-id; found {place!r}",
            where="TASK",
            todo="write for example my-benchmark#sum-1",
        )
    benchmark = load(root)
    return benchmark, _in_folder(benchmark, folder.relative_to(root).as_posix(), place)


def _in_folder(benchmark: Benchmark, folder: str, place: str) -> Task:
    for task_id, where in benchmark.places.items():
        if where.folder and where.folder == folder:
            return benchmark.task(task_id)
    raise InputError(f"no task stands in the folder {place}", where="TASK", todo="give the folder with its task.toml")


def read_answer(place: str) -> str:
    """The whole text of a file, or of stdin."""
    try:
        raw = sys.stdin.buffer.read() if place == "-" else Path(place).read_bytes()
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("expected UTF-8 text", where=place, todo="save the answer as UTF-8") from None
    except OSError as fault:
        raise InputError(f"cannot read the answer: {fault.strerror}", where=place, todo="check the path") from None


async def _grade(
    benchmark: Benchmark,
    task: Task,
    answer: str,
    judges: Sequence[str] | None,
    models_file: Path | None,
    *,
    unsafe: bool,
) -> "Scoring":
    from openassay.runs.grade import NamedJudge, grade
    from openassay.runs.probing import prober_for

    prober = prober_for(benchmark, [task], unsafe=unsafe)
    if not judges:
        return await grade(task, answer, prober=prober)
    from openassay.models.allowed import endpoint_allowed
    from openassay.models.connect import connect
    from openassay.models.specs import resolve

    if len(judges) > 1:
        raise PlanError("expected one judge for one answer", where="--judge", todo="name one")
    (spec,) = resolve(judges, models_file, flag="--judge")
    if why := endpoint_allowed(spec, benchmark.info):
        raise PlanError(why, where=f"--judge {spec.name}")
    model = connect(spec, say=console.say)
    try:
        return await grade(task, answer, NamedJudge(spec.name, model), prober)
    finally:
        await model.close()


def _document(task: Task, scoring: "Scoring") -> dict[str, Any]:
    from openassay.runs.grade import interchange

    return dict(interchange(task, scoring))


def _write(out: Path, answer: str, document: Mapping[str, Any]) -> None:
    out.mkdir(parents=True, exist_ok=True)
    (out / "answer.txt").write_text(answer, encoding="utf-8")
    (out / "score.json").write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def _show(document: Mapping[str, Any]) -> None:
    marks = {True: "pass", False: "FAIL", None: "unmeasured"}
    for item in document["items"]:
        hard = " (hard)" if item.get("hard") else ""
        console.show(f"{marks[item.get('pass')]}{hard}  {item['check']}: {item['reason']}")
    console.show(f"{document['task_id']}: score {document['score']} of {document['total']}, {_verdict(document)}")


def _verdict(document: Mapping[str, Any]) -> str:
    return {True: "passed", False: "not passed"}.get(document["passed"], "no check decides whether it passed")
