"""What a reader brought, for a terminal: the first screen, own needs, and figures of others.

All text comes from users and is shown as plain text. Not here: the words (`needs_words`, `first_screen`).
"""

from collections.abc import Iterator

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from openassay.reports import needs_words, outside_words
from openassay.reports.contract import RunSummary, Summary
from openassay.reports.hanging import Hanging
from openassay.reports.outside_contract import BesideFigure
from openassay.reports.visible import visible


def first(summary: Summary, run: RunSummary) -> Iterator[RenderableType]:
    """What to read before any table."""
    sentences = summary.first_of(run.id)
    if sentences:
        yield Text("In short", style="bold")
        yield from (Hanging(visible(sentence)) for sentence in sentences)


def needs(summary: Summary, run: RunSummary) -> Iterator[RenderableType]:
    """Every demand on every model, what is weighed, and a month; nothing without `--needs`."""
    answer = summary.needs
    if answer is None:
        return
    titles = {category.id: category.title for category in run.categories}
    mine = [one for one in answer.qualified if one.run == run.id]
    table = Table(box=box.SIMPLE_HEAD, title=Text("\nYour needs"), title_justify="left", pad_edge=False)
    for name in ("model", "what you demand", "seen", "met?", "how sure"):
        table.add_column(name, overflow="fold", min_width=6)
    for one in mine:
        for demand in one.demands:
            table.add_row(*(Text(visible(cell)) for cell in needs_words.row(one, demand, titles)))
    yield table
    for one in mine:
        step = f"; a step towards settling it: {one.step}" if one.step else ""
        yield Hanging(visible(f"{one.model} {needs_words.verdict(one)}{step}"))
    yield from (Hanging(visible(move.sentence)) for move in answer.moves if move.run == run.id)
    for value in (one for one in answer.weighed if one.run == run.id):
        yield Hanging(visible(f"{needs_words.weighed(value, titles)}. {' '.join(value.notes)}"))
    for monthly in answer.monthly:
        if monthly.run == run.id:
            yield Hanging(visible(f"{needs_words.monthly(monthly)}. {' '.join(monthly.notes)}".rstrip()))


def outside(figures: tuple[BesideFigure, ...]) -> Iterator[RenderableType]:
    """Figures of others, one below the other; nothing without `--outside`."""
    if not figures:
        return
    yield Text(f"\n{outside_words.HEADING}", style="bold")
    yield Text(outside_words.NOTE, style="yellow")
    for figure in figures:
        yield Hanging(visible(outside_words.heading(figure)))
        yield from (Hanging(visible(f"{label}: {said}"), "    ") for label, said in outside_words.rows(figure))
