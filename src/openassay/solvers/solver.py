"""What a solver is: it turns what a task shows (`TaskView`) into an answer by asking a model.

A solver never sees a checklist, a reference or a hidden file: `TaskView` has no field for them.
"""

from collections.abc import Awaitable, Callable
from typing import Protocol

from openassay.schema.message import Message, ModelReply, ModelRequest
from openassay.schema.record import Json, Record
from openassay.schema.task import Material, Task

Ask = Callable[[ModelRequest], Awaitable[ModelReply]]
"""Given by the engine: one request, retried, paid and journalled there."""


class TaskView(Record):
    """All of a task that may be shown to a model."""

    instruction: str
    materials: tuple[Material, ...] = ()
    max_tokens: int


class Solved(Record):
    """What a solver leaves behind."""

    messages: tuple[Message, ...]
    """The rendered prompt; for many turns the whole transcript."""
    reply: ModelReply


def view(task: Task, max_tokens: int) -> TaskView:
    """What a model may see of a task; the task's own token limit wins over the run's."""
    return TaskView(
        instruction=task.instruction,
        materials=task.materials,
        max_tokens=task.limits.max_tokens or max_tokens,
    )


class Solver(Protocol):
    def render(self, shown: TaskView) -> tuple[Message, ...]:
        """The first messages: a pure function of the view, so that every model gets the same bytes."""
        ...

    async def solve(self, shown: TaskView, parameters: dict[str, Json], ask: Ask) -> Solved:
        """Ask as often as needed and return the last reply."""
        ...
