"""What may not be concluded from models beside each other, and from the items they were compared on, in sentences.

Every sentence names what it follows from. Not here: what a single rate does not show (`limits`).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from openassay.reports import pair_words
from openassay.reports.comparing_contract import Pair
from openassay.reports.contract import Result, RunSummary, Summary
from openassay.reports.words import counted
from openassay.schema.task import Task
from openassay.stats.pairs import FEWEST_ITEMS

SHOWN = 4
"""Most pairs of models named in one sentence."""
TURNS = 3
"""Most changes that turn a conclusion which are named here; all of them stand beside the pairs."""
MUCH = 0.5
"""Share of a category's items by one author that is worth a sentence; room above the best that is not little."""
TWO = 2


def limits_of_pairs(run: RunSummary, found: Summary, tasks: Iterable[Task]) -> Iterator[str]:
    """All sentences on one run, the most important first.

    Args:
        run: in question.
        found: what was found of it.
        tasks: its items.
    """
    titles = {category.id: category.title for category in run.categories}
    yield from _few(found.results, titles)
    yield from _not_shown(found.pairs, titles)
    yield from _turns(found)
    yield from _saturated(found, titles)
    yield from _signs(found)
    yield from _authors(list(tasks), titles)
    if len(run.models) > 1:
        yield (
            "No model is given a single rank: near rivals trade places from draw to draw, so ranks stand as sets, and "
            "categories are never ranked together."
        )


def _few(results: Sequence[Result], titles: dict[str, str]) -> Iterator[str]:
    models = Counter(result.category for result in results if result.partial is None)
    items = {result.category: result for result in results}
    for category, result in items.items():
        if models[category] >= TWO and result.n_items < FEWEST_ITEMS:
            yield (
                f"“{titles[category]}” has {counted(result.n_items, 'item')}: its models are neither compared by their "
                f"counts nor ranked, which takes {FEWEST_ITEMS}; what tells them apart is listed check by check."
            )
        elif any(one.few_sources for one in results if one.category == category):
            yield (
                f"The {result.n_items:,} items of “{titles[category]}” come from "
                f"{counted(result.n_units or 0, 'source')}: too few to say how uncertain a rate or a difference is, so "
                "no interval is given."
            )


def _not_shown(pairs: Sequence[Pair], titles: dict[str, str]) -> Iterator[str]:
    for category, title in titles.items():
        mine = [
            pair
            for pair in pairs
            if pair.category == category and pair.verdict == "no difference shown" and pair.measure == "pass rate"
        ]
        if not mine:
            continue
        names = "; ".join(f"{pair.a} and {pair.b}" for pair in mine[:SHOWN])
        more = f" and {counted(len(mine) - SHOWN, 'more pair')}" if len(mine) > SHOWN else ""
        least = min(pair.gap_shown or 1.0 for pair in mine)
        yield (
            f"In “{title}” no difference is shown between {names}{more}, which is not the same as no difference: gaps "
            f"under {pair_words.points(least)} could hardly have been shown."
        )


def _turns(found: Summary) -> Iterator[str]:
    said = [sentence for one in found.steadiness if one.turns for sentence in one.sentences]
    yield from said[:TURNS]
    if len(said) > TURNS:
        yield f"{counted(len(said) - TURNS, 'more change')} would turn a conclusion: see what moves it."


def _saturated(found: Summary, titles: dict[str, str]) -> Iterator[str]:
    for one in found.saturation:
        if one.reasons:
            room = "is too hard for its best models" if one.headroom > MUCH else "leaves its best models little room"
            yield (
                f"“{titles[one.category]}” {room} ({'; '.join(one.reasons)}): it can hardly tell them apart, whoever "
                "they are."
            )


def _signs(found: Summary) -> Iterator[str]:
    items = sum(bool(item.signs) for item in found.items)
    if items:
        yield (
            f"{counted(items, 'item')} should be looked at by people, by how the models answered. Intervals say "
            "nothing of faulty items; how far these could move a rate stands beside it."
        )


def _authors(tasks: Sequence[Task], titles: dict[str, str]) -> Iterator[str]:
    for category, title in titles.items():
        mine = [task.origin.author for task in tasks if task.category == category]
        named = Counter(author for author in mine if author)
        most = max(named.values(), default=0)
        if len(mine) >= FEWEST_ITEMS and most > MUCH * len(mine):
            which = "All" if most == len(mine) else f"{most:,} of the {len(mine):,}"
            yield (
                f"{which} items of “{title}” are by one author: what that author finds important or hard weighs as "
                "much."
            )
