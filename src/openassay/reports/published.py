"""A figure that somebody published, as it is written down here: in `outside.toml`, and for `openassay claim`.

Not here: what it leaves out (`claim`). Nothing is fetched: an address is kept as text.
"""

import re
from pathlib import Path
from typing import Literal

from pydantic import Field

from openassay.reports.own_files import read_own
from openassay.schema.record import Record
from openassay.tasks.faults import FaultList, Place

_PERCENT = re.compile(r"\s*(\d{1,3}(?:[.,]\d{1,4})?)\s*(?:%|percent|per cent)\s*", re.IGNORECASE)
_NUMBER = re.compile(r"\s*\d{1,9}(?:[.,]\d{1,9})?\s*")
HUNDRED = 100


class Figure(Record):
    """One published figure. Only `model` and `figure` must be there; whatever else is missing is what it leaves out."""

    model: str = Field(min_length=1)
    """As the source calls it; need not be a model of any run."""
    figure: float | str
    """``"82 %"``, 82 (percent) or 0.82; other measures as text, such as ``"Elo 1210"``."""
    benchmark: str = ""
    """Which benchmark or trial."""
    kind: Literal["benchmark", "trial", ""] = ""
    """`trial`: a result of a business's own trial."""
    benchmark_version: str = ""
    what: str = ""
    """What was measured, in words."""
    metric: str = ""
    """How the figure was calculated, such as ``pass@1``."""
    tasks: str = ""
    """Which tasks of the benchmark: all, a subset, chosen how."""
    version: str = ""
    """Exact version of the model."""
    n: int | None = Field(default=None, ge=1)
    """Tasks behind the figure; attempts at one task are not more tasks."""
    attempts: int | None = Field(default=None, ge=1)
    """Attempts at each task."""
    selection: str = ""
    """Whether it is the mean of all runs, the best of several, a majority vote."""
    prompt: str = ""
    temperature: float | str = ""
    tools: str = ""
    """Tools, scaffold, and the budget of calls or tokens."""
    configuration: str = ""
    """All of the last three in one, where they are not stated apart."""
    interval: str = ""
    """As stated."""
    date: str = ""
    """When it was measured; in quotes."""
    measured_by: str = ""
    relationship: str = ""
    """Of who measured to who made the model."""
    paid_by: str = ""
    contamination: str = ""
    """Whether the tasks are public, and what was done against models having met them."""
    cost: str = ""
    """Of the run or a task, as stated."""
    source: str = ""
    url: str = ""
    """Kept as text, never opened."""
    note: str = ""

    @property
    def share(self) -> float | None:
        """The figure as a share 0..1; None where it is none."""
        value = _number(self.figure)
        return value if value is not None and 0 <= value <= 1 else None

    @property
    def shown(self) -> str:
        """The figure as it was written; a bare number as a percentage.

        >>> Figure(model="m", figure=82).shown, Figure(model="m", figure=0.5).shown, Figure(model="m", figure="A").shown
        ('82 %', '50 %', 'A')
        """
        if isinstance(self.figure, str):
            return self.figure
        return f"{HUNDRED * self.share:.4g} %" if self.share is not None else f"{self.figure:g}"


def _number(figure: float | str) -> float | None:
    if isinstance(figure, str):
        percent = _PERCENT.fullmatch(figure)
        if percent:
            return float(percent.group(1).replace(",", ".")) / HUNDRED
        if not _NUMBER.fullmatch(figure):
            return None
        figure = float(figure.replace(",", "."))
    return figure if figure <= 1 else figure / HUNDRED


class Claims(Record):
    """A file for `openassay claim`."""

    claim: tuple[Figure, ...] = Field(min_length=1)


class Outside(Record):
    """`outside.toml`."""

    figure: tuple[Figure, ...] = Field(min_length=1)


def read_claims(path: Path) -> Claims:
    """The figures of a claim file; `OwnFileError` with every fault."""
    return read_own(path, Claims)


def read_outside(path: Path) -> Outside:
    """The figures of `outside.toml`; each must say where it was found. `OwnFileError` with every fault."""
    return read_own(path, Outside, _sourced)


def _sourced(found: Outside, place: Place, faults: FaultList) -> None:
    for number, figure in enumerate(found.figure):
        if not (figure.source.strip() or figure.url.strip()):
            what = f"the figure {figure.shown} of {figure.model!r} has no source"
            field = f"figure.{number}.source"
            faults.add(place, "missing-key", what, field=field, todo="add 'source': who published it, and where")
