"""What people decided about single checks: lines of `journal/reviews-<n>.jsonl`, and what they change in a scoring.

A person's verdict supersedes that of a script or judge, which stays beside it. It holds for the check in the words
that were shown and for the evidence that was shown: a corrected check or another answer is open again, a re-scoring
that changes neither keeps it. Not here: what people are asked to look at (`review_queue`), the page (`review`).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Literal, NamedTuple

from openassay.runs import journal
from openassay.runs.books import cell_of
from openassay.runs.folder import RunFolder
from openassay.runs.scoring import scoring_of
from openassay.schema.attempt import Attempt, Outcome, Scoring, Verdict
from openassay.schema.canonical import digest
from openassay.schema.judging import Cause
from openassay.schema.plan import Cell
from openassay.schema.review import Review
from openassay.schema.task import Check, Task

LOCK = "review.lock"
VOTES = ("pass", "fail")
_SHOWN = {"text", "hard", "uses", "reference", "options"}
"""Fields of a check by which its words can differ for a reader; its id, place and weight do not matter to him."""


class Reviews:
    """The latest line of each rater on each check, in the order written; what was withdrawn is gone."""

    def __init__(self, lines: Iterable[Review] = ()) -> None:
        self._by_cell: dict[Cell, dict[tuple[str, str], Review]] = {}
        self._latest: dict[tuple[Cell, str, str], Review] = {}
        self._first: dict[tuple[Cell, str, str], Review] = {}
        for line in lines:
            self.add(line)

    def add(self, line: Review) -> None:
        """Take up a later line."""
        cell, place = cell_of(line), (line.check, line.rater)
        rows = self._by_cell.setdefault(cell, {})
        rows.pop(place, None)
        self._latest.pop((cell, *place), None)
        if line.result in VOTES:
            self._first.setdefault((cell, *place), line)
        if line.result == "withdrawn":
            if not rows:
                del self._by_cell[cell]
            return
        rows[place] = self._latest[cell, *place] = line

    def __len__(self) -> int:
        return len(self._latest)

    def __iter__(self) -> Iterator[Review]:
        return iter(self._latest.values())

    def of(self, cell: Cell) -> tuple[Review, ...]:
        """All raters' lines on all checks of one answer."""
        return tuple(self._by_cell.get(cell, {}).values())

    def one(self, cell: Cell, check: str, rater: str) -> Review | None:
        return self._latest.get((cell, check, rater))

    def first(self, line: Review) -> Review:
        """What the same rater first passed or failed it as: before anything was shown that others had said."""
        return self._first.get((cell_of(line), line.check, line.rater), line)

    @property
    def raters(self) -> tuple[str, ...]:
        """In order of their first line that stands."""
        return tuple(dict.fromkeys(line.rater for line in self))


class Decision(NamedTuple):
    """What the raters of one check come to."""

    result: Literal["pass", "fail"] | None
    """Null where they have not decided."""
    raters: tuple[str, ...]
    """Who passed or failed it."""
    words: str


def criterion_digest(check: Check) -> str:
    """Digest of a check as a rater reads it."""
    return digest(check.model_dump(mode="json", include=_SHOWN))


def applies(review: Review, check: Check, evidence: str) -> bool:
    """Whether a review is about this check in these words, and about this evidence."""
    return (review.check, review.evidence) == (check.id, evidence) and review.criterion == criterion_digest(check)


def read_reviews(folder: RunFolder) -> Reviews:
    """What stands of people's decisions. Needs no lock."""
    lines = journal.read(folder.journal, "reviews")
    return Reviews(Review.model_validate_json(line.body) for line in lines)


class ReviewWriter:
    """One process's segment of reviews, beside what stood there before."""

    def __init__(self, segment: journal.Writer, reviews: Reviews) -> None:
        self._segment = segment
        self.reviews = reviews

    def decide(self, review: Review) -> None:
        """Write one line and wait until it is on the disk: nothing that a person decided is ever asked again."""
        self._segment.append(journal.sealed(review))
        self._segment.sync()
        self.reviews.add(review)


@contextmanager
def reviewing(folder: RunFolder) -> Iterator[ReviewWriter]:
    """Hold the reviews of a run for writing, also while the run itself goes on or is scored again.

    Raises:
        RunFolderError: somebody else does so.
    """
    with folder.lock(LOCK, "the reviews of this run are open in another process"):
        journal.repair(folder.journal, journal.REVIEW_KINDS)
        # The run's own process may take the same number at this moment, for segments of other kinds: other files.
        path = journal.segment(folder.journal, "reviews", journal.next_number(folder.journal))
        segment = journal.Writer(path)
        try:
            yield ReviewWriter(segment, read_reviews(folder))
        finally:
            segment.close()


def decided(reviews: Sequence[Review]) -> Decision:
    """What the raters of one check come to: all agree, or a strict majority of those who passed or failed it.

    >>> decided([]).words
    'nobody decided'
    """
    votes = [(one.rater, one.result) for one in reviews if one.result in VOTES]
    counts = Counter(result for _, result in votes)
    raters = tuple(rater for rater, _ in votes)
    passed, failed = counts["pass"], counts["fail"]
    if not votes:
        return Decision(None, (), "the raters are unsure" if any(_unsure(one) for one in reviews) else "nobody decided")
    if passed == failed:
        return Decision(None, raters, f"raters differ: {passed} pass, {failed} fail")
    result: Literal["pass", "fail"] = "pass" if passed > failed else "fail"
    if not (passed and failed):
        return Decision(result, raters, f"{_people(len(votes))} decided: {result}")
    return Decision(result, raters, f"most raters decided: {result} ({passed} pass, {failed} fail)")


def _unsure(review: Review) -> bool:
    return review.result == "unsure"


def _people(number: int) -> str:
    return "a person" if number == 1 else f"{number} people"


def challenged(reviews: Iterable[Review]) -> bool:
    return any(one.result == "challenged" for one in reviews)


def marks(reviews: Reviews, cell: Cell, check: str) -> tuple[Cause, ...]:
    """Causes of dispute that people gave, for a panel that decides again."""
    return ("challenge",) if challenged(one for one in reviews.of(cell) if one.check == check) else ()


def overlay(scoring: Scoring, attempt: Attempt, task: Task, reviews: Sequence[Review]) -> Scoring:
    """The scoring with people's verdicts in force where they decided, and the score that comes of it.

    The superseded verdict stays and does not decide. Where people are not agreed nothing changes, except that a
    challenge is noted among the disputes of the verdict that stands.

    Args:
        scoring: as scripts and judges left it.
        attempt: the answer; one that was cut off or empty has nothing to judge and is left alone.
        task: with its checks as they are now.
        reviews: people's latest lines on this answer.
    """
    checks = {check.id: check for check in task.checks}
    if attempt.outcome != Outcome.ANSWERED or any(one.check not in checks for one in scoring.verdicts):
        return scoring
    verdicts = tuple(
        changed
        for verdict in scoring.verdicts
        for changed in (_over(verdict, checks[verdict.check], reviews) if verdict.decides else (verdict,))
    )
    if verdicts == scoring.verdicts:
        return scoring
    return scoring_of(
        attempt, task, verdicts, pass_number=scoring.pass_number, at_ms=scoring.at_ms, detail=scoring.detail
    )


def _over(verdict: Verdict, check: Check, reviews: Sequence[Review]) -> tuple[Verdict, ...]:
    """A deciding verdict, and what people made of it."""
    mine = [one for one in reviews if applies(one, check, verdict.evidence)]
    disputes: tuple[Cause, ...] = verdict.disputes
    if challenged(mine) and "challenge" not in disputes:
        disputes = (*disputes, "challenge")
    decision = decided(mine)
    if decision.result is None:
        return (verdict.model_copy(update={"disputes": disputes}) if disputes != verdict.disputes else verdict,)
    notes = [f"{one.rater}: {one.note}" for one in mine if one.note]
    person = Verdict(
        check=check.id,
        result=decision.result,
        reason="; ".join([decision.words, *notes]),
        by="human",
        who=", ".join(decision.raters),
        evidence=verdict.evidence,
        disputes=disputes,
    )
    return verdict.model_copy(update={"decides": False}), person
