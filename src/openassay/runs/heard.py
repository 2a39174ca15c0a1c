"""What a judge said in a calibration's run folder, answer by answer: its verdicts, and its replies as they stand.

Not here: what it comes to (`measured_judge`).
"""

import json
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from openassay.runs.calibrate import posed_in
from openassay.runs.cells import read_cells
from openassay.runs.folder import RunFolder
from openassay.schema.attempt import Attempt, Outcome, Verdict
from openassay.schema.message import ModelReply
from openassay.scorers import judge_prompt, judge_reply, panel


class Heard(NamedTuple):
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


def heard_in(folder: RunFolder) -> Iterator[Heard]:
    """Every answer that is judged; what a judge's endpoint left open is not there yet."""
    for cell in read_cells(folder):
        scoring = cell.machine or cell.scoring
        if scoring is None or scoring.score.outcome == Outcome.SCORER_ERROR:
            continue
        passes: dict[str, tuple[Verdict, ...]] = {}
        for verdict in sorted(scoring.verdicts, key=lambda one: one.order):
            passes.setdefault(verdict.check, ())
            passes[verdict.check] += (verdict,) if verdict.order else ()
        yield Heard(cell.attempt, passes)


def said_in(folder: RunFolder, heard: Iterable[Heard]) -> Iterator[Said]:
    """Every reply that can be read, once a request."""
    for one in heard:
        kept = {(v.order, v.check): v.object for passes in one.passes.values() for v in passes if v.object}
        for posed in posed_in(folder, one.attempt):
            real = next(item.check for item in posed.items if item.truth is None)
            place = kept.get((posed.order, real))
            if place is None:
                continue
            stored = json.loads(folder.objects.get(place))
            # A later version may pose it otherwise, and labels would then mean other items.
            if stored["prompt"]["messages"] == judge_prompt.prompt(posed).model_dump(mode="json")["messages"]:
                reply = ModelReply.model_validate(stored["reply"])
                yield Said(one.attempt.task, one.attempt.draw, judge_reply.said(posed, reply.text, reply.finish))
