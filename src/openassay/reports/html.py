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

from openassay.reports import (
    elsewhere,
    judge_words,
    matrix,
    needs_words,
    outside_words,
    pair_words,
    pictures,
    plots,
    swap_words,
    terms,
    words,
)
from openassay.reports.attempts import ShownItem
from openassay.reports.contract import CategoryFacts, Item, Result, RunSummary, Summary
from openassay.reports.meaning import meaning, place, shared
from openassay.reports.tally import MARKS
from openassay.reports.visible import visible

Audience = Literal["owner", "public"]
"""Who reads the page: the run's owner, or anyone."""

MOST_SENTENCES = 6
"""Pairs of one category that are told in sentences; all stand in the table."""

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
    """Those that are listed."""
    all_items: tuple[Item, ...]


class Page(NamedTuple):
    """One run on the page."""

    run: RunSummary
    tracks: dict[str, list[Block]]
    openable: Mapping[str, ShownItem]
    notes: tuple[str, ...]
    """Why some items cannot be opened, or are not listed."""
    why_no_costs: str
    """Why cost is not set against score; empty where it is."""

    @property
    def numbers(self) -> dict[str, int]:
        """Model -> its place in the plan."""
        return {model.name: number for number, model in enumerate(self.run.models)}

    def number(self, model: str) -> int:
        return self.numbers[model]

    def title(self, category: str) -> str:
        return next(facts.title for facts in self.run.categories if facts.id == category)

    @property
    def scores_differ(self) -> bool:
        """Whether scores say anything that pass rates do not."""
        return any(r.score is not None and r.score != r.pass_rate for r in self.results)

    @property
    def beside(self) -> bool:
        """Whether the models stand side by side in rows that open."""
        return matrix.beside(len(self.run.models), sum(len(b.items) for blocks in self.tracks.values() for b in blocks))

    def map(self, block: Block) -> pictures.ItemMap | None:
        return pictures.item_map(block.all_items, [model.name for model in self.run.models], self.numbers)

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
    listed = {item.task for item in matrix.fitting(items, len(run.models))}
    for category in run.categories:
        results = tuple(r for r in summary.results_of(run.id) if r.category == category.id)
        mine = tuple(item for item in items if item.category == category.id)
        shown = tuple(item for item in mine if item.task in listed)
        tracks.setdefault(category.track, []).append(Block(category, results, shown, mine))
    why = _closed_why(run, items, opened, audience), _unlisted_why(len(listed), len(items))
    return Page(run, tracks, opened, tuple(filter(None, why)), _why_no_costs(summary, run))


def _unlisted_why(listed: int, items: int) -> str:
    if listed == items:
        return ""
    return (
        f"{listed:,} of {items:,} items are listed, those on which models differ first, so that the page stays quick; "
        "`openassay report RUN --json` lists every item."
    )


def _why_no_costs(summary: Summary, run: RunSummary) -> str:
    if len(run.models) == 1 or any(found.run == run.id for found in summary.costs):
        return ""
    return (
        "Cost is not set against score: that takes ten items with results and two models whose endpoints report their "
        "use and whose prices are known."
    )


def _closed_why(run: RunSummary, items: Sequence[Item], opened: Mapping[str, ShownItem], audience: Audience) -> str:
    if run.imported_from:
        return "Imported: the table holds scores only, so there is no prompt, answer or reason to open."
    if audience == "public" and run.visibility != "public":
        return (
            f"The items of this benchmark are {run.visibility}: prompts, references, answers and reasons are left out."
        )
    if not opened:
        return "Made without texts: prompts, references, answers, reasons and what judges wrote are left out."
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
        zip=zip,
        seconds=words.seconds,
        glued=lambda text: text.replace(" %", "\u00a0%"),
    )
    environment.globals.update(
        MARK_SIGNS=matrix.SIGNS,
        FILTERS=matrix.FILTERS,
        TERMS=terms.TERMS,
        OUTCOME_WORDS=OUTCOME_WORDS,
        BY_WORDS=judge_words.BY_WORDS,
        CAUSE_WORDS=judge_words.CAUSE_WORDS,
        CONTROL_WORDS=judge_words.CONTROL_WORDS,
        RELATION_WORDS=judge_words.RELATION_WORDS,
        told=judge_words,
        swapped=swap_words,
        needed=needs_words,
        beside_words=outside_words,
        origin=elsewhere.origin,
        checked=elsewhere.checked,
        items_by_attempts=words.items_by_attempts,
        anchor=words.anchor,
        pair_words=pair_words,
        MOST_SENTENCES=MOST_SENTENCES,
        flags=matrix.flags,
        part_of=matrix.part_of,
        matrix=matrix,
        pictures=pictures,
        plots=plots,
        meaning=meaning,
        place=place,
        shared=shared,
        pair_place=pictures.pair_place,
    )
    return environment


def _seen(value: object) -> object:
    """Every text on its way to the page: nothing invisible or reordering passes. Pieces of our own markup stay."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value
