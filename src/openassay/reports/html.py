"""The report as one HTML file: opens offline from disk, asks nothing of any server, works without JavaScript.

`render` yields the page in pieces. A public report of items that are not public is made without `ShownItem`s, so that
no text of theirs can reach the page. Not here: what the numbers are (`summary`), what the words are (`limits`).
"""

import base64
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Literal, NamedTuple

import jinja2
from markupsafe import Markup

from openassay.reports import elsewhere, judge_words, pair_words, swap_words, words
from openassay.reports.attempts import ShownItem
from openassay.reports.contract import CategoryFacts, Item, Result, RunSummary, Summary
from openassay.reports.tally import MARKS
from openassay.reports.visible import visible

Audience = Literal["owner", "public"]

MOST_ROWS = 5_000
"""Items listed on one page."""

MOST_SENTENCES = 6
"""Pairs of one category that are told in sentences; all stand in the table."""

MARK_SIGNS = {
    "pass": ("✓", "passed"),
    "fail": ("✗", "failed"),
    "cut": ("…", "cut off at the limit, counts as not passed"),
    "empty": ("∅", "empty, filtered or refused, counts as not passed"),
    "malformed": ("#", "not in the form demanded, counts as not passed"),
    "timeout": ("T", "code that did not end in time, counts as not passed"),
    "quality": ("≈", "scored, no hard check decides"),
    "undecided": ("?", "waits for a judge or a person"),
    "waiting": ("·", "not scored yet"),
    "endpoint": ("!", "lost to the endpoint"),
    "scorer": ("!", "a scorer failed"),
}
OUTCOME_WORDS = {
    "answered": "answered",
    "limit_reached": "cut off",
    "no_answer": "empty",
    "format_error": "malformed",
    "timed_out": "timed out",
    "infrastructure_error": "endpoint errors",
    "scorer_error": "scorer errors",
}


class Block(NamedTuple):
    """One category with what the models did in it."""

    facts: CategoryFacts
    results: tuple[Result, ...]
    items: tuple[Item, ...]


class Page(NamedTuple):
    """One run on the page."""

    run: RunSummary
    tracks: dict[str, list[Block]]
    openable: Mapping[str, ShownItem]
    closed_why: str
    """Why some items cannot be opened; empty where all can."""

    @property
    def results(self) -> list[Result]:
        return [result for blocks in self.tracks.values() for block in blocks for result in block.results]

    @property
    def outcomes(self) -> list[str]:
        """Kinds of outcome that occurred, in the order of the table."""
        return [kind for kind in OUTCOME_WORDS if any(result.outcomes.get(kind) for result in self.results)]

    @property
    def marks(self) -> list[str]:
        seen = {
            mark
            for blocks in self.tracks.values()
            for block in blocks
            for item in block.items
            for result in item.models.values()
            for mark in result.marks
        }
        return [mark for mark in MARKS if mark in seen]


def pages(summary: Summary, opened: Mapping[str, Mapping[str, ShownItem]], audience: Audience) -> list[Page]:
    """What the page shows of each run.

    Args:
        summary: of all runs.
        opened: run id -> task -> what there is to see; left out for a reader who may not see it.
        audience: who reads it.
    """
    return [_page(summary, run, opened.get(run.id, {}), audience) for run in summary.runs]


def _page(summary: Summary, run: RunSummary, opened: Mapping[str, ShownItem], audience: Audience) -> Page:
    tracks: dict[str, list[Block]] = {}
    items = [item for item in summary.items if item.run == run.id]
    for category in run.categories:
        results = tuple(r for r in summary.results_of(run.id) if r.category == category.id)
        mine = tuple(item for item in items if item.category == category.id)[:MOST_ROWS]
        tracks.setdefault(category.track, []).append(Block(category, results, mine))
    return Page(run, tracks, opened, _closed_why(run, items, opened, audience))


def _closed_why(run: RunSummary, items: Sequence[Item], opened: Mapping[str, ShownItem], audience: Audience) -> str:
    if run.imported_from:
        return "Imported: the table holds scores only, so there is no prompt, answer or reason to open."
    if audience == "public" and run.visibility != "public":
        return (
            f"The items of this benchmark are {run.visibility}: prompts, references, answers and reasons are left out."
        )
    if len(opened) < len(items):
        return (
            f"{words.counted(len(opened), 'item')} of {len(items):,} can be opened here, so that the page stays quick. "
            "All answers stand in the run folder; `openassay report RUN --json` lists every item."
        )
    return ""


def render(summary: Summary, opened: Mapping[str, Mapping[str, ShownItem]], audience: Audience) -> Iterator[str]:
    """The page, piece by piece."""
    style, script = _asset("report.css"), _asset("report.js")
    return (
        _environment()
        .get_template("report.html")
        .generate(
            style=Markup(style),  # noqa: S704 - our own file
            script=Markup(script),  # noqa: S704 - our own file
            policy=_policy(style, script),
            summary=summary,
            pages=pages(summary, opened, audience),
            audience=audience,
        )
    )


def _policy(style: str, script: str) -> str:
    """Content security policy: nothing may be loaded, and only these two texts may style and run."""
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _asset(name: str) -> str:
    return (files("openassay.reports") / "templates" / name).read_text(encoding="utf-8")


def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("openassay.reports"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_seen,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        percent=words.percent,
        bounds=words.bounds,
        usd=words.usd,
        seconds=words.seconds,
        glued=lambda text: text.replace(" %", "\u00a0%"),
    )
    environment.globals.update(
        MARK_SIGNS=MARK_SIGNS,
        OUTCOME_WORDS=OUTCOME_WORDS,
        BY_WORDS=judge_words.BY_WORDS,
        CAUSE_WORDS=judge_words.CAUSE_WORDS,
        CONTROL_WORDS=judge_words.CONTROL_WORDS,
        RELATION_WORDS=judge_words.RELATION_WORDS,
        told=judge_words,
        swapped=swap_words,
        origin=elsewhere.origin,
        checked=elsewhere.checked,
        items_by_attempts=words.items_by_attempts,
        anchor=words.anchor,
        pair_words=pair_words,
        MOST_SENTENCES=MOST_SENTENCES,
        flags=flags,
    )
    return environment


def flags(item: Item) -> str:
    """What the filters of the page look for."""
    marks = {mark for result in item.models.values() for mark in result.marks}
    found = {
        "different": item.different,
        "failed": bool(marks & {"fail", "cut", "empty", "malformed"}),
        "cut": "cut" in marks,
        "unsure": any(result.unsure for result in item.models.values()) or "undecided" in marks,
    }
    return " ".join(name for name, holds in found.items() if holds)


def _seen(value: object) -> object:
    """Every text on its way to the page: nothing invisible or reordering passes. Pieces of our own markup stay."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value
