"""What several attempts at the same items say of one model: how steady it is, and where its results vary.

Not here: rates (`results`), models beside each other (`pairs`).
"""

from collections.abc import Hashable, Sequence

from openassay.reports.comparing_contract import VarianceShares
from openassay.reports.words import percent
from openassay.stats import Estimate, Noise, noise_of_judgements, noise_of_passes, reliability_curve, repeats

Interval = tuple[float, float]


def shown(estimate: Estimate) -> Interval | None:
    """The interval; None where items share so few sources that it is itself hardly known."""
    return None if estimate.few_groups else (estimate.lo, estimate.hi)


def again(passed: Sequence[int], tried: Sequence[int], units: Sequence[Hashable] | None) -> dict[str, object]:
    """Fields of a `Result` on attempts at items; none where no item was tried twice.

    Args:
        passed: attempts of each item that passed.
        tried: attempts of each item.
        units: source of each item; None where each is its own.
    """
    found = repeats(passed, tried)
    if found is None:
        return {}
    twice = [at for at, number in enumerate(tried) if number > 1]
    curve = reliability_curve(
        [passed[at] for at in twice],
        [tried[at] for at in twice],
        clusters=None if units is None else [units[at] for at in twice],
    )
    bounds = [shown(one) for one in curve]
    return {
        "consistency": found.same,
        "pass_hat_k": found.pass_all,
        "pass_hat_k_intervals": tuple(one for one in bounds if one),
        "reliability": reliability(found.pass_all),
        "variance": shares(noise_of_passes(passed, tried)),
    }


def reliability(curve: Sequence[float]) -> str:
    """What a curve means, in words.

    >>> reliability([0.73, 0.64, 0.58])
    'passes an item 73 % of the time, and 3 times in a row 58 %'
    """
    return f"passes an item {percent(curve[0])} of the time, and {len(curve)} times in a row {percent(curve[-1])}"


def shares(noise: Noise | None) -> VarianceShares | None:
    """Of yes-or-no results; None where nothing varies."""
    return _shares(noise, judged=False)


def shares_of_judgements(scores: Sequence[Sequence[Sequence[float]]]) -> VarianceShares | None:
    """Of judged checks that were judged more than once; None where none was.

    Args:
        scores: items, of each its attempts, of each its judgements, 0..1.
    """
    return _shares(noise_of_judgements([item for item in scores if item]), judged=True)


def _shares(noise: Noise | None, *, judged: bool) -> VarianceShares | None:
    total = noise.item + noise.attempt + noise.judge if noise else 0.0
    if noise is None or not total:
        return None
    return VarianceShares(
        of="judged checks" if judged else "passes",
        item=noise.item / total,
        attempt=noise.attempt / total,
        judge=noise.judge / total if judged else None,
    )
