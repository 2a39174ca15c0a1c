"""What a reader brings to a report: own needs, and figures of others to stand beside it.

Not here: their files (`needs_file`, `published`), what the runs say by themselves (`summary`).
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from openassay.reports.contract import Summary
from openassay.reports.first_screen import first_screens
from openassay.reports.needs_file import Needs, read_needs
from openassay.reports.needs_turns import answered
from openassay.reports.outside import beside
from openassay.reports.published import Figure, read_outside


def for_reader(summary: Summary, needs: Needs | None = None, outside: Sequence[Figure] = ()) -> Summary:
    """The summary with the reader's side added, and told first."""
    models = [model.name for run in summary.runs for model in run.models]
    found = summary.model_copy(
        update={"needs": answered(summary, needs) if needs else None, "outside": beside(outside, models)}
    )
    return found.model_copy(update={"first": first_screens(found)})


class Brought(NamedTuple):
    """The files of a reader."""

    needs: Needs | None
    outside: tuple[Figure, ...]


def read_brought(
    needs: Path | None, outside: Path | None, *, categories: Iterable[str], models: Iterable[str]
) -> Brought:
    """What the files hold; `OwnFileError` with every fault of one.

    Args:
        needs: path of it.
        outside: path of it.
        categories: of the runs in question; a need for another one is a fault.
        models: of the same.
    """
    return Brought(
        read_needs(needs, list(dict.fromkeys(categories)), list(dict.fromkeys(models))) if needs else None,
        read_outside(outside).figure if outside else (),
    )
