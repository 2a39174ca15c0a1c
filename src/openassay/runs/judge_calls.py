"""What the judges of a run folder were asked and what it cost, all scorings together. Needs no lock.

Not here: the budget (`budget`), which knows no purposes.
"""

from typing import NamedTuple

from openassay.runs import journal
from openassay.runs.books import read_money
from openassay.runs.budget import Settled
from openassay.runs.folder import RunFolder
from openassay.schema.attempt import Reservation


class Asked(NamedTuple):
    """Calls of one judge."""

    calls: int
    cost: int
    """Micro-dollars; a call that was never settled at its upper bound."""


def judge_calls(folder: RunFolder) -> dict[str, Asked]:
    """Judge's name -> its calls; a model of the same name under test is not counted."""
    judge: dict[str, str] = {}
    cost: dict[str, int] = {}
    for line in journal.read(folder.journal, "calls"):
        if b'"purpose":"judge"' in line.body:
            one = Reservation.model_validate_json(line.body)
            judge[one.call], cost[one.call] = one.model, one.upper
    for money in read_money(folder.journal) if judge else ():
        if isinstance(money, Settled) and money.call in judge:
            cost[money.call] = money.cost
    found: dict[str, Asked] = {}
    for call, name in judge.items():
        before = found.get(name, Asked(0, 0))
        found[name] = Asked(before.calls + 1, before.cost + cost[call])
    return found
