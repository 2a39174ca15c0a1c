"""`needs.toml`: what one reader needs, in their own weights and bounds.

Not here: whether a model meets it (`needs`).
"""

from collections.abc import Collection
from functools import partial
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field

from openassay.reports.needs_contract import Latency, Need
from openassay.reports.own_files import read_own
from openassay.schema.record import Record
from openassay.tasks.faults import FaultList, Place

HUNDRED = 100
TWO = 2


def _share(value: float) -> float:
    if 0 <= value <= 1:
        return value
    hint = f": {value:g} % is {value / HUNDRED:g}" if 1 < value <= HUNDRED else ""
    msg = f"expected a share from 0 to 1{hint}"
    raise ValueError(msg)


Number = Annotated[float, Field(strict=True)]
Share = Annotated[Number, AfterValidator(_share)]
Positive = Annotated[Number, Field(gt=0, lt=1e12)]
Count = Annotated[int, Field(strict=True, ge=1, le=10**12)]


class WrittenNeed(Record):
    """One ``[[need]]``."""

    category: str
    weight: Annotated[Number, Field(ge=0, le=1e6)] | None = None
    """How much the category counts to the reader; all needs have one, or none has."""
    min_pass_rate: Share | None = None
    min_score: Share | None = None
    min_pass_all: Share | None = None
    """Least share of tasks at which `k` attempts all pass (pass^k)."""
    k: Annotated[int, Field(strict=True, ge=2, le=1_000)] | None = None


class Needs(Record):
    """The file."""

    title: str = ""
    models: tuple[str, ...] = ()
    """Those in question; empty for all."""
    need: tuple[WrittenNeed, ...] = ()
    max_cost_per_task_usd: Annotated[Number, Field(ge=0, lt=1e12)] | None = None
    """Mean, in each category in question."""
    max_latency_s: Positive | None = None
    latency: Latency = "median"
    """Of what `max_latency_s` speaks."""
    max_cost_per_month_usd: Annotated[Number, Field(ge=0, lt=1e12)] | None = None
    volume: Count | dict[str, Count] | None = None
    """Tasks a month: by category, or in total, then split evenly over the categories in question."""

    def stated(self) -> tuple[Need, ...]:
        return tuple(Need(**need.model_dump()) for need in self.need)


def read_needs(path: Path, categories: Collection[str], models: Collection[str]) -> Needs:
    """The needs; `OwnFileError` with every fault.

    Args:
        path: of the file.
        categories: of the runs in question.
        models: of the same.
    """
    return read_own(path, Needs, partial(_look, categories=categories, models=models))


def _look(
    found: Needs, place: Place, faults: FaultList, *, categories: Collection[str], models: Collection[str]
) -> None:
    named = [(f"need.{at}.category", need.category) for at, need in enumerate(found.need)]
    named += [(f"volume.{name}", name) for name in (found.volume if isinstance(found.volume, dict) else ())]
    for field, name in named:
        if name not in categories:
            faults.add_unknown(place, "category", name, categories, field=field)
    for at, name in enumerate(found.models):
        if name not in models:
            faults.add_unknown(place, "model of the run", name, models, field=f"models.{at}")
    _whole(found, place, faults)
    for at, need in enumerate(found.need):
        _each(found, at, need, place, faults)


def _whole(found: Needs, place: Place, faults: FaultList) -> None:
    caps = (found.max_cost_per_task_usd, found.max_latency_s, found.max_cost_per_month_usd, found.volume)
    if not found.need and all(cap is None for cap in caps):
        faults.add(place, "no-need", "the file demands nothing", todo="add a [[need]] with a category and a minimum")
    if found.max_cost_per_month_usd is not None and found.volume is None:
        what = "max_cost_per_month_usd needs a volume, found none"
        faults.add(
            place, "missing-key", what, field="max_cost_per_month_usd", todo="add 'volume': how many tasks a month"
        )
    weighed = [need.weight for need in found.need if need.weight is not None]
    if weighed and (len(weighed) < len(found.need) or not sum(weighed)):
        what = f"expected a weight for every need and one above 0, found {len(weighed)} of {len(found.need)}"
        faults.add(place, "weights", what, field="need", todo="give every [[need]] a weight, 0 where it does not count")


def _each(found: Needs, at: int, need: WrittenNeed, place: Place, faults: FaultList) -> None:
    field = f"need.{at}"
    if need.category in [one.category for one in found.need[:at]]:
        what = f"the category {need.category!r} stands twice"
        faults.add(place, "duplicate-category", what, field=f"{field}.category", todo="put both into one [[need]]")
    if (need.min_pass_all is None) != (need.k is None):
        what = "min_pass_all and k belong together: k attempts have to pass all"
        faults.add(place, "missing-key", what, field=field, todo="give both, such as min_pass_all = 0.6 and k = 4")
