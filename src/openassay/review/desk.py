"""What one rater has before them: the next item, what they decided last, and taking that back. Knows no HTTP.

A form may be stale: sent twice, from another tab, or from before the list changed. Nothing is then overwritten, and
nothing that was typed is lost.
"""

import time
import unicodedata
from collections.abc import Callable
from hashlib import sha256
from typing import Literal, NamedTuple

from openassay.runs.books import cell_of
from openassay.runs.folder import RunFolder, open_run
from openassay.runs.review_queue import Item, Queue
from openassay.runs.reviews import Reviews, ReviewWriter, criterion_digest
from openassay.schema.errors import InputError
from openassay.schema.plan import Cell
from openassay.schema.review import Review

LONGEST_NAME = 60
LONGEST_NOTE = 4_000

Result = Literal["pass", "fail", "unsure", "challenged"]
RESULTS: tuple[Result, ...] = ("pass", "fail", "unsure", "challenged")
Stored = Literal["stored", "same", "differs"]


class Choice(NamedTuple):
    """What a form says."""

    item: str
    rater: str
    result: Result
    note: str
    seen: str
    """`stamp` of the decision that stood when the form was shown."""


class Last(NamedTuple):
    """A rater's latest decision that stands."""

    item: Item
    review: Review


class Desk:
    """The list of one run, and everybody who works on it."""

    def __init__(
        self, folder: RunFolder, queue: Queue, writer: ReviewWriter, now: Callable[[], float] = time.time
    ) -> None:
        self.folder = folder
        self.queue = queue
        self._writer = writer
        self._now = now
        self._tasks = folder.tasks
        self._scorings = len(folder.passes)
        self._by_id = {item.id: item for item in queue.items}
        self._by_place: dict[tuple[Cell, str], Item] = {(item.cell, item.check.id): item for item in queue.items}

    @property
    def reviews(self) -> Reviews:
        return self._writer.reviews

    @property
    def total(self) -> int:
        return len(self.queue.items)

    def item(self, name: str) -> Item | None:
        return self._by_id.get(name)

    def stands(self, item: Item) -> bool:
        """Whether the check has the words that are shown: the run may have been scored again with corrected ones."""
        now = open_run(self.folder.path)
        if len(now.passes) != self._scorings:
            self._tasks, self._scorings = now.tasks, len(now.passes)
        checks = {check.id: criterion_digest(check) for check in self._tasks[item.cell.task].checks}
        return checks.get(item.check.id) == criterion_digest(item.check)

    def next(self, rater: str) -> Item | None:
        """The first that this rater has not decided."""
        return next(self.queue.left(self.reviews, rater), None)

    def done(self, rater: str) -> int:
        return self.queue.done(self.reviews, rater)

    def last(self, rater: str) -> Last | None:
        return next(iter(reversed(self.decisions(rater))), None)

    def decisions(self, rater: str) -> list[Last]:
        """All that this rater decided of the list, oldest first."""
        mine = ((self._by_place.get((cell_of(one), one.check)), one) for one in self.reviews if one.rater == rater)
        return [Last(item, one) for item, one in mine if item and item.review_of(self.reviews, rater) is one]

    def decide(self, choice: Choice) -> Stored:
        """Keep a decision.

        Returns:
            `same` where it stands already, as when a form is sent twice; `differs` where meanwhile this rater decided
            something else on it, which then stays.

        Raises:
            KeyError: the item is not on the list.
        """
        item = self._by_id[choice.item]
        standing = item.review_of(self.reviews, choice.rater)
        if standing and (standing.result, standing.note) == (choice.result, choice.note):
            return "same"
        if stamp(standing) != choice.seen:
            return "differs"
        self._write(item, choice.rater, choice.result, choice.note)
        return "stored"

    def undo(self, name: str, rater: str, seen: str) -> Stored:
        """Take back what this rater decided; nothing happens where it does not stand any more.

        Raises:
            KeyError: the item is not on the list.
        """
        item = self._by_id[name]
        standing = item.review_of(self.reviews, rater)
        if standing is None:
            return "same"
        if stamp(standing) != seen:
            return "differs"
        self._write(item, rater, "withdrawn", "")
        return "stored"

    def named(self, name: str) -> str:
        """A rater's name as it is kept: one person is not two because of a capital letter.

        Raises:
            InputError: there is none, or it is too long.
        """
        clean = rater_name(name)
        return next((known for known in self.reviews.raters if known.casefold() == clean.casefold()), clean)

    def _write(self, item: Item, rater: str, result: Literal[Result, "withdrawn"], note: str) -> None:
        self._writer.decide(
            Review(
                **item.cell._asdict(),
                check=item.check.id,
                criterion=item.criterion,
                evidence=item.verdict.evidence,
                rater=rater,
                result=result,
                note=note,
                causes=item.causes,
                probability=item.probability,
                at_ms=int(self._now() * 1000),
            )
        )


def stamp(review: Review | None) -> str:
    """A short name of a decision, by which a form says what it knew; empty for none."""
    return "" if review is None else sha256(review.model_dump_json().encode()).hexdigest()[:16]


def rater_name(name: str) -> str:
    """A name in one form.

    >>> rater_name("  Ana   Lima ")
    'Ana Lima'
    """
    composed = unicodedata.normalize("NFKC", name)
    clean = " ".join("".join(char if char.isprintable() else " " for char in composed).split())
    if not 1 <= len(clean) <= LONGEST_NAME:
        found = "none" if not clean else f"one of {len(clean)}"
        raise InputError(f"expected a name of 1 to {LONGEST_NAME} letters, found {found}", where="rater")
    return clean
