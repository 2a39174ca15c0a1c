"""What each attempt's verdicts were, kept small, so that a conclusion can be drawn again without some of them.

Equal verdicts are kept once, without a text. Not here: what turns (`turns`), what tells models apart in a small
benchmark (`small`).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import NamedTuple

from openassay.reports.tally import ScoredCell, read
from openassay.schema.attempt import Outcome, Scoring, Verdict
from openassay.schema.record import MILLION
from openassay.schema.task import Check, Task
from openassay.scorers import gate

LONGEST = 200
"""Characters of a final answer up to which two can be the same by more than chance."""
NOTHING = "0" * 64


class Ballot(NamedTuple):
    """The deciding verdicts on one attempt."""

    outcome: Outcome
    verdicts: tuple[Verdict, ...]
    """Without reasons."""


Counted = tuple[bool | None, int | None]
"""(passed, score in millionths) of one attempt."""


@dataclass(slots=True)
class Ballots:
    """Everything about single attempts that is kept while cells are read once."""

    tasks: Mapping[str, Task]
    by: dict[tuple[str, str], list[Ballot]] = field(default_factory=dict)
    """(model, task) -> scored attempts."""
    wrong: dict[tuple[str, str], Counter[bytes]] = field(default_factory=dict)
    """(model, task) -> short final answers that did not pass, as digests."""
    sent: dict[str, Counter[str]] = field(default_factory=dict)
    """Task -> model -> times its text was sent."""
    judged: dict[tuple[str, str], list[list[float]]] = field(default_factory=dict)
    """(model, task) -> per attempt the share of judged checks met in each of its judgements."""
    _kept: dict[object, Ballot] = field(default_factory=dict)

    def listen(self, cells: Iterable[ScoredCell]) -> Iterator[ScoredCell]:
        """The same cells, kept on their way."""
        for cell in cells:
            self._hear(cell)
            yield cell

    def _hear(self, cell: ScoredCell) -> None:
        attempt, scoring = cell.attempt, cell.scoring
        where, task = (attempt.model, attempt.task), self.tasks[attempt.task]
        if not attempt.imported:
            self.sent.setdefault(attempt.task, Counter())[attempt.model] += attempt.tries
        reading = read(attempt, scoring, hard=any(check.hard for check in task.checks))
        if not reading.scored:
            return
        self.by.setdefault(where, []).append(self._ballot(attempt.outcome, scoring))
        if scoring is None:
            return
        if reading.passed is False and (digest := _final(scoring)):
            self.wrong.setdefault(where, Counter())[digest] += 1
        if judgements := _judgements(scoring):
            self.judged.setdefault(where, []).append(judgements)

    def _ballot(self, outcome: Outcome, scoring: Scoring | None) -> Ballot:
        deciding = [one for one in scoring.verdicts if one.decides] if scoring else []
        key = (outcome, *((one.check, one.result, one.value, one.counts, one.malformed) for one in deciding))
        if key not in self._kept:
            self._kept[key] = Ballot(outcome, tuple(map(_bare, deciding)))
        return self._kept[key]


def _bare(verdict: Verdict) -> Verdict:
    return Verdict(
        check=verdict.check,
        result=verdict.result,
        value=verdict.value,
        counts=verdict.counts,
        malformed=verdict.malformed,
        reason="",
        who="",
        evidence=NOTHING,
    )


def _final(scoring: Scoring) -> bytes:
    """Digest of the first short final answer that a failed check took; empty where there is none."""
    for one in scoring.verdicts:
        if one.decides and one.result == "fail" and 0 < len(one.took) <= LONGEST:
            return blake2b(one.took.strip().casefold().encode(errors="replace"), digest_size=8).digest()
    return b""


def _judgements(scoring: Scoring) -> list[float]:
    """Share of judged checks met, by each judge in each of its passes."""
    met: dict[tuple[str, int], list[float]] = {}
    for one in scoring.verdicts:
        if one.by == "judge" and one.order and one.result != "unmeasurable":
            worth = (one.result == "pass") if one.value is None else one.value / MILLION
            met.setdefault((one.who, one.order), []).append(float(worth))
    whole = max(map(len, met.values()), default=0)
    return [sum(shares) / whole for shares in met.values() if len(shares) == whole]


def means(
    ballots: Sequence[Ballot], checks: Sequence[Check], known: dict[int, Counted]
) -> tuple[float | None, float | None]:
    """Means over attempts of (passed, score) under these checks; None where nothing decides, or was measured.

    Args:
        ballots: of one model on one task.
        checks: those that count; verdicts on others are left out.
        known: what equal ballots came to under the same checks; filled on the way.
    """
    found = [known.get(id(ballot)) or _count(ballot, checks, known) for ballot in ballots]
    passed = [one for one, _ in found if one is not None]
    scored = [one for _, one in found if one is not None]
    return (
        sum(passed) / len(passed) if passed and any(check.hard for check in checks) else None,
        sum(scored) / len(scored) / MILLION if scored else None,
    )


def _count(ballot: Ballot, checks: Sequence[Check], known: dict[int, Counted]) -> Counted:
    names = {check.id for check in checks}
    score = gate.aggregate(checks, [one for one in ballot.verdicts if one.check in names], ballot.outcome)
    known[id(ballot)] = found = score.passed, score.counted
    return found
