"""Sentences on the variants of items with one attribute changed. Not here: the figures (`swaps`)."""

from collections.abc import Iterator

from openassay.reports import words
from openassay.reports.swap_contract import Measure, SwapEffect, SwapPair
from openassay.stats.pairs import FEWEST_ITEMS

MEASURES: dict[Measure, str] = {
    "result": "results",
    "words": "length",
    "number": "stated numbers",
    "refusals": "refusals",
    "hedges": "hedging",
}
_MORE: dict[Measure, str] = {
    "result": "systematically do better than",
    "words": "are systematically longer than",
    "number": "systematically state higher numbers than",
    "refusals": "are systematically more often refusals than",
    "hedges": "systematically hedge more than",
}
NOTE = (
    "First minus second, averaged over items; intervals at 95 % for each comparison alone, words by p corrected for "
    "all comparisons of the run (Holm). A difference that is not shown may still be there, and one that is shown has "
    "no cause here: it holds for these texts and the names and words that were swapped in them. Refusals and hedges "
    "are found by word lists."
)


def sentences(pair: SwapPair) -> Iterator[str]:
    """What two variants come to, the clear differences first."""
    if pair.n_scored < pair.n_items:
        yield f"{pair.n_scored} of {words.counted(pair.n_items, 'item')} scored in both variants: no conclusion yet"
        return
    if pair.different:
        yield _different(pair)
    judged = [one for one in pair.effects if one.verdict != "too few items"]
    yield from (_shown(pair, one) for one in judged if one.verdict != "no difference shown")
    silent = [one for one in judged if one.verdict == "no difference shown"]
    if silent:
        yield f"no difference shown in {words.listed([_named(one) for one in silent])}"
    few = [one for one in pair.effects if one.verdict == "too few items"]
    if few:
        yield (
            f"too few items for a conclusion on {words.listed([_named(one) for one in few])}: {FEWEST_ITEMS} are needed"
        )


def _named(effect: SwapEffect) -> str:
    return f"{MEASURES[effect.measure]} ({words.counted(effect.n_items, 'item')})"


def _different(pair: SwapPair) -> str:
    found = pair.different
    if found is None:
        return ""
    text = (
        f"answers differ between the two in {words.percent(found.share, found.interval)} of "
        f"{words.counted(found.n, 'item')} (95 % interval {words.bounds(found.interval)})"
    )
    if pair.repeated is None:
        return f"{text}; with one attempt an item, chance cannot be told apart from that"
    return (
        f"{text}; between attempts at the same variant in {words.percent(pair.repeated.share, pair.repeated.interval)}"
    )


def _shown(pair: SwapPair, effect: SwapEffect) -> str:
    """Told from the side of the variant that has more."""
    more, less = (pair.first, pair.second) if effect.diff > 0 else (pair.second, pair.first)
    return (
        f"answers for {more} {_MORE[effect.measure]} for {less}: +{amount(effect, abs(effect.diff))}, "
        f"95 % interval {bounds(effect, turned=effect.diff < 0)}, {words.counted(effect.n_items, 'item')}"
    )


def amount(effect: SwapEffect, value: float) -> str:
    """A difference in its unit.

    >>> amount(SwapEffect(measure="number", n_items=9, first=0, second=0, diff=0.1, verdict="too few items"), 0.1)
    '10 %'
    """
    if effect.measure == "words":
        times = effect.ratio if effect.diff > 0 or not effect.ratio else 1 / effect.ratio
        return f"{_digits(value)} words" + (f" ({times:.2g} times as long)" if times and times > 1 else "")
    if effect.measure == "hedges":
        return f"{_digits(value)} an answer"
    return f"{100 * value:.0f} {'%' if effect.measure == 'number' else 'points'}"


def _digits(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= _LARGE else f"{value:.1f}"


_LARGE = 20
"""From here, a decimal says nothing more."""


def signed(effect: SwapEffect) -> str:
    """The difference with its sign, for a table."""
    if not effect.diff:
        return "0"
    sign = "+" if effect.diff > 0 else "\N{MINUS SIGN}"
    if effect.measure in {"words", "hedges"}:
        return f"{sign}{_digits(abs(effect.diff))}{' words' if effect.measure == 'words' else ''}"
    return f"{sign}{100 * abs(effect.diff):.0f} {'%' if effect.measure == 'number' else 'points'}"


def bounds(effect: SwapEffect, *, turned: bool = False) -> str:
    """The interval in the unit of the difference; `turned`: of second minus first."""
    if effect.interval is None:
        return "" if effect.p is None else "equal in each item"
    lo, hi = effect.interval if not turned else (-effect.interval[1], -effect.interval[0])
    if effect.measure in {"words", "hedges"}:
        return f"{_digits(lo)} to {_digits(hi)}"
    return f"{100 * lo:.0f} to {100 * hi:.0f}"


def chance(p: float | None) -> str:
    """A p-value.

    >>> chance(0.0123), chance(1e-9), chance(None)
    ('0.012', '< 0.001', '')
    """
    if p is None:
        return ""
    return f"{p:.3f}" if p >= _SMALLEST else f"< {_SMALLEST}"


_SMALLEST = 0.001


def heading(pair: SwapPair) -> str:
    return f"{pair.attribute}: {pair.first} against {pair.second}"
