"""The connected models of one process, each with the lane of its address."""

import random
import time
from collections.abc import Mapping

from openassay.models.model import Model
from openassay.runs.calls import LiveModel
from openassay.runs.lanes import Lane
from openassay.schema.models import ModelSpec, PlannedModel
from openassay.schema.plan import PlanFile


def assemble(
    plan_file: PlanFile, models: Mapping[str, Model], judges: Mapping[str, Model]
) -> tuple[dict[str, LiveModel], list[LiveModel]]:
    """Candidates by name, and judges in order; models behind one address share one lane."""
    lanes: dict[str, Lane] = {}

    def live(planned: PlannedModel, model: Model) -> LiveModel:
        spec = plan_file.connections.get(planned.name)
        address = address_of(planned, spec)
        width = _width(planned, spec, plan_file.concurrency)
        if address not in lanes:
            lanes[address] = Lane(width, plan_file.plan.retry, time.monotonic, random.random)
        return LiveModel(planned, model, lanes[address])

    candidates = {one.name: live(one, models[one.name]) for one in plan_file.plan.models if one.name in models}
    panel = [live(one, judges[one.name]) for one in plan_file.plan.judges if one.name in judges]
    return candidates, panel


def address_of(planned: PlannedModel, spec: ModelSpec | None) -> str:
    """What is shared: all local models share this machine's processor, all others their base URL."""
    if planned.endpoint in {"local", "manual"}:
        return planned.endpoint
    return (spec.base_url if spec and spec.base_url else "") or f"{planned.endpoint}:{planned.name}"


def _width(planned: PlannedModel, spec: ModelSpec | None, concurrency: int) -> int:
    if planned.endpoint in {"local", "manual"}:
        return 1
    return min(concurrency, spec.concurrency) if spec and spec.concurrency else concurrency
