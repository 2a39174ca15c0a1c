"""What the card can say without a person, criterion by criterion: from counts, and from the benchmark's own words.

Not here: the counts (`card_facts`), what is left to people (`card_file`).
"""

from collections.abc import Callable
from typing import Literal, NamedTuple

from openassay.reports.card_facts import CardFacts
from openassay.reports.meaning import CAUTION
from openassay.reports.words import counted, listed, percent

Status = Literal["computed", "stated", "partly", "answered", "open"]
"""computed: counted or true of every benchmark here. stated: in `benchmark.toml`. partly: something is known, and
the question stays. answered: in `card.toml`. open: nobody has said."""

PROVEN = "the solution or reference passes, an empty answer fails, three scorings agree"
STATISTICS = (
    "95 % intervals on every rate, wider where items share sources; differences between models with intervals and "
    "corrected for their number; ranks as sets; no comparison below 10 items."
)


class Known(NamedTuple):
    status: Status
    text: str


def known(facts: CardFacts, criterion: str) -> Known:
    """What is known of a criterion before anybody is asked."""
    say = None if facts.proofs is None and criterion not in OF_IMPORTED else ANSWERS.get(criterion)
    return say(facts) if say else Known("open", "")


def _stated(*texts: str) -> Known:
    text = " ".join(one for one in texts if one)
    return Known("stated" if text else "open", text)


def _counts(found: dict[str, int]) -> str:
    return ", ".join(f"{name} {number}" for name, number in found.items())


def _defined(facts: CardFacts) -> Known:
    return _stated("; ".join(f"{one.title}: {one.definition}" for one in facts.categories))


def _use(facts: CardFacts) -> Known:
    return Known("stated" if facts.scope else "partly", " ".join(one for one in (facts.scope, CAUTION) if one))


def _measures(facts: CardFacts) -> Known:
    text = (
        "Pass rate (share of attempts that meet every hard check, as a mean over items) and score (weighted share of "
        f"checks). {facts.hard_checks} hard and {facts.soft_checks} soft checks. Why these fit is for people to say."
    )
    return Known("partly", text)


def _range(facts: CardFacts) -> Known:
    if facts.run is None or not facts.run.saturation:
        return Known("partly", "From 0 to 1. No complete run of several models says how near they are to 1.")
    said = [
        f"{one.category}: the best of {counted(len(one.models), 'model')} leaves {percent(one.headroom)}"
        + (f", saturated ({'; '.join(one.reasons)})" if one.reasons else "")
        for one in facts.run.saturation
    ]
    return Known("computed", f"From 0 to 1. {'; '.join(said)}.")


def _chance(facts: CardFacts) -> Known:
    rest, said = facts.n_items - facts.choice_items, []
    if facts.chance is not None:
        said.append(f"{counted(facts.choice_items, 'item')} to choose from: guessing reaches {percent(facts.chance)}.")
    if rest:
        said.append(f"{counted(rest, 'item')} with free answers: what guessing reaches there was not measured.")
    return Known("computed" if not rest else "partly", " ".join(said))


def _wording(facts: CardFacts) -> Known:
    if not facts.swapped:
        return Known("open", "")
    run = f"; {counted(facts.run.swaps, 'pair')} of variants compared in the run" if facts.run else ""
    return Known("partly", f"{counted(facts.swapped, 'item')} are variants with one attribute changed{run}.")


def _validated(facts: CardFacts) -> Known:
    if facts.proofs is None:
        return Known("open", "The results were made elsewhere: nothing was scored here.")
    proofs = facts.proofs
    said = [f"Of {counted(facts.n_items, 'item')} {proofs['proven']} are proven: {PROVEN}."]
    said += [f"{proofs['failed']} failed, {proofs['unproven']} cannot be proven here."]
    if facts.mutants:
        said.append(f"{facts.caught} of {facts.mutants} wrong versions of solutions are caught.")
    judged = facts.decided_by.get("judge", 0)
    said += [f"{one.judge}: {one.why}" for one in facts.standings]
    if judged and not facts.standings:
        said.append("Judges of this benchmark were not measured on a gold set.")
    done = proofs["unproven"] == 0 == proofs["failed"] and not judged
    return Known("computed" if done else "partly", " ".join(said))


def _reach(facts: CardFacts) -> Known:
    if facts.visibility == "public":
        return Known("partly", "The items are public. Where they are found is for people to say.")
    return Known("computed", f"The items are {facts.visibility}: method and results can be published, items cannot.")


def _kept_out(facts: CardFacts) -> Known:
    if facts.visibility == "public":
        return Known("partly", "The items are public: models may have met them in training.")
    return Known("computed", f"The pool is {facts.visibility}; exports and public reports hold no text of its items.")


def _published(facts: CardFacts) -> Known:
    digest = f" This run's plan: {facts.run.plan_digest}." if facts.run else ""
    return Known(
        "computed",
        "A result stands with version, number of items, interval, exact model version, parameters, software and the "
        f"digest of its plan.{digest}",
    )


def _own_code(facts: CardFacts) -> Known:
    if facts.runs_code or "own code" in facts.scorers:
        return Known("open", "")
    return Known("computed", "The benchmark has no code of its own: every check is one of OpenAssay's scorers.")


def _kinds(facts: CardFacts) -> Known:
    said = ", ".join(f"{one.title} ({one.track}): {counted(one.n_items, 'item')}" for one in facts.categories)
    return Known("stated", f"{said}. {facts.purpose}".strip())


def _limits(facts: CardFacts) -> Known:
    few = [one.title for one in facts.categories if one.n_items < 10]  # noqa: PLR2004  # as in reports: no comparison
    said = [facts.scope] if facts.scope else []
    if few:
        said.append(f"Too few items to compare models by counts: {listed(few)}.")
    if facts.duplicates:
        said.append(f"{counted(facts.duplicates, 'item')} with the words of an earlier one.")
    return Known("stated" if facts.scope else "partly" if said else "open", " ".join(said))


def _statistics(facts: CardFacts) -> Known:
    said = [STATISTICS]
    if run := facts.run:
        said.append(f"In the run: {run.analysis}; {counted(run.attempts, 'attempt')} an item, {run.draws} drawn sets.")
        if run.few_sources:
            said.append(f"{counted(run.few_sources, 'result')} without an interval: too few sources.")
    return Known("computed", " ".join(said))


def _origin(facts: CardFacts) -> Known:
    if not facts.authors and not facts.sources:
        return Known("open", "")
    text = f"{counted(facts.authors, 'author')} and {counted(facts.sources, 'source')} are named"
    return Known("partly", f"{text}; {counted(facts.unnamed_items, 'item')} name neither.")


def _labels(facts: CardFacts) -> Known:
    policy = facts.judge_policy
    said = f"Checks are decided by: {_counts(facts.decided_by)}."
    if facts.decided_by.get("judge"):
        bar = "a bar for judges is set" if policy.get("bar") else "no bar for judges is set"
        said += f" {policy.get('passes')} passes a judge, {bar}; a share of {policy.get('audit')} goes to people."
    return Known("partly", said)


def _represented(facts: CardFacts) -> Known:
    parts = {"languages": facts.languages, "fields": facts.fields}
    said = [f"{name}: {_counts(found)}" for name, found in parts.items() if found]
    if facts.authors:
        said.append(f"{counted(facts.authors, 'author')} of {counted(facts.affiliations, 'affiliation')}")
    return Known("partly" if said else "open", f"{'; '.join(said)}." if said else "")


def _identified(facts: CardFacts) -> Known:
    return Known("partly", f"{facts.benchmark} {facts.version}, sha256 {facts.digest}; no lasting identifier is known.")


def _checked(facts: CardFacts) -> Known:
    if facts.run is None:
        return Known("open", "")
    return Known("computed", f"A run with OpenAssay {facts.run.software} began on {facts.run.created[:10]}.")


def _always(text: str) -> Callable[[CardFacts], Known]:
    return lambda _facts: Known("computed", text)


ANSWERS: dict[str, Callable[[CardFacts], Known]] = {
    "D1": _defined,
    "D3": lambda facts: _stated(facts.purpose),
    "D7": _use,
    "D8": _measures,
    "D9": _range,
    "D11": _chance,
    "D12": _wording,
    "D13": _validated,
    "I1": _always(
        "OpenAssay scores the answers; its code is open, and the run folder keeps every verdict with reason."
    ),
    "I2": _always(
        "`openassay run BENCH --plan FILE` does the same again; `openassay score RUN` scores stored answers."
    ),
    "I3": _reach,
    "I4": _always("OpenAI-compatible and Anthropic endpoints, and others through any-llm."),
    "I5": _always('Local weights (`endpoint = "local"`), and any server on the same machine.'),
    "I6": _kept_out,
    "I9": _published,
    "Do1": _always("OpenAssay and what it installs; code tasks name the sandbox that they need."),
    "Do2": _always("`openassay check BENCH`, then `openassay run BENCH --model NAME`, then `openassay report RUN`."),
    "Do3": _own_code,
    "Do4": _own_code,
    "Do5": _kinds,
    "Do7": _limits,
    "Do9": _always("Every model receives the same bytes for a task; the template's digest stands in the plan."),
    "Do10": _always("Each scorer says what it takes from an answer and what it compares; see the scorers' reference."),
    "Do11": _statistics,
    "Do13": lambda facts: _stated(facts.licence),
    "Do14": _identified,
    "Do15": _always("Results as Every Eval Ever 0.3, cells as CSV and Parquet, this card as JSON."),
    "Do16": _origin,
    "Do18": _labels,
    "Do19": _represented,
    "Do20": _always("This card follows BetterBench."),
    "M1": _checked,
    "M3": lambda facts: Known("partly", f"Developed by {facts.developers}; no address is known."),
}
OF_IMPORTED = {"D1", "D9", "D13", "Do5", "Do7", "Do11", "Do14", "Do15", "Do20", "M1"}
"""What is known of results made elsewhere. The rest says how OpenAssay runs a benchmark, and it ran nothing."""
