"""Which models meet what one reader needs, how sure that is, and what is not settled.

Pure: from a `Summary` and a reader's `Needs`. A demand is met or failed where the whole 95 % interval lies on one side
of its bound. A model qualifies where it meets every demand: each is tested one-sided at .975, and all of them together
then err no more often than one (Berger 1982, Technometrics 24, 295-300). What is unknown qualifies nobody.

Not here: reading the file (`needs_file`), weighing (`needs_weighed`), a month (`needs_month`), words (`needs_words`).
"""

from collections.abc import Iterator, Sequence
from math import ceil, inf
from typing import NamedTuple

from openassay.reports.contract import Result, RunSummary, Summary
from openassay.reports.needs_contract import Demand, Kind, Monthly, NeedsAnswer, Qualification, Span, Spending
from openassay.reports.needs_file import Needs, WrittenNeed
from openassay.reports.needs_month import month
from openassay.reports.needs_weighed import weighed
from openassay.reports.words import counted, usd
from openassay.stats.intervals import FEWEST_GROUPS
from openassay.stats.pairs import FEWEST_ITEMS
from openassay.stats.weighing import sureness

POWER = (1.959964 + 0.841621) ** 2
"""(z_.975 + z_.8)^2: to settle a bound in 80 of 100 runs."""
MOST_ITEMS = 100_000
"""Items beyond which nobody will settle anything."""
FEW_SOURCES = "too few sources for an interval"
NEVER = "no number of tasks shows 100 %"
LOWER = "ask for a share below 100 %, such as 0.98"
MORE_SOURCES = f"items from at least {FEWEST_GROUPS} independent sources"


class Seen(NamedTuple):
    """What was measured of one thing that is demanded."""

    value: float | None
    interval: Span | None = None
    why: str = ""
    step: str = ""
    items: int | None = None
    """It rests on, where this is not the number of one result."""


def answer(summary: Summary, needs: Needs) -> NeedsAnswer:
    """What the runs say to these needs, run by run, nothing pooled."""
    rows = [
        (run, model.name)
        for run in summary.runs
        for model in run.models
        if not needs.models or model.name in needs.models
    ]
    months = {(run.id, model): one for run, model in rows if (one := month(summary, needs, run, model))}
    return NeedsAnswer(
        title=needs.title,
        needs=needs.stated(),
        max_cost_per_task_usd=needs.max_cost_per_task_usd,
        max_latency_s=needs.max_latency_s,
        latency=needs.latency,
        max_cost_per_month_usd=needs.max_cost_per_month_usd,
        qualified=tuple(qualification(summary, needs, run, model, months.get((run.id, model))) for run, model in rows),
        weighed=tuple(value for run, model in rows if (value := weighed(summary, needs, run, model))),
        monthly=tuple(months.values()),
    )


def qualification(
    summary: Summary, needs: Needs, run: RunSummary, model: str, monthly: Monthly | None
) -> Qualification:
    demands = (*_of_needs(summary, needs, run, model), *_of_caps(summary, needs, run, model, monthly))
    failed = [demand for demand in demands if demand.status == "failed"]
    if failed:
        least = min(demand.sure or 0.0 for demand in failed)
        sure = max(0.0, 1 - len(demands) * least)
        return Qualification(run=run.id, model=model, qualifies="no", sure=sure, demands=demands)
    if demands and all(demand.status == "met" for demand in demands):
        sure = min(demand.sure or 0.0 for demand in demands)
        return Qualification(run=run.id, model=model, qualifies="yes", sure=sure, demands=demands)
    return Qualification(
        run=run.id, model=model, qualifies="not settled", sure=None, demands=demands, step=_cheapest(demands)
    )


def _cheapest(demands: Sequence[Demand]) -> str:
    """What costs nothing first, then the fewest items."""
    steps = [demand for demand in demands if demand.step]
    return min(steps, key=lambda one: one.items_needed or 0).step if steps else ""


def _of_needs(summary: Summary, needs: Needs, run: RunSummary, model: str) -> Iterator[Demand]:
    results = {one.category: one for one in summary.results_of(run.id) if one.model == model}
    for need in needs.need:
        result = results.get(need.category)
        for kind, bound in _minima(need):
            seen = _gone(need.category) if result is None else _seen(run, result, kind, need.k)
            yield demand(
                need.category, kind, bound, seen, result=result, run=run, k=need.k if kind == "pass^k" else None
            )


def _gone(category: str) -> Seen:
    return Seen(None, why=f"this run has no category {category!r}", step="run the benchmark with this category")


def _minima(need: WrittenNeed) -> Iterator[tuple[Kind, float]]:
    minima: list[tuple[Kind, float | None]] = [
        ("pass rate", need.min_pass_rate),
        ("score", need.min_score),
        ("pass^k", need.min_pass_all),
    ]
    yield from ((kind, bound) for kind, bound in minima if bound is not None)


def _seen(run: RunSummary, result: Result, kind: Kind, k: int | None) -> Seen:
    if result.partial:
        step = f"finish the run: `openassay resume` {run.id}"
        return Seen(None, why=f"only {result.headline}", step="" if run.imported_from else step)
    if kind == "score":
        return Seen(result.score, result.score_interval, "" if result.score is not None else "no check was measured")
    if result.pass_rate is None:
        return Seen(None, why="no hard check decides in this category", step="demand min_score instead of a pass rate")
    return Seen(result.pass_rate, result.interval) if kind == "pass rate" else _all_pass(result, k or 1)


def _all_pass(result: Result, k: int) -> Seen:
    if len(result.pass_hat_k) < k:
        tried = counted(max(1, len(result.pass_hat_k)), "attempt")
        return Seen(
            None, why=f"every item has {tried}, and {k} are needed", step=f"try each item {k} times: `--attempts {k}`"
        )
    interval = result.pass_hat_k_intervals[k - 1] if len(result.pass_hat_k_intervals) >= k else None
    return Seen(result.pass_hat_k[k - 1], interval)


def _of_caps(summary: Summary, needs: Needs, run: RunSummary, model: str, monthly: Monthly | None) -> Iterator[Demand]:
    asked = {need.category for need in needs.need} or {category.id for category in run.categories}
    mine = [one for one in summary.spending if (one.run, one.model) == (run.id, model) and one.category in asked]
    results = {one.category: one for one in summary.results_of(run.id) if one.model == model}
    for spent in mine:
        result = results.get(spent.category)
        if needs.max_cost_per_task_usd is not None:
            seen = Seen(spent.cost_usd, spent.cost_interval, spent.cost_unknown)
            yield demand(spent.category, "cost per task", needs.max_cost_per_task_usd, seen, result=result, run=run)
        if needs.max_latency_s is not None:
            seen = _latency(spent, needs)
            found = demand(spent.category, "latency", needs.max_latency_s, seen, result=result, run=run)
            yield found.model_copy(update={"latency": needs.latency})
    if needs.max_cost_per_month_usd is not None and monthly is not None:
        items = [result.n_items for name, result in results.items() if name in monthly.tasks]
        why = " ".join(monthly.notes) if monthly.cost_usd is None else ""
        seen = Seen(monthly.cost_usd, monthly.cost_interval, why, items=min(items, default=0))
        yield demand("", "cost per month", needs.max_cost_per_month_usd, seen, run=run)


def _latency(spent: Spending, needs: Needs) -> Seen:
    if spent.seconds is None:
        return Seen(None, why=spent.seconds_unknown)
    value: float = getattr(spent.seconds, needs.latency)
    interval: Span = getattr(spent.seconds, f"{needs.latency}_interval")
    few = "" if interval[1] is not None else f"{counted(spent.n_items, 'item')} do not bound it from above"
    return Seen(value, interval, few)


def demand(
    category: str,
    kind: Kind,
    bound: float,
    seen: Seen,
    *,
    run: RunSummary,
    result: Result | None = None,
    k: int | None = None,
) -> Demand:
    """Whether what was seen lies wholly on the right side of the bound."""
    at_least = kind in {"pass rate", "score", "pass^k"}
    items = result.n_items if result else seen.items or 0
    found = Demand(
        category=category,
        kind=kind,
        k=k,
        bound=bound,
        at_least=at_least,
        value=seen.value,
        interval=seen.interval,
        status="unknown",
        sure=None,
        short=None if seen.value is None else (bound - seen.value) * (1 if at_least else -1),
        why=seen.why,
        step=seen.step,
    )
    if seen.value is None:
        return found
    if seen.interval is None:
        return found.model_copy(update={"status": "not settled", "why": seen.why or FEW_SOURCES, "step": MORE_SOURCES})
    if items < FEWEST_ITEMS:
        return _with_step(found, result, run, why=f"only {counted(items, 'item')}")
    return _settled(found, result, run)


def _settled(found: Demand, result: Result | None, run: RunSummary) -> Demand:
    value, (lo, hi) = found.value or 0.0, found.interval or (0.0, None)
    top = inf if hi is None else hi
    if found.at_least:
        sure = sureness(value, (lo, top), found.bound)
        met, failed = lo >= found.bound, top < found.bound
    else:
        sure = sureness(-value, (-top, -lo), -found.bound)
        met, failed = top <= found.bound, lo > found.bound
    found = found.model_copy(update={"sure": sure})
    if met or failed:
        return found.model_copy(update={"status": "met" if met else "failed", "why": "", "step": ""})
    if found.at_least and found.bound >= 1:
        return found.model_copy(update={"status": "not settled", "sure": None, "why": NEVER, "step": LOWER})
    return _with_step(found, result, run, why=found.why)


def _with_step(found: Demand, result: Result | None, run: RunSummary, why: str) -> Demand:
    needed = _items_needed(found, result)
    step = found.step or _step(found, result, run, needed)
    return found.model_copy(update={"status": "not settled", "why": why, "step": step, "items_needed": needed})


def _items_needed(found: Demand, result: Result | None) -> int | None:
    """Items that would settle the demand if the true value is the one seen; None where that cannot be told."""
    if result is None or found.value is None or found.interval is None or found.value == found.bound:
        return None
    gap = abs(found.value - found.bound)
    if found.kind == "pass rate":
        apart = result.n_items / result.n_effective if result.n_effective else 1.0
        variance = max(found.bound * (1 - found.bound), found.value * (1 - found.value)) * apart
    else:  # the effective number of items is that of the pass rate, and of nothing else
        lo, hi = found.interval
        if hi is None:
            return None
        variance = ((hi - lo) / 2 / 1.96) ** 2 * result.n_items
    number = max(FEWEST_ITEMS, ceil(POWER * variance / gap**2))
    return number if number <= MOST_ITEMS else None


def _step(found: Demand, result: Result | None, run: RunSummary, needed: int | None) -> str:
    if needed is None or result is None:
        return ""
    category = next((one for one in run.categories if one.id == found.category), None)
    number = -(-max(needed, result.n_items + 1) // 10) * 10
    pool = category.pool if category else None
    cost = _cost(result, number)
    title = category.title if category else found.category
    where = f"about {number:,} items of “{title}”{cost}"
    if pool is None or run.imported_from:
        return where
    if pool >= number:
        return f"{where} (`--per-category {number}`)"
    return f"{where}; the pool holds {pool:,}, so more must be written"


def _cost(result: Result, items: int) -> str:
    if not result.cost_usd or not result.finished:
        return ""
    attempts = result.n_attempts / result.n_items if result.n_items else 1.0
    return f", some {usd(result.cost_usd / result.finished * attempts * items)}"
