"""What the figures on judges say, in sentences: the same in the terminal and in HTML.

Every share stands with what it is out of and its interval. Not here: the figures (`judging`), what may not be
concluded (`judge_limits`).
"""

from collections.abc import Iterator
from typing import get_args

from openassay.reports.judging_contract import (
    AgainstPeople,
    Beyond,
    By,
    Compared,
    DisputeFacts,
    JudgeFacts,
    JudgePair,
    Judging,
    PeopleFacts,
    Rate,
    Rescoring,
)
from openassay.reports.words import bounds, counted, listed, usd
from openassay.schema.judging import Cause
from openassay.stats.intervals import FEWEST_GROUPS
from openassay.stats.pairs import FEWEST_ITEMS

CAUSE_WORDS: dict[Cause, str] = {
    "order": "its passes in another item order differ",
    "reply": "a pass gave no usable verdict",
    "canary": "a canary item or the nonce was missed",
    "lineage": "the judge is of the candidate's lineage, or a lineage is unknown",
    "contradiction": "a script check on the same fact says otherwise",
    "audit": "drawn at random for an audit",
    "challenge": "a person challenged it",
}
BY_WORDS: dict[By, str] = {
    "first": "the verdict stood",
    "second": "a second judge",
    "script": "a script",
    "people": "people",
    "nobody": "nobody yet",
}
CONTROL_WORDS = {
    "met": "canary items right",
    "missed": "missed a canary item or the nonce",
    "unread": "reply not readable",
    "": "",
}
RELATION_WORDS = {"own": "own lineage", "other": "another lineage", "unknown": "a lineage is unknown"}
GROUP_WORDS = {
    "all": "all answers",
    "own": "its own relatives",
    "other": "models of other lineages",
    "unknown": "models where a lineage is unknown",
}


def of(rate: Rate | None) -> str:
    """A rate in words.

    >>> of(Rate(hits=9, n=10, n_units=10, share=0.9, interval=(0.596, 0.982)))
    '9 of 10 (60 to 98 %)'
    >>> of(Rate(hits=9, n=10, n_units=3, share=0.9, interval=(0.4, 0.99)))
    '9 of 10 (40 to 99 %, only 3 sources)'
    """
    if rate is None:
        return "none to count"
    few = few_sources(rate)
    return f"{rate.hits:,} of {rate.n:,} ({bounds(rate.interval)}{', ' * bool(few)}{few})"


def few_sources(rate: Rate) -> str:
    """A warning where verdicts rest on so few sources that their interval is itself hardly known."""
    if rate.n_units >= min(rate.n, FEWEST_GROUPS):
        return ""
    return f"only {counted(rate.n_units, 'source')}"


def beyond(found: Beyond | None) -> str:
    """Agreement beyond chance in words.

    >>> beyond(Beyond(value=0.4961, interval=(0.41, 0.58), n=999)), beyond(None)
    ('0.50 (0.41 to 0.58)', 'not defined')
    """
    if found is None or found.n < FEWEST_ITEMS:
        return "not defined" if found is None else f"not given for {found.n}"
    return _bounded(found)


def _bounded(found: Beyond) -> str:
    return f"{found.value:.2f} ({found.interval[0]:.2f} to {found.interval[1]:.2f})"


def sentences(judging: Judging) -> list[str]:
    """All there is to say of a run's judges, the judges first."""
    said = [sentence for judge in judging.judges for sentence in of_judge(judge)]
    said += of_disputes(judging)
    said += [sentence for pair in judging.pairs for sentence in of_pair(pair)]
    said += of_rescoring(judging.rescored) if judging.rescored else []
    said += of_people(judging.people) if judging.people else []
    return said


def of_judge(one: JudgeFacts) -> Iterator[str]:
    """One judge: does it count, does it read, is it steady?"""
    counts = "count" if one.counts else "are shown and not counted"
    yield f"Verdicts of judge {one.judge} {counts}: {one.standing}."
    seen = {
        "usable replies": one.usable,
        "canary or nonce missed": one.missed,
        "unreadable": one.unreadable,
        "same result in every item order": one.same_over_order,
        "reason quotes nothing": one.unquoted,
    }
    rates = [f"{name} {of(rate)}" for name, rate in seen.items() if rate]
    told = [f"{counted(one.deciding, 'verdict')} in force, {one.beside:,} kept beside", *rates]
    yield f"Judge {one.judge}: {'; '.join(told)}; {counted(one.calls, 'call')}, {usd(one.cost_usd)}."


def of_disputes(judging: Judging) -> Iterator[str]:
    if not judging.disputed:
        return
    yield f"Disputed: {judging.disputed:,} of {counted(judging.checks, 'judged check')}; {judging.open:,} still open."
    yield from map(of_cause, judging.disputes)


def deciders(judging: Judging) -> list[By]:
    """Who decided disputes here, in a fixed order."""
    return [who for who in get_args(By) if any(who in one.decided for one in judging.disputes)]


def of_cause(one: DisputeFacts) -> str:
    by = listed([f"{BY_WORDS[who]} {one.decided[who]:,}" for who in get_args(By) if who in one.decided])
    return f"Disputed, {CAUSE_WORDS[one.cause]}: {counted(one.checks, 'check')}; decided by {by}."


def of_pair(pair: JudgePair) -> Iterator[str]:
    """Two judges on the same checks: relatives of the first apart, as there it may be kind."""
    for group in pair.groups:
        yield of_group(group, pair.first, pair.second)
    whole = pair.groups[0]
    if whole.n < whole.judged:
        yield (
            f"Both judged {whole.n:,} of the {whole.judged:,} checks that {pair.first} judged: {pair.second} is asked "
            "only about disputed ones, so on the rest the two may agree more."
        )


def of_group(group: Compared, first: str, second: str) -> str:
    where = GROUP_WORDS[group.candidates]
    if group.candidates == "all":
        return (
            f"Judges {first} and {second} on the same checks: they agree on {of(group.agreement)}, kappa "
            f"{beyond(group.kappa)}; {first} alone passes {group.first_only:,}, {second} alone {group.second_only:,}."
        )
    lo, hi = group.difference_interval
    return (
        f"On {where} judge {first} passed {of(group.first_passed)}, judge {second} {of(group.second_passed)} of the "
        f"same checks, a difference of {signed(group.difference)} points ({signed(lo)} to {signed(hi)}); they agree on "
        f"{of(group.agreement)}."
    )


def signed(share: float) -> str:
    """A difference of shares in percentage points.

    >>> signed(0.4), signed(-0.051)
    ('+40', '-5')
    """
    return f"{round(100 * share):+d}" if round(100 * share) else "0"


def of_rescoring(one: Rescoring) -> Iterator[str]:
    before, after = (listed(list(names)) if names else "no judge" for names in (one.judges_before, one.judges_after))
    moved = f"{one.gained:,} measured only now, {one.lost:,} only before"
    if one.compared is None:
        yield f"Scored again with {after}, before with {before}: no check was measured both times; {moved}."
        return
    yield (
        f"Scored again with {after}, before with {before}: of the judged checks the same result on "
        f"{of(one.compared.agreement)}, kappa {beyond(one.compared.kappa)}; {one.compared.first_only:,} went from pass "
        f"to fail, {one.compared.second_only:,} from fail to pass; {moved}. Both sets of verdicts are kept."
    )


def of_people(people: PeopleFacts) -> Iterator[str]:
    yield from of_people_alone(people)
    for group in people.corrected:
        judged = f"of the judged checks the judges pass {of(group.judge_only)}"
        if group.value is None or group.interval is None:
            yield f"{group.model}, {group.category}: {judged}; {group.method}."
        else:
            yield (
                f"{group.model}, {group.category}: {judged}; people would pass {100 * group.value:.0f} % "
                f"({bounds(group.interval)}, {counted(group.labels, 'label')}, {group.method})."
            )


def of_people_alone(people: PeopleFacts) -> Iterator[str]:
    """Without the corrected rates, which the page has as a table."""
    yield (
        f"{counted(people.raters, 'person', 'people')} decided {counted(people.decided, 'check')}: {people.audited:,} "
        f"of the random audit, and {people.disputed:,} that were disputed or looked up (they passed "
        f"{people.disputed_passed:,})."
    )
    for one in people.audit:
        yield of_audit(one)
    if people.rated_twice:
        alpha = _bounded(people.alpha) if people.alpha else "not defined"
        twice = counted(people.rated_twice, "check")
        yield f"Between people: Krippendorff's alpha {alpha}, on {twice} with two raters or more."


def of_audit(one: AgainstPeople) -> str:
    who = f"Judge {one.judge}" if one.judge else "All judges together"
    parts = [f"the same on {of(one.agreement)}", f"kappa {beyond(one.kappa)}"]
    if one.passed_of_passing:
        parts.append(f"of what people pass, it passed {of(one.passed_of_passing)}")
    if one.failed_of_failing:
        parts.append(f"of what people fail, it failed {of(one.failed_of_failing)}")
    return f"{who} against people on the random audit: {'; '.join(parts)}."
