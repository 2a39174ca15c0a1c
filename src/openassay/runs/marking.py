"""Scoring inside a run: each finished attempt is scored once, and its verdicts are journalled.

Tasks of a group whose answers are compared wait, in memory, until the last of them is finished.
"""

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from openassay.runs.books import Books, cell_of
from openassay.runs.folder import RunFolder
from openassay.runs.grid import SCORED
from openassay.runs.panel import Asked, Panel
from openassay.runs.probing import Prober, from_objects
from openassay.runs.scoring import broken_scoring, needs_group, score_answer, scoring_of
from openassay.schema.attempt import ABOUT_THE_MODEL, Attempt, Outcome, Scoring, Verdict
from openassay.schema.errors import EndpointError, InputError, SandboxError, ScorerError
from openassay.schema.evidence import JudgeRequest
from openassay.schema.models import PlannedModel
from openassay.schema.task import Task

GroupKey = tuple[str, str, int, int]
"""Model, group, draw, attempt."""


class Member(NamedTuple):
    """One attempt with its whole answer."""

    attempt: Attempt
    answer: str


class Marker:
    """Scores attempts as they finish."""

    def __init__(
        self,
        folder: RunFolder,
        books: Books,
        panel: Panel,
        *,
        tasks: Mapping[str, Task] | None = None,
        number: int = 0,
        prober: Prober | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._folder = folder
        self._books = books
        self._panel = panel
        self._number = number
        self._now = now
        self._prober = prober or Prober(None, from_objects(folder.objects))
        self._tasks = folder.tasks if tasks is None else tasks
        self._group_of = compared_groups(tuple(self._tasks.values()))
        self._sizes = Counter(self._group_of.values())
        self._waiting: dict[GroupKey, dict[str, Member]] = {}

    async def mark(self, attempt: Attempt, candidate: PlannedModel) -> None:
        """Score one attempt now, or with the rest of its group; nothing where it is scored already."""
        if attempt.outcome not in ABOUT_THE_MODEL:
            return
        if attempt.task not in self._group_of:
            await self._mark_one(Member(attempt, self.answer(attempt)), (), candidate)
            return
        group = self._gather(attempt)
        for member in group:
            siblings = tuple(
                other.answer for other in group if other is not member and other.attempt.outcome == Outcome.ANSWERED
            )
            await self._mark_one(member, siblings, candidate)

    async def _mark_one(self, member: Member, siblings: tuple[str, ...], candidate: PlannedModel) -> None:
        if self._books.grid.state(cell_of(member.attempt)) != SCORED:
            self._books.judge(await self.score(member, siblings, candidate))

    def _gather(self, attempt: Attempt) -> list[Member]:
        """Every member of the attempt's group once the last has come; nothing before."""
        name = self._group_of[attempt.task]
        key = (attempt.model, name, attempt.draw, attempt.attempt)
        group = self._waiting.setdefault(key, {})
        group[attempt.task] = Member(attempt, self.answer(attempt))
        if len(group) < self._sizes[name]:
            return []
        return list(self._waiting.pop(key).values())

    async def score(self, member: Member, siblings: tuple[str, ...], candidate: PlannedModel) -> Scoring:
        """The scoring line of one attempt; a fault of ours or of the judge's endpoint is never the model's failure."""
        attempt, task = member.attempt, self._tasks[member.attempt.task]
        at_ms = int(self._now() * 1000)
        try:
            probes = await self._prober.probe(task, member.answer, attempt.outcome)
            scored = score_answer(task, member.answer, attempt.outcome, siblings, attempt.detail, probes)
            verdicts = scored.verdicts
            if scored.request is not None:
                asked = self._asked(attempt, task, scored.request, candidate, scored.verdicts)
                verdicts += await self._panel.decide(asked)
        except (ScorerError, EndpointError, SandboxError, InputError) as fault:
            return broken_scoring(attempt, pass_number=self._number, at_ms=at_ms, why=fault.what)
        return scoring_of(attempt, task, verdicts, pass_number=self._number, at_ms=at_ms)

    def _asked(
        self, attempt: Attempt, task: Task, request: JudgeRequest, candidate: PlannedModel, scripts: Sequence[Verdict]
    ) -> Asked:
        cell = cell_of(attempt)
        repeat = attempt.draw if self._folder.plan.calibration else 0  # a draw after the first asks anew
        return Asked(task, request, candidate, cell, scripts, repeat)

    def answer(self, attempt: Attempt) -> str:
        """The whole answer text, from the line or from its object."""
        if attempt.answer_object is None:
            return attempt.answer
        return self._folder.objects.get(attempt.answer_object).decode()


def compared_groups(tasks: Sequence[Task]) -> dict[str, str]:
    """Task id -> its group, for every task of a group in which some check compares the answers."""
    named = {task.id: f"{task.category}/{task.group}" for task in tasks if task.group}
    compared = {named[task.id] for task in tasks if needs_group(task)}
    return {task: group for task, group in named.items() if group in compared}
