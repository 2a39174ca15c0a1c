"""What a run will call and may cost, before the first call. Upper bounds are bounds; the rest is an estimate."""

from typing import NamedTuple

from openassay.runs.calls import most_tokens_in, upper_bound
from openassay.runs.folder import RunFolder
from openassay.runs.token_limit import token_limit
from openassay.schema.canonical import thaw
from openassay.schema.message import ModelRequest
from openassay.schema.models import PlannedModel
from openassay.schema.task import Task
from openassay.scorers.judge import ITEMS, criteria_of
from openassay.scorers.judge_prompt import reply_tokens

BYTES_PER_TOKEN = 4
"""A rule of thumb for English text; the bound takes one byte a token."""
AROUND = 4_000
"""Tokens of the question around an answer."""
CANARIES = 2


class ModelEstimate(NamedTuple):
    calls: int
    tokens_in: int
    """By the rule of thumb."""
    tokens_out_max: int
    cost_max_micro_usd: int | None
    """Null where the price is not known."""


class Estimate(NamedTuple):
    calls: int
    judge_calls: int
    """Of the primary judge; every other judge makes at most as many, on what is disputed."""
    tokens_in: int
    tokens_out_max: int
    cost_max_micro_usd: int | None
    """Upper bound without retries, judges included; null where any price is not known."""
    by_model: dict[str, ModelEstimate]
    judge_cost_max_micro_usd: int | None = 0
    """Of all judges, in the total above, as if everything were disputed; null where a price is not known."""


def estimate(folder: RunFolder) -> Estimate:
    """Count the calls of a plan and bound their cost."""
    by_model = {one.name: _of_model(folder, one) for one in folder.plan.models}
    judged = _judged_calls(folder) if folder.plan.judges else 0
    judging = _judges_cost(folder) if judged else 0
    costs = [*(one.cost_max_micro_usd for one in by_model.values()), judging]
    return Estimate(
        calls=sum(one.calls for one in by_model.values()),
        judge_calls=judged,
        tokens_in=sum(one.tokens_in for one in by_model.values()),
        tokens_out_max=sum(one.tokens_out_max for one in by_model.values()),
        cost_max_micro_usd=None if None in costs else sum(cost for cost in costs if cost is not None),
        by_model=by_model,
        judge_cost_max_micro_usd=judging,
    )


def _of_model(folder: RunFolder, model: PlannedModel) -> ModelEstimate:
    plan = folder.plan
    shared = {**plan.parameters, **model.parameters}
    calls = tokens_in = tokens_out = cost = 0
    for task_id, times in _times(folder).items():
        limit = folder.tasks[task_id].limits.max_tokens or plan.max_tokens
        own = thaw({"max_tokens": limit, **shared})
        request = ModelRequest(messages=folder.prompt(task_id), parameters=own if isinstance(own, dict) else {})
        calls += times
        tokens_in += times * most_tokens_in(request) // BYTES_PER_TOKEN
        tokens_out += times * token_limit(plan, model, folder.tasks[task_id])
        cost += times * upper_bound(model.price, request)
    return ModelEstimate(calls, tokens_in, tokens_out, None if model.price is None else cost)


def _times(folder: RunFolder) -> dict[str, int]:
    """Task id -> attempts by one model, over all draws."""
    times: dict[str, int] = {}
    for tasks in folder.draw.draws:
        for task in tasks:
            times[task] = times.get(task, 0) + folder.plan.attempts
    return times


def _judged_calls(folder: RunFolder) -> int:
    """Calls of the primary judge; each other judge makes at most as many, where everything is disputed."""
    calls = sum(times * len(_requests(folder, folder.tasks[task])) for task, times in _times(folder).items())
    return calls * len(folder.plan.models)


def _requests(folder: RunFolder, task: Task) -> list[int]:
    """Criteria in each request about one answer to a task, canaries included; empty where nothing is judged."""
    policy = folder.judge_policy
    criteria = sum(criteria_of(check) for check in task.checks if check.by == "judge")
    if not criteria:
        return []
    size = 1 if policy.mode == "item" else ITEMS
    once = [min(size, criteria - start) + CANARIES for start in range(0, criteria, size)]
    return once * policy.passes


def _judges_cost(folder: RunFolder) -> int | None:
    """Bound for all judges, the second one asked about everything; null where a price is not known."""
    costs = [_judge_cost(folder, one) for one in folder.plan.judges]
    return None if None in costs else sum(cost for cost in costs if cost is not None)


def _judge_cost(folder: RunFolder, judge: PlannedModel) -> int | None:
    """Bound for one judge: the prompt again, a full answer, and room for the question around them."""
    if judge.price is None:
        return None
    total = 0
    for task_id, times in _times(folder).items():
        task = folder.tasks[task_id]
        for criteria in _requests(folder, task):
            answer = task.limits.max_tokens or folder.plan.max_tokens
            request = ModelRequest(messages=folder.prompt(task_id))
            tokens_in = most_tokens_in(request) + answer * BYTES_PER_TOKEN + AROUND + 200 * criteria
            total += times * len(folder.plan.models) * judge.price.cost(tokens_in, reply_tokens(criteria))
    return total
