"""What a reader's volume costs a month, and how many hours it takes with one call after the other.

As many calls as the run made for one attempt, at the prices of the run; judges left out. Not here: prices.
"""

from collections.abc import Sequence
from math import inf

from openassay.reports.contract import RunSummary, Summary
from openassay.reports.needs_contract import Monthly, Span, Spending
from openassay.reports.needs_file import Needs
from openassay.reports.spending import span
from openassay.reports.words import listed
from openassay.stats.weighing import weighted_sum

HOUR = 3600


def month(summary: Summary, needs: Needs, run: RunSummary, model: str) -> Monthly | None:
    """None where the file gives no volume."""
    tasks, even = _tasks(needs, run)
    if not tasks:
        return None
    mine = {one.category: one for one in summary.spending if (one.run, one.model) == (run.id, model)}
    spent = [(name, mine.get(name), number) for name, number in tasks.items()]
    costs = [(one.cost_usd, one.cost_interval, number) for _, one, number in spent if one]
    took = [(one.seconds, number) for _, one, number in spent if one and one.seconds]
    times = [(seconds.mean, seconds.mean_interval, number / HOUR) for seconds, number in took]
    cost, cost_interval = _sum(costs, len(spent))
    hours, hours_interval = _sum(times, len(spent))
    return Monthly(
        run=run.id,
        model=model,
        tasks=tasks,
        cost_usd=cost,
        cost_interval=cost_interval,
        hours=hours,
        hours_interval=hours_interval,
        notes=tuple(_notes(spent, even=even)),
    )


def _tasks(needs: Needs, run: RunSummary) -> tuple[dict[str, float], bool]:
    """Tasks a month by category, and whether a total was split evenly."""
    if needs.volume is None:
        return {}, False
    if isinstance(needs.volume, dict):
        return {name: float(number) for name, number in needs.volume.items()}, False
    names = [need.category for need in needs.need] or [category.id for category in run.categories]
    return {name: needs.volume / len(names) for name in names}, len(names) > 1


def _sum(parts: Sequence[tuple[float | None, Span | None, float]], wanted: int) -> tuple[float | None, Span | None]:
    """The sum and its interval; nothing where a part is unknown."""
    values = [value for value, _, _ in parts if value is not None]
    if len(values) < wanted:
        return None, None
    intervals = [_open(interval) for _, interval, _ in parts]
    weights = [weight for _, _, weight in parts]
    total = sum(value * weight for value, weight in zip(values, weights, strict=True))
    low, high = weighted_sum(values, intervals, weights)
    return total, span(max(0.0, low), high)


def _open(interval: Span | None) -> tuple[float, float]:
    low, high = interval or (0.0, None)
    return low, inf if high is None else high


def _notes(spent: Sequence[tuple[str, Spending | None, float]], *, even: bool) -> list[str]:
    said = []
    if even:
        said.append("The volume is split evenly over the categories, as the file does not say how.")
    for name, one, _ in spent:
        if one is None:
            said.append(f"This run has no category {name}.")
        elif one.cost_unknown:
            said.append(f"The cost in {name} is unknown: {one.cost_unknown}.")
    if few := [name for name, one, _ in spent if one and one.cost_few_items]:
        said.append(f"So few items in {listed(few)} that the interval of the cost is likely too narrow.")
    if any(one and one.own_hardware for _, one, _ in spent):
        said.append("Its price is 0: what the machine it runs on costs is not counted.")
    return said
