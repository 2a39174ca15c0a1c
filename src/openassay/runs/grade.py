"""Score one answer against one task, without a run and without a model under test."""

import time
from typing import NamedTuple

from openassay.models.model import Model
from openassay.runs.probing import Prober
from openassay.runs.scoring import score_answer, scoring_of, unjudged
from openassay.schema.attempt import Attempt, Outcome, Scoring
from openassay.schema.canonical import sha256_hex
from openassay.schema.record import Json
from openassay.schema.task import Task
from openassay.scorers import gate, judge


class NamedJudge(NamedTuple):
    name: str
    model: Model


async def grade(task: Task, answer: str, referee: NamedJudge | None = None, prober: Prober | None = None) -> Scoring:
    """Verdicts and score of one answer; an empty answer passes nothing.

    Args:
        task: with its checklist.
        answer: the whole text.
        referee: asked for judged checks; None leaves them unmeasured.
        prober: for tasks that run code (see `probing.prober_for`).

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
            reply = await referee.model.generate(judge.prompt(scored.request))
            verdicts += judge.read(
                scored.request, task, reply.text, reply.finish, f"{referee.name} {judge.PROMPT_DIGEST}"
            )
    return scoring_of(attempt, task, verdicts, pass_number=0, at_ms=now)


def interchange(task: Task, scoring: Scoring) -> dict[str, Json]:
    """The interchange form of a scored attempt: ``{"task_id", "items", "score", "total"}`` and our extra keys."""
    return gate.seed_form(task, scoring.verdicts, scoring.score)
