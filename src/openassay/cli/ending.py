"""How a run's end is told: the tables, where everything is, and what to do next.

Not here: the tables (`reports`) and the exit code (`execution`).
"""

import shlex
from collections import Counter
from typing import TYPE_CHECKING

from openassay.cli import console

if TYPE_CHECKING:
    from openassay.runs.engine import RunEnd
    from openassay.runs.folder import RunFolder


REASONS = 2
"""Different sentences that are quoted of what kept attempts from counting."""


def resume_command(folder: "RunFolder") -> str:
    return f"openassay resume {shlex.quote(str(folder.path))}"


def show(folder: "RunFolder", end: "RunEnd", *, as_json: bool) -> None:
    """The whole result where there is one, then one sentence on how it ended."""
    from openassay.reports.summary import summarise

    summed = summarise([folder])
    if as_json:
        console.write_json(_document(folder, end, summed.model_dump(mode="json", exclude={"items"})))
    else:
        from openassay.reports import terminal

        terminal.show(summed)
        console.show(f"run: {folder.path}")
    for row in rows(folder, end):
        console.say(row)


def rows(folder: "RunFolder", end: "RunEnd") -> list[str]:
    """What happened, how far it came, how to go on."""
    told = [f"repaired: {one}" for one in end.repaired]
    if end.state == "complete":
        return [*told, f"{end.finished} of {end.planned} attempts finished, {end.scored} scored."]
    if end.state == "incomplete":
        told += [end.message, *reasons(folder), f"  do: {end.todo}"]
    elif end.state != "interrupted":
        told += [end.message, f"  do: {end.todo}"]
    counts = f"{end.finished} of {end.planned} attempts finished, {end.scored} scored."
    return [*told, f"{counts} Resume with: {resume_command(folder)}"]


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


def _document(folder: "RunFolder", end: "RunEnd", report: dict[str, object]) -> dict[str, object]:
    return {
        "run": folder.id,
        "path": str(folder.path),
        "state": end.state,
        "planned": end.planned,
        "finished": end.finished,
        "scored": end.scored,
        "spent_usd": end.spent / 1_000_000,
        "message": end.message,
        "todo": end.todo,
        "resume": "" if end.state == "complete" else resume_command(folder),
        "report": report,
    }
