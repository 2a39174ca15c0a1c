"""What it takes to see a gap, for a terminal: the answer in words, then every way, then how to split a budget.

Names come from users, so they are shown as plain text, never as markup.
"""

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from openassay.reports import pair_words
from openassay.reports.power_contract import Power, PowerCategory, Spending, Way
from openassay.reports.visible import visible
from openassay.reports.words import counted, percent, usd


def show(found: Power, console: Console | None = None) -> None:
    """Print all categories."""
    target = console or Console()
    for one in found.categories:
        target.print(_title(one))
        target.print(Text(one.answer))
        target.print(_ways(one.ways, one.pool))
        if one.spendings:
            target.print(_spendings(one.spendings, found.budget_usd or 0.0))
    if found.source == "run":
        note = "The noise is that of the two models in the heading; others may differ more, or less, from item to item."
    else:
        note = "Near rivals correlate .4 to .6 item by item on real sets. Measure it with a first small run."
    target.print(Text(note, style="dim"))


def _title(one: PowerCategory) -> Text:
    text = Text(f"\n{visible(one.title)}", style="bold")
    pair = f"  {visible(one.a)} against {visible(one.b)}"
    text.append(
        pair if one.n_items is None else f"{pair}, noise of {counted(one.n_items, 'item')}", style="not bold dim"
    )
    return text


def _ways(ways: Sequence[Way], pool: int | None) -> Table:
    table = _table("items", "attempts each", "draws", "answers of both", "cost", "pool")
    for one in ways:
        cost = "" if one.cost_usd is None else usd(one.cost_usd)
        table.add_row(
            f"{one.items:,}",
            str(one.attempts),
            f"{one.draws:,}",
            f"{one.answers:,}",
            cost,
            "not known" if pool is None else "holds them" if one.possible else "too small",
        )
    return table


def _spendings(spendings: Sequence[Spending], budget: float) -> Table:
    table = _table("items", "attempts each", "cost", "gap it shows", "chance to see yours")
    table.title = f"For {usd(budget)}"
    for one in spendings:
        gap = pair_words.points(one.gap_shown, fine=one.gap_shown < 0.1)  # noqa: PLR2004
        table.add_row(f"{one.items:,}", str(one.attempts), usd(one.cost_usd), gap, percent(one.chance))
    return table


def _table(*names: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, title_justify="left", pad_edge=False)
    for name in names:
        table.add_column(name, justify="right", overflow="fold")
    return table
