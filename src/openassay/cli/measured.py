"""How the end of a calibration is told, fresh or resumed: the judge's card, where it is kept, and how to go on.

Not here: the card (`reports.judge_card`), the figures (`runs.measured_judge`).
"""

from typing import TYPE_CHECKING

from openassay.cli import console, ending

if TYPE_CHECKING:
    from pathlib import Path

    from openassay.runs.folder import RunFolder
    from openassay.runs.run_end import RunEnd
    from openassay.schema.judging import Calibration

FILE = "calibration.json"


def show(folder: "RunFolder", end: "RunEnd", *, as_json: bool) -> bool:
    """The judge's card and one sentence on how it ended; true where it is whole and the judge meets the bar, if any."""
    from openassay.runs.measured_judge import calibration_of
    from openassay.runs.standing import below

    found, bar = calibration_of(folder), folder.judge_policy.bar
    kept = _kept(folder, found, whole=end.state == "complete")
    short = list(below(bar, found)) if bar else []
    if as_json:
        console.write_json({**_document(folder, end, short), "calibration": found.model_dump(mode="json")})
    else:
        from openassay.reports import judge_card

        judge_card.show(found, bar, whole=end.state == "complete")
        console.show(f"run: {folder.path}")
    for row in _rows(folder, end, kept):
        console.say(row)
    return end.state == "complete" and not short


def _kept(folder: "RunFolder", found: "Calibration", *, whole: bool) -> "Path | None":
    """The file that travels, in the run folder, and a copy where runs look for it; nothing of half a calibration."""
    from openassay.runs.calibrations import keep

    if not whole:
        return None
    (folder.path / FILE).write_text(found.model_dump_json(indent=1, exclude_none=True) + "\n", encoding="utf-8")
    return keep(found)


def _rows(folder: "RunFolder", end: "RunEnd", kept: "Path | None") -> list[str]:
    told = [f"repaired: {one}" for one in end.repaired]
    if kept is not None:
        return [*told, f"kept as {kept}; {folder.path / FILE} can travel with a benchmark (--calibration FILE)."]
    if end.message and end.state != "interrupted":
        told += [end.message, *ending.reasons(folder), f"  do: {end.todo}"]
    return [*told, f"{end.scored} of {end.planned} answers judged. Resume with: {ending.resume_command(folder)}"]


def _document(folder: "RunFolder", end: "RunEnd", short: list[str]) -> dict[str, object]:
    bar = folder.judge_policy.bar
    return {
        "run": folder.id,
        "path": str(folder.path),
        "state": end.state,
        "planned": end.planned,
        "scored": end.scored,
        "spent_usd": end.spent / 1_000_000,
        "message": end.message,
        "todo": end.todo,
        "resume": "" if end.state == "complete" else ending.resume_command(folder),
        "bar": None if bar is None else bar.model_dump(mode="json"),
        "meets_bar": None if bar is None else not short,
        "below": short,
    }
