"""What people are asked to look at in a run: a random audit of judged verdicts, and everything that waits for people.

Deterministic: the same run, seed and share give the same list in the same order, and a larger share only adds to it.
The order tells nothing of the models. Not here: decisions (`reviews`) and the page (`review`).
"""

import math
from collections.abc import Iterator
from decimal import Decimal
from hashlib import sha256
from typing import NamedTuple

from openassay.runs.books import cell_of
from openassay.runs.cells import CellResult, read_cells
from openassay.runs.folder import RunFolder
from openassay.runs.reviews import Reviews, applies, challenged, criterion_digest, read_reviews
from openassay.schema.attempt import Attempt, Outcome, Verdict
from openassay.schema.judging import Cause
from openassay.schema.plan import Cell
from openassay.schema.record import MILLION
from openassay.schema.review import Review
from openassay.schema.task import Check


class Item(NamedTuple):
    """One check on one answer, for a person to decide."""

    id: str
    """Says nothing about the model."""
    cell: Cell
    check: Check
    verdict: Verdict
    """What scripts and judges decided, or that they did not."""
    attempt: Attempt
    causes: tuple[Cause, ...]
    probability: int | None
    """In millionths, with which it was drawn for the audit; None where it was not drawn."""
    criterion: str = ""
    """Digest of the check as it is shown; there in a queue, where it is compared again and again."""
    waits: bool = False
    """Whether nothing is decided until a person, or another judge, decides."""

    def review_of(self, reviews: Reviews, rater: str) -> Review | None:
        """What this rater decided about it, in these words and on this evidence."""
        found = reviews.one(self.cell, self.check.id, rater)
        return found if found and self._is_about(found) else None

    def reviews_in(self, reviews: Reviews) -> list[Review]:
        """All raters' decisions about it."""
        return [one for one in reviews.of(self.cell) if self._is_about(one)]

    def _is_about(self, review: Review) -> bool:
        if not self.criterion:
            return applies(review, self.check, self.verdict.evidence)
        wanted = (self.check.id, self.verdict.evidence, self.criterion)
        return (review.check, review.evidence, review.criterion) == wanted


class Queue(NamedTuple):
    items: tuple[Item, ...]
    """In the order in which they are shown: what fails or passes whole answers and waits for people comes first."""
    share: Decimal
    judged: int
    """Measured verdicts of judges, from which the audit was drawn."""

    def left(self, reviews: Reviews, rater: str) -> Iterator[Item]:
        """What this rater has not decided yet."""
        return (item for item in self.items if item.review_of(reviews, rater) is None)

    def done(self, reviews: Reviews, rater: str) -> int:
        return len(self.items) - sum(1 for _ in self.left(reviews, rater))


def queue(folder: RunFolder, share: Decimal | None = None) -> Queue:
    """The list of a run.

    Args:
        folder: the run, finished or not; what is drawn for the audit can change while verdicts are still added.
        share: of the judged verdicts of each category that are drawn; None for what the benchmark says.
    """
    wanted = folder.judge_policy.audit if share is None else share
    ranks: dict[str, list[tuple[str, tuple[Cell, str]]]] = {}
    for item in _candidates(folder):
        if _judged(item.verdict):
            place = (item.cell, item.check.id)
            ranks.setdefault(_category(folder, item), []).append((_hash(folder, "audit", item.cell, item.check), place))
    drawn = _drawn(ranks, wanted)
    reviews = read_reviews(folder)
    chosen = [
        item._replace(
            causes=_causes(item, drawn, reviews),
            probability=drawn.get((item.cell, item.check.id)),
            criterion=criterion_digest(item.check),
        )
        for item in _candidates(folder)
        if _wanted(item, drawn, reviews)
    ]
    chosen.sort(key=lambda item: (not (item.waits and item.check.hard), item.id))
    return Queue(tuple(chosen), wanted, sum(map(len, ranks.values())))


def _candidates(folder: RunFolder) -> Iterator[Item]:
    """Every deciding verdict on an answer that was read, before people's."""
    for cell in read_cells(folder):
        yield from _of_cell(folder, cell)


def _of_cell(folder: RunFolder, cell: CellResult) -> Iterator[Item]:
    scoring = cell.machine or cell.scoring
    if scoring is None or cell.attempt.outcome != Outcome.ANSWERED:
        return
    checks = {check.id: check for check in folder.tasks[cell.attempt.task].checks}
    key = cell_of(cell.attempt)
    for verdict in scoring.verdicts:
        check = checks.get(verdict.check)
        if verdict.decides and check is not None:
            shown = _hash(folder, "show", key, check)[:16]
            waits = _waits(check, verdict, scored=scoring.score.score is not None)
            yield Item(shown, key, check, verdict, cell.attempt, (), None, waits=waits)


def _waits(check: Check, verdict: Verdict, *, scored: bool) -> bool:
    """Also where a judge below the bar leaves no result: on a hard check, or where nothing else counts."""
    return verdict.result == "unmeasurable" or (not verdict.counts and (check.hard or not scored))


def _judged(verdict: Verdict) -> bool:
    return verdict.by == "judge" and verdict.result != "unmeasurable"


def _drawn(ranks: dict[str, list[tuple[str, tuple[Cell, str]]]], share: Decimal) -> dict[tuple[Cell, str], int]:
    """What is drawn in each category -> its probability in millionths."""
    found: dict[tuple[Cell, str], int] = {}
    for ranked in ranks.values():
        number = math.ceil(share * len(ranked))
        probability = (2 * number * MILLION + len(ranked)) // (2 * len(ranked))
        found |= {place: probability for _, place in sorted(ranked)[:number]}
    return found


def _wanted(item: Item, drawn: dict[tuple[Cell, str], int], reviews: Reviews) -> bool:
    waits = item.waits and item.verdict.by in ("judge", "human")
    return waits or (item.cell, item.check.id) in drawn or challenged(item.reviews_in(reviews))


def _causes(item: Item, drawn: dict[tuple[Cell, str], int], reviews: Reviews) -> tuple[Cause, ...]:
    found: list[Cause] = list(item.verdict.disputes)
    if (item.cell, item.check.id) in drawn:
        found.append("audit")
    if challenged(item.reviews_in(reviews)):
        found.append("challenge")
    return tuple(dict.fromkeys(found))


def _category(folder: RunFolder, item: Item) -> str:
    return folder.tasks[item.cell.task].category


def _hash(folder: RunFolder, purpose: str, cell: Cell, check: Check) -> str:
    """Places of a draw or an order; the run's plan is in it, so that no two runs audit the same places."""
    words = f"openassay {purpose} 1|{folder.plan_file.digest}|{folder.plan.seed}|{cell.key()}|{check.id}"
    return sha256(words.encode()).hexdigest()
