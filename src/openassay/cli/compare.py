"""`openassay compare`: is one model of a run better than another? The answer in words first, then what it rests on.

Category by category, never over several. Not here: the comparison itself (`reports.pairs`).
"""

from typing import Annotated

import typer

from openassay.cli import console, run_folders
from openassay.cli.flags import JsonFlag, RunFolderPath
from openassay.schema.errors import InputError, PlanError

EXAMPLES = """
openassay compare runs/20260101-101500-ab12 small large
openassay compare runs/20260101-101500-ab12 small large --category letters
openassay compare runs/20260101-101500-ab12 small large --margin 2
"""
SMALLEST = 0.1
"""Points below which a margin or gap was most likely meant as a share."""


def command(
    run: RunFolderPath,
    model_a: Annotated[str, typer.Argument(metavar="MODEL_A", help="A model of the run, as reports name it.")],
    model_b: Annotated[str, typer.Argument(metavar="MODEL_B", help="The other one.")],
    category: Annotated[
        list[str] | None, typer.Option("--category", metavar="C", help="Only this category; repeat it.")
    ] = None,
    margin: Annotated[
        float | None,
        typer.Option("--margin", metavar="POINTS", help="Differences up to this make none to you: 2 is 2 of 100."),
    ] = None,
    as_json: JsonFlag = False,
) -> int:
    """Say whether one model of a run is better than another, how sure that is, and what would settle it.

    A margin proves something only where it was settled before the run. Exits 1 where the run is incomplete.
    """
    from openassay.reports import compared_terminal
    from openassay.reports.beside import beside
    from openassay.reports.summary import summarise

    folder = run_folders.opened(run)
    known = [model.name for model in folder.plan.models]
    for name in (model_a, model_b):
        refuse_unknown("model", name, known, str(run))
    for name in category or ():
        refuse_unknown("category", name, [one.id for one in folder.info.category], str(run))
    if model_a == model_b:
        raise InputError(f"expected two models, found {model_a!r} twice", todo=f"the run has {', '.join(known)}")
    summary = summarise([folder], margin=share(margin, "--margin"))
    found = beside(summary, model_a, model_b, category or ())
    if as_json:
        console.write_json(found.model_dump(mode="json"))
    else:
        page = "" if folder.plan.imported else str(folder.path / "report" / "report.html")
        compared_terminal.show(found, page)
    return 0 if all(one.complete for one in found.categories) else 1


def refuse_unknown(kind: str, name: str, known: list[str], where: str) -> None:
    """`InputError` with the nearest name where there is none of this name."""
    from openassay.schema.suggest import unknown_name

    if name not in known:
        raise InputError(unknown_name(kind, name, known), where=where, todo=f"name a {kind} of the run")


def share(points: float | None, flag: str) -> float | None:
    """Points of 100 as a share; refuses what was most likely meant as a share already."""
    if points is None:
        return None
    if not SMALLEST <= points <= 100:  # noqa: PLR2004
        hint = f": write {100 * points:g} for {100 * points:g} points" if 0 < points < SMALLEST else ""
        raise PlanError(f"expected points of 100, found {points:g}{hint}", where=flag, todo=f"such as {flag} 3")
    return points / 100
