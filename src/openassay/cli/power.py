"""`openassay power`: how many items, draws and attempts it takes to see a gap between two models, and what it costs.

Not here: the formulas (`stats.power`), what a run has shown already (`cli.compare`).
"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openassay.cli import console, run_folders
from openassay.cli.compare import share
from openassay.cli.flags import JsonFlag
from openassay.schema.errors import PlanError

if TYPE_CHECKING:
    from openassay.reports.power_contract import Power
    from openassay.reports.steps import Aim, Means
    from openassay.runs.folder import RunFolder

EXAMPLES = """
openassay power runs/20260101-101500-ab12 --gap 5
openassay power runs/20260101-101500-ab12 --gap 3 --model small --model large --budget 20
openassay power --rate 80 --gap 3
openassay power --rate 80 --correlation 0.4 --gap 5 --pool 400 --price 0.002 --budget 5
"""
TWO = 2


def command(  # one flag each
    run: Annotated[
        Path | None, typer.Argument(metavar="RUN", help="An earlier run whose variance and cost are taken.")
    ] = None,
    *,
    gap: Annotated[float, typer.Option("--gap", metavar="POINTS", help="The gap to be seen: 3 is 3 of 100.")],
    rate: Annotated[
        float | None,
        typer.Option("--rate", metavar="P", help="Without a run: pass rate expected of the better model, of 100."),
    ] = None,
    correlation: Annotated[
        float, typer.Option("--correlation", metavar="R", help="Without a run: likeness of the two, item by item.")
    ] = 0.5,
    attempt_share: Annotated[
        float | None,
        typer.Option("--attempt-share", metavar="S", help="Share of attempts in the noise, where not measured."),
    ] = None,
    model: Annotated[
        list[str] | None, typer.Option("--model", metavar="NAME", help="Two models of the run; else the two best.")
    ] = None,
    category: Annotated[
        list[str] | None, typer.Option("--category", metavar="C", help="Only this category; repeat it.")
    ] = None,
    attempts: Annotated[
        list[int] | None, typer.Option("--attempts", metavar="K", help="Attempts at an item to consider; repeat it.")
    ] = None,
    pool: Annotated[int | None, typer.Option("--pool", min=1, metavar="N", help="Items that there are.")] = None,
    price: Annotated[
        float | None, typer.Option("--price", metavar="USD", help="Of one answer; else what the run paid.")
    ] = None,
    budget: Annotated[
        float | None, typer.Option("--budget", metavar="USD", help="Split it between items and attempts.")
    ] = None,
    as_json: JsonFlag = False,
) -> int:
    """Say how many items, draws and attempts it takes to see a gap of this size with a chance of 80 %, and the cost.

    From the variance of an earlier run, category by category, or from assumptions (--rate). Further attempts at an item
    help as far as attempts differ; a run with one attempt each cannot tell, unless --attempt-share says so.
    """
    from openassay.reports.steps import ATTEMPTS, Aim, Means

    _refuse_odd(run, rate, correlation, attempts)
    aim = Aim(share(gap, "--gap") or 0.0, tuple(attempts or ATTEMPTS), budget, attempt_share)
    given = Means(pool, None, price)
    if run is not None:
        found = _of_run(run_folders.opened(run), aim, given, model or [], category or [])
    else:
        found = _assumed(rate, correlation, given, aim)
    _refuse_unpaid(found)
    if as_json:
        console.write_json(found.model_dump(mode="json"))
    else:
        _show(found)
    return 0


def _refuse_odd(run: Path | None, rate: float | None, correlation: float, attempts: list[int] | None) -> None:
    if (run is None) == (rate is None):
        found = "both" if run is not None else "neither"
        raise PlanError(
            f"expected a run or an expected rate, found {found}",
            where="openassay power",
            todo="give a run folder, or --rate 80 for a rate of 80 of 100",
        )
    if rate is not None and not 1 < rate <= 100:  # noqa: PLR2004
        raise PlanError(f"expected a rate of 100, found {rate:g}", where="--rate", todo="such as --rate 80")
    if not -1 <= correlation <= 1:
        raise PlanError(f"expected -1 to 1, found {correlation:g}", where="--correlation", todo="0.5 is usual")
    if any(number < 1 for number in attempts or ()):
        raise PlanError("expected at least one attempt", where="--attempts", todo="such as --attempts 1 --attempts 4")


def _of_run(folder: "RunFolder", aim: "Aim", given: "Means", models: list[str], categories: list[str]) -> "Power":
    from openassay.cli.compare import refuse_unknown
    from openassay.reports.power import power_of_run
    from openassay.reports.summary import columns_in

    for name in models:
        refuse_unknown("model", name, [one.name for one in folder.plan.models], str(folder.path))
    for name in categories:
        refuse_unknown("category", name, [one.id for one in folder.info.category], str(folder.path))
    if models and len(set(models)) != TWO:
        raise PlanError(f"expected two models, found {len(set(models))}", where="--model", todo="name two")
    return power_of_run(columns_in(folder), aim, models, categories, given)


def _assumed(rate: float | None, correlation: float, given: "Means", aim: "Aim") -> "Power":
    from openassay.reports.power import power_assumed

    better = (rate or 0.0) / 100
    if better < aim.gap:
        raise PlanError(
            f"expected a rate of at least the gap, found {100 * better:g} and {100 * aim.gap:g}",
            where="--rate",
            todo="--rate is the better model's",
        )
    return power_assumed(better, correlation, given, aim)


def _refuse_unpaid(found: "Power") -> None:
    if found.budget_usd is not None and not any(one.spendings for one in found.categories):
        measured = "the run's answers cost nothing, or nobody said what"
        raise PlanError(
            f"a budget cannot be split: {measured if found.run else 'what one answer costs is not known'}",
            where="--budget",
            todo="say it with --price USD",
        )


def _show(found: "Power") -> None:
    from openassay.reports import power_terminal

    power_terminal.show(found)
