"""How a run's end is told: the tables, where everything is, and what to do next.

Not here: the tables (`reports`) and the exit code (`execution`).
"""

import shlex
from typing import TYPE_CHECKING

from openassay.cli import console

if TYPE_CHECKING:
    from openassay.runs.engine import RunEnd
    from openassay.runs.folder import RunFolder


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
    lead = [end.message] if end.message and end.state != "interrupted" else []
    counts = f"{end.finished} of {end.planned} attempts finished, {end.scored} scored."
    if end.todo and end.state != "interrupted":
        lead.append(f"  do: {end.todo}")
    return [*told, *lead, f"{counts} Resume with: {resume_command(folder)}"]


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
