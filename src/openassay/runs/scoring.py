"""From a stored answer to verdicts and a score. Never calls a model under test.

Scripts are scored here and now; what a judge must decide comes back as a `JudgeRequest` that the caller has answered.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from openassay.schema.attempt import Attempt, Outcome, Score, Scoring, Verdict
from openassay.schema.blank import is_blank
from openassay.schema.evidence import Evidence, JudgeRequest
from openassay.schema.sandbox import ProbeResult
from openassay.schema.task import Check, Task
from openassay.scorers import gate, judge, script
from openassay.scorers.fold import plain

GROUP_SCORERS = frozenset({"consistent", "swap"})


class Scored(NamedTuple):
    """What scripts found, and what is left for a judge."""

    verdicts: tuple[Verdict, ...]
    request: JudgeRequest | None


def needs_group(task: Task) -> bool:
    """Whether the answers of the task's whole group must be there before it can be scored."""
    return bool(task.group) and any(check.uses in GROUP_SCORERS for check in task.checks)


def evidence_of(
    task: Task, answer: str, siblings: Sequence[str], probes: Mapping[str, ProbeResult] | None = None
) -> Evidence:
    return Evidence(
        answer=answer,
        instruction=task.instruction,
        materials=task.materials,
        siblings=tuple(siblings),
        probes=dict(probes or {}),
    )


def score_answer(  # what an attempt left, and what was found in it
    task: Task,
    answer: str,
    outcome: Outcome,
    siblings: Sequence[str] = (),
    detail: str = "",
    probes: Mapping[str, ProbeResult] | None = None,
) -> Scored:
    """Score one answer by every script check; the judge's share comes back as a request.

    Args:
        task: with its checklist.
        answer: the whole text that the model left.
        outcome: of the attempt; an answer that was cut off or empty fails every check unread.
        siblings: the other answers of its group.
        detail: one sentence for the reasons of an answer that was not read.
        probes: what was found by running it, for checks that do (see `probing`).
    """
    evidence = evidence_of(task, answer, siblings, probes)
    if outcome == Outcome.ANSWERED and is_blank(plain(answer)):
        # A judge would decide on nothing, and one that is asked to be lenient would pass it.
        outcome, detail = Outcome.NO_ANSWER, "the answer holds nothing that can be read"
    if outcome != Outcome.ANSWERED:
        return Scored(gate.failed_verdicts(task.checks, outcome, detail, evidence), None)
    verdicts = tuple(script.score_check(check, evidence) for check in task.checks if not _judged(check))
    return Scored(verdicts, judge.request(task, evidence))


def unjudged(task: Task, request: JudgeRequest, why: str) -> tuple[Verdict, ...]:
    """Verdicts of the judged checks where no judge may or could decide: unmeasurable, with the reason."""
    return tuple(
        Verdict(check=check.id, result="unmeasurable", reason=why, by="judge", who="nobody", evidence=request.evidence)
        for check in task.checks
        if _judged(check)
    )


def scoring_of(
    attempt: Attempt, task: Task, verdicts: Sequence[Verdict], *, pass_number: int, at_ms: int, detail: str = ""
) -> Scoring:
    """The journal line: all verdicts in the checklist's order, and what they come to."""
    order = {check.id: place for place, check in enumerate(task.checks)}
    ordered = tuple(sorted(verdicts, key=lambda one: order[one.check])) if len(verdicts) > 1 else tuple(verdicts)
    deciding = tuple(one for one in ordered if one.decides)
    score = gate.aggregate(task.checks, deciding, attempt.outcome)
    return Scoring(
        model=attempt.model,
        task=attempt.task,
        draw=attempt.draw,
        attempt=attempt.attempt,
        pass_number=pass_number,
        verdicts=ordered,
        score=score,
        detail=detail,
        at_ms=at_ms,
    )


def broken_scoring(attempt: Attempt, *, pass_number: int, at_ms: int, why: str) -> Scoring:
    """Our scorer or a judge's endpoint failed: never the model's failure, and scored again by `resume` or `score`."""
    score = Score(outcome=Outcome.SCORER_ERROR, passed=None, score=None, counted=None)
    return Scoring(
        model=attempt.model,
        task=attempt.task,
        draw=attempt.draw,
        attempt=attempt.attempt,
        pass_number=pass_number,
        verdicts=(),
        score=score,
        detail=why,
        at_ms=at_ms,
    )


def _judged(check: Check) -> bool:
    return check.by == "judge"
