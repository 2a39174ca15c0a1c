"""Score one answer against one task, without a run and without a model under test."""

import time
from typing import NamedTuple

from openassay.models.model import Model
from openassay.runs.books import cell_of
from openassay.runs.panel import Asked, Panel, Seat
from openassay.runs.probing import Prober
from openassay.runs.replies import Heard
from openassay.runs.scoring import score_answer, scoring_of, unjudged
from openassay.schema.attempt import Attempt, Outcome, Scoring
from openassay.schema.canonical import sha256_hex
from openassay.schema.judging import JudgePolicy
from openassay.schema.message import ModelRequest
from openassay.schema.models import PlannedModel
from openassay.schema.record import Json
from openassay.schema.task import Task
from openassay.scorers import gate


class NamedJudge(NamedTuple):
    name: str
    model: Model


def _seat(referee: NamedJudge) -> Seat:
    async def hear(asked: ModelRequest, _cell: str, _repeat: int) -> Heard:
        reply = await referee.model.generate(asked)
        return Heard(reply.text, reply.finish)

    return Seat(PlannedModel(name=referee.name, endpoint="scripted", model=""), hear)


async def grade(
    task: Task,
    answer: str,
    referee: NamedJudge | None = None,
    prober: Prober | None = None,
    policy: JudgePolicy | None = None,
) -> Scoring:
    """Verdicts and score of one answer; an empty answer passes nothing.

    Args:
        task: with its checklist.
        answer: the whole text.
        referee: asked for judged checks; None leaves them unmeasured.
        prober: for tasks that run code (see `probing.prober_for`).
        policy: how the judge is asked; the usual way where the benchmark does not say.

    Raises:
        EndpointError: the judge could not be asked.
        ScorerError: our scorer broke on this answer.
        SandboxError: the task runs code, and no prober was given or the sandbox failed.
    """
    outcome = Outcome.ANSWERED if answer.strip() else Outcome.NO_ANSWER
    detail = "" if outcome == Outcome.ANSWERED else "the answer is empty"
    now = int(time.time() * 1000)
    attempt = Attempt(
        model="given",
        task=task.id,
        draw=0,
        attempt=0,
        outcome=outcome,
        answer=answer,
        prompt=sha256_hex(b""),
        started_ms=now,
        took_ms=0,
        imported=True,
        detail=detail,
    )
    probes = await prober.probe(task, answer, outcome) if prober else {}
    scored = score_answer(task, answer, outcome, detail=detail, probes=probes)
    verdicts = scored.verdicts
    if scored.request is not None:
        if referee is None:
            verdicts += unjudged(task, scored.request, "no judge was named: give one with --judge")
        else:
            asked = Asked(task, scored.request, None, cell_of(attempt), scored.verdicts)
            verdicts += await Panel((_seat(referee),), policy or JudgePolicy()).decide(asked)
    return scoring_of(attempt, task, verdicts, pass_number=0, at_ms=now)


def interchange(task: Task, scoring: Scoring) -> dict[str, Json]:
    """The interchange form of a scored attempt: ``{"task_id", "items", "score", "total"}`` and our extra keys."""
    return gate.seed_form(task, scoring.verdicts, scoring.score)
