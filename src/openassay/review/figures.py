"""How far raters have come, and how far they agree among themselves and with the judge: figures of one list.

Not here: the formulas (`stats.agreement`, `stats.raters`), and what follows for verdicts that no person saw
(`reports.people`).
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple, overload

from openassay.runs.review_queue import Item, Queue
from openassay.runs.reviews import VOTES, Reviews, decided
from openassay.schema.review import Review
from openassay.stats.agreement import Coefficient, judge_report
from openassay.stats.intervals import Estimate, score_ci
from openassay.stats.raters import krippendorff_alpha


class Share(NamedTuple):
    """A figure with its 95 % interval; `n` items stand behind it."""

    value: float
    lo: float
    hi: float
    n: int
    method: str


class Rater(NamedTuple):
    name: str
    done: int
    passed: int
    failed: int
    unsure: int
    challenged: int
    changed: int
    """Decisions that ended otherwise than they first were, before anything of the judge was shown."""


class Judged(NamedTuple):
    """The judge's verdicts against people's, on the random audit alone."""

    audited: int
    """Items of the audit that people decided."""
    of: int
    """Items of the audit."""
    agreement: Share
    kappa: Share | None
    sensitivity: Share | None
    """Share that the judge passed of those that people pass."""
    specificity: Share | None
    """Share that the judge failed of those that people fail."""


class Row(NamedTuple):
    """One item with all decisions about it."""

    item: Item
    reviews: list[Review]

    @property
    def votes(self) -> dict[str, str]:
        """Rater -> pass or fail."""
        return {review.rater: review.result for review in self.reviews if review.result in VOTES}


class Figures(NamedTuple):
    items: int
    judged: int
    """Measured verdicts of judges in the run."""
    share: float
    """Of these, drawn for the audit."""
    raters: tuple[Rater, ...]
    decided: int
    """Items on which people came to a verdict."""
    differ: int
    """Items on which as many pass as fail."""
    both: int
    """Items that two or more raters passed or failed."""
    agreement: Share | None
    """Pairs of raters who agree; null where no item has two."""
    alpha: Share | None
    """Krippendorff's alpha, nominal; null where all gave one and the same verdict."""
    judge: Judged | None
    elsewhere: int
    """Decisions in the run folder about items that are not on this list, or about other words or another answer."""


def figures(queue: Queue, reviews: Reviews) -> Figures:
    """All figures of one list."""
    rows = [Row(item, item.reviews_in(reviews)) for item in queue.items]
    given = [review for row in rows for review in row.reviews]
    raters = tuple(dict.fromkeys(review.rater for review in given))
    outcomes = [decided(row.reviews) for row in rows]
    both = [row for row in rows if len(row.votes) > 1]
    agreement, alpha = _between(both, raters)
    return Figures(
        items=len(queue.items),
        judged=queue.judged,
        share=float(queue.share),
        raters=tuple(_rater([one for one in given if one.rater == name], reviews) for name in raters),
        decided=sum(one.result is not None for one in outcomes),
        differ=sum(one.result is None and bool(one.raters) for one in outcomes),
        both=len(both),
        agreement=agreement,
        alpha=alpha,
        judge=_judged(rows),
        elsewhere=len(reviews) - len(given),
    )


def document(found: Figures) -> dict[str, Any]:
    """As JSON; figures with their bounds, null where there is nothing to say."""
    return {
        **found._asdict(),
        "raters": [one._asdict() for one in found.raters],
        "agreement": found.agreement and found.agreement._asdict(),
        "alpha": found.alpha and found.alpha._asdict(),
        "judge": found.judge and {name: _plain(value) for name, value in found.judge._asdict().items()},
    }


def _plain(value: object) -> object:
    return value._asdict() if isinstance(value, Share) else value


def _rater(mine: Sequence[Review], reviews: Reviews) -> Rater:
    count = Counter(one.result for one in mine)
    changed = sum(reviews.first(one).result != one.result for one in mine)
    return Rater(mine[0].rater, len(mine), count["pass"], count["fail"], count["unsure"], count["challenged"], changed)


def _between(rows: Sequence[Row], raters: Sequence[str]) -> tuple[Share | None, Share | None]:
    """Raw agreement and alpha over the items with two votes or more; answers to one task are not independent."""
    if not rows:
        return None, None
    tasks = [row.item.cell.task for row in rows]
    pairs = [[a == b for a, b in combinations(row.votes.values(), 2)] for row in rows]
    shares = [sum(same) / len(same) for same in pairs]
    raw = score_ci(shares, clusters=tasks, fractional=any(0 < share < 1 for share in shares))
    alpha = krippendorff_alpha([[row.votes.get(rater) for rater in raters] for row in rows], clusters=tasks)
    return _share(raw), _share(alpha)


def _judged(rows: Sequence[Row]) -> Judged | None:
    audit = [row for row in rows if row.item.probability is not None]
    decisions = [(row.item, decided(row.reviews).result) for row in audit]
    both = [(item, said) for item, said in decisions if said is not None]
    if not both:
        return None
    judged = [item.verdict.result for item, _ in both]
    report = judge_report([said for _, said in both], judged, clusters=[item.cell.task for item, _ in both])
    kappa = report.agreement.kappa if report.agreement else None
    return Judged(
        audited=len(both),
        of=len(audit),
        agreement=_share(report.strict),
        kappa=_share(kappa),
        sensitivity=_share(report.sensitivity),
        specificity=_share(report.specificity),
    )


@overload
def _share(found: Estimate) -> Share: ...
@overload
def _share(found: Estimate | Coefficient | None) -> Share | None: ...
def _share(found: Estimate | Coefficient | None) -> Share | None:
    return None if found is None else Share(found.value, found.lo, found.hi, found.n_items, found.method)
