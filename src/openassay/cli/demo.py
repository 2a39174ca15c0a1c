"""`openassay demo`: the main job on two small real models of different makers, from nothing to its reports.

Calls the same verbs that a user would, with the same flags, and says which. Not here: any work of its own.
"""

import contextlib
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import typer

from openassay.cli import console, setup
from openassay.cli.flags import JsonFlag
from openassay.models.local_known import KNOWN, Weights
from openassay.models.local_weights import user_folder
from openassay.schema.errors import IncompleteError, RefusedError, SandboxError

EXAMPLES = """
openassay demo
openassay demo --yes --out my-demo
openassay demo --json
"""

OUT = Path("openassay-demo")
MODELS = ("smollm2-135m-instruct", "qwen2.5-coder-0.5b-instruct")
SEED = 1


class Step(NamedTuple):
    """One run of the demo."""

    name: str
    """Also the folder its run goes to."""
    title: str
    per_category: int | None = None
    draws: int = 1
    attempts: int = 1
    part: Literal["texts", "coding"] = "texts"
    """Of the starter."""


STEPS = (
    Step("whole", "the whole starter benchmark, once"),
    Step("draws", "two draws of two items a category, two attempts at each", per_category=2, draws=2, attempts=2),
    Step("coding", "the coding tasks, once: functions, bugs and tests, run in a sandbox", part="coding"),
)


class Done(NamedTuple):
    step: Step
    run: Path
    report: Path
    seconds: float


def command(
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where runs and reports go.")] = OUT,
    yes: Annotated[bool, typer.Option("--yes", help="Fetch missing models without asking.")] = False,
    as_json: JsonFlag = False,
) -> int:
    """Run two small local models on the starter benchmarks and write reports; needs no key and no graphics card.

    Texts first, then, where a sandbox works, code. Takes some minutes on two cores. Models that are missing are
    fetched once, after asking (570 MB).
    """
    began = time.monotonic()
    fetch_missing(ask=not yes and sys.stdin.isatty())
    ready = time.monotonic()
    # The verbs below print tables; in JSON mode stdout belongs to the one document.
    with contextlib.redirect_stdout(sys.stderr) if as_json else contextlib.nullcontext():
        done = [carry_out(step, out) for step in possible(STEPS)]
    tell(done, ready - began, as_json=as_json)
    return 0


def fetch_missing(*, ask: bool) -> None:
    """Set up the two models where they are not."""
    folder = user_folder()
    missing = [KNOWN[name] for name in MODELS if not setup.place_of(KNOWN[name], folder)]
    if not missing and setup.has_runtime(folder):
        return
    if ask and not typer.confirm(question(missing), default=True, err=True):
        raise RefusedError("The demo needs its two models", todo="run `openassay setup local` when you want them")
    setup.set_up([KNOWN[name] for name in MODELS], folder)


def question(missing: Sequence[Weights]) -> str:
    size = setup.megabytes(sum(weights.download for weights in missing))
    names = ", ".join(weights.alias for weights in missing) or "no model"
    return f"Fetch what is missing ({names}: {size}; and the program that runs them)?"


def possible(steps: Sequence[Step]) -> list[Step]:
    """All steps, or all that run no code where no sandbox works, after a sentence that says so."""
    from openassay.sandbox.find import find_sandbox

    try:
        find_sandbox()
    except SandboxError as fault:
        console.say(f"The coding tasks are left out: {fault.what}. {fault.todo}")
        return [step for step in steps if step.part != "coding"]
    return list(steps)


def carry_out(step: Step, out: Path) -> Done:
    """One run and its report; `IncompleteError` where the run does not complete."""
    from openassay.cli import report, run
    from openassay.tasks.starter import starter_path

    bench = starter_path(step.part)
    console.say(f"\n=== {step.title} ===\n{as_typed(step, bench, out)}")
    began, folder = time.monotonic(), out / step.name
    before = runs_in(folder)
    code = run.command(
        bench,
        model=list(MODELS),
        per_category=step.per_category,
        draws=step.draws,
        attempts=step.attempts,
        seed=SEED,
        out=folder,
        yes=True,
    )
    made = sorted(runs_in(folder) - before)
    if code != 0 or not made:
        where = str(made[-1]) if made else str(folder)
        raise IncompleteError("The demo's run did not complete", where=where, todo=f"openassay resume {where}")
    page = out / f"{step.name}.html"
    report.command([made[-1]], html=page)
    return Done(step, made[-1], page, time.monotonic() - began)


def as_typed(step: Step, bench: Path, out: Path) -> str:
    """The command that a user would type for this step."""
    flags = [f"--model {name}" for name in MODELS]
    if step.per_category is not None:
        flags += [f"--per-category {step.per_category}", f"--draws {step.draws}", f"--attempts {step.attempts}"]
    return " ".join(["openassay run", str(bench), *flags, f"--seed {SEED}", f"--out {out / step.name}"])


def runs_in(folder: Path) -> set[Path]:
    return {place.parent for place in folder.glob("*/plan.json")}


def tell(done: Sequence[Done], set_up: float, *, as_json: bool) -> None:
    if as_json:
        runs = [
            {"step": one.step.name, "run": str(one.run), "report": str(one.report), "seconds": round(one.seconds, 1)}
            for one in done
        ]
        console.write_json({"models": list(MODELS), "set_up_seconds": round(set_up, 1), "runs": runs})
        return
    console.show(f"\nset-up {set_up:.0f} s, runs {sum(one.seconds for one in done):.0f} s")
    for one in done:
        console.show(f"{one.step.title}: {one.seconds:.0f} s\n  run     {one.run}\n  report  {one.report.resolve()}")
    console.show("Open a report in a browser; it needs no network.")
