"""What is known of judges on this machine: one small file a calibration, in the user's data folder.

Not here: measuring (`calibrate`), and what a benchmark makes of it (`standing`).
"""

from collections.abc import Iterable
from pathlib import Path

from pydantic import ValidationError

from openassay.models.local_weights import user_folder
from openassay.runs.standing import same_judge
from openassay.schema.canonical import digest
from openassay.schema.errors import InputError
from openassay.schema.judging import Calibration


def shelf() -> Path:
    """The folder that holds them."""
    return user_folder() / "judges"


def calibrations(folder: Path | None = None) -> tuple[Calibration, ...]:
    """All that are kept there; what cannot be read is left out, and its judge then counts as not measured."""
    found = []
    for path in sorted((folder or shelf()).glob("*.json")):
        try:
            found.append(read_calibration(path))
        except InputError:
            continue
    return tuple(found)


def known(files: Iterable[Path] = (), folder: Path | None = None) -> tuple[Calibration, ...]:
    """What these files say, and of judges that none of them is about, what is kept here; `InputError` as below."""
    given = tuple(map(read_calibration, files))
    kept = calibrations(folder)
    return (*given, *(one for one in kept if not any(same_judge(one.judge, other.judge) for other in given)))


def read_calibration(path: Path) -> Calibration:
    """One calibration; `InputError` where the file holds none."""
    try:
        return Calibration.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as fault:
        first = fault.errors()[0]["msg"] if isinstance(fault, ValidationError) else str(fault.strerror)
        raise InputError(
            f"expected a judge's calibration, found what cannot be read as one: {first}",
            where=str(path),
            todo="make one with `openassay judge calibrate --judge NAME`",
        ) from None


def keep(calibration: Calibration, folder: Path | None = None) -> Path:
    """Write it where later runs find it; returns the file."""
    place = folder or shelf()
    place.mkdir(parents=True, exist_ok=True)
    path = place / f"{calibration.judge.name}-{digest(calibration)[:16]}.json"
    part = path.with_suffix(".part")
    part.write_text(calibration.model_dump_json(indent=1, exclude_none=True) + "\n", encoding="utf-8")
    part.replace(path)
    return path
