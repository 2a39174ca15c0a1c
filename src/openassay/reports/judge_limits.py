"""What a reader who looks at the rates only must know about judges, in sentences.

Not here: all there is to say of them (`judge_words`).
"""

from collections.abc import Iterator, Sequence

from openassay.reports.judge_words import of, of_group
from openassay.reports.judging_contract import JudgeFacts, Judging
from openassay.reports.words import counted

MANY = 0.05
"""Share of requests in which a missed canary, or an unreadable reply, is worth a sentence."""


def limits_of(judging: Judging | None, checks_uncounted: int) -> Iterator[str]:
    """What follows for a reader who looks at the rates only."""
    if judging is None:
        return
    yield from _not_counted(judging.judges, checks_uncounted)
    if judging.open:
        yield (
            f"Open: {counted(judging.open, 'disputed check')} of {judging.checks:,} judged ones, settled by no judge: "
            f"people decide with `openassay review {judging.run}`."
        )
    for one in judging.judges:
        bad = [rate for rate in (one.missed, one.unreadable) if rate and rate.share > MANY]
        if bad:
            yield (
                f"Judge {one.judge} gave no usable reply to {sum(rate.hits for rate in bad):,} of "
                f"{counted(one.requests, 'request')}: what it could judge may be the easier part."
            )
    for pair in judging.pairs:
        yield from (of_group(group, pair.first, pair.second) for group in pair.groups if group.candidates == "own")
    if any(one.deciding or one.beside for one in judging.judges):
        yield _far_from_people(judging)


def _not_counted(judges: Sequence[JudgeFacts], checks: int) -> Iterator[str]:
    short = [one.standing for one in judges if not one.counts]
    if checks and short:
        what = counted(checks, "soft check")
        yield f"Shown and not counted: {what}, so the scores cover the rest: {'; '.join(short)}."
    for one in judges:
        if one.counts and one.standing.startswith("nobody"):
            yield f"{one.standing[0].upper()}{one.standing[1:]}, so its verdicts count, whatever they are worth."


def _far_from_people(judging: Judging) -> str:
    people = judging.people
    if people and people.audit:
        return f"How far people would agree with the judges rests on a random audit: {of(people.audit[0].agreement)}."
    return "No person has looked at a random sample of the verdicts: how far people would agree here is not known."
