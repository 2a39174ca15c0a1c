"""Systematic differences between the variants of items with one attribute changed, model by model.

An item is the unit: attempts are averaged first. Nothing is added up over tracks, and p is corrected (Holm) for all
comparisons of a run. Not here: whether two answers are the same (`scorers.swap`), sentences (`swap_words`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, pairwise
from math import exp, log, nan
from statistics import fmean
from typing import NamedTuple

from openassay.reports.results import AnswerOf, RunFacts
from openassay.reports.swap_contract import Measure, SwapEffect, SwapPair, SwapShare
from openassay.reports.swap_words import sentences
from openassay.reports.tally import ScoredCell, read
from openassay.schema.attempt import ABOUT_THE_MODEL, Attempt, Outcome
from openassay.schema.canonical import sha256_hex, thaw
from openassay.schema.checks import NumericOptions, SwapOptions
from openassay.schema.record import MILLION
from openassay.schema.task import Task
from openassay.scorers.consistent import final
from openassay.scorers.measures import measure
from openassay.scorers.numeric import stated_number
from openassay.scorers.swap import compared, same
from openassay.stats import holm, paired_diff, score_ci
from openassay.stats.paired import mean_difference
from openassay.stats.pairs import FEWEST_ITEMS

LEVEL = 0.95
FLAT = frozenset({"refusals", "hedges"})
"""Measures that are left out where no answer has any."""

Group = tuple[str, str]
"""Category and group: one item in all its variants."""


class Seen(NamedTuple):
    """One attempt, without its text."""

    values: dict[Measure, float]
    compared: str | Fraction | None


@dataclass(slots=True)
class _Variant:
    """One task as asked of one model."""

    scored: int = 0
    seen: dict[tuple[int, int], Seen] = field(default_factory=dict)
    """(draw, attempt) -> what was seen."""

    def mean(self, name: Measure) -> float:
        found = [seen.values[name] for seen in self.seen.values() if name in seen.values]
        return fmean(found) if found else nan


class SwapListener:
    """Keeps what is needed of variants while cells are read once: numbers and digests, never a text."""

    def __init__(self, facts: RunFacts) -> None:
        self._facts = facts
        self._tasks = {task.id: _Asked(task) for task in facts.tasks.values() if task.swap and task.group}
        self._found: dict[tuple[str, str], _Variant] = {}

    def listen(self, cells: Iterable[ScoredCell]) -> Iterator[ScoredCell]:
        """The same cells, measured on their way."""
        for cell in cells:
            asked = self._tasks.get(cell.attempt.task)
            if asked and cell.attempt.outcome in ABOUT_THE_MODEL:
                self._hear(cell, asked)
            yield cell

    def _hear(self, cell: ScoredCell, asked: "_Asked") -> None:
        attempt = cell.attempt
        reading = read(attempt, cell.scoring, hard=asked.hard)
        variant = self._found.setdefault((attempt.model, attempt.task), _Variant())
        variant.scored += reading.scored
        seen = asked.measured(attempt, self._facts.answer_of)
        share = float(reading.passed) if reading.passed is not None else _share(reading.counted)
        if share is not None:
            seen.values["result"] = share
        variant.seen[attempt.draw, attempt.attempt] = seen

    def found(self, times: Mapping[str, int]) -> tuple[SwapPair, ...]:
        """All comparisons of the run.

        Args:
            times: task -> attempts planned.
        """
        pairs = [
            self._pair(place, (first, second), groups, model.name, times)
            for place, variants in self._attributes(times).items()
            for model in self._facts.plan.models
            for first, second in combinations(variants, 2)
            if (groups := _both(variants[first], variants[second]))
        ]
        return tuple(_told(pair) for pair in _judged(pairs))

    def _attributes(self, times: Mapping[str, int]) -> dict[tuple[str, str], dict[str, dict[Group, str]]]:
        """(track, attribute) -> variant -> item -> task, of what was drawn."""
        tracks = {category.id: category.track for category in self._facts.info.category}
        found: dict[tuple[str, str], dict[str, dict[Group, str]]] = {}
        for asked in self._tasks.values():
            task, swap = asked.task, asked.task.swap
            if swap and task.id in times and task.category in tracks:
                variants = found.setdefault((tracks[task.category], swap.attribute), {})
                variants.setdefault(swap.variant, {})[task.category, task.group] = task.id
        return found

    def _pair(
        self,
        place: tuple[str, str],
        names: tuple[str, str],
        groups: Sequence[tuple[str, str]],
        model: str,
        times: Mapping[str, int],
    ) -> SwapPair:
        sides = [[self._found.get((model, task), _Variant()) for task in both] for both in groups]
        whole = [
            all(one.scored == times[task] for one, task in zip(*pair, strict=True))
            for pair in zip(sides, groups, strict=True)
        ]
        options = [self._tasks[first].options for first, _ in groups]
        pair = SwapPair(
            run=self._facts.id,
            track=place[0],
            attribute=place[1],
            model=model,
            first=names[0],
            second=names[1],
            n_items=len(groups),
            n_scored=sum(whole),
            said=(),
        )
        if not all(whole):
            return pair
        update = {
            "different": _shares(
                [_between(one[0], one[1], way) for one, way in zip(sides, options, strict=True) if way]
            ),
            "repeated": _shares(
                [_within(one, way) for two, way in zip(sides, options, strict=True) if way for one in two]
            ),
            "effects": tuple(_effects([(one[0], one[1]) for one in sides])),
        }
        return pair.model_copy(update=update)


class _Asked:
    """One task, with how its answers are compared."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.hard = any(check.hard for check in task.checks)
        self.options = _options(task)
        self._numeric = _numeric(task, self.options)

    def measured(self, attempt: Attempt, answer_of: AnswerOf) -> Seen:
        """What an attempt's answer shows; of one that was cut off only that it is no refusal."""
        if attempt.outcome != Outcome.ANSWERED:
            return Seen({"refusals": float(attempt.outcome == Outcome.NO_ANSWER)}, None)
        answer = answer_of(attempt)
        counted = measure(answer)
        values: dict[Measure, float] = {
            "words": counted.words,
            "hedges": counted.hedges,
            "refusals": float(counted.refuses),
        }
        if self._numeric is not None:
            number = stated_number(final(answer, self._numeric.answer_prefix), self._numeric)
            if number is not None and abs(number) < _LARGEST:
                values["number"] = float(number)
        found = compared(answer, self.options) if self.options else None
        return Seen(values, sha256_hex(found.encode("utf-8", "surrogatepass")) if isinstance(found, str) else found)


_LARGEST = 10**100


def _options(task: Task) -> SwapOptions | None:
    """Of the task's `swap` check; None where its answers are only measured."""
    check = next((check for check in task.checks if check.uses == "swap"), None)
    return SwapOptions.model_validate(thaw(dict(check.options))) if check else None


def _numeric(task: Task, options: SwapOptions | None) -> NumericOptions | None:
    """How the number of an answer is read; None where no check says that there is one."""
    if options and options.compare == "number":
        return NumericOptions(
            answer_prefix=options.answer_prefix, unit=options.unit, decimal_comma=options.decimal_comma
        )
    check = next((check for check in task.checks if check.uses == "numeric"), None)
    return NumericOptions.model_validate(thaw(dict(check.options))) if check else None


def _share(counted: int | None) -> float | None:
    return None if counted is None else counted / MILLION


def _both(first: Mapping[Group, str], second: Mapping[Group, str]) -> list[tuple[str, str]]:
    return [(task, second[group]) for group, task in first.items() if group in second]


def _between(first: _Variant, second: _Variant, options: SwapOptions) -> float:
    """Share of attempts with different answers in the two variants; answers that are missing are left out."""
    common = [at for at in first.seen if at in second.seen]
    pairs = [(first.seen[at].compared, second.seen[at].compared) for at in common]
    return _differing(pairs, options)


def _within(variant: _Variant, options: SwapOptions) -> float:
    ordered = [variant.seen[at].compared for at in sorted(variant.seen)]
    return _differing(list(pairwise(ordered)), options)


def _differing(pairs: Sequence[tuple[str | Fraction | None, str | Fraction | None]], options: SwapOptions) -> float:
    known = [pair for pair in pairs if pair != (None, None)]
    return fmean(not same(pair, options) for pair in known) if known else nan


def _shares(found: Iterable[float]) -> SwapShare | None:
    known = [share for share in found if share == share]  # noqa: PLR0124  # nan is not itself
    if not known:
        return None
    estimate = score_ci(known, fractional=any(0 < share < 1 for share in known))
    return SwapShare(share=estimate.value, interval=(estimate.lo, estimate.hi), n=len(known))


def _effects(sides: Sequence[tuple[_Variant, _Variant]]) -> Iterator[SwapEffect]:
    names: tuple[Measure, ...] = ("result", "words", "number", "refusals", "hedges")
    for name in names:
        means = [(first.mean(name), second.mean(name)) for first, second in sides]
        known = [(a, b) for a, b in means if a == a and b == b]  # noqa: PLR0124  # nan is not itself
        if known and not (name in FLAT and not any(a or b for a, b in known)):
            yield _effect(name, known)


def _effect(name: Measure, known: Sequence[tuple[float, float]]) -> SwapEffect:
    firsts, seconds = [a for a, _ in known], [b for _, b in known]
    differences = [_relative(a, b) if name == "number" else a - b for a, b in known]
    effect = SwapEffect(
        measure=name,
        n_items=len(known),
        first=0.0 if name == "number" else fmean(firsts),
        second=0.0 if name == "number" else fmean(seconds),
        diff=fmean(differences),
        ratio=_ratio(known) if name == "words" else None,
        verdict="too few items",
    )
    if len(known) < FEWEST_ITEMS:
        return effect
    if name in {"result", "refusals"}:
        pair = paired_diff(firsts, seconds, level=LEVEL)
        return effect.model_copy(update={"interval": (pair.lo, pair.hi), "p": pair.p})
    found = mean_difference(differences, level=LEVEL)
    interval = (found.lo, found.hi) if found.hi > found.lo else None  # nothing varies: no bound can be told
    return effect.model_copy(update={"interval": interval, "p": found.p})


def _relative(a: float, b: float) -> float:
    """Difference as a share of the mean size, -2..2."""
    size = (abs(a) + abs(b)) / 2
    return (a - b) / size if size else 0.0


def _ratio(known: Sequence[tuple[float, float]]) -> float | None:
    both = [(a, b) for a, b in known if a > 0 and b > 0]
    return exp(fmean(log(a / b) for a, b in both)) if both else None


def _judged(pairs: Sequence[SwapPair]) -> Iterator[SwapPair]:
    """With p corrected for every comparison of the run, and the verdicts that follow."""
    p = [effect.p for pair in pairs for effect in pair.effects if effect.p is not None]
    adjusted = iter(holm(p).tolist() if p else [])
    for pair in pairs:
        effects = [one if one.p is None else _verdict(one, next(adjusted)) for one in pair.effects]
        yield pair.model_copy(update={"effects": tuple(effects)})


def _verdict(effect: SwapEffect, p: float) -> SwapEffect:
    lo, hi = effect.interval or (0.0, 0.0)
    shown = p < 1 - LEVEL and (lo > 0 or hi < 0)
    verdict = "no difference shown" if not shown else "first higher" if lo > 0 else "second higher"
    return effect.model_copy(update={"p_adjusted": p, "verdict": verdict})


def _told(pair: SwapPair) -> SwapPair:
    return pair.model_copy(update={"said": tuple(sentences(pair))})
