"""Which numbers of a summary are worth a picture, and why the others are not: rows and pictures for the page.

Not here: how a picture is drawn (`plots`), what the numbers are (`summary`).
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from markupsafe import Markup

from openassay.reports import pair_words, plots, words
from openassay.reports.comparing_contract import Pair, Ranks, RankSet
from openassay.reports.contract import Item, ItemResult, Result
from openassay.reports.cost_contract import CostOfModel, Costs
from openassay.reports.pairs import flipped

MOST_PAIRS = 30
"""Pairs of one category that are listed; of more, each model and the next one by its mean."""
FEWEST_ITEMS = 10
"""Items from which a map of them says more than the list."""
FEWEST_ATTEMPTS = 3
"""From which a curve says more than two numbers."""
MOST_BARS = 1_000
"""Bars of a map; of more items neighbours share one."""
MOST_NAMED = 6
"""Dots of one picture that bear a name; more bear a number."""
MOST_CURVES = 8
"""Lines in one picture; more hide each other."""
TWO = 2

Numbers = Mapping[str, int]
"""Model -> its place in the plan."""


def result_dot(result: Result, number: int) -> Markup:
    """One result on the axis of its column; hollow where the score stands in for a pass rate."""
    value, interval = result.pass_rate, result.interval
    if value is None and not result.passable:
        value, interval = result.score, result.score_interval
    if value is None:
        return Markup("")
    reach = f"interval {words.bounds(interval)}" if interval else "no interval: too few sources"
    said = f"{result.model}: {words.percent(value, interval)}, {reach}"
    return plots.dot(value, interval, number, said, hollow=result.pass_rate is None)


class Forest(NamedTuple):
    """Differences between models on one axis."""

    axis: Markup
    rows: tuple[tuple[Pair, Markup], ...]
    """A picture, or nothing where no interval is given."""
    left_out: int
    """Pairs that are not listed."""


def forest(pairs: Sequence[Pair]) -> Forest:
    """Pairs of one category and measure; all, or neighbours where there are many."""
    shown = tuple(pairs) if len(pairs) <= MOST_PAIRS else neighbours(pairs)
    ends = [end for pair in shown if pair.interval for end in pair.interval]
    reach = plots.reach_of(ends)
    rows = tuple((pair, _difference(pair, reach)) for pair in shown)
    return Forest(plots.difference_axis(reach), rows, len(pairs) - len(shown))


def pair_place(pair: Pair) -> str:
    """Where a pair stands on the page, the same in every report of the run."""
    return f"pair--{pair.run}--{pair.category}--{pair.measure.replace(' ', '-')}--{pair.a}--{pair.b}"


def neighbours(pairs: Sequence[Pair]) -> tuple[Pair, ...]:
    """Each model against the next lower one, the better mean first."""
    means = {name: mean for pair in pairs for name, mean in ((pair.a, pair.mean_a), (pair.b, pair.mean_b))}
    order = sorted(means, key=lambda name: -means[name])
    of_two = {(pair.a, pair.b): pair for pair in pairs}
    return tuple(
        of_two[high, low] if (high, low) in of_two else flipped(of_two[low, high]) for high, low in pairwise(order)
    )


def _difference(pair: Pair, reach: float) -> Markup:
    if pair.diff is None or pair.interval is None:
        return Markup("")
    said = f"{pair.a} minus {pair.b}: {pair_words.points(pair.diff)}, interval {pair_words.gap(pair)}"
    shown = pair.better is not None
    return plots.difference(pair.diff, pair.interval, reach, said, unseen=pair.gap_shown, shown=shown)


def rank_rows(found: Ranks, numbers: Numbers) -> tuple[tuple[RankSet, Markup], ...]:
    """One row a model, the best first."""
    among = len(found.models)
    order = sorted(found.models, key=lambda one: (one.together, one.alone))
    return tuple((one, _rank(one, among, numbers.get(one.model, 0))) for one in order)


def _rank(one: RankSet, among: int, number: int) -> Markup:
    said = f"{one.model}: ranks {pair_words.ranks(one.alone, among)}; together {pair_words.ranks(one.together, among)}"
    return plots.ranks(one.alone, one.together, among, number, said)


class CostTable(NamedTuple):
    """Cost against score, the cheapest first."""

    picture: Markup
    rows: tuple[CostOfModel, ...]
    numbered: bool
    """Whether the picture has numbers of these rows, from 1, instead of names."""


def cost_table(found: Costs, numbers: Numbers) -> CostTable:
    """Score against cost."""
    rows = tuple(sorted(found.models, key=lambda one: one.cost_usd))
    numbered = len(rows) > MOST_NAMED
    points = [
        plots.Point(
            name=one.model,
            label=str(place) if numbered else one.model,
            number=numbers.get(one.model, 0),
            x=one.cost_usd,
            x_interval=one.cost_interval,
            y=one.score,
            y_interval=one.score_interval or (one.score, one.score),
            sure=one.frontier_chance,
        )
        for place, one in enumerate(rows, 1)
    ]
    return CostTable(plots.costs(points, "US dollars an item", found.measure), rows, numbered)


def curve_picture(results: Sequence[Result], title: str, numbers: Numbers) -> Markup:
    """How surely several attempts all pass, of the models of one category; nothing where there is no line to draw."""
    drawn = [one for one in results if len(one.pass_hat_k) >= FEWEST_ATTEMPTS and one.n_items >= FEWEST_ITEMS]
    if not drawn or len(drawn) > MOST_CURVES:
        return Markup("")
    found = [
        plots.Curve(one.model, numbers.get(one.model, 0), one.pass_hat_k, one.pass_hat_k_intervals) for one in drawn
    ]
    return plots.curves(found, f"{title}: how surely 1, 2 and more attempts at an item all pass")


class MapRow(NamedTuple):
    model: str
    number: int
    picture: Markup
    always: int
    """Items passed in every attempt."""
    some: int
    never: int


class ItemMap(NamedTuple):
    rows: tuple[MapRow, ...]
    signs: Markup
    """Where items stand that people should look at; nothing where there are none."""
    flagged: int
    n_items: int
    a_bar: int
    """Items that share a bar, which then shows their mean."""


def item_map(items: Sequence[Item], models: Sequence[str], numbers: Numbers, most: int = MOST_BARS) -> ItemMap | None:
    """Items from the hardest to the easiest, one row a model; None for one model or too few items with results.

    Args:
        items: of one category.
        models: down the map.
        numbers: their places in the plan.
        most: bars in a row.
    """
    known = [item for item in items if item.solved is not None]
    if len(models) < TWO or len(known) < FEWEST_ITEMS:
        return None
    order = sorted(known, key=lambda item: item.solved or 0.0)
    flags = [float(bool(item.signs)) for item in order]
    flagged = round(sum(flags))
    said = f"{words.counted(flagged, 'item')} of {len(order):,} that people should look at"
    a_bar = -(-len(order) // most)
    signs = plots.strip(_together(flags, a_bar), said) if flagged else Markup("")
    rows = tuple(_map_row(order, name, numbers, a_bar) for name in models)
    return ItemMap(rows, signs, flagged, len(order), a_bar)


def _map_row(order: Sequence[Item], model: str, numbers: Numbers, a_bar: int) -> MapRow:
    shares = [_share(item.models[model], hard=item.hard) for item in order]
    always, never = sum(share == 1 for share in shares), sum(share == 0 for share in shares)
    some = sum(0 < share < 1 for share in shares)
    said = f"{model}: {always:,} items in full, {some:,} in part, {never:,} not"
    return MapRow(model, numbers.get(model, 0), plots.strip(_together(shares, a_bar), said), always, some, never)


def _together(shares: Sequence[float], a_bar: int) -> list[float]:
    """Means of so many neighbours, of what is known of them; below 0 where nothing is."""
    parts = ([share for share in shares[at : at + a_bar] if share >= 0] for at in range(0, len(shares), a_bar))
    return [round(sum(part) / len(part), 3) if part else -1.0 for part in parts]


def _share(result: ItemResult, *, hard: bool) -> float:
    """0..1; below 0 where nothing is known."""
    if not result.scored:
        return -1.0
    if hard:
        return result.passed / result.scored
    return -1.0 if result.score is None else result.score
