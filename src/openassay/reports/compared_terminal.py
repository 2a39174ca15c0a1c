"""Models beside each other, as tables for a terminal: pairs, rank sets, and what may be said of them.

Names come from users, so they are shown as plain text, never as markup. Not here: the words (`pair_words`).
"""

from collections.abc import Iterator, Sequence

from rich import box
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from openassay.reports import pair_words
from openassay.reports.beside import Beside, BesideCategory
from openassay.reports.comparing_contract import Differentiation, Pair, Ranks
from openassay.reports.contract import RunSummary, Summary
from openassay.reports.hanging import Hanging
from openassay.reports.visible import visible
from openassay.reports.words import counted, listed

MOST_PAIRS = 10
"""Pairs of one category that are printed; the HTML report and `--json` have all of them."""
MOST_ITEMS = 12
"""Items of one category that are named."""
MOST_TURNS = 3
"""Changes that turn a conclusion that are named."""
WIDE = 110
"""Characters from which the columns for experts fit."""


def beside(summary: Summary, run: RunSummary, width: int) -> Iterator[RenderableType]:
    """All there is to say of the models of one run beside each other."""
    titles = {category.id: visible(category.title) for category in run.categories}
    small = [one for one in summary.differentiation if one.run == run.id]
    few = {one.category for one in small}
    pairs = [pair for pair in summary.pairs if pair.run == run.id and pair.category not in few]
    for category, measure in dict.fromkeys((pair.category, pair.measure) for pair in pairs):
        mine = [pair for pair in pairs if (pair.category, pair.measure) == (category, measure)]
        yield pair_table(mine, f"\n{titles[category]}, {measure}: two models at a time", width)
        if len(mine) > MOST_PAIRS:
            yield Hanging(f"and {len(mine) - MOST_PAIRS:,} more pairs: see the page, or `--json`", "  ", "dim")
        for ranks in summary.ranks:
            if (ranks.run, ranks.category, ranks.measure) == (run.id, category, measure):
                yield Hanging(f"Ranks that the items allow: {_ranks(ranks)}; {visible(pair_words.best(ranks))}.", "  ")
        for steady in summary.steadiness:
            if (steady.run, steady.category, steady.measure) == (run.id, category, measure):
                yield from (Hanging(visible(sentence), "  ") for sentence in steady.sentences[:MOST_TURNS])
    for one in small:
        yield Text(f"\n{titles[one.category]}: initial differentiation, no comparison of counts", style="bold")
        yield from initial(one)


def initial(found: Differentiation) -> Iterator[Hanging]:
    """What tells the models of a small category apart, and what would settle more."""
    yield Hanging(found.why, "  ", "dim")
    for one in found.told_apart[:MOST_ITEMS]:
        hard = ", hard" if one.hard else ""
        met, missed = visible(listed(list(one.met))), visible(listed(list(one.missed)))
        times = counted(one.attempts, "attempt")
        yield Hanging(f"{one.task}, check {one.check}{hard}: met by {met}, missed by {missed} ({times} each)", "  ")
    if not found.told_apart:
        yield Hanging("No check was met by one model in every attempt and by another in none.", "  ")
    if found.next_step:
        yield Hanging(f"Next: {found.next_step}", "  ")


def _ranks(found: Ranks) -> str:
    each = [f"{visible(one.model)} {pair_words.ranks(one.together, len(found.models))}" for one in found.models]
    return ", ".join(each)


def pair_table(pairs: Sequence[Pair], title: str, width: int) -> Table:
    """The pairs with the largest differences first."""
    table = Table(box=box.SIMPLE_HEAD, title=Text(title), title_justify="left", pad_edge=False)
    for name in ("model A", "model B", "verdict"):
        table.add_column(name, overflow="fold", min_width=6)
    expert = ("won / lost / tied", "p", "p over all pairs", "gap it could show") if width >= WIDE else ()
    for name in ("A", "B", "A minus B", *expert):
        table.add_column(name, justify="right", overflow="fold")
    for pair in sorted(pairs, key=lambda one: -abs(one.mean_a - one.mean_b))[:MOST_PAIRS]:
        table.add_row(*map(Text, _row(pair, expert=bool(expert))))
    return table


def _row(pair: Pair, *, expert: bool) -> list[str]:
    cells = [
        visible(pair.a),
        visible(pair.b),
        visible(pair_words.verdict(pair)),
        *pair_words.shares(pair),
        pair_words.gap(pair),
    ]
    if expert:
        gap = "" if pair.gap_shown is None else pair_words.points(pair.gap_shown)
        counts = f"{pair.wins} / {pair.losses} / {pair.ties}"
        cells += [counts, pair_words.p_value(pair.p), pair_words.p_value(pair.p_adjusted), gap]
    return cells


def show(found: Beside, page: str, console: Console | None = None) -> None:
    """Print the answer for two models: words first, then the table, then the items where they differ.

    Args:
        found: the two in each category.
        page: where the run's HTML report stands; empty where there are no texts to be read.
        console: where to; standard output if none is given.
    """
    target = console or Console()
    for category in found.categories:
        title = Text(f"\n{visible(category.title)}", style="bold")
        target.print(title.append(f"  track {category.track}", style="not bold dim"))
        target.print(Text(f"{visible(found.a)} against {visible(found.b)}: {visible(category.answer)}"))
        if category.differentiation:
            target.print(*initial(category.differentiation), sep="\n")
        elif category.pairs:
            _print_pairs(target, category)
        target.print(*_differing(found, category), sep="\n")
        if page and category.differing:
            place = f"{page}#{category.differing[0].anchor}"
            target.print(Text(f"Read both answers to one: {place}", style="dim"), soft_wrap=True)  # to be copied whole
    if len(found.categories) > 1:
        target.print(Text("\nCategories stand apart and are never added up.", style="dim"))


def _print_pairs(target: Console, category: BesideCategory) -> None:
    for pair in category.pairs[1:]:
        target.print(Text(visible(pair.sentence)))
    target.print(pair_table(category.pairs, "", target.width))
    for sentence in category.moves:
        target.print(Text(visible(sentence)))


def _differing(found: Beside, category: BesideCategory) -> Iterator[Text]:
    if not category.complete:
        return
    number = len(category.differing)
    if not number:
        yield Text("They did equally well on every item.", style="dim")
        return
    for model in (found.a, found.b):
        mine = [one for one in category.differing if one.better == model]
        names = ", ".join(one.task for one in mine[:MOST_ITEMS])
        more = f" and {len(mine) - MOST_ITEMS:,} more" if len(mine) > MOST_ITEMS else ""
        if mine:
            yield Text(f"{visible(model)} did better on {counted(len(mine), 'item')}: {names}{more}")
