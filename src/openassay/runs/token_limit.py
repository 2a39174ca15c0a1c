"""How many tokens an answer could have: one rule, for the estimate, the attempt's own sentence and the report."""

from openassay.schema.models import PlannedModel
from openassay.schema.plan import Plan
from openassay.schema.task import Task


def token_limit(plan: Plan, model: PlannedModel, task: Task) -> int:
    """A model's own parameter wins over the run's, and both over the task's limit and the plan's default."""
    sent = {**plan.parameters, **model.parameters}
    for name in ("max_completion_tokens", "max_tokens"):
        if isinstance(limit := sent.get(name), int):
            return limit
    return task.limits.max_tokens or plan.max_tokens
