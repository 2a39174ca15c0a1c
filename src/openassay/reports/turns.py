"""What moves the conclusion: every pair of a category judged again without each check, author, source and group.

A conclusion that one author's items carry is that author's. Not here: the changes themselves (`changes`), what a
reader's own needs make of it (`needs`).
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from openassay.reports.again import shown
from openassay.reports.ballots import Ballots
from openassay.reports.changes import Change, changed, changes, touched
from openassay.reports.comparing_contract import ChangedRate, ChangedRates, Kind, Steadiness, Turn
from openassay.reports.pair_words import points
from openassay.reports.pairs import clusters, compared
from openassay.reports.table import Floats, Measured
from openassay.reports.words import counted, listed
from openassay.stats import PairResult, score_ci

MOST_OF_A_KIND = 40
"""Changes of one kind that are tried, the largest first."""
MOST_PAIRS = 200_000
"""Pairs judged again for one category, all changes together: some seconds."""
MOST_GROUPED = 10_000
"""The same where items share groups, and each pair takes its own time."""
NAMED = 2
"""Pairs up to which each is named in a sentence."""

Found = list[tuple[tuple[int, int], PairResult]]
_PLURALS: dict[Kind, tuple[str, str]] = {
    "author": ("author", ""),
    "source": ("source", ""),
    "group": ("group", ""),
    "check": ("check", ""),
    "scorer": ("scorer", ""),
    "soft": ("change to soft checks", "changes to soft checks"),
    "weights": ("change of weights", "changes of weights"),
    "threshold": ("change of thresholds", "changes of thresholds"),
}


class Turned(NamedTuple):
    change: Change
    turns: tuple[Turn, ...]
    rates: ChangedRates | None = None
    """None where nothing is left."""


def steadiness(measured: Measured, ballots: Ballots | None, margin: float | None = None) -> Steadiness | None:
    """What turns a verdict of this category; None where there is no verdict to turn."""
    before = compared(measured, margin)
    if not before or all(one.verdict == "too few items" for _, one in before):
        return None
    most = (MOST_PAIRS if clusters(measured) is None else MOST_GROUPED) // len(before)
    wanted, not_tried = _chosen(list(changes(measured, ballots)), most)
    turned = [_turned(measured, change, changed(measured, change, ballots), before, margin) for change in wanted]
    tried: dict[Kind, int] = {}
    for change in wanted:
        tried[change.kind] = tried.get(change.kind, 0) + 1
    table = measured.table
    found = Steadiness(
        run=table.run,
        category=table.category,
        track=table.track,
        measure=measured.measure,
        tried=tried,
        not_tried=not_tried,
        turns=tuple(turn for one in turned for turn in one.turns),
        sentences=tuple(_sentences(turned, len(before))),
        rates=tuple(one.rates for one in turned if one.rates),
    )
    return found if found.sentences else found.model_copy(update={"sentences": (none_turns(found),)})


def _chosen(all_of_them: Sequence[Change], most: int) -> tuple[list[Change], str]:
    """The changes to try, at most so many, and what is said of those left out."""
    seen: dict[Kind, int] = {}
    chosen: list[Change] = []
    for change in all_of_them:
        seen[change.kind] = seen.get(change.kind, 0) + 1
        if seen[change.kind] <= MOST_OF_A_KIND and len(chosen) < most:
            chosen.append(change)
    left = len(all_of_them) - len(chosen)
    if not left:
        return chosen, ""
    return chosen, f"{counted(left, 'smaller change')} of {len(all_of_them):,} not tried: they would take too long."


def _turned(measured: Measured, change: Change, after: Measured | None, before: Found, margin: float | None) -> Turned:
    if after is None:
        return Turned(change, ())
    models, found = measured.table.models, dict(compared(after, margin))
    turns = [
        Turn(
            kind=change.kind,
            name=change.name,
            change=change.words,
            n_items=0,
            a=models[rows[0]],
            b=models[rows[1]],
            before=_words(one, models, rows),
            after=_words(found[rows], models, rows),
            diff_before=one.diff,
            diff_after=found[rows].diff,
        )
        for rows, one in before
        if rows in found and _matters(one.verdict, found[rows].verdict)
    ]
    number = touched(measured, after) if turns else 0
    return Turned(change, tuple(turn.model_copy(update={"n_items": number}) for turn in turns), _rates(change, after))


def _rates(change: Change, after: Measured) -> ChangedRates:
    return ChangedRates(
        kind=change.kind,
        name=change.name,
        change=change.words,
        n_items=len(after.tasks),
        models=tuple(_rate(model, row, after) for model, row in zip(after.table.models, after.means, strict=True)),
    )


def _rate(model: str, row: Floats, after: Measured) -> ChangedRate:
    here = ~np.isnan(row)
    units = [unit for unit, known in zip(after.units, here.tolist(), strict=True) if known]
    tried = [int(number) for number in after.tried[here]]
    found = score_ci(row[here], attempts=tried, clusters=units, fractional=after.measure == "score")
    return ChangedRate(model=model, value=found.value, interval=shown(found))


def _matters(before: str, after: str) -> bool:
    """Whether a verdict is another one; that too few items are left unsettles only what was claimed."""
    claimed = before in {"A better", "B better", "practically equal"}
    return before != after and (claimed or after != "too few items")


def _words(found: PairResult, models: Sequence[str], rows: tuple[int, int]) -> str:
    better = {"A better": models[rows[0]], "B better": models[rows[1]]}.get(found.verdict)
    return f"{better} better" if better else found.verdict


def _sentences(turned: Sequence[Turned], pairs: int) -> Iterator[str]:
    for one in turned:
        if one.turns:
            yield _sentence(one, pairs)


def into(turn: Turn) -> str:
    """Such as ``“large better” into “no difference shown”``."""
    return f"“{turn.before}” into “{turn.after}”"


def gaps(turn: Turn) -> str:
    """What became of the difference: a verdict may turn for fewer items alone."""
    before, after = (f"{100 * abs(diff):.0f}" for diff in (turn.diff_before, turn.diff_after))
    other = turn.diff_before * turn.diff_after < 0
    if before == after and not other:
        return f"the gap stays at {points(abs(turn.diff_before))}, on fewer items or other ones"
    return f"the gap goes from {before} to {points(abs(turn.diff_after))}{' the other way' if other else ''}"


def none_turns(found: Steadiness) -> str:
    """What is said where no change turns a verdict."""
    if not found.tried:
        return "Nothing could be left out to see what carries it: the items tell no authors, sources or checks apart."
    each = [counted(number, *_PLURALS[kind]) for kind, number in found.tried.items()]
    return f"No single check, author or source turns the verdict on the {found.measure} ({listed(each)} tried)."


def _sentence(one: Turned, pairs: int) -> str:
    each = [f"{into(turn)} ({turn.a} against {turn.b}, {gaps(turn)})" for turn in one.turns]
    words = f"{one.change.words[0].upper()}{one.change.words[1:]}"
    if len(each) <= NAMED:
        return f"{words} turns {listed(each)}."
    return f"{words} turns {len(each):,} of {pairs:,} verdicts, among them {each[0]}."
