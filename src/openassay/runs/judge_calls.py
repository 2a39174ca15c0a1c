"""What the judges of a run folder were asked and what it cost, all scorings together. Needs no lock.

Not here: the budget (`budget`), which knows no purposes.
"""

from collections.abc import Iterable
from typing import NamedTuple

from openassay.runs import journal
from openassay.runs.books import read_money
from openassay.runs.budget import Settled
from openassay.runs.folder import RunFolder
from openassay.schema.attempt import Reservation


class Call(NamedTuple):
    """One call to a judge."""

    judge: str
    cell: str
    """Key of the attempt that it was about."""
    cost: int
    """Micro-dollars; a call that was never settled at its upper bound."""


class JudgeCalls(NamedTuple):
    """Calls of one judge."""

    calls: int
    cost: int
    """Micro-dollars, as of `Call`."""


def each_call(folder: RunFolder) -> Iterable[Call]:
    """Every call to a judge, in the order in which they were begun."""
    calls: dict[str, Call] = {}
    for line in journal.read(folder.journal, "calls"):
        if b'"purpose":"judge"' in line.body:  # most calls of a run are none, and reading them all takes long
            one = Reservation.model_validate_json(line.body)
            calls[one.call] = Call(one.model, one.cell, one.upper)
    for money in read_money(folder.journal) if calls else ():
        if isinstance(money, Settled) and money.call in calls:
            calls[money.call] = calls[money.call]._replace(cost=money.cost)
    return calls.values()


def judge_calls(folder: RunFolder) -> dict[str, JudgeCalls]:
    """Judge's name -> its calls; a model of the same name under test is not counted."""
    found: dict[str, JudgeCalls] = {}
    for call in each_call(folder):
        before = found.get(call.judge, JudgeCalls(0, 0))
        found[call.judge] = JudgeCalls(before.calls + 1, before.cost + call.cost)
    return found
