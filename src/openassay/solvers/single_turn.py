"""One question, one answer: the instruction, then each supplied text under its name.

The template has a digest that stands in the plan; there is no per-model variant of it.
"""

from openassay.schema.canonical import digest
from openassay.schema.message import Message, ModelRequest, user
from openassay.schema.record import Json
from openassay.schema.task import Material
from openassay.solvers.solver import Ask, Solved, TaskView

MATERIAL = "\n\n--- {name} ---\n{text}\n--- end of {name} ---"
TEMPLATE_DIGEST = digest({"solver": "single_turn", "version": 1, "material": MATERIAL})


class SingleTurn:
    """See `solver.Solver`."""

    def render(self, shown: TaskView) -> tuple[Message, ...]:
        return (user(shown.instruction + "".join(_shown(material) for material in shown.materials)),)

    async def solve(self, shown: TaskView, parameters: dict[str, Json], ask: Ask) -> Solved:
        messages = self.render(shown)
        reply = await ask(ModelRequest(messages=messages, parameters={"max_tokens": shown.max_tokens, **parameters}))
        return Solved(messages=messages, reply=reply)


def _shown(material: Material) -> str:
    return MATERIAL.format(name=material.name, text=material.text.rstrip("\n"))
