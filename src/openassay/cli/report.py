"""`openassay report`: what runs may be taken to say, as tables, one HTML file or JSON.

Not here: what is concluded (`reports.summary`) and how it looks (`reports.terminal`, `reports.html`).
"""

import os
import shlex
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openassay.cli import console, run_folders
from openassay.cli.flags import JsonFlag
from openassay.schema.errors import InputError

if TYPE_CHECKING:
    from openassay.reports.contract import Summary
    from openassay.reports.html import Audience
    from openassay.runs.folder import RunFolder

EXAMPLES = """
openassay report runs/20260101-101500-ab12
openassay report runs/20260101-101500-ab12 --html result.html
openassay report runs/20260101-101500-ab12 --audience public --html for-everyone.html
openassay report runs/20260101-101500-ab12 --without-texts
openassay report runs/20260101-101500-ab12 --needs needs.toml --outside outside.toml
openassay report runs/* --json > report.json
"""


class Reader(StrEnum):
    owner = "owner"
    public = "public"


def command(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Run folders; several stand side by side.")],
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Where the page goes; else RUN/report/report.html.")
    ] = None,
    audience: Annotated[
        Reader, typer.Option("--audience", help="`public` leaves out the texts of items that are not public.")
    ] = Reader.owner,
    without_texts: Annotated[
        bool,
        typer.Option("--without-texts", help="Leave out all texts of items and answers: for pages that travel."),
    ] = False,
    needs: Annotated[
        Path | None, typer.Option("--needs", metavar="FILE", help="What you need, such as needs.toml: who meets it.")
    ] = None,
    outside: Annotated[
        Path | None,
        typer.Option("--outside", metavar="FILE", help="Figures of others, to stand beside these and never be pooled."),
    ] = None,
    as_json: JsonFlag = False,
) -> int:
    """Show what runs may be taken to say, and write it as one HTML file that opens offline.

    Exits 1 where a run is incomplete: its rates are then left blank.
    """
    from openassay.reports.reader import for_reader, read_brought
    from openassay.reports.summary import summarise

    opened = [run_folders.opened(path) for path in runs]
    _refuse_twice(opened)
    closed = _closed(opened, audience, without_texts=without_texts)
    brought = read_brought(
        needs,
        outside,
        categories=[name for folder in opened for name in folder.plan.categories],
        models=[model.name for folder in opened for model in folder.plan.models],
    )
    summary = for_reader(summarise(opened, unnamed_runs=closed), *brought)
    page = html or (
        None if as_json or len(opened) > 1 else _usual_place(opened[0], audience, without_texts=without_texts)
    )
    if page:
        write_page(opened, summary, audience.value, page, without_texts=without_texts)
    if as_json:
        console.write_json(summary.model_dump(mode="json"))
    else:
        _show(summary, page)
    for folder in opened:
        if folder.plan.calibration:
            console.say(
                f"note: {folder.id} measures a judge; its card: `openassay resume {shlex.quote(str(folder.path))}`"
            )
    return 0 if all(run.complete for run in summary.runs) else 1


def _refuse_twice(opened: "list[RunFolder]") -> None:
    ids = [folder.id for folder in opened]
    if twice := sorted({name for name in ids if ids.count(name) > 1}):
        raise InputError(f"expected each run once, found {twice[0]!r} twice", todo="name every run folder once")


def _closed(opened: "list[RunFolder]", audience: Reader, *, without_texts: bool) -> set[str]:
    """Runs whose items' authors, sources and groups are not named."""
    return {
        folder.id
        for folder in opened
        if without_texts or (audience == Reader.public and folder.info.visibility != "public")
    }


def _usual_place(folder: "RunFolder", audience: Reader, *, without_texts: bool) -> Path:
    name = "report" if audience == Reader.owner else "report-public"
    return folder.path / "report" / f"{name}{'-without-texts' if without_texts else ''}.html"


def write_page(
    opened: "list[RunFolder]", summary: "Summary", audience: "Audience", page: Path, *, without_texts: bool = False
) -> None:
    """Write the HTML report, readable by its owner alone: it may hold the texts of private items."""
    from openassay.reports import folders
    from openassay.reports.html import render

    texts = {} if without_texts else folders.opened(opened, summary, audience)
    _write(page, render(summary, texts, audience))


def _write(page: Path, pieces: Iterable[str]) -> None:
    page.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    part = page.with_name(f"{page.name}.part")
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8", errors="replace") as file:
        file.writelines(pieces)
    part.replace(page)


def _show(summary: "Summary", page: Path | None) -> None:
    from openassay.reports import terminal

    terminal.show(summary)
    if page:
        console.show(f"report: {page}")
