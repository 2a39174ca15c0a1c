"""`openassay prove`: shows, without any model, that tasks can be passed, and not by cheating.

Not here: the proofs (`authoring.prove`), what every task shows (`runs.prove`).
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openassay.cli import console
from openassay.cli.flags import JsonFlag, Unsafe

if TYPE_CHECKING:
    from openassay.runs.evidence import TaskProof
    from openassay.schema.benchmark import Benchmark
    from openassay.schema.task import Task

EXAMPLES = """
openassay prove my-benchmark
openassay prove my-benchmark/tasks/functions/fn-coins
openassay prove my-benchmark#sum-1 --json
"""


def command(
    place: Annotated[str, typer.Argument(metavar="TASK|BENCH", help="A task folder, BENCH#task-id, or a benchmark.")],
    *,
    no_write: Annotated[bool, typer.Option("--no-write", help="Leave the tasks' evidence/ folders alone.")] = False,
    unsafe: Unsafe = False,
    as_json: JsonFlag = False,
) -> int:
    """Show that each task can be passed and can be failed.

    The solution passes, an empty answer fails, three scorings are identical. Where code is run: small wrong versions
    of the solution are caught, the cheat suite never passes, honest but unusual solutions pass. What was found is
    written to evidence/proof.json in each task's folder. Exits 1 where a proof fails.
    """
    benchmark, tasks = _wanted(place)
    proofs = _prove(benchmark, tasks, unsafe=unsafe, write=not no_write, told=not as_json)
    if as_json:
        console.write_json({"benchmark": benchmark.info.id, "proofs": [one.model_dump(mode="json") for one in proofs]})
    else:
        _sum_up(proofs)
    return 1 if any(one.status == "failed" for one in proofs) else 0


def _wanted(place: str) -> "tuple[Benchmark, Sequence[Task]]":
    from openassay.cli.grade import BENCHMARK_FILE, find_task
    from openassay.tasks.load import load

    path = Path(place)
    if path.name == BENCHMARK_FILE or (path / BENCHMARK_FILE).is_file():
        benchmark = load(path)
        return benchmark, benchmark.tasks
    benchmark, task = find_task(place)
    return benchmark, (task,)


def _prove(
    benchmark: "Benchmark", tasks: "Sequence[Task]", *, unsafe: bool, write: bool, told: bool
) -> "list[TaskProof]":
    from openassay.authoring import prove
    from openassay.runs import evidence
    from openassay.runs.probing import from_folder, sandbox_for
    from openassay.runs.prove import Run, siblings_of

    run = Run(from_folder(benchmark), sandbox_for(tasks, unsafe=unsafe))
    siblings = siblings_of(benchmark)
    proofs = []
    for task in tasks:
        folder = evidence.folder_of(benchmark, task.id)
        proof = prove.prove(task, run, folder, siblings.get(task.id, ()))
        if write and folder is not None and proof.mutants + proof.cheats:
            evidence.write(folder, proof)
        if told:
            _show(proof)
        proofs.append(proof)
    return proofs


def _show(proof: "TaskProof") -> None:
    words = {"proven": "proven", "failed": "NOT PROVEN", "unproven": "unproven"}
    console.show(f"{words[proof.status]}: {proof.task}: {proof.words()}")
    for reason in proof.reasons if proof.status == "failed" else ():
        console.show(f"  {reason}")
    for name in proof.missed:
        console.show(f"  no test notices {name}")


def _sum_up(proofs: "Sequence[TaskProof]") -> None:
    counts = {name: sum(one.status == name for one in proofs) for name in ("proven", "failed", "unproven")}
    console.show(f"{counts['proven']} proven, {counts['failed']} failed, {counts['unproven']} unproven")
    wrong = sum(one.mutants - len(one.equivalent) for one in proofs)
    if wrong:
        caught = sum(one.caught for one in proofs)
        console.show(f"mutation score: {caught} of {wrong} wrong versions caught ({100 * caught // wrong} %)")
