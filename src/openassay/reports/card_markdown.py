"""A benchmark's card as Markdown, for people.

Not here: what it says (`benchmark_card`).
"""

import re
from collections.abc import Iterable, Iterator

from openassay.reports.benchmark_card import STAGES, Card, CardLine
from openassay.reports.card_facts import CardFacts
from openassay.reports.visible import visible
from openassay.reports.words import counted

SIGN = "<!-- openassay card 1 -->"
"""First line, by which an earlier card is known."""
WORDS = {
    "computed": "computed",
    "stated": "stated by the makers",
    "partly": "**known in part: please complete**",
    "answered": "answered by the makers",
    "open": "**open: please answer**",
}

_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|!~&])")


def plain(text: str) -> str:
    r"""A text on one line, without any meaning as Markdown or HTML.

    >>> plain("a <b>\n| *c*")
    'a \\<b\\> \\| \\*c\\*'
    """
    return _MARKUP.sub(r"\\\1", " ".join(visible(text).split()))


def markdown(card: Card) -> str:
    """The whole card."""
    return "\n".join([SIGN, *_head(card), *_facts(card.facts), *_criteria(card), *_limits(card), *_how(card)]) + "\n"


def _head(card: Card) -> Iterator[str]:
    facts = card.facts
    yield f"# Benchmark card: {plain(facts.title)}"
    yield ""
    yield f"{plain(facts.benchmark)} {facts.version}, sha256 `{facts.digest}`"
    yield ""
    rows = {
        "Developed by": facts.developers or "not stated",
        "Why, and for whom": facts.purpose or "not stated",
        "What it does not say": facts.scope or "not stated",
        "Licence": facts.licence or "not stated",
        "Funding": facts.funding or "not stated",
        "Conflicts of interest": facts.conflicts or "none stated",
        "Items are": facts.visibility,
        "Contact": card.contact,
        "Errors are reported at": card.feedback,
        "Lasting identifier": card.identifier,
    }
    yield from _table(("", ""), [(f"**{name}**", plain(text)) for name, text in rows.items() if text])


def _facts(facts: CardFacts) -> Iterator[str]:
    yield "## What is in it"
    yield ""
    head = ("Category", "Track", "Items", "Independent sources", "With a deciding check", "Definition")
    yield from _table(
        head,
        [
            (
                plain(one.title),
                one.track,
                _size(one.n_items, one.pool),
                str(one.sources),
                str(one.deciding),
                plain(one.definition),
            )
            for one in facts.categories
        ],
    )
    rows = {
        "Checks": f"{facts.hard_checks} hard, {facts.soft_checks} soft",
        "Scorers": _counts(facts.scorers),
        "Decided by": _counts(facts.decided_by),
        "Authors": _authors(facts),
        "Languages": _counts(facts.languages),
        "Fields": _counts(facts.fields),
        "Licences of items": _counts(facts.licences),
        "Proofs": _counts(facts.proofs) if facts.proofs else "none: the results were made elsewhere",
        "Repeated items": "" if facts.proofs is None else str(facts.duplicates),
        "Run": _run(facts),
    }
    yield from _table(("", ""), [(f"**{name}**", plain(text)) for name, text in rows.items() if text])


def _size(items: int, pool: int | None) -> str:
    return str(items) if pool is None else f"{items} (pool {pool})"


def _authors(facts: CardFacts) -> str:
    if not facts.authors:
        return "none named"
    return f"{counted(facts.authors, 'author')}, {counted(facts.affiliations, 'affiliation')}"


def _run(facts: CardFacts) -> str:
    run = facts.run
    if run is None:
        return ""
    state = "complete" if run.complete else "incomplete"
    return f"{run.run}, {run.created[:10]}, {counted(run.models, 'model')}, {state}, plan {run.plan_digest}"


def _counts(found: dict[str, int]) -> str:
    return ", ".join(f"{name} {number}" for name, number in found.items())


def _criteria(card: Card) -> Iterator[str]:
    yield "## BetterBench criteria"
    yield ""
    asked = len(card.open)
    yield f"{len(card.criteria) - asked} of {len(card.criteria)} are answered; {asked} wait for people."
    for stage, score in zip(STAGES, card.stages, strict=True):
        mean = "" if score.mean is None else f" The makers' own mean level is {score.mean:.1f} of 15."
        yield ""
        yield f"### {stage.title()}"
        yield ""
        yield f"{score.assessed} of {score.criteria} have a level.{mean}"
        yield ""
        lines = [one for one in card.criteria if one.stage == stage]
        yield from _table(("", "Question", "", "Answer"), map(_row, lines))


def _row(line: CardLine) -> tuple[str, ...]:
    said = [plain(line.answer), plain(line.known)]
    said += [f"Evidence: {plain(line.evidence)}"] if line.evidence else []
    said += [f"Level: {line.level}"] if line.level is not None else []
    return line.id, line.question, WORDS[line.status], " ".join(one for one in said if one)


def _limits(card: Card) -> Iterator[str]:
    if card.limits:
        yield "## What may not be concluded from the run"
        yield ""
        yield from (f"- {plain(one)}" for one in card.limits)
        yield ""


def _how(card: Card) -> Iterator[str]:
    if card.open:
        yield "## How to complete it"
        yield ""
        yield "Answer in `card.toml` beside `benchmark.toml`, for example:"
        yield ""
        yield from ("```toml", f"[criterion.{card.open[0]}]", 'answer = "..."', 'evidence = "https://..."')
        yield from ('level = 10    # 0, 5, 10, 15 or "n/a"', "```")


def _table(head: Iterable[str], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    names = list(head)
    yield f"| {' | '.join(names)} |"
    yield f"|{'---|' * len(names)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"
    yield ""
