"""Which judged checks are disputed from outside: challenged by a person, or drawn for an audit by a second judge.

Known before a judge is asked. Not here: the audit by people, drawn from what was judged (`review_queue`).
"""

from collections.abc import Callable
from hashlib import sha256

from openassay.runs.folder import RunFolder
from openassay.runs.reviews import marks, read_reviews
from openassay.schema.judging import Cause, JudgePolicy
from openassay.schema.plan import Cell
from openassay.schema.record import MILLION

Marked = Callable[[Cell, str], tuple[Cause, ...]]
"""Cell and check id -> causes."""


def nothing_marked(_cell: Cell, _check: str) -> tuple[Cause, ...]:
    return ()


def marked_in(folder: RunFolder, policy: JudgePolicy) -> Marked:
    """The marks of a run as they stand now."""
    reviews = read_reviews(folder)
    share = policy.audit if policy.disputes.audit == "second" else 0

    def marked(cell: Cell, check: str) -> tuple[Cause, ...]:
        drawn = drawn_for_audit(folder.plan.seed, cell, check) < share * MILLION
        return (*(("audit",) if drawn else ()), *marks(reviews, cell, check))

    return marked


def drawn_for_audit(seed: int, cell: Cell, check: str) -> int:
    """A number from 0 to 999,999 that is the same for the same check in every process: drawn where it is small."""
    return int(sha256(f"{seed} {cell.key()} {check}".encode()).hexdigest(), 16) % MILLION
