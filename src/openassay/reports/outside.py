"""Figures of others beside the own results: what they say, and what each leaves out. Nothing is added up.

Pure. Not here: reading the file (`published`), the rules (`claim`).
"""

from collections.abc import Iterable, Sequence

from openassay.reports.claim import interval_of
from openassay.reports.claim_rules import left_out
from openassay.reports.outside_contract import BesideFigure
from openassay.reports.published import Figure


def beside(figures: Sequence[Figure], models: Iterable[str]) -> tuple[BesideFigure, ...]:
    """The figures in the order of the file.

    Args:
        figures: of `outside.toml`.
        models: names of the models of the runs.
    """
    known = {name.lower() for name in models}
    return tuple(_beside(figure, known) for figure in figures)


def _beside(figure: Figure, known: set[str]) -> BesideFigure:
    gaps = left_out(figure)
    fields = figure.model_dump(include=set(BesideFigure.model_fields) & set(Figure.model_fields))
    return BesideFigure(
        **fields
        | {
            "figure": figure.shown,
            "kind": figure.kind or "benchmark",
            "configuration": _configuration(figure),
            "stated_interval": figure.interval,
            "interval": interval_of(figure.share, figure.n),
        },
        in_run=figure.model.lower() in known,
        left_out=tuple(gap.label for gap in sorted(gaps, key=lambda gap: not gap.essential)),
        unreadable=any(gap.essential for gap in gaps),
    )


def _configuration(figure: Figure) -> str:
    heat = figure.temperature if isinstance(figure.temperature, str) else f"{figure.temperature:g}"
    stated = {"prompt": figure.prompt, "temperature": heat, "tools": figure.tools}
    parts = [figure.configuration, *(f"{name}: {value}" for name, value in stated.items() if value.strip())]
    return "; ".join(filter(None, parts))
