"""Needs in words, the same in the terminal, in HTML and on the first screen.

Not here: the verdicts (`needs`).
"""

from collections.abc import Callable
from math import floor, log10

from openassay.reports.needs_contract import Demand, Monthly, NeedsAnswer, Qualification, Span, Weighed
from openassay.reports.words import bounds, percent, seconds

THOUSAND = 1_000
SHARES = {"pass rate", "score", "pass^k"}
ANSWERS = {"yes": "qualifies", "no": "does not qualify", "not settled": "not settled"}


def what(demand: Demand, titles: dict[str, str]) -> str:
    """What is demanded, such as ``pass rate in “Letters” at least 80 %``."""
    where = f" in “{titles.get(demand.category, demand.category)}”" if demand.category else ""
    return f"{_kind(demand)}{where} at {'least' if demand.at_least else 'most'} {amount(demand, demand.bound)}"


def _kind(demand: Demand) -> str:
    if demand.kind == "pass^k":
        return f"tasks passing {demand.k} of {demand.k} attempts"
    if demand.kind == "latency":
        return {"median": "median time", "p95": "time of 95 of 100 answers", "mean": "mean time"}[demand.latency]
    return demand.kind


def amount(demand: Demand, value: float | None) -> str:
    """A value in its unit; empty where there is none."""
    if value is None:
        return ""
    if demand.kind in SHARES:
        return percent(value)
    return seconds(value) if demand.kind == "latency" else usd(value)


def seen(demand: Demand) -> str:
    """What was seen, with its interval."""
    if demand.value is None:
        return demand.why or "unknown"
    return f"{amount(demand, demand.value)}{_around(demand)}"


def usd(value: float) -> str:
    """Dollars, with two digits however small.

    >>> usd(0), usd(0.0000112), usd(0.25), usd(1234.5), usd(12.345)
    ('$0', '$0.000011', '$0.25', '$1,234', '$12.35')
    """
    if value == 0:
        return "$0"
    places = 2 if value >= 1 else min(9, 1 - floor(log10(value)))
    return f"${value:,.{0 if value >= THOUSAND else places}f}"


def _around(demand: Demand) -> str:
    if demand.interval is None:
        return ""
    if demand.kind in SHARES:
        return f" ({bounds((demand.interval[0], demand.interval[1] or 0.0))})"
    low, high = demand.interval
    top = "any" if high is None else amount(demand, high)
    return f" ({amount(demand, low)} to {top})"


def missed(demand: Demand) -> str:
    """By how much, where it fails."""
    if demand.status != "failed" or demand.short is None:
        return ""
    if demand.kind in SHARES:
        return f"misses by {100 * demand.short:.0f} points"
    return f"misses by {amount(demand, demand.short)}"


def sure(value: float | None) -> str:
    """How sure, as a level of confidence and never 100 %.

    >>> sure(0.98), sure(0.99999), sure(None)
    ('98 % sure', 'over 99.9 % sure', '')
    """
    if value is None:
        return ""
    if value > 0.999:  # noqa: PLR2004
        return "over 99.9 % sure"
    return f"{100 * value:.{1 if value > 0.99 else 0}f} % sure"  # noqa: PLR2004


def heading(answer: NeedsAnswer) -> str:
    return f"For your needs ({answer.title})," if answer.title else "For your needs,"


def row(one: Qualification, demand: Demand, titles: dict[str, str]) -> tuple[str, str, str, str, str]:
    """Model, demand, what was seen, whether it is met, how sure."""
    said = {"met": "met", "failed": "not met", "not settled": "not settled", "unknown": "unknown"}[demand.status]
    more = missed(demand) or (demand.why if demand.value is not None else "")
    return one.model, what(demand, titles), seen(demand), f"{said}{f': {more}' if more else ''}", _level(demand)


def _level(demand: Demand) -> str:
    """How sure the verdict is; where there is none, how sure it is that the demand is met."""
    if demand.status == "not settled" and demand.sure is not None:
        return f"{sure(demand.sure)} that it is met"
    failed = demand.status == "failed" and demand.sure is not None
    return sure(1 - (demand.sure or 0.0) if failed else demand.sure)


def verdict(one: Qualification) -> str:
    """Such as ``qualifies (98 % sure)``."""
    level = sure(one.sure)
    return f"{ANSWERS[one.qualifies]}{f' ({level})' if level else ''}"


def weighed(one: Weighed, titles: dict[str, str]) -> str:
    """The weighed value with every part beside it."""
    parts = "; ".join(
        f"{titles.get(part.category, part.category)} {'no result' if part.value is None else percent(part.value)}"
        f" x {percent(part.weight)}"
        for part in one.parts
    )
    if one.value is None:
        return f"{one.model}: no weighed value ({parts})"
    around = f" ({bounds(one.interval)})" if one.interval else " (no interval)"
    return f"{one.model}: {percent(one.value)}{around} by your own weighing of {parts}"


def monthly(one: Monthly) -> str:
    cost = "cost unknown" if one.cost_usd is None else f"{usd(one.cost_usd)}{_span(one.cost_interval, usd)} a month"
    took = "time unknown"
    if one.hours is not None:
        took = f"{_hours(one.hours)}{_span(one.hours_interval, _hours)} of calls one after the other"
    total = sum(one.tasks.values())
    return f"{one.model}, {total:,.0f} tasks a month: {cost}, {took}"


def _hours(value: float) -> str:
    return f"{value:.1f} hours" if value < 10 else f"{value:,.0f} hours"  # noqa: PLR2004


def _span(interval: Span | None, shown: Callable[[float], str]) -> str:
    if interval is None:
        return ""
    low, high = interval
    return f" ({shown(low)} to {'any' if high is None else shown(high)})"
