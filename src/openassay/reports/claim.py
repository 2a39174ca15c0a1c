"""What can still be said of a published figure, and what to ask about the rest.

Pure: from records (`published`). Not here: what a figure leaves out (`claim_rules`), figures in a text (`claim_text`),
and how it is printed (`cli.claim`).
"""

from collections.abc import Sequence
from itertools import combinations
from math import ceil, floor, sqrt
from typing import Literal

from openassay.reports.claim_rules import RULES, Gap, left_out
from openassay.reports.published import Figure
from openassay.reports.words import bounds, counted, percent
from openassay.schema.record import Record
from openassay.stats import items_needed, wilson
from openassay.stats.power import mdd

Interval = tuple[float, float]
MOST_GAPS = 10
"""Pairs of figures of one file that are looked at."""
WHOLE = 1e-9


class Reading(Record):
    """One figure: what it leaves out, and what can still be said."""

    model: str
    figure: str
    share: float | None
    n: int | None
    left_out: tuple[Gap, ...]
    interval: Interval | None
    """Wilson's, as if the tasks were independent and drawn at random; null without `n`."""
    said: tuple[str, ...]
    context: str = ""
    """Words around the figure, where it was found in a text."""


class Compared(Record):
    """Two figures of one file beside each other."""

    a: str
    b: str
    figures: tuple[str, str]
    verdict: Literal["gap shown", "no gap shown", "cannot be said"]
    interval: Interval | None
    """Of the difference, unpaired (Newcombe 1998, method 10)."""
    sentence: str


class Claim(Record):
    """`claim --json`."""

    format: int = 1
    source: Literal["toml", "text"]
    readings: tuple[Reading, ...]
    compared: tuple[Compared, ...] = ()
    questions: tuple[str, ...]
    """Ready to send."""
    essential_missing: bool
    """For a text: not found in it."""
    found: dict[str, str] = {}
    """Rule -> words of the text that seem to say it."""


def examine(figures: Sequence[Figure]) -> Claim:
    """All that can be said of the figures of one file."""
    readings = tuple(map(_reading, figures))
    pairs = [pair for pair in combinations(figures, 2) if _comparable(*pair)][:MOST_GAPS]
    return Claim(
        source="toml",
        readings=readings,
        compared=tuple(_compared(a, b) for a, b in pairs),
        questions=_questions(readings),
        essential_missing=any(one.essential for reading in readings for one in reading.left_out),
    )


def _comparable(a: Figure, b: Figure) -> bool:
    """Of one benchmark and metric, as far as they say."""
    same = [(a.benchmark, b.benchmark), (a.metric, b.metric), (a.benchmark_version, b.benchmark_version)]
    return all(one.strip().lower() == other.strip().lower() for one, other in same)


def _reading(figure: Figure) -> Reading:
    interval = interval_of(figure.share, figure.n)
    return Reading(
        model=figure.model,
        figure=figure.shown,
        share=figure.share,
        n=figure.n,
        left_out=left_out(figure),
        interval=interval,
        said=tuple(_said(figure, interval)),
    )


def interval_of(share: float | None, n: int | None) -> Interval | None:
    return None if share is None or n is None else wilson(share, n)


def _said(figure: Figure, interval: Interval | None) -> list[str]:
    said = []
    if figure.share is None:
        said.append(f"{figure.shown} is no share of tasks: no interval follows from a number of tasks alone.")
    elif interval is None or figure.n is None:
        said.append("How sure the figure is cannot be said: n is missing.")
    else:
        said.append(
            f"{percent(figure.share)} of {counted(figure.n, 'task')} would fit a true rate anywhere from "
            f"{bounds(interval)} (95 % interval), if the tasks are independent and stand for the kind."
        )
        said += _impossible(figure.share, figure.n, figure)
    if (figure.attempts or 1) > 1:
        said.append(f"The {figure.attempts} attempts at each task are not more tasks and do not narrow the interval.")
    if "best" in figure.selection.lower():
        said.append("A best of several is higher than what one attempt gives: compare it only with the same choice.")
    return said


def _impossible(share: float, n: int, figure: Figure) -> list[str]:
    """Where one attempt at each of n tasks cannot give the figure, however it was rounded."""
    places = _places(figure)
    if places is None or figure.attempts not in {None, 1}:
        return []
    half = 0.5 * 10.0 ** -(places + 2) + WHOLE
    if floor((share + half) * n + WHOLE) >= ceil((share - half) * n - WHOLE):
        return []
    near = round(share * n)
    return [
        (
            f"{figure.shown} does not follow from one attempt at {counted(n, 'task')}: {near} of {n:,} are "
            f"{100 * near / n:.{places}f} %. Ask what was averaged, or how many tasks there really were."
        )
    ]


def _places(figure: Figure) -> int | None:
    """Decimals of the percentage as written; None where it was not written as one."""
    text = figure.shown.replace("%", "").replace(",", ".").strip()
    whole, _, decimals = text.partition(".")
    return len(decimals) if whole.isdigit() and (decimals.isdigit() or not decimals) else None


def _compared(a: Figure, b: Figure) -> Compared:
    if a.share is None or b.share is None or a.n is None or b.n is None:
        return _unsayable(a, b)
    return _unpaired(a, b, (a.share, b.share), (a.n, b.n))


def _unsayable(a: Figure, b: Figure) -> Compared:
    number = a.share is None or b.share is None
    why = "a figure is no share of tasks" if number else "n is missing"
    needed = ""
    if a.share is not None and b.share is not None and a.share != b.share:
        each = items_needed(_spread(a.share, b.share), a.share - b.share)
        needed = f" A true gap of this size would take about {each:,} tasks each to be shown."
    return Compared(
        a=a.model,
        b=b.model,
        figures=(a.shown, b.shown),
        verdict="cannot be said",
        interval=None,
        sentence=(f"Whether {a.model} ({a.shown}) and {b.model} ({b.shown}) differ cannot be said: {why}.{needed}"),
    )


def _unpaired(a: Figure, b: Figure, shares: Interval, numbers: tuple[int, int]) -> Compared:
    diff = shares[0] - shares[1]
    (lo_a, hi_a), (lo_b, hi_b) = wilson(shares[0], numbers[0]), wilson(shares[1], numbers[1])
    lo = diff - sqrt((shares[0] - lo_a) ** 2 + (hi_b - shares[1]) ** 2)
    hi = diff + sqrt((hi_a - shares[0]) ** 2 + (shares[1] - lo_b) ** 2)
    shown = lo > 0 or hi < 0
    each = 2 / (1 / numbers[0] + 1 / numbers[1])
    span = f"the difference lies from {100 * lo:.0f} to {100 * hi:.0f} points (95 % interval)"
    rest = ". Other prompts, settings or tasks would explain it as well." if shown else _chance(shares, each)
    return Compared(
        a=a.model,
        b=b.model,
        figures=(a.shown, b.shown),
        verdict="gap shown" if shown else "no gap shown",
        interval=(lo, hi),
        sentence=(
            f"{a.model} {a.shown} of {numbers[0]:,} against {b.model} {b.shown} of {numbers[1]:,}: "
            f"{'a gap is shown' if shown else 'no gap is shown'}. As two separate samples {span}{rest}"
        ),
    )


def _chance(shares: Interval, each: float) -> str:
    """What such a comparison could have shown."""
    spread, diff = _spread(*shares), shares[0] - shares[1]
    more = f"; this one would take about {items_needed(spread, diff):,} tasks each" if diff else ""
    return (
        f", so it may be chance. Two such figures could show a gap of {100 * mdd(spread, each):.0f} points{more}. "
        "If both answered the same tasks, their answers task by task say more: ask for them."
    )


def _spread(one: float, other: float) -> float:
    """Variance of the difference of one task each, where the two samples are unrelated: the careful assumption."""
    return max(one * (1 - one) + other * (1 - other), WHOLE)


def _questions(readings: Sequence[Reading]) -> tuple[str, ...]:
    """One of each, the essential first, with the figures it is asked of."""
    asked: dict[Gap, list[Reading]] = {}
    for reading in readings:
        for one in reading.left_out:
            asked.setdefault(one, []).append(reading)
    order = sorted(asked, key=lambda one: (not one.essential, [rule.id for rule in RULES].index(one.id)))
    return tuple(_question(one, asked[one], len(readings)) for one in order)


def _question(one: Gap, of: Sequence[Reading], total: int) -> str:
    if len(of) == total:
        return one.question
    names = ", ".join(f"{reading.model} ({reading.figure})" for reading in of)
    return f"{one.question} (for {names})"
