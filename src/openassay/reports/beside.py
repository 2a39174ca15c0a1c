"""Two models of one run beside each other, category by category: what `compare` answers.

Not here: how the pairs were compared (`pairs`).
"""

from collections.abc import Iterator, Sequence

from openassay.reports import words
from openassay.reports.comparing_contract import Differentiation, Pair
from openassay.reports.contract import Item, Result, Summary
from openassay.reports.pairs import flipped
from openassay.reports.turns import gaps, into, none_turns
from openassay.schema.record import Record


class Differing(Record):
    """An item at which one of the two did better."""

    task: str
    better: str
    passed_a: int
    passed_b: int
    scored: int
    """Attempts of each."""
    score_a: float | None
    score_b: float | None
    anchor: str
    """Of the item in the HTML report."""


class BesideCategory(Record):
    category: str
    track: str
    title: str
    complete: bool
    """Both models have everything planned scored; otherwise there are counts and nothing else."""
    answer: str
    pairs: tuple[Pair, ...]
    """The pass rate first, then the score where it says something else."""
    moves: tuple[str, ...]
    """What turns the verdict on these two; or that nothing tried does."""
    differentiation: Differentiation | None
    """In place of a comparison where there are too few items."""
    differing: tuple[Differing, ...]


class Beside(Record):
    """`compare --json`."""

    format: int = 1
    run: str
    benchmark: str
    benchmark_version: str
    plan_digest: str
    a: str
    b: str
    margin: float | None
    categories: tuple[BesideCategory, ...]


def beside(summary: Summary, a: str, b: str, only: Sequence[str] = ()) -> Beside:
    """The pair in each category.

    Args:
        summary: of one run.
        a: a model of it.
        b: another.
        only: categories; empty for all.
    """
    run = summary.runs[0]
    pairs = [_in_order(pair, a) for pair in summary.pairs if {pair.a, pair.b} == {a, b}]
    return Beside(
        run=run.id,
        benchmark=run.benchmark,
        benchmark_version=run.benchmark_version,
        plan_digest=run.plan_digest,
        a=a,
        b=b,
        margin=pairs[0].margin if pairs else None,
        categories=tuple(
            _category(summary, category.id, [pair for pair in pairs if pair.category == category.id], a, b)
            for category in run.categories
            if not only or category.id in only
        ),
    )


def _in_order(pair: Pair, a: str) -> Pair:
    return pair if pair.a == a else flipped(pair)


def _category(summary: Summary, category: str, pairs: Sequence[Pair], a: str, b: str) -> BesideCategory:
    results = {one.model: one for one in summary.results if one.category == category}
    facts = next(one for one in summary.runs[0].categories if one.id == category)
    whole = results[a].partial is None and results[b].partial is None
    items = [item for item in summary.items if item.category == category]
    return BesideCategory(
        category=category,
        track=facts.track,
        title=facts.title,
        complete=whole,
        answer=pairs[0].sentence if pairs else _without(results[a], results[b]),
        pairs=tuple(pairs),
        moves=tuple(_moves(summary, category, a, b)),
        differentiation=next((_of(one, a, b) for one in summary.differentiation if one.category == category), None),
        differing=tuple(one for item in items if (one := _differing(item, a, b))) if whole else (),
    )


def _of(found: Differentiation, a: str, b: str) -> Differentiation:
    """What tells these two apart, without the others."""
    told = tuple(
        one.model_copy(update={"met": (met,), "missed": (missed,)})
        for one in found.told_apart
        for met, missed in ((a, b), (b, a))
        if met in one.met and missed in one.missed
    )
    counts = tuple(
        one.model_copy(update={"met": {name: one.met[name] for name in (a, b) if name in one.met}})
        for one in found.checks
    )
    return found.model_copy(update={"told_apart": told, "checks": counts})


def _moves(summary: Summary, category: str, a: str, b: str) -> Iterator[str]:
    for found in summary.steadiness:
        if found.category != category:
            continue
        mine = [turn for turn in found.turns if {turn.a, turn.b} == {a, b}]
        for turn in mine:
            yield f"{turn.change[0].upper()}{turn.change[1:]} turns {into(turn)}: {gaps(turn)}."
        if not mine:
            yield none_turns(found)


def _without(a: Result, b: Result) -> str:
    if a.partial is None and b.partial is None:
        return "No item was measured for both."
    each = " and ".join(f"{one.model} {one.headline}" for one in (a, b))
    return f"No comparison yet: {each}. What is missing is rarely missing by chance."


def _differing(item: Item, a: str, b: str) -> Differing | None:
    of_a, of_b = item.models[a], item.models[b]
    at_a, at_b = (of_a.passed, of_a.score or 0.0), (of_b.passed, of_b.score or 0.0)
    if at_a == at_b:
        return None
    return Differing(
        task=item.task,
        better=a if at_a > at_b else b,
        passed_a=of_a.passed,
        passed_b=of_b.passed,
        scored=of_a.scored,
        score_a=of_a.score,
        score_b=of_b.score,
        anchor=words.anchor(item.run, item.task),
    )
