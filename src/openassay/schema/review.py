"""What a person decided about one check on one answer: a line of a run's journal.

A review is never changed. A later line of the same rater on the same check supersedes it; `withdrawn` takes it back.
"""

from typing import Literal

from openassay.schema.judging import Cause
from openassay.schema.record import Millionths, Record, Sha256


class Review(Record):
    """One rater's decision."""

    model: str
    task: str
    draw: int
    attempt: int
    check: str
    criterion: Sha256
    """Digest of the check as it was shown; a review of other words does not apply."""
    evidence: Sha256
    """`Verdict.evidence` of what was judged."""
    rater: str
    """A name the person chose."""
    result: Literal["pass", "fail", "unsure", "withdrawn", "challenged"]
    """`challenged`: no decision, but the verdict that stands is disputed; the check goes on the list of open ones."""
    note: str = ""
    causes: tuple[Cause, ...] = ()
    """Why it was on the rater's list; empty where the rater looked it up."""
    probability: Millionths | None = None
    """With which the check was drawn for the audit; null where it was not drawn at random."""
    at_ms: int
    """Unix time in milliseconds."""
