"""What a report says first: at most six sentences in plain words, made from its facts.

With a reader's needs: who qualifies, because of what, what is not settled and what would settle it. Without: which
models of a category differ, which cannot be told apart, and what is not settled. Never who is "best".

Not here: the facts.
"""

from collections.abc import Collection, Iterator, Sequence

from openassay.reports import needs_words, pair_words
from openassay.reports.comparing_contract import Pair
from openassay.reports.contract import FirstScreen, RunSummary, Summary
from openassay.reports.needs_contract import Demand, NeedsAnswer, Qualification
from openassay.reports.pairs import flipped
from openassay.reports.words import counted, listed
from openassay.stats.pairs import FEWEST_ITEMS

MOST = 6
SHOWN = 3
"""Most models or pairs named in one sentence."""
OPEN = ("not settled", "unknown")


def first_screens(summary: Summary) -> tuple[FirstScreen, ...]:
    """One for each run."""
    return tuple(FirstScreen(run=run.id, sentences=tuple(_sentences(summary, run))[:MOST]) for run in summary.runs)


def _sentences(summary: Summary, run: RunSummary) -> list[str]:
    start = list(_incomplete(run))
    if summary.needs is not None:
        return [*start, *_for_needs(summary.needs, run)]
    return [*start, *_beside(summary, run, MOST - len(start))]


def _incomplete(run: RunSummary) -> Iterator[str]:
    if run.scored != run.planned:
        yield f"This is no result yet: {run.scored:,} of {run.planned:,} planned attempts are scored."


def _for_needs(answer: NeedsAnswer, run: RunSummary) -> Iterator[str]:
    titles = {category.id: category.title for category in run.categories}
    mine = [one for one in answer.qualified if one.run == run.id]
    says = {kind: [one for one in mine if one.qualifies == kind] for kind in ("yes", "no", "not settled")}
    yield _who(answer, says["yes"], len(mine))
    if says["yes"]:
        yield _because(says["yes"], titles)
    if says["no"]:
        yield f"Not met: {_each(says['no'], OPEN, titles)}."
    if says["not settled"]:
        yield f"Not settled: {_each(says['not settled'], (), titles)}."
        if step := _cheapest(says["not settled"]):
            yield step
    if any(one.run == run.id for one in answer.weighed):
        yield "Weighed values below are your own weighing, each beside the categories it is made of."


def _who(answer: NeedsAnswer, found: Sequence[Qualification], among: int) -> str:
    start = needs_words.heading(answer)
    if not found:
        return f"{start} no model of {among} is shown to qualify."
    names = listed([one.model for one in found])
    both = "qualifies" if len(found) == 1 else "qualify"
    least = min(one.sure or 0.0 for one in found)
    return f"{start} {names} {both}, of {counted(among, 'model')}; {needs_words.sure(least)} or more."


def _because(found: Sequence[Qualification], titles: dict[str, str]) -> str:
    """The demand that was nearest to not being met."""
    parts = []
    for one in found[:SHOWN]:
        tight = min(one.demands, key=lambda demand: demand.sure or 0.0)
        parts.append(f"{one.model} meets {_number(one)}, the closest {_told(tight, titles)}")
    return f"Because: {_joined(parts, len(found))}."


def _number(one: Qualification) -> str:
    return "the one demand" if len(one.demands) == 1 else f"all {len(one.demands)} demands"


def _each(found: Sequence[Qualification], apart: Collection[str], titles: dict[str, str]) -> str:
    """Of each model the demand it is least sure to meet, those with a status in `apart` left out."""
    parts = []
    for one in found[:SHOWN]:
        rest = [demand for demand in one.demands if demand.status not in {"met", *apart}]
        most = min(rest, key=lambda demand: -1.0 if demand.sure is None else demand.sure)
        more = f", and {counted(len(rest) - 1, 'more demand')}" if len(rest) > 1 else ""
        parts.append(f"{one.model}: {_told(most, titles)}{more}")
    return _joined(parts, len(found))


def _joined(parts: Sequence[str], number: int) -> str:
    more = f"; and {number - SHOWN} more models" if number > SHOWN else ""
    return f"{'; '.join(parts)}{more}"


def _told(demand: Demand, titles: dict[str, str]) -> str:
    """A demand and what was seen of it."""
    why = f", {demand.why}" if demand.why and demand.value is not None else ""
    return f"{needs_words.what(demand, titles)}, seen {needs_words.seen(demand)}{why}"


def _cheapest(found: Sequence[Qualification]) -> str:
    steps = [one for one in found if one.step]
    if not steps:
        return ""
    sizes = {
        one.model: min((d.items_needed or 0 for d in one.demands if d.step == one.step), default=0) for one in steps
    }
    cheapest = min(steps, key=lambda one: sizes[one.model])
    return f"The cheapest step towards settling one of them ({cheapest.model}): {cheapest.step}."


def _beside(summary: Summary, run: RunSummary, room: int) -> Iterator[str]:
    """Category by category, and what would settle more."""
    told = [
        sentence for category in run.categories for sentence in _category(summary, run, category.id, category.title)
    ]
    step = _next_step(summary, run)
    kept = room - bool(step)
    if len(told) > kept:
        yield from told[: kept - 1]
        yield f"{counted(len(told) - kept + 1, 'more category', 'more categories')}: see below."
    else:
        yield from told
    if step:
        yield step


def _category(summary: Summary, run: RunSummary, category: str, title: str) -> Iterator[str]:
    results = [one for one in summary.results_of(run.id) if one.category == category]
    if results and all(one.partial for one in results):
        return
    if results and results[0].n_items < FEWEST_ITEMS:
        yield (
            f"“{title}” has {counted(results[0].n_items, 'item')}, under {FEWEST_ITEMS}: its models are not compared "
            f"by their counts{_apart(summary, run, category)}."
        )
        return
    pairs = [pair for pair in summary.pairs if (pair.run, pair.category) == (run.id, category)]
    pairs = [pair for pair in pairs if pair.measure == pairs[0].measure]
    if pairs:
        left = [one.model for one in results if one.partial]
        without = f"; {_some(left)} {'is' if len(left) == 1 else 'are'} incomplete and not compared" if left else ""
        yield f"In “{title}” {_pairs(pairs)}{without}."
    elif len(run.models) == 1 and results and not results[0].partial:
        yield (
            f"“{title}”: one model, so nothing to compare; "
            f"{results[0].passed:,} of {results[0].passable:,} attempts passed."
        )


def _apart(summary: Summary, run: RunSummary, category: str) -> str:
    found = [one for one in summary.differentiation if (one.run, one.category) == (run.id, category)]
    number = sum(len(one.told_apart) for one in found)
    return f"; {counted(number, 'check tells', 'checks tell')} them apart" if number else ""


def _pairs(pairs: Sequence[Pair]) -> str:
    """Who is better than whom, and which of them are not told apart."""
    better = [pair if pair.better == pair.a else flipped(pair) for pair in pairs if pair.better is not None]
    equal = [pair for pair in pairs if pair.verdict == "practically equal"]
    few = [pair for pair in pairs if pair.verdict == "too few items"]
    unknown = [pair for pair in pairs if pair.verdict == "no difference shown"]
    if len(few) == len(pairs):
        return f"there are {pair_words.verdict(few[0])} to compare models"
    if len(unknown) == len(pairs) > 1:
        return f"none of the {counted(len(pairs), 'pair')} of models is told apart"
    parts = [*_won(better)]
    if equal:
        parts.append(f"there is practically no difference {_both(equal, len(pairs))}")
    if unknown:
        parts.append(f"no difference is shown {_both(unknown, len(pairs))}")
    if few:
        parts.append(f"there are {pair_words.verdict(few[0])} to compare models {_both(few, len(pairs))}")
    return "; ".join(parts)


def _won(better: Sequence[Pair]) -> Iterator[str]:
    """The first of each pair is the better one. Models that are better than the same ones share a phrase."""
    if len(better) == 1:
        yield f"{better[0].a} is better than {better[0].b} ({pair_words.counts(better[0])})"
        return
    beaten: dict[str, list[str]] = {}
    for pair in better:
        beaten.setdefault(pair.a, []).append(pair.b)
    alike: dict[frozenset[str], list[str]] = {}
    for winner, losers in beaten.items():
        alike.setdefault(frozenset(losers), []).append(winner)
    ordered = sorted(alike.values(), key=lambda winners: -len(beaten[winners[0]]))
    for winners in ordered[:SHOWN]:
        yield f"{_some(winners)} {'is' if len(winners) == 1 else 'are'} better than {_some(beaten[winners[0]])}"
    if len(ordered) > SHOWN:
        left = sum(len(beaten[name]) for winners in ordered[SHOWN:] for name in winners)
        yield f"{counted(left, 'more pair differs', 'more pairs differ')}"


def _some(names: Sequence[str]) -> str:
    """Some of many names.

    >>> _some(["a", "b"]), _some(["a", "b", "c", "d", "e"])
    ('a and b', 'a, b, c and 2 more')
    """
    shown = list(names[:SHOWN]) if len(names) > SHOWN + 1 else list(names)
    return listed([*shown, f"{len(names) - len(shown)} more"] if len(shown) < len(names) else shown)


def _both(pairs: Sequence[Pair], among: int) -> str:
    if len(pairs) > SHOWN:
        return f"in {len(pairs):,} of {among:,} pairs, such as {pairs[0].a} and {pairs[0].b}"
    return "between " + ", or between ".join(f"{pair.a} and {pair.b}" for pair in pairs)


def _next_step(summary: Summary, run: RunSummary) -> str:
    """What would settle the pair that is nearest to being settled; for small categories what they need."""
    titles = {category.id: category.title for category in run.categories}
    open_ = [
        pair
        for pair in summary.pairs
        if pair.run == run.id
        and pair.verdict == "no difference shown"
        and (pair.items_needed or 0) > pair.n_items  # the gap was smaller than it takes
    ]
    if open_:
        near = min(open_, key=lambda pair: pair.items_needed or 0)
        needed = counted(pair_words.round_up(near.items_needed or 0), "item")
        return (
            f"Nearest to being settled: {near.a} and {near.b} in “{titles.get(near.category, near.category)}”; a gap "
            f"of the size seen takes about {needed} instead of {near.n_items:,}."
        )
    steps = [one.next_step for one in summary.differentiation if one.run == run.id and one.next_step]
    return steps[0] if steps else ""
