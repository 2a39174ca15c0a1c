"""Verdicts on pairs as people read them, in fixed words, the same in the terminal, in HTML and in JSON.

Never "significant": a verdict says who is better, or what the comparison could have shown. Not here: the numbers
(`pairs`).
"""

from openassay.reports.comparing_contract import Pair, Ranks, RankSet
from openassay.reports.words import counted
from openassay.stats.pairs import FEWEST_ITEMS

USUAL = 0.01
"""Half width of an interval above which points are given whole."""


def sentence(pair: Pair) -> str:
    """Counts, verdict, and what follows from it."""
    return f"{counts(pair)}: {verdict(pair)}. {_more(pair)}".strip()


def counts(pair: Pair) -> str:
    """Such as ``82 of 100 against 79 of 100``."""
    if pair.passed_a is None or pair.passed_b is None or pair.tried is None:
        return f"score {pair.mean_a:.2f} against {pair.mean_b:.2f} over {counted(pair.n_items, 'item')}"
    again = "" if pair.tried == pair.n_items else f" attempts at {counted(pair.n_items, 'item')}"
    return f"{pair.passed_a:,} of {pair.tried:,} against {pair.passed_b:,} of {pair.tried:,}{again}"


def verdict(pair: Pair) -> str:
    """The fixed words, with the better model's name."""
    if pair.better is not None:
        return f"{pair.better} better"
    if pair.verdict == "too few items" and pair.n_items >= FEWEST_ITEMS:
        return "too few sources"
    return pair.verdict


def _more(pair: Pair) -> str:
    if pair.interval is None:
        return _too_few(pair)
    if pair.verdict == "no difference shown":
        return f"{_could_show(pair)}{_corrected(pair)}"
    if pair.verdict == "practically equal":
        declared = points(pair.margin or 0.0)
        return f"The difference lies from {gap(pair)}, within the {declared} that were declared to make none."
    return f"The difference lies from {gap(pair)} (95 % interval)."


def _too_few(pair: Pair) -> str:
    if pair.n_items < FEWEST_ITEMS:
        return f"Below {FEWEST_ITEMS} items models are not compared by their counts."
    return (
        f"The {pair.n_items:,} items come from {counted(pair.n_units, 'source')}, and items of one source rise and "
        "fall together: how sure a difference is cannot be said."
    )


def _could_show(pair: Pair) -> str:
    shown = f"This comparison could have shown a gap of {points(pair.gap_shown or 0.0)}"
    if not pair.diff or pair.items_needed is None:
        return f"{shown}; no gap was seen, and no number of items shows that there is none."
    fine = abs(pair.diff) < USUAL
    needed = counted(round_up(pair.items_needed), "item")
    return f"{shown}; to settle a gap of {points(abs(pair.diff), fine=fine)} about {needed} are needed."


def _corrected(pair: Pair) -> str:
    """Where only the number of pairs looked at keeps a verdict back."""
    if pair.p is None or pair.p_adjusted is None or pair.p >= 0.05 or pair.p_adjusted < 0.05:  # noqa: PLR2004
        return ""
    return (
        f" Alone this pair would pass for a difference (p = {pair.p:.3f}); among {pair.n_pairs:,} pairs one such is to "
        f"be expected by chance (p = {pair.p_adjusted:.2f})."
    )


def shares(pair: Pair) -> tuple[str, str]:
    """Counts of passes, or scores."""
    if pair.passed_a is None:
        return f"{pair.mean_a:.2f}", f"{pair.mean_b:.2f}"
    return f"{pair.passed_a:,} of {pair.tried:,}", f"{pair.passed_b:,} of {pair.tried:,}"


def points(share: float, *, fine: bool = False) -> str:
    """A difference in points of 100, whole ones unless asked for more.

    >>> points(0.114), points(0.0042, fine=True), points(0.01)
    ('11 points', '0.4 points', '1 point')
    """
    number = f"{100 * share:.{int(fine)}f}"
    return f"{number} {'point' if number in {'1', '-1'} else 'points'}"


def gap(pair: Pair) -> str:
    """The interval of the difference, such as ``-5 to 11 points``."""
    if pair.interval is None:
        return ""
    lo, hi = pair.interval
    places = int((hi - lo) / 2 <= USUAL)
    return f"{100 * lo:.{places}f} to {100 * hi:.{places}f} points"


def round_up(number: int) -> int:
    """Two digits are all that such a figure is good for.

    >>> round_up(1368), round_up(95), round_up(101)
    (1400, 95, 110)
    """
    step: int = 10 ** max(0, len(str(number)) - 2)
    return -(-number // step) * step


def p_value(p: float | None) -> str:
    """Such as ``.45``; never 0.

    >>> p_value(0.4512), p_value(0.0000003), p_value(None)
    ('.45', '< .001', '')
    """
    if p is None:
        return ""
    if p < 0.001:  # noqa: PLR2004
        return "< .001"
    return f"{p:.{2 if p >= 0.1 else 3}f}".lstrip("0")  # noqa: PLR2004


def ranks(span: tuple[int, int], among: int) -> str:
    """Ranks that a model may have.

    >>> ranks((1, 3), 5), ranks((2, 2), 5), ranks((1, 5), 5)
    ('1 to 3', 'only 2', 'any of 5')
    """
    if span == (1, among):
        return f"any of {among}"
    return f"only {span[0]}" if span[0] == span[1] else f"{span[0]} to {span[1]}"


def best(found: Ranks) -> str:
    """Who may be the best."""
    names = ", ".join(found.may_be_best)
    if len(found.may_be_best) == len(found.models):
        return "any of them may be the best"
    return f"{names} may be the best" if len(found.may_be_best) > 1 else f"{names} is shown to be the best of these"


def row(found: RankSet, among: int) -> tuple[str, str, str]:
    return found.model, ranks(found.alone, among), ranks(found.together, among)
