"""How far raters have come and how far they agree, among themselves and with the judge. Reads decisions, writes nothing."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

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
    rows = {item: item.reviews_in(reviews) for item in queue.items}
    raters = tuple(dict.fromkeys(review.rater for found in rows.values() for review in found))
    outcomes = [decided(found) for found in rows.values()]
    agreement, alpha = _between([(item, found) for item, found in rows.items() if len(_votes(found)) > 1], raters)
    return Figures(
        items=len(queue.items),
        judged=queue.judged,
        share=float(queue.share),
        raters=tuple(_rater(name, rows.values(), reviews) for name in raters),
        decided=sum(one.result is not None for one in outcomes),
        differ=sum(one.result is None and bool(one.raters) for one in outcomes),
        both=sum(len(_votes(found)) > 1 for found in rows.values()),
        agreement=agreement,
        alpha=alpha,
        judge=_judged(queue, rows),
        elsewhere=len(reviews) - sum(map(len, rows.values())),
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


def _votes(found: Sequence[Review]) -> list[str]:
    return [review.result for review in found if review.result in VOTES]


def _rater(name: str, rows: Any, reviews: Reviews) -> Rater:
    mine = [review for found in rows for review in found if review.rater == name]
    count = {word: sum(one.result == word for one in mine) for word in ("pass", "fail", "unsure", "challenged")}
    changed = sum(reviews.first(one).result != one.result for one in mine)
    return Rater(name, len(mine), count["pass"], count["fail"], count["unsure"], count["challenged"], changed)


def _between(rows: Sequence[tuple[Item, list[Review]]], raters: Sequence[str]) -> tuple[Share | None, Share | None]:
    """Raw agreement and alpha over the items with two votes or more; answers to one task are not independent."""
    if not rows:
        return None, None
    tasks = [item.cell.task for item, _ in rows]
    pairs = [[a == b for a, b in combinations(_votes(found), 2)] for _, found in rows]
    shares = [sum(same) / len(same) for same in pairs]
    raw = score_ci(shares, clusters=tasks, fractional=any(0 < share < 1 for share in shares))
    table = [[_vote_of(found, rater) for rater in raters] for _, found in rows]
    alpha = krippendorff_alpha(table, clusters=tasks)
    return _share(raw), _share(alpha)


def _vote_of(found: Sequence[Review], rater: str) -> str | None:
    return next((one.result for one in found if one.rater == rater and one.result in VOTES), None)


def _judged(queue: Queue, rows: dict[Item, list[Review]]) -> Judged | None:
    audit = [item for item in queue.items if item.probability is not None]
    people = {item: decided(rows[item]).result for item in audit}
    both = [(item, said) for item, said in people.items() if said is not None]
    if not both:
        return None
    tasks = [item.cell.task for item, _ in both]
    report = judge_report([said for _, said in both], [item.verdict.result for item, _ in both], clusters=tasks)
    agreement = report.agreement
    if agreement is None:  # pragma: no cover (the audit holds measured verdicts alone)
        return None
    return Judged(
        audited=len(both),
        of=len(audit),
        agreement=_share(agreement.raw) or Share(0, 0, 1, 0, ""),
        kappa=_share(agreement.kappa),
        sensitivity=_share(report.sensitivity),
        specificity=_share(report.specificity),
    )


def _share(found: Estimate | Coefficient | None) -> Share | None:
    return None if found is None else Share(found.value, found.lo, found.hi, found.n_items, found.method)
