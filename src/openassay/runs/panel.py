"""Asks the judges of a run about one answer, each in the passes that the benchmark wants.

The first judge is primary; the next ones are asked about what is disputed. Who decides is `scorers.panel`; which
judge may decide on whom is `eligibility`.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

from openassay.models.lineage import lineage_of
from openassay.runs.books import Books
from openassay.runs.calls import Caller, LiveModel, Purpose, Trace
from openassay.runs.eligibility import may_decide
from openassay.runs.folder import RunFolder
from openassay.runs.marks import Marked, marked_in, nothing_marked
from openassay.runs.replies import Heard, Replies, question
from openassay.runs.scoring import unjudged
from openassay.schema.attempt import Verdict
from openassay.schema.evidence import JudgeRequest
from openassay.schema.judging import JudgePolicy, Standing
from openassay.schema.message import ModelReply, ModelRequest
from openassay.schema.models import PlannedModel
from openassay.schema.plan import Cell
from openassay.schema.task import Check, Task
from openassay.scorers import judge, judge_prompt, judge_reply, panel


class Seat(NamedTuple):
    """One judge, and how it is asked."""

    planned: PlannedModel
    hear: Callable[[ModelRequest, str, int], Awaitable[Heard]]
    """Call, cell and repetition -> reply; `EndpointError` where it cannot be reached."""


class Asked(NamedTuple):
    """One answer before the panel."""

    task: Task
    request: JudgeRequest
    candidate: PlannedModel | None
    """None for an answer of nobody's: no lineage stands in the way."""
    cell: Cell
    scripts: Sequence[Verdict] = ()
    """What the scripts said about the same answer."""
    repeat: int = 0


def live_seats(judges: Sequence[LiveModel], caller: Caller, replies: Replies) -> tuple[Seat, ...]:
    """The judges of a run: each call in the budget and the journal, each reply kept."""

    def seat(one: LiveModel) -> Seat:
        async def hear(asked: ModelRequest, cell: str, repeat: int) -> Heard:
            whole = asked.model_copy(update={"parameters": {**asked.parameters, **one.parameters()}})

            def ask(call: ModelRequest) -> Awaitable[ModelReply]:
                return caller.call(one, call, Purpose("judge", cell), Trace())

            return await replies.hear(question(one.planned, whole, repeat), whole, ask)

        return Seat(one.planned, hear)

    return tuple(seat(one) for one in judges)


def live_panel(
    folder: RunFolder,
    books: Books,
    judges: Sequence[LiveModel],
    caller: Caller,
    policy: JudgePolicy,
    standings: Sequence[Standing],
) -> "Panel":
    """The panel of a run or of a second scoring; only for the lock's holder.

    Args:
        folder: keeps the replies, and says what people challenged.
        books: where each reply is noted.
        judges: connected, the primary one first.
        caller: makes the calls.
        policy: of the benchmark whose checks are scored.
        standings: how the judges meet its bar; empty where it sets none.
    """
    seats = live_seats(judges, caller, Replies(folder, books))
    return Panel(seats, policy, standings, marked_in(folder, policy))


class Panel:
    """The judges of one run."""

    def __init__(
        self,
        seats: Sequence[Seat],
        policy: JudgePolicy,
        standings: Sequence[Standing] = (),
        marked: Marked = nothing_marked,
    ) -> None:
        self._seats = tuple(seats)
        self._policy = policy
        self._marked = marked
        self._below = {one.judge: one.why for one in standings if not one.counts}

    async def decide(self, asked: Asked) -> tuple[Verdict, ...]:
        """Verdicts on every judged check, one of each deciding; `EndpointError` where a judge cannot be reached."""
        if not self._seats:
            return unjudged(asked.task, asked.request, "no judge in this run: give one with --judge")
        named = {item.check for item in asked.request.items}
        checks = {check.id: check for check in asked.task.checks if check.id in named}
        views: dict[str, tuple[panel.View, ...]] = dict.fromkeys(checks, ())
        left = list(checks)
        for number, seat in enumerate(self._seats):
            view = self._seen(seat, asked.candidate)
            if not left or (number and not view.may_decide):
                continue
            for name, passes in (await self._passes(seat, asked, left)).items():
                views[name] += (view._replace(passes=passes),)
            left = [name for name in left if panel.asks_on(self._case(asked, checks[name], views[name]))]
        said = tuple(
            self._weighed(checks[name], verdict)
            for name, found in views.items()
            for verdict in panel.decided(self._case(asked, checks[name], found))
        )
        empty = unjudged(asked.task, asked.request, "the answer holds no sentence to judge")
        return said + tuple(one for one in empty if one.check not in checks)

    def _seen(self, seat: Seat, candidate: PlannedModel | None) -> panel.View:
        if candidate is None or may_decide(seat.planned, candidate, self._policy):
            return panel.View((), may_decide=True)
        return panel.View((), may_decide=False, why_not=_not_alone(seat.planned, candidate))

    def _case(self, asked: Asked, check: Check, views: tuple[panel.View, ...]) -> panel.Case:
        script = next((one for one in asked.scripts if one.check == check.same_as), None) if check.same_as else None
        return panel.Case(check, views, self._policy.disputes, script, self._marked(asked.cell, check.id))

    async def _passes(self, seat: Seat, asked: Asked, names: Sequence[str]) -> dict[str, tuple[Verdict, ...]]:
        """Check id -> what this judge said in each pass."""
        request = judge.about(asked.request, names)
        said: dict[str, tuple[Verdict, ...]] = dict.fromkeys(names, ())
        for order in range(1, self._policy.passes + 1):
            for verdict in await self._pass(seat, asked, request, order):
                said[verdict.check] += (verdict,)
        return said

    async def _pass(self, seat: Seat, asked: Asked, request: JudgeRequest, order: int) -> tuple[Verdict, ...]:
        readings: list[judge_reply.Reading] = []
        places: dict[str, list[str]] = {}
        for one in judge.posed(request, self._policy, order, asked.repeat):
            heard = await seat.hear(judge_prompt.prompt(one), asked.cell.key(), asked.repeat)
            readings.append(judge_reply.read(one, heard.text, heard.finish))
            for check in dict.fromkeys(item.check for item in one.items if item.check and heard.object):
                places.setdefault(check, []).append(heard.object or "")
        who = f"{seat.planned.name} {judge_prompt.PROMPT_DIGEST}"
        verdicts = judge_reply.verdicts(request, asked.task, readings, who, order)
        return tuple(_with_replies(one, places.get(one.check, [])) for one in verdicts)

    def _weighed(self, check: Check, verdict: Verdict) -> Verdict:
        """A verdict of a judge below the bar is shown and does not count; a hard check is then left to people."""
        why = self._below.get(verdict.who.partition(" ")[0]) if verdict.by == "judge" and verdict.decides else None
        if why is None or verdict.result == "unmeasurable":
            return verdict
        reason = f"{verdict.reason} (not counted: {why})" if not check.hard else verdict.reason
        return verdict.model_copy(update={"counts": False, "reason": reason})


def _with_replies(verdict: Verdict, places: Sequence[str]) -> Verdict:
    if not places:
        return verdict
    return verdict.model_copy(update={"object": places[0], "more_objects": tuple(places[1:])})


def _not_alone(one: PlannedModel, candidate: PlannedModel) -> str:
    if not lineage_of(one):
        return f"the judge {one.name!r} does not decide alone: its lineage is unknown (give it in models.toml)"
    if not lineage_of(candidate):
        return f"no judge decides alone: the lineage of {candidate.name!r} is unknown (give it in models.toml)"
    return f"the judge {one.name!r} is of the candidate's own lineage and does not decide alone: add a second --judge"
