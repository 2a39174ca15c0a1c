"""What a judge said in a calibration's run folder, answer by answer: its verdicts, and its replies as they stand.

Not here: what it comes to (`measured_judge`).
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from openassay.runs.cells import read_cells
from openassay.runs.folder import RunFolder
from openassay.schema.attempt import Attempt, Outcome, Verdict
from openassay.schema.evidence import JudgeItem, JudgeRequest
from openassay.schema.message import ModelReply, ModelRequest
from openassay.scorers import judge_reply, panel
from openassay.scorers.scripted_judge import put


class JudgedAnswer(NamedTuple):
    """One answer of the gold set, judged."""

    attempt: Attempt
    passes: dict[str, tuple[Verdict, ...]]
    """Gold item -> the judge's verdicts, by pass."""

    def verdict(self, item: str) -> str | None:
        """The one that a run would count; None where there is none."""
        passes = self.passes.get(item, ())
        return passes[0].result if passes and panel.settled(panel.View(passes, may_decide=True)) else None


class Said(NamedTuple):
    """One reply, read without regard to canaries."""

    task: str
    draw: int
    passes: dict[str, bool]
    """Item id, canaries too -> whether it passes."""


def heard_in(folder: RunFolder) -> Iterator[JudgedAnswer]:
    """Every answer that is judged; what a judge's endpoint left open is not there yet."""
    for cell in read_cells(folder):
        scoring = cell.machine or cell.scoring
        if scoring is None or scoring.score.outcome == Outcome.SCORER_ERROR:
            continue
        passes: dict[str, tuple[Verdict, ...]] = {}
        for verdict in sorted(scoring.verdicts, key=lambda one: one.order):
            passes.setdefault(verdict.check, ())
            passes[verdict.check] += (verdict,) if verdict.order else ()
        yield JudgedAnswer(cell.attempt, passes)


def said_in(folder: RunFolder, heard: Iterable[JudgedAnswer]) -> Iterator[Said]:
    """Every reply that can be read, once a request."""
    for one in heard:
        criteria = {" ".join(str(check.reference).split()): check.id for check in folder.tasks[one.attempt.task].checks}
        asked = {(v.order, v.object): v.evidence for passes in one.passes.values() for v in passes}
        for (_, place), evidence in asked.items():
            stored = json.loads(folder.objects.get(place)) if place else {}
            if posed := _as_put(stored, criteria, evidence):
                reply = ModelReply.model_validate(stored["reply"])
                yield Said(one.attempt.task, one.attempt.draw, judge_reply.said(posed, reply.text, reply.finish))


def _as_put(stored: dict[str, Any], criteria: Mapping[str, str], evidence: str) -> JudgeRequest | None:
    """The request as it was put, from the prompt that is kept: a later version may choose other canary items."""
    try:
        asked = put(ModelRequest.model_validate(stored["prompt"]))
    except (KeyError, ValueError):
        return None
    items = tuple(
        JudgeItem(id=criteria.get(text, f"canary {label}"), check=criteria.get(text, ""), text=text)
        for label, text in asked.criteria.items()
    )
    return JudgeRequest(task=asked.task, instruction="", output=asked.output, items=items, evidence=evidence)
