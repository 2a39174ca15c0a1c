"""`openassay judge show`: the calibrations that are kept on this machine."""

from typing import TYPE_CHECKING, Annotated

import typer

from openassay.cli import console
from openassay.cli.flags import JsonFlag

if TYPE_CHECKING:
    from openassay.schema.judging import Calibration

EXAMPLES = """
openassay judge show
openassay judge show referee
openassay judge show --json
"""


def command(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Only this judge, each calibration with all its figures.")
    ] = None,
    as_json: JsonFlag = False,
) -> int:
    """List the judges that were measured on this machine, and how well they did; the latest first."""
    from openassay.runs.calibrations import calibrations, shelf
    from openassay.schema.errors import InputError
    from openassay.schema.suggest import unknown_name

    kept = sorted(calibrations(), key=lambda one: one.created, reverse=True)
    found = [one for one in kept if name in {None, one.judge.name}]
    if name and not found:
        todo = f"measure it: `openassay judge calibrate --judge {name}`"
        raise InputError(unknown_name("judge", name, [one.judge.name for one in kept]), where=str(shelf()), todo=todo)
    if as_json:
        console.write_json({"folder": str(shelf()), "calibrations": [one.model_dump(mode="json") for one in found]})
    elif name:
        _show_all(found)
    else:
        for one in found:
            console.show(_line(one))
        if not found:
            console.show("no judge was measured yet: `openassay judge calibrate --judge NAME`")
    return 0


def _show_all(found: "list[Calibration]") -> None:
    from openassay.reports import judge_card

    for one in found:
        judge_card.show(one, None)
        console.show(f"measured {one.created}, run {one.run}")


def _line(one: "Calibration") -> str:
    total = one.total
    share = "none usable" if total.agreement is None else f"agreement {total.agreement / 1_000_000:.2f}"
    return (
        f"{one.created[:10]}  {one.judge.name}  gold set {one.gold_name}  "
        f"{total.measured} of {total.items} items measured, {share}"
    )
