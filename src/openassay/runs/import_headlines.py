"""Whether the figure stated for a model follows from its own cells: recomputed before anything is kept.

A figure agrees where the mean of the cells, rounded to as many places as were printed, can be it. A stated 64.93 over
324 passed of 500 does not: they give 64.80. Not here: where a figure comes from other cells than these.
"""

import csv
import shlex
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import NamedTuple

from openassay.schema.errors import Fault, HeadlineError, InputError, TableError
from openassay.schema.suggest import nearest

MOST_PLACES = 6
"""Decimals beyond these are noise of binary fractions."""
SLACK = 1e-9
"""For sums of binary fractions."""
COLUMNS = ("model", "headline")


class Mean(NamedTuple):
    """What a model's cells come to."""

    share: float
    """Mean over items of the mean over attempts."""
    cells: int
    planned: int
    sum: float
    """Of the scores."""


class Stated(NamedTuple):
    """One figure as printed."""

    text: str
    value: Decimal
    places: int
    percent: bool

    def of(self, share: float) -> float:
        """The same share on this figure's scale."""
        return share * 100 if self.percent else share

    def agrees(self, share: float) -> bool:
        return abs(self.of(share) - float(self.value)) <= 0.5 * 10.0**-self.places + SLACK


def read_headlines(path: Path, models: Sequence[str], left_out: Sequence[str] = ()) -> dict[str, str]:
    """Model -> figure, from a CSV with the columns ``model,headline``.

    Args:
        path: the CSV.
        models: those with cells; a figure for another is a fault (`TableError`), as it is for a model twice.
        left_out: models that were left out on purpose: their figures are passed over.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as fault:
        why = (fault.strerror if isinstance(fault, OSError) else None) or "not a CSV in UTF-8"
        raise InputError(f"cannot read the headlines: {why}", where=str(path), todo="check the path") from None
    if not rows or not set(COLUMNS) <= rows[0].keys():
        found = ", ".join(map(str, rows[0])) if rows else "nothing"
        raise InputError(
            f"expected the columns model, headline; found {found}", where=str(path), todo="write them as the first line"
        )
    faults, stated = [], {}
    for line, row in enumerate(rows, start=2):
        name, text = (row["model"] or "").strip(), (row["headline"] or "").strip()
        if name in left_out:
            continue
        if name not in models or name in stated:
            faults.append(_fault(name, path.name, line, models, twice=name in stated))
        elif text:
            stated[name] = text
    if faults:
        raise TableError(tuple(faults))
    return stated


def _fault(name: str, file: str, line: int, models: Sequence[str], *, twice: bool) -> Fault:
    near = nearest(name, models)
    hint = f"; did you mean {near!r}?" if near else ""
    what = f"a second headline of {name!r}" if twice else f"the table has no cells of the model {name!r}{hint}"
    return Fault(code="headline", what=what, file=file, line=line, field="model", todo="correct or remove the row")


def parse(texts: Mapping[str, str]) -> dict[str, Stated]:
    """Figures as printed; without a sign they are percentages where any is over 1, as one table has one scale."""
    values = {name: _number(name, text) for name, text in texts.items()}
    percent = any(value > 1 for value in values.values())
    return {name: _stated(texts[name], value, percent=percent) for name, value in values.items()}


def _number(name: str, text: str) -> Decimal:
    try:
        value = Decimal(text.removesuffix("%").strip())
    except InvalidOperation:
        value = Decimal("NaN")
    if not value.is_finite() or not 0 <= value <= 100:  # noqa: PLR2004  # per cent
        raise InputError(
            f"expected a headline such as 52.8 or 0.528, found {text[:40]!r}",
            where=f"the headline of {name}",
            todo="write the figure as it was published, or leave it out",
        )
    return value


def _stated(text: str, value: Decimal, *, percent: bool) -> Stated:
    exponent = value.as_tuple().exponent
    places = min(max(-exponent if isinstance(exponent, int) else 0, 0), MOST_PLACES)
    return Stated(text, value, places, percent or text.endswith("%"))


def refuse_wrong(stated: Mapping[str, Stated], means: Mapping[str, Mean], file: str) -> None:
    """`HeadlineError` with every figure that does not follow from its cells."""
    wrong = [name for name, figure in stated.items() if not figure.agrees(means[name].share)]
    if not wrong:
        return
    rows = [_row(name, stated[name], means[name]) for name in wrong]
    count = "1 stated headline does" if len(wrong) == 1 else f"{len(wrong)} stated headlines do"
    leave = " ".join(f"--without {shlex.quote(name)}" for name in wrong)
    raise HeadlineError(
        "\n".join([f"{count} not follow from the cells in the same table; nothing was imported:", *rows]),
        where=file,
        todo=f"correct the cells or the figure, or leave them out: {leave}",
    )


def _row(name: str, figure: Stated, mean: Mean) -> str:
    sign = " %" if figure.percent else ""
    found = f"{figure.of(mean.share):.{max(figure.places, 1)}f}"
    rests = f"{mean.sum:g} of {mean.cells:,} cells"
    lacking = f"; {mean.planned - mean.cells:,} cells are missing" if mean.cells < mean.planned else ""
    return f"  {name}: expected {found}{sign} ({rests}{lacking}), found {figure.text.removesuffix('%').strip()}{sign}"
