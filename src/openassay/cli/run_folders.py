"""Which run folder is meant: a path, or the bare id of one in `./runs`, as reports print it."""

from pathlib import Path

from openassay.runs.folder import RunFolder, open_run
from openassay.schema.errors import RunFolderError
from openassay.schema.suggest import nearest

RUNS = Path("runs")
"""Where `run` puts folders unless told otherwise."""


def opened(place: Path) -> RunFolder:
    """The run; `RunFolderError` with the nearest name where there is none."""
    if (place / "plan.json").is_file():
        return open_run(place)
    if not place.is_absolute() and (RUNS / place / "plan.json").is_file():
        return open_run(RUNS / place)
    if newest := _newest(place):
        raise RunFolderError(
            f"expected one run, found a folder of runs; the newest is {newest}",
            where=str(place),
            todo=f"give {newest}",
        )
    if place.exists() or place.is_absolute():
        return open_run(place)
    folder = place.parent if place.parent.is_dir() and place.parent.name else RUNS
    near = nearest(place.name, [one.parent.name for one in folder.glob("*/plan.json")])
    hint = f"; did you mean {str(folder / near)!r}?" if near else ""
    raise RunFolderError(
        f"there is no run {str(place)!r}{hint}", where="RUN", todo="give the folder that `openassay run` printed"
    )


def _newest(place: Path) -> Path | None:
    """The run that was begun last in a folder of runs."""
    plans = sorted(place.glob("*/plan.json"), key=lambda plan: plan.stat().st_mtime_ns)
    return plans[-1].parent if plans else None


def all_in(place: Path) -> list[RunFolder]:
    """Every run of a folder that can be read, oldest first; none where there is no such folder."""
    found = []
    for plan in sorted(place.glob("*/plan.json"), key=lambda one: one.stat().st_mtime_ns):
        try:
            found.append(open_run(plan.parent))
        except RunFolderError:
            continue  # a run of another version says nothing here; `report` names what is wrong with it
    return found
