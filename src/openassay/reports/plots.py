"""Pictures of numbers as SVG text: pure functions, no colours of their own, nothing random.

Most are one row of a table on the axis of the rows above and below, so that the table beside them holds the same
numbers in words. Models differ by colour and by shape; colours are classes of the page's style. Not here: which numbers
are worth a picture (`pictures`).
"""

from collections.abc import Callable, Sequence
from decimal import Decimal
from itertools import pairwise
from math import ceil, floor, log10
from typing import NamedTuple

from markupsafe import Markup, escape

from openassay.reports.visible import visible

Interval = tuple[float, float]

WIDE, HIGH = 200, 20
"""Of a picture in a row, in CSS pixels."""
EDGE = 8
"""Room left and right of the axis, for half a dot."""
SPAN = WIDE - 2 * EDGE
COLOURS, SHAPES = 8, 4
PLAIN = ("circle", "square", "diamond", "triangle")


class Point(NamedTuple):
    """A model in a picture of two measures."""

    name: str
    label: str
    """What is written beside the dot: the name, or where names would hide the picture a number of the table's row."""
    number: int
    """Place of the model in the plan, which gives it colour and shape."""
    x: float
    x_interval: Interval
    y: float
    y_interval: Interval
    sure: float
    """0..1: how surely nothing beats it."""


class Curve(NamedTuple):
    """A model over 1, 2, ... attempts."""

    name: str
    number: int
    values: tuple[float, ...]
    intervals: tuple[Interval, ...]
    """Empty where none is known."""


def style_of(number: int) -> str:
    """Class of the colour of a model by its place in the plan."""
    return f"m{number % COLOURS}"


def shape(number: int, x: float, y: float, *, hollow: bool = False) -> Markup:
    """The dot of a model; 32 models differ by colour and shape together."""
    look = "dot hollow" if hollow else "dot"
    kind = PLAIN[(number + number // COLOURS) % SHAPES]
    if kind == "circle":
        return Markup('<circle class="{}" cx="{}" cy="{}" r="5"/>').format(look, _short(x), _short(y))
    if kind == "square":
        return Markup('<rect class="{}" x="{}" y="{}" width="9" height="9"/>').format(
            look, _short(x - 4.5), _short(y - 4.5)
        )
    path = "l6 6-6 6-6-6z" if kind == "diamond" else "l5.5 10h-11z"
    return Markup('<path class="{}" d="M{} {}{}"/>').format(look, _short(x), _short(y - 6), path)


def key(number: int) -> Markup:
    """The dot that stands before a model's name."""
    return Markup('<svg class="key" viewBox="0 0 14 20" width="14" height="20" aria-hidden="true">{}</svg>').format(
        shape(number, 7, 10)
    )


def dot(value: float, interval: Interval | None, number: int, said: str, *, hollow: bool = False) -> Markup:
    """A share 0..1 with its interval, on an axis from 0 to 100 %.

    Args:
        value: where the dot stands.
        interval: the line through it; None where there is none.
        number: place of the model in the plan.
        said: the same in words.
        hollow: another measure than in the rows with full dots.
    """
    inside = Markup("").join(
        (
            _grid((0, 0.25, 0.5, 0.75, 1)),
            _line(interval[0], interval[1]) if interval else Markup(""),
            shape(number, _at(value), HIGH / 2, hollow=hollow),
        )
    )
    return _row(
        style_of(number), said, "A dot for the value and a line for its 95 % interval, from 0 to 100 %.", inside
    )


def share_axis() -> Markup:
    """Numbers 0 to 100 for the head of a column of `dot`s."""
    return _ticks([(tick / 100, str(tick)) for tick in (0, 25, 50, 75, 100)])


def difference(
    diff: float, interval: Interval, reach: float, said: str, *, unseen: float | None, shown: bool
) -> Markup:
    """A difference -1..1 with its interval and the line of no difference.

    Args:
        diff: between two models.
        interval: of it.
        reach: the axis goes from minus this to plus this.
        said: the same in words.
        unseen: gaps up to this could easily have been missed: a band around zero.
        shown: whether the difference counts as shown, which fills the dot.
    """
    scale = 2 * reach
    low, high = (max(0.0, min(1.0, end / scale + 0.5)) for end in interval)
    band = Markup("")
    if unseen is not None:
        half = min(unseen / scale, 0.5)
        band = Markup('<rect class="band" x="{}" y="3" width="{}" height="14"/>').format(
            _short(_at(0.5 - half)), _short(2 * half * SPAN)
        )
    place = max(0.0, min(1.0, diff / scale + 0.5))
    zero = Markup('<path class="zero" d="M{} 0V20"/>').format(_short(_at(0.5)))
    inside = Markup("").join(
        (band, _grid((0, 0.5, 1)), zero, _line(low, high), shape(0, _at(place), 10, hollow=not shown))
    )
    about = "A dot for the difference, filled where it is shown, a line for its 95 % interval, a bar at no difference"
    return _row("pair", said, about + (", a band for gaps that could be missed." if band else "."), inside)


def difference_axis(reach: float) -> Markup:
    """Percentage points for the head of a column of `difference`s."""
    edge = f"{100 * reach:.0f}"
    return _ticks([(0, f"\u2212{edge}"), (0.5, "0"), (1, f"+{edge}")])


def reach_of(ends: Sequence[float]) -> float:
    """An axis for differences: the farthest end, rounded up to 5, 10, 20, 30, 50, 75 or 100 points.

    >>> reach_of([-0.12, 0.31]), reach_of([0.02])
    (0.5, 0.05)
    """
    farthest = max((abs(end) for end in ends), default=0.0)
    return next((step for step in (0.05, 0.1, 0.2, 0.3, 0.5, 0.75) if farthest <= step), 1.0)


def ranks(alone: Interval, together: Interval, models: int, number: int, said: str) -> Markup:
    """The ranks that a model may have, 1 at the left: thick asked alone, thin asked together with all others."""
    step = max(models - 1, 1)
    low, high = ((rank - 1) / step for rank in alone)
    far, near = ((rank - 1) / step for rank in together)
    inside = Markup('{}<path class="bar thin" d="M{} 10H{}"/><path class="bar thick" d="M{} 10H{}"/>').format(
        _grid([rank / step for rank in range(models)] if models <= SPAN // 10 else (0, 1)),
        *(_short(_at(place) + by) for place, by in ((far, -4), (near, 4), (low, -4), (high, 4))),
    )
    about = (
        "A thick line over the ranks this model may have, a thin one over those it may have when all are asked about."
    )
    return _row(style_of(number), said, about, inside)


def rank_axis(models: int) -> Markup:
    """First and last rank for the head of a column of `ranks`."""
    return _ticks([(0, "1"), (1, str(models))])


def strip(steps: Sequence[float], said: str) -> Markup:
    """One bar an item: full height where every attempt passed, as high as the share where some did, none where none.

    Stretches to the width it is given, so it holds no text. Bars of a share between are marked with a second class.

    Args:
        steps: share of attempts passed, 0..1, in the order of the axis; below 0 where nothing is known.
        said: the same in words.
    """
    inside = Markup("").join(
        Markup('<path class="{}" d="{}"/>').format(look, path)
        for look, path in (("some", _bars(steps, some=True)), ("full", _bars(steps, some=False)))
        if path
    )
    return Markup(
        '<svg class="strip" viewBox="0 0 {} 20" preserveAspectRatio="none" role="img"><title>{}</title>'
        "<desc>One bar an item, hardest at the left: full height where every attempt passed, lower where some did."
        '</desc><path class="floor" d="M0 19.5H{}"/>{}</svg>'
    ).format(max(len(steps), 1), _words(said), max(len(steps), 1), inside)


def _bars(steps: Sequence[float], *, some: bool) -> str:
    """Neighbours of one height as one bar: a path grows with what changes, not with the number of items."""
    edges = dict.fromkeys((0, *(at for at in range(1, len(steps)) if steps[at] != steps[at - 1]), len(steps)))
    return "".join(
        f"M{start} 20V{_short(20 - 20 * steps[start])}H{end}V20z"
        for start, end in pairwise(edges)
        if steps[start] > 0 and (steps[start] < 1) is some
    )


SIDE, TOP, FOOT = 44, 12, 40
BIG, TALL = 460, 300
"""Of a picture of its own."""
CHARACTER = 6.4
"""Width of a character of a label, about."""
LONGEST = 26
LINE = 13
"""Height of a label."""
MOST_TICKS = 8
TRIES = 40
EVEN = 0.5
"""How sure a place on the frontier is that fills a dot."""


def costs(points: Sequence[Point], unit: str, measure: str) -> Markup:
    """Score against cost, cost on a scale of powers of ten; models that nothing may beat are drawn full.

    Args:
        points: one a model, costs above 0.
        unit: of the costs.
        measure: of the scores.
    """
    low, high = _reach([end for point in points for end in (point.x, *point.x_interval) if end > 0])
    across = BIG - SIDE - 12

    def x(cost: float) -> float:
        return SIDE + across * max(0.0, min(1.0, (log10(cost) - low) / (high - low))) if cost > 0 else SIDE

    drawn = [_cross(point, x) for point in points]
    labels = _labels([(point.label, x(point.x), _height(point.y)) for point in points])
    ticks = [(x(value), _spelt(value)) for value in _steps(low, high)]
    said = f"{measure.capitalize()} against cost of {len(points)} models"
    about = "The higher the better, the farther left the cheaper; lines are 95 % intervals. The table has the numbers."
    return _big(said, about, Markup("").join((_frame(ticks, unit), *drawn, labels)))


def _cross(point: Point, x: Callable[[float], float]) -> Markup:
    place = x(point.x), _height(point.y)
    left, right = map(x, point.x_interval)
    lines = (left, place[1], right, place[0], _height(point.y_interval[0]), _height(point.y_interval[1]))
    cross = Markup('<path class="bar thin" d="M{} {}H{}M{} {}V{}"/>').format(*map(_short, lines))
    dot_ = shape(point.number, *place, hollow=point.sure < EVEN)
    return Markup('<g class="{}"><title>{}</title>{}{}</g>').format(
        style_of(point.number), _words(f"{point.name}, P {point.sure:.2f}"), cross, dot_
    )


def curves(found: Sequence[Curve], said: str) -> Markup:
    """How surely 1, 2, ... attempts at an item all pass, one line a model, with whiskers for the intervals."""
    longest = max(len(curve.values) for curve in found)
    across = BIG - SIDE - 24

    def x(k: int) -> float:
        return SIDE + 12 + (across - 12) * k / max(longest - 1, 1)

    drawn = []
    for place, curve in enumerate(found):
        shift = 5 * (place - (len(found) - 1) / 2) if len(found) <= COLOURS else 0.0
        spots = [(x(k) + shift, _height(value)) for k, value in enumerate(curve.values)]
        line = "M" + "L".join(f"{_short(a)} {_short(b)}" for a, b in spots)
        whiskers = "".join(
            f"M{_short(spot[0])} {_short(_height(lo))}V{_short(_height(hi))}"
            for spot, (lo, hi) in zip(spots, curve.intervals, strict=False)
        )
        drawn.append(
            Markup('<g class="{}"><path class="bar thin" d="{}"/><path class="line" d="{}"/>{}</g>').format(
                style_of(curve.number), whiskers, line, Markup("").join(shape(curve.number, *spot) for spot in spots)
            )
        )
    ticks = [(x(k), str(k + 1)) for k in range(longest)]
    about = "One line a model, falling where a model does not do again what it did once; whiskers are 95 % intervals."
    return _big(said, about, Markup("").join((_frame(ticks, "attempts that all pass"), *drawn)))


def _reach(values: Sequence[float]) -> Interval:
    """Logarithms of the ends of an axis around these values, with some room."""
    low, high = log10(min(values)), log10(max(values))
    room = max(0.06 * (high - low), 0.1)
    return low - room, high + room


def _steps(low: float, high: float) -> list[float]:
    """Round numbers between two logarithms: 1, 2 and 5 of each power of ten, or the powers where these are many."""
    powers = range(floor(low), ceil(high) + 1)
    found = [
        [lead * 10.0**power for power in powers for lead in leads if low <= log10(lead * 10.0**power) <= high]
        for leads in ((1, 2, 5), (1,))
    ]
    return found[0] if len(found[0]) <= MOST_TICKS else found[1]


def _spelt(amount: float) -> str:
    """Without an exponent.

    >>> _spelt(1e-05), _spelt(0.2), _spelt(10.0)
    ('0.00001', '0.2', '10')
    """
    return f"{Decimal(f'{amount:g}'):f}"


def _labels(spots: Sequence[tuple[str, float, float]]) -> Markup:
    """Words beside their dots, moved where they would lie on each other and then tied to the dot by a line."""
    taken = [(x - 6, y, 12.0) for _, x, y in spots]
    drawn = []
    for word, x, y in sorted(spots, key=lambda spot: spot[2]):
        short = word if len(word) <= LONGEST else word[: LONGEST - 1] + "…"
        wide = CHARACTER * len(short)
        left, down = _free(x, y, wide, taken)
        taken.append((left, down, wide))
        if abs(down - y) > LINE:
            near = left if left > x else left + wide
            tie = map(_short, (x, y, near, down))
            drawn.append(Markup('<path class="grid" d="M{} {}L{} {}"/>').format(*tie))
        drawn.append(Markup('<text x="{}" y="{}">{}</text>').format(_short(left), _short(down + 4), visible(short)))
    return Markup('<g class="names">{}</g>').format(Markup("").join(drawn))


def _free(x: float, y: float, wide: float, taken: Sequence[tuple[float, float, float]]) -> tuple[float, float]:
    """The nearest place right or left of a dot where nothing lies; beside the dot where all is full."""
    for step in range(TRIES):
        for down in dict.fromkeys((y + 3 * step, y - 3 * step)):
            for left in (x + 8, x - 8 - wide):
                inside = left >= SIDE and left + wide <= BIG and TOP <= down <= TALL - FOOT
                if inside and not any(abs(down - b) < LINE and left < a + w and a < left + wide for a, b, w in taken):
                    return left, down
    return min(x + 8, BIG - wide), y


def _height(share: float) -> float:
    return TOP + (TALL - TOP - FOOT) * (1 - share)


def _frame(ticks: Sequence[tuple[float, str]], across: str) -> Markup:
    """Axes from 0 to 100 % upwards and with these ticks across."""
    floor_ = TALL - FOOT
    lines = "".join(f"M{SIDE} {_short(_height(share))}H{BIG - 12}" for share in (0, 0.25, 0.5, 0.75, 1))
    up = Markup("").join(
        Markup('<text class="end" x="{}" y="{}">{}</text>').format(SIDE - 6, _short(_height(s / 100) + 4), s)
        for s in (0, 25, 50, 75, 100)
    )
    along = Markup("").join(
        Markup('<text class="mid" x="{}" y="{}">{}</text>').format(_short(x), floor_ + 16, word) for x, word in ticks
    )
    name = Markup('<text class="mid" x="{}" y="{}">{}</text>').format(SIDE + (BIG - SIDE) // 2, TALL - 6, across)
    return Markup('<path class="grid" d="{}"/><g class="axis">{}{}{}</g>').format(lines, up, along, name)


def _big(said: str, about: str, inside: Markup) -> Markup:
    return Markup(
        '<svg class="big" viewBox="0 0 {} {}" width="{}" height="{}" role="img">'
        "<title>{}</title><desc>{}</desc>{}</svg>"
    ).format(BIG, TALL, BIG, TALL, _words(said), about, inside)


def _row(look: str, said: str, about: str, inside: Markup) -> Markup:
    return Markup(
        '<svg class="plot {}" viewBox="0 0 {} {}" width="{}" height="{}" role="img">'
        "<title>{}</title><desc>{}</desc>{}</svg>"
    ).format(look, WIDE, HIGH, WIDE, HIGH, _words(said), about, inside)


def _words(text: str) -> Markup:
    return escape(visible(text))


def _line(low: float, high: float) -> Markup:
    a, b = _short(_at(low)), _short(_at(high))
    return Markup('<path class="bar" d="M{} 10H{}"/><path class="bar thin" d="M{} 6V14M{} 6V14"/>').format(a, b, a, b)


def _grid(places: Sequence[float]) -> Markup:
    return Markup('<path class="grid" d="{}"/>').format("".join(f"M{_short(_at(place))} 0V20" for place in places))


def _ticks(ticks: Sequence[tuple[float, str]]) -> Markup:
    texts = Markup("").join(Markup('<text x="{}" y="10">{}</text>').format(_short(_at(at)), word) for at, word in ticks)
    return Markup('<svg class="ticks" viewBox="0 0 {} 12" width="{}" height="12" aria-hidden="true">{}</svg>').format(
        WIDE, WIDE, texts
    )


def _at(share: float) -> float:
    return EDGE + SPAN * share


def _short(value: float) -> str:
    """One decimal, and none where it is 0: a page holds thousands of these."""
    return f"{value:.1f}".removesuffix(".0")
