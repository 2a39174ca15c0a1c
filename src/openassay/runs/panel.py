"""Who judges an answer, and the call that asks them.

The first judge decides. A judge of the candidate's own lineage, or of unknown lineage, never decides alone: what it
said is kept beside, and the check stays unmeasured unless another judge may decide or the benchmark allows it.
"""

import json
from collections.abc import Sequence

from openassay.models.lineage import lineage_of
from openassay.runs.calls import Caller, LiveModel, Purpose, Trace
from openassay.runs.eligibility import may_decide
from openassay.runs.objects import Objects
from openassay.runs.scoring import unjudged
from openassay.schema.attempt import Verdict
from openassay.schema.evidence import JudgeRequest
from openassay.schema.judging import JudgePolicy
from openassay.schema.models import PlannedModel
from openassay.schema.task import Task
from openassay.scorers import judge


class Panel:
    """The judges of one run."""

    def __init__(self, judges: Sequence[LiveModel], policy: JudgePolicy, caller: Caller, objects: Objects) -> None:
        self._judges = tuple(judges)
        self._policy = policy
        self._caller = caller
        self._objects = objects

    async def decide(
        self, task: Task, request: JudgeRequest, candidate: PlannedModel, cell: str
    ) -> tuple[Verdict, ...]:
        """Verdicts on every judged check; `EndpointError` where the judge cannot be reached."""
        if not self._judges:
            return unjudged(task, request, "no judge in this run: give one with --judge")
        chosen = next((one for one in self._judges if may_decide(one.planned, candidate, self._policy)), None)
        if chosen is not None:
            return await self._ask(chosen, task, request, cell)
        first = self._judges[0]
        said = await self._ask(first, task, request, cell)
        beside = tuple(one.model_copy(update={"decides": False}) for one in said)
        return beside + unjudged(task, request, _not_alone(first.planned, candidate))

    async def _ask(self, one: LiveModel, task: Task, request: JudgeRequest, cell: str) -> tuple[Verdict, ...]:
        asked = judge.prompt(request)
        parameters = {**asked.parameters, **one.parameters()}
        asked = asked.model_copy(update={"parameters": parameters})
        reply = await self._caller.call(one, asked, Purpose("judge", cell), Trace())
        kept = {"prompt": asked.model_dump(mode="json"), "reply": reply.model_dump(mode="json")}
        place = self._objects.put(json.dumps(kept, ensure_ascii=False).encode())
        verdicts = judge.read(request, task, reply.text, reply.finish, f"{one.planned.name} {judge.PROMPT_DIGEST}")
        return tuple(verdict.model_copy(update={"object": place}) for verdict in verdicts)


def _not_alone(one: PlannedModel, candidate: PlannedModel) -> str:
    if not lineage_of(one):
        return f"the judge {one.name!r} does not decide alone: its lineage is unknown (give it in models.toml)"
    if not lineage_of(candidate):
        return f"no judge decides alone: the lineage of {candidate.name!r} is unknown (give it in models.toml)"
    return f"the judge {one.name!r} is of the candidate's own lineage and does not decide alone: add a second --judge"
