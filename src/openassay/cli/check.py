"""`openassay check`: what is wrong in a benchmark folder, and whether its tasks prove themselves.

Not here: the rules (`tasks.load`, `tasks.lint`) and the proofs (`runs.prove`).
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openassay.cli import console, run_folders
from openassay.cli.flags import BenchmarkFolder, JsonFlag
from openassay.cli.run_folders import RUNS
from openassay.reports.words import counted
from openassay.schema.benchmark import Benchmark
from openassay.schema.errors import BenchmarkError, Fault, FaultLevel

if TYPE_CHECKING:
    from openassay.runs.ageing import Saturated, Worn
    from openassay.runs.prove import Proof

EXAMPLES = """
openassay check my-benchmark
openassay check my-benchmark --no-prove
openassay check my-benchmark --json > check.json
"""


def command(
    bench: BenchmarkFolder,
    no_prove: Annotated[bool, typer.Option("--no-prove", help="Only read and lint; prove nothing.")] = False,
    runs: Annotated[
        Path, typer.Option("--runs", metavar="DIR", help="Earlier runs: which tasks are worn out by them.")
    ] = RUNS,
    as_json: JsonFlag = False,
) -> int:
    """Read a benchmark, say everything that is wrong in it, and prove its tasks.

    A proof: the solution or reference passes, an empty answer fails, and three scorings are identical.
    Tasks that everybody solves, that are old or that many endpoints have seen by the runs of --runs are listed with
    what to do. Remarks exit 0, findings and failed proofs exit 1, a folder that cannot be loaded exits 2.
    """
    from openassay.tasks.lint import lint
    from openassay.tasks.load import load

    try:
        benchmark = load(bench)
    except BenchmarkError as error:
        if as_json:
            raise
        _show_faults(bench, error.faults)
        return 2
    faults = lint(benchmark, bench)
    proofs = () if no_prove else _prove(benchmark)
    tired, categories = _worn(benchmark, runs)
    if as_json:
        age = {"worn": [one._asdict() for one in tired], "saturated": [one._asdict() for one in categories]}
        console.write_json(_document(benchmark, faults, proofs) | {"evidence": _evidence(benchmark)} | age)
    else:
        _show(bench, benchmark, faults, proofs, proved=not no_prove)
        for task, words in _evidence(benchmark).items():
            console.show(f"evidence: {task}: {words}")
        for one in categories:
            console.show(f"worn: the category {one.category} is saturated: {'; '.join(one.why)}")
        _show_worn(tired)
    return 1 if _findings(faults) or any(proof.status == "failed" for proof in proofs) else 0


def _worn(benchmark: Benchmark, runs: Path) -> "tuple[list[Worn], list[Saturated]]":
    """What earlier runs of this benchmark say; nothing where there are none."""
    from openassay.runs.ageing import saturated, uses, worn

    folders = [one for one in run_folders.all_in(runs) if one.plan.benchmark == benchmark.info.id]
    if not folders:
        return [], []
    return list(worn(uses(benchmark, folders), datetime.now(UTC))), list(saturated(benchmark, folders))


def _show_worn(tired: "Sequence[Worn]") -> None:
    """Tasks that are worn for the same reason stand together."""
    alike: dict[tuple[str, str], list[str]] = {}
    for old in tired:
        alike.setdefault((old.why, old.todo), []).append(old.task)
    for (why, todo), tasks in alike.items():
        console.show(f"worn: {', '.join(tasks)}: {why}")
        console.show(f"  do: {todo}")


def _prove(benchmark: Benchmark) -> "tuple[Proof, ...]":
    from openassay.runs import prove

    return prove.prove(benchmark)


def _evidence(benchmark: Benchmark) -> dict[str, str]:
    """What `openassay prove` left in the tasks' folders, of this very version."""
    from openassay.runs.evidence import kept

    return {task: proof.words() for task, proof in kept(benchmark, benchmark.tasks).items()}


def _findings(faults: Sequence[Fault]) -> list[Fault]:
    return [fault for fault in faults if fault.level is not FaultLevel.REMARK]


def _document(benchmark: Benchmark, faults: Sequence[Fault], proofs: "Sequence[Proof]") -> dict[str, object]:
    return {
        "benchmark": benchmark.info.id,
        "version": benchmark.info.version,
        "digest": benchmark.digest,
        "tasks": len(benchmark.tasks),
        "faults": console.fault_rows(faults),
        "proofs": [{"task": p.task, "status": str(p.status), "reasons": list(p.reasons)} for p in proofs],
        "counts": _counts(proofs),
    }


def _counts(proofs: "Sequence[Proof]") -> dict[str, int]:
    return {name: sum(str(proof.status) == name for proof in proofs) for name in ("proven", "failed", "unproven")}


def _show_faults(bench: Path, faults: Sequence[Fault]) -> None:
    """Every fault, unlike the six lines of an error: finding them all is what this verb is for."""
    for fault in faults:
        console.say(f"{fault.level}: {fault.where() or bench}: {fault.what}")
        if fault.todo:
            console.say(f"  do: {fault.todo}")
    console.say(f"{len(faults)} {'fault' if len(faults) == 1 else 'faults'}; {bench} cannot be loaded")


def _show(
    bench: Path, benchmark: Benchmark, faults: Sequence[Fault], proofs: "Sequence[Proof]", *, proved: bool
) -> None:
    for fault in faults:
        console.show(f"{fault.level}: {fault.where() or bench}: {fault.what}")
        if fault.todo:
            console.show(f"  do: {fault.todo}")
    for proof in proofs:
        if proof.status != "proven":
            reasons = "; ".join(proof.reasons)
            console.show(f"{'not proven' if proof.status == 'failed' else proof.status}: {proof.task}: {reasons}")
    info, findings = benchmark.info, len(_findings(faults))
    size = f"{counted(len(benchmark.tasks), 'task')} in {counted(len(info.category), 'category', 'categories')}"
    console.show(f"{info.id} {info.version}: {size}")
    console.show(f"{counted(findings, 'finding')}, {counted(len(faults) - findings, 'remark')}")
    if proved:
        counts = _counts(proofs)
        console.show(f"{counts['proven']} proven, {counts['failed']} failed, {counts['unproven']} without a reference")
