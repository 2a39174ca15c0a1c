"""How a run's end is told: the tables, where everything is, and what to do next.

Not here: the tables (`reports`) and the exit code (`execution`).
"""

import re
import shlex
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from openassay.cli import console

if TYPE_CHECKING:
    from openassay.reports.contract import Summary
    from openassay.runs.folder import RunFolder
    from openassay.runs.run_end import RunEnd


REASONS = 2
"""Different sentences that are quoted of what kept attempts from counting."""


def resume_command(folder: "RunFolder") -> str:
    return f"openassay resume {shlex.quote(str(folder.path))}"


def judge_command(folder: "RunFolder") -> str:
    return f"openassay score {shlex.quote(str(folder.path))} --judge NAME"


def run_again(todo: str) -> str:
    """Advice for where no run is left that could be resumed.

    >>> run_again("add credit at the provider, then resume")
    'add credit at the provider, then run it again'
    """
    return re.sub(r"\bresume\b", "run it again", todo)


def show(folder: "RunFolder", end: "RunEnd", *, as_json: bool) -> bool:
    """The whole result where there is one, then one sentence on how it ended; true where all of it is scored."""
    from openassay.reports.summary import summarise

    summed = summarise([folder])
    scored = summed.runs[0].scored
    page = _page(folder, summed)
    if as_json:
        console.write_json({**_document(folder, end, scored), "report": summed.model_dump(mode="json")})
    else:
        from openassay.reports import terminal

        terminal.show(summed)
        console.show(f"report: {page}")
        console.show(f"run: {folder.path}")
    for row in rows(folder, end, scored):
        console.say(row)
    return summed.runs[0].complete


def _page(folder: "RunFolder", summed: "Summary") -> Path:
    """The HTML report, written where `openassay report` would write it."""
    from openassay.cli.report import write_page

    place = folder.path / "report" / "report.html"
    write_page([folder], summed, "owner", place)
    return place


def rows(folder: "RunFolder", end: "RunEnd", scored: int) -> list[str]:
    """What happened, how far it came, how to go on.

    Args:
        folder: the run.
        end: how the engine left it.
        scored: attempts with a deciding verdict, as the report counts them: one that waits for a judge is none.
    """
    told = [f"repaired: {one}" for one in end.repaired]
    if end.state == "complete":
        told.append(f"{end.finished} of {end.planned} attempts finished, {scored} scored.")
        return [*told, *undecided(folder, scored < end.finished)]
    if end.state == "incomplete":
        told += [end.message, *reasons(folder), f"  do: {end.todo}"]
    elif end.state != "interrupted":
        told += [end.message, f"  do: {end.todo}"]
    counts = f"{end.finished} of {end.planned} attempts finished, {scored} scored."
    return [*told, f"{counts} Resume with: {resume_command(folder)}"]


def undecided(folder: "RunFolder", some: bool) -> list[str]:
    """What to do where judged checks stayed unmeasured, or answers wait."""
    from openassay.runs.eligibility import blocked_in, remark, remedy_after

    if found := blocked_in(folder):
        return [
            f"note: {remark(found)}",
            f"  do: {remedy_after(found, str(folder.path), folder.plan_file.benchmark_path)}",
        ]
    people = f"openassay review {shlex.quote(str(folder.path))}"
    return [f"  do: {judge_command(folder)}, or let people decide the rest: {people}"] if some else []


def reasons(folder: "RunFolder") -> list[str]:
    """Why attempts do not count: the sentences that endpoints and scorers left most often."""
    from openassay.runs.cells import read_cells
    from openassay.schema.attempt import ABOUT_THE_MODEL, Outcome

    found: Counter[str] = Counter()
    for cell in read_cells(folder):
        if cell.attempt.outcome not in ABOUT_THE_MODEL:
            found[f"{cell.attempt.model}: {cell.attempt.detail}"] += 1
        elif cell.scoring and cell.scoring.score.outcome == Outcome.SCORER_ERROR:
            found[f"scoring: {cell.scoring.detail}"] += 1
    return [f"  {number} x {why}" for why, number in found.most_common(REASONS)]


def _document(folder: "RunFolder", end: "RunEnd", scored: int) -> dict[str, object]:
    return {
        "run": folder.id,
        "path": str(folder.path),
        "state": end.state,
        "planned": end.planned,
        "finished": end.finished,
        "scored": scored,
        "spent_usd": end.spent / 1_000_000,
        "message": end.message,
        "todo": end.todo,
        "resume": "" if end.state == "complete" else resume_command(folder),
    }
