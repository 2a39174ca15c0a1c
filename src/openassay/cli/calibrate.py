"""`openassay judge calibrate`: how far a judge agrees with people, measured before its verdicts count anywhere.

Not here: how it is done (`runs.calibrate`, and the engine of every run), what it comes to (`runs.measured_judge`).
"""

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openassay.cli import console, execution, plan_file
from openassay.cli.execution import Manner
from openassay.cli.flags import JsonFlag, ModelsFile
from openassay.cli.progress import dollars
from openassay.cli.run_folders import RUNS

if TYPE_CHECKING:
    from openassay.runs.calibrate import Asking
    from openassay.schema.benchmark import BenchmarkInfo
    from openassay.schema.models import ModelSpec

EXAMPLES = """
openassay judge calibrate --judge referee
openassay judge calibrate --judge referee --bench my-benchmark --budget 2
openassay judge calibrate --judge referee --gold our-gold.csv --repeats 0 --no-twins
openassay judge calibrate --judge qwen2.5-coder-0.5b-instruct --limit 12 --dry-run
"""


def command(
    *,
    judge: Annotated[
        str, typer.Option("--judge", metavar="NAME", help="The judge, from the models file, or NAME=URL#MODEL.")
    ],
    gold: Annotated[
        Path | None,
        typer.Option("--gold", metavar="FILE", help="Gold set, .jsonl or .csv; else the one that ships."),
    ] = None,
    models_file: ModelsFile = None,
    bench: Annotated[
        Path | None,
        typer.Option("--bench", metavar="BENCH", help="Ask as this benchmark asks, and compare with its bar."),
    ] = None,
    repeats: Annotated[
        int, typer.Option("--repeats", metavar="N", min=0, help="Times that all is asked again, word by word.")
    ] = 1,
    no_twins: Annotated[
        bool, typer.Option("--no-twins", help="Leave out the padded and reformatted twins of the outputs.")
    ] = False,
    limit: Annotated[
        int | None, typer.Option("--limit", metavar="N", min=1, help="Only so many outputs, mixed from the whole set.")
    ] = None,
    budget: Annotated[
        str | None, typer.Option("--budget", metavar="USD", help="Hard cap on the cost of all calls.")
    ] = None,
    concurrency: Annotated[
        int, typer.Option("--concurrency", metavar="C", min=1, help="Most calls in flight at once.")
    ] = 16,
    out: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Where run folders go; else ./runs.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be asked and what it may cost.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress display.")] = False,
    as_json: JsonFlag = False,
) -> int:
    """Measure a judge on a gold set: outputs whose verdicts people agreed on.

    Shows agreement, what it misses, consistency over item order, repeats and style, and canary items. It is kept, and
    `run` and `score` compare it with the benchmark's bar. It is a run: `openassay resume RUN` goes on with it.
    Exits 0 complete, 1 incomplete or below the bar of --bench, 2 refused, 130 stopped.
    """
    from openassay.models.specs import resolve
    from openassay.runs.calibrate import Measuring, asking, begin
    from openassay.schema.judging import JudgePolicy
    from openassay.tasks.gold import mixed, read_gold, starter_gold

    read = read_gold(gold or starter_gold())
    (spec,) = resolve([judge], models_file, flag="--judge")
    asks = _info(bench)
    how = Measuring(
        policy=asks.judge if asks else JudgePolicy(),
        visibility=asks.visibility if asks else "private",
        endpoints=asks.endpoints if asks else (),
        repeats=repeats,
        twins=not no_twins,
        budget=plan_file.micro_usd(budget, "--budget"),
        concurrency=concurrency,
    )
    chosen = read if limit is None else mixed(read, limit)
    if dry_run:
        with tempfile.TemporaryDirectory() as scratch:
            return _dry_run(spec, asking(begin(chosen, spec, how, Path(scratch))), as_json=as_json)
    folder = begin(chosen, spec, how, out or RUNS)
    manner = Manner(quiet=quiet, as_json=as_json)
    if not (quiet or as_json):
        for row in _rows(spec, asking(folder)):
            console.say(row)
    return execution.carry_out(folder, manner, fresh=True)


def _info(bench: Path | None) -> "BenchmarkInfo | None":
    from openassay.tasks.load import load

    return load(bench).info if bench else None


def _dry_run(spec: "ModelSpec", found: "Asking", *, as_json: bool) -> int:
    if as_json:
        cost = None if found.cost_max is None else found.cost_max / 1_000_000
        console.write_json({"judge": spec.name, **found._asdict(), "cost_max": cost})
    else:
        for row in _rows(spec, found):
            console.show(row)
    return 0


def _rows(spec: "ModelSpec", found: "Asking") -> list[str]:
    cost = "price unknown" if found.cost_max is None else f"at most {dollars(found.cost_max)}"
    cost = "no cost" if found.cost_max == 0 else cost
    twins = f" and {found.twins} twins of them" if found.twins else ""
    return [
        f"planned: {found.requests} requests to {spec.name}, {cost}",
        f"  {found.items} gold items on {found.outputs} outputs{twins}",
    ]
