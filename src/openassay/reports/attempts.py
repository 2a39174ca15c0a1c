"""What was asked, answered and decided, item by item: the openable part of a report for the run's owner.

Holds texts, so it is never made for a public report of items that are not public. Not here: counts (`tally`).
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from openassay.reports.contract import Item
from openassay.reports.tally import ScoredCell, read
from openassay.reports.visible import MOST_PROMPT, MOST_REASON, Shown, shown, shown_exchange, visible
from openassay.schema.attempt import Attempt, Scoring, Verdict
from openassay.schema.canonical import thaw
from openassay.schema.message import Message, TextPart
from openassay.schema.record import Json
from openassay.schema.task import Check, Task
from openassay.scorers.judge_reply import UNQUOTED

MOST_OPENABLE = 3_000
"""Attempts that one page holds; a browser stays quick with these."""


class Texts(Protocol):
    """Where a run keeps what was said."""

    def prompt(self, task_id: str) -> tuple[Message, ...]: ...

    def answer(self, attempt: Attempt) -> str: ...

    def exchange(self, sha256: str) -> str:
        """A judge's prompt and reply."""
        ...


class ShownCheck(NamedTuple):
    id: str
    text: str
    by: str
    hard: bool
    dimension: str
    uses: str
    reference: Shown | None


class ShownVerdict(NamedTuple):
    check: str
    result: str
    value: float | None
    reason: Shown
    took: Shown
    by: str
    who: str
    evidence: str
    decides: bool
    marks: tuple[str, ...]
    """Words that stand out: decides among several, not counted, a reason that quotes nothing."""
    disputes: tuple[str, ...]
    order: int
    control: str
    notes: tuple[str, ...]
    """Of a judge: what was done to the answer before it was shown."""
    flags: tuple[str, ...]
    """What stood out in code, for people."""
    sandbox: str
    exchange: Shown | None
    """The judge's prompt and reply."""
    beside: tuple["ShownVerdict", ...] = ()
    """Other verdicts on the same check."""


class ShownAttempt(NamedTuple):
    draw: int
    attempt: int
    """Both from 1, as people count."""
    mark: str
    outcome: str
    detail: str
    answer: Shown
    score: float | None
    seconds: float
    tokens_out: int | None
    tokens_reasoning: int | None
    cost_usd: float
    tries: int
    faults: tuple[str, ...]
    reported: str
    imported: bool
    verdicts: tuple[ShownVerdict, ...]
    earlier: int
    """Scorings that this one superseded."""
    before: tuple[tuple[int, tuple[ShownVerdict, ...]], ...]
    """(number of the pass, verdicts) of those, the latest first."""


class ShownItem(NamedTuple):
    task: str
    prompt: tuple[tuple[str, Shown], ...]
    """(role, text) of each message."""
    checks: tuple[ShownCheck, ...]
    group: str
    origin: str
    by_model: dict[str, list[ShownAttempt]]


def choose(items: Sequence[Item], most: int = MOST_OPENABLE) -> set[str]:
    """Tasks to open on the page: all where they fit, else turn by turn from every category."""
    queues: dict[str, list[Item]] = {}
    for item in items:
        queues.setdefault(item.category, []).append(item)
    chosen: set[str] = set()
    room = most
    for rank in range(max(map(len, queues.values()), default=0)):
        for queue in queues.values():
            if rank < len(queue):
                room -= sum(result.planned for result in queue[rank].models.values())
                if room < 0:
                    return chosen
                chosen.add(queue[rank].task)
    return chosen


def openable(
    cells: Iterable[ScoredCell], tasks: Mapping[str, Task], texts: Texts, chosen: set[str]
) -> dict[str, ShownItem]:
    """Everything there is to see of the chosen tasks."""
    found = {task.id: _item(task, texts) for task in tasks.values() if task.id in chosen}
    for cell in cells:
        if cell.attempt.task in found:
            rows = found[cell.attempt.task].by_model.setdefault(cell.attempt.model, [])
            rows.append(_attempt(cell, tasks[cell.attempt.task], texts))
    for item in found.values():
        for rows in item.by_model.values():
            rows.sort(key=lambda row: (row.draw, row.attempt))
    return found


def _item(task: Task, texts: Texts) -> ShownItem:
    origin = [task.origin.author, task.origin.affiliation, task.origin.source, task.origin.licence]
    return ShownItem(
        task=task.id,
        prompt=tuple((message.role, shown(_said(message), MOST_PROMPT)) for message in texts.prompt(task.id)),
        checks=tuple(map(_check, task.checks)),
        group=task.group,
        origin=visible("; ".join(part for part in origin if part)),
        by_model={},
    )


def _said(message: Message) -> str:
    return "".join(
        part.text if isinstance(part, TextPart) else f"\n[{part.media_type}, sha256 {part.sha256[:12]}]\n"
        for part in message.parts
    )


def _check(check: Check) -> ShownCheck:
    reference = None if check.reference is None else shown(_readable(thaw(check.reference)), MOST_REASON)
    return ShownCheck(
        check.id, visible(check.text), check.by, check.hard, visible(check.dimension), visible(check.uses), reference
    )


def _readable(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1)


def _attempt(cell: ScoredCell, task: Task, texts: Texts) -> ShownAttempt:
    attempt, scoring = cell.attempt, cell.scoring
    reading = read(attempt, scoring, hard=any(check.hard for check in task.checks))
    return ShownAttempt(
        draw=attempt.draw + 1,
        attempt=attempt.attempt + 1,
        mark=reading.mark,
        outcome=reading.outcome.value,
        detail=visible(attempt.detail or (scoring.detail if scoring else "")),
        answer=shown(texts.answer(attempt)),
        score=None if reading.counted is None else reading.counted / 1_000_000,
        seconds=attempt.took_ms / 1000,
        tokens_out=attempt.usage.tokens_out,
        tokens_reasoning=attempt.usage.tokens_reasoning,
        cost_usd=attempt.cost / 1_000_000,
        tries=attempt.tries,
        faults=tuple(fault.value for fault in attempt.faults),
        reported=visible(attempt.model_reported),
        imported=attempt.imported,
        verdicts=_verdicts(scoring, texts) if scoring else (),
        earlier=_earlier(scoring),
        before=tuple((one.pass_number, _verdicts(one, None)) for one in reversed(cell.earlier)),
    )


def _earlier(scoring: Scoring | None) -> int:
    return scoring.pass_number if scoring else 0


def _verdicts(scoring: Scoring, texts: Texts | None) -> tuple[ShownVerdict, ...]:
    """The deciding verdict of every check, in the order of the checks, each with what was kept beside it.

    What a judge was asked and replied is shown once for all checks that rest on it; without `texts` not at all.
    """
    of_check: dict[str, list[ShownVerdict]] = {}
    told: set[str] = set()
    for verdict in scoring.verdicts:
        exchange = None
        for place in (verdict.object, *verdict.more_objects):
            if texts is not None and place and place not in told:
                told.add(place)
                shown = shown_exchange(texts.exchange(place))
                exchange = shown if exchange is None else _together(exchange, shown)
        of_check.setdefault(verdict.check, []).append(_verdict(verdict, exchange))
    return tuple(_with_others(said) for said in of_check.values())


def _together(first: Shown, then: Shown) -> Shown:
    return Shown(f"{first.text}\n\n{then.text}", first.hidden + then.hidden)


def _with_others(said: list[ShownVerdict]) -> ShownVerdict:
    first = next((one for one in said if one.decides), said[0])
    if len(said) == 1:
        return first
    return first._replace(
        marks=("decides", *first.marks) if first.decides else first.marks,
        beside=tuple(one for one in said if one is not first),
    )


def _verdict(verdict: Verdict, exchange: Shown | None) -> ShownVerdict:
    by_judge = verdict.by == "judge"
    kept = tuple(visible(flag) for flag in verdict.flags if flag != UNQUOTED)
    stands_out = {"not counted": not verdict.counts, UNQUOTED: UNQUOTED in verdict.flags}
    return ShownVerdict(
        check=verdict.check,
        result=verdict.result,
        value=None if verdict.value is None else verdict.value / 1_000_000,
        reason=shown(verdict.reason, MOST_REASON),
        took=shown(verdict.took, MOST_REASON),
        by=verdict.by,
        who=visible(verdict.who),
        evidence=verdict.evidence,
        decides=verdict.decides,
        marks=tuple(words for words, holds in stands_out.items() if holds),
        disputes=verdict.disputes,
        order=verdict.order,
        control=verdict.control,
        notes=kept if by_judge else (),
        flags=() if by_judge else kept,
        sandbox=visible(verdict.sandbox),
        exchange=exchange,
    )
