"""The result as tables for a terminal: one table a track, never one rate over several categories or models.

Names come from users and benchmarks, so they are shown as plain text, never as markup. Not here: what is concluded.
"""

from collections.abc import Sequence

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from openassay.reports import compared_terminal, elsewhere, judge_words, needs_terminal, swap_words, words
from openassay.reports.contract import Result, RunSummary, Summary
from openassay.reports.hanging import Hanging
from openassay.reports.html import OUTCOME_WORDS
from openassay.reports.judging_contract import Judging
from openassay.reports.swap_contract import SwapPair
from openassay.reports.visible import visible

ALWAYS = 60
"""Characters that the columns shown at any width take, with names of usual length."""
USUAL = 19
"""Characters of category and model together that are in `ALWAYS`; longer names come before further columns."""
OUTCOME = 10
OPTIONAL = {"items": 9, "passed": 12, "cost": 10, "seconds": 10, "score": 9, "its interval": 16}
"""Columns shown as far as they fit, the most needed first, and the characters each takes; items as ``10 x 3``."""
MOST_LIMITS = 6
"""Sentences on what is not shown; the HTML report and `--json` have all of them."""


def show(summary: Summary, console: Console | None = None) -> None:
    """Print the tables of every run."""
    target = console or Console()
    target.print(page(summary, target.width))


def page(summary: Summary, width: int) -> RenderableType:
    parts: list[RenderableType] = []
    for run in summary.runs:
        parts += [
            _heading(run),
            *needs_terminal.first(summary, run),
            *needs_terminal.needs(summary, run),
            *_tables(run, summary.results_of(run.id), width),
            *compared_terminal.beside(summary, run, width),
            *_swaps(summary.swaps_of(run.id)),
            *_judging(summary.judging_of(run.id)),
        ]
    parts += needs_terminal.outside(summary.outside)
    parts.append(_limits(summary.limits))
    return Group(*parts)


def _heading(run: RunSummary) -> Text:
    text = Text("\n")
    text.append(visible(run.title), style="bold")
    text.append(f"  {run.benchmark} {run.benchmark_version}, run {run.id}, plan {run.plan_digest[:12]}\n", style="dim")
    whole = run.scored == run.planned
    text.append(f"{run.scored:,} scored of {run.planned:,} planned", style="bold" if whole else "bold yellow")
    text.append("" if whole else ": no result yet", style="yellow")
    cap = "" if run.budget_usd is None else f" of {words.usd(run.budget_usd)}"
    if run.imported_from:
        text.append(f"\n{visible(elsewhere.origin(run.imported_from))}", style="yellow")
        return text
    text.append(f", spent {words.usd(run.spent_usd)}{cap}")
    return text


def _tables(run: RunSummary, results: Sequence[Result], width: int) -> list[RenderableType]:
    parts: list[RenderableType] = []
    titles = {category.id: visible(category.title) for category in run.categories}
    tracks = dict.fromkeys(result.track for result in results)
    parts += [_table(track, [r for r in results if r.track == track], titles, width) for track in tracks]
    fit = width >= ALWAYS + OUTCOME * len(_kinds(results))
    for result in results:
        told = [] if fit else [f"{result.outcomes[kind]} {OUTCOME_WORDS[kind]}" for kind in _kinds([result])]
        parts += [
            Hanging(f"{result.model}, {titles[result.category]}: {sentence}.", "  ", "yellow")
            for sentence in [*told, *result.advice]
        ]
    return parts


def _judging(judging: Judging | None) -> list[RenderableType]:
    if judging is None:
        return []
    rows = [Hanging(visible(sentence)) for sentence in judge_words.sentences(judging)]
    return [Text("\nJudges", style="bold"), *rows] if rows else []


def _swaps(pairs: Sequence[SwapPair]) -> list[RenderableType]:
    """Sentences; the figures stand in the HTML report and in `--json`."""
    rows = [
        Hanging(visible(f"{pair.model}, track {pair.track}, {swap_words.heading(pair)}: {'; '.join(pair.said)}"))
        for pair in pairs
    ]
    return [Text("\nOne attribute changed", style="bold"), *rows] if rows else []


def _kinds(results: Sequence[Result]) -> list[str]:
    """Outcomes other than an answer that occurred."""
    return [kind for kind in OUTCOME_WORDS if kind != "answered" and any(r.outcomes.get(kind) for r in results)]


def _table(track: str, results: Sequence[Result], titles: dict[str, str], width: int) -> Table:
    kinds = _kinds(results)
    if width < ALWAYS + OUTCOME * len(kinds):
        kinds = []  # told in sentences below the tables
    table = Table(box=box.SIMPLE_HEAD, title=Text(f"\ntrack {track}"), title_justify="left", pad_edge=False)
    table.add_column("category", overflow="fold", min_width=8)
    table.add_column("model", overflow="fold", min_width=6)
    more = _fitting(width - ALWAYS - OUTCOME * len(kinds) - _beyond_usual(results, titles))
    for name in ("pass rate", "95 % interval", "scored", *more):
        table.add_column(name, justify="right", no_wrap=True)
    for kind in kinds:
        table.add_column(OUTCOME_WORDS[kind], justify="right", style="yellow")
    above = ""
    for result in results:
        title = "" if result.category == above else titles[result.category]
        above = result.category
        table.add_row(Text(title), Text(result.model), *_cells(result, more), *_counts(result, kinds))
    return table


def _beyond_usual(results: Sequence[Result], titles: dict[str, str]) -> int:
    """Characters by which the longest names are longer than usual."""
    longest = max(len(titles[one.category]) for one in results) + max(len(one.model) for one in results)
    return max(0, longest - USUAL)


def _fitting(room: int) -> list[str]:
    names = []
    for name, width in OPTIONAL.items():
        room -= width
        if room < 0:
            break
        names.append(name)
    return names


def _cells(result: Result, more: Sequence[str]) -> list[Text]:
    share, interval = _share(result.score, result.score_interval)
    optional = {
        "passed": Text(f"{result.passed:,} of {result.passable:,}" if result.passable else ""),
        "items": Text(words.items_by_attempts(result.n_items, result.attempts_per_item, result.n_attempts)),
        "cost": Text(words.usd(result.cost_usd)),
        "seconds": Text(words.seconds(result.seconds)),
        "score": share,
        "its interval": interval,
    }
    return [*_rate(result), Text(f"{result.scored:,} of {result.planned:,}"), *(optional[name] for name in more)]


def _rate(result: Result) -> list[Text]:
    """The pass rate and its interval; the score where no hard check decides, and says so."""
    if result.pass_rate is None and result.score is not None:
        share, interval = _share(result.score, result.score_interval)
        return [Text("score ") + share, interval]
    if result.pass_rate is None:
        return [Text("no rate yet" if result.partial else "no hard check", style="dim"), Text()]
    share, interval = _share(result.pass_rate, result.interval)
    share.stylize("bold")
    return [share, interval]


def _share(value: float | None, interval: tuple[float, float] | None) -> list[Text]:
    if value is None:
        return [Text(), Text()]
    if interval is None:
        return [Text(words.percent(value)), Text("few sources", style="dim")]
    return [Text(words.percent(value, interval)), Text(words.bounds(interval), style="dim")]


def _counts(result: Result, kinds: Sequence[str]) -> list[Text]:
    return [Text(str(result.outcomes.get(kind) or "")) for kind in kinds]


def _limits(limits: Sequence[str]) -> RenderableType:
    rows: list[RenderableType] = [Text("\nWhat this does not show", style="bold")]
    rows += [Hanging(visible(sentence), style="dim") for sentence in limits[:MOST_LIMITS]]
    if len(limits) > MOST_LIMITS:
        rows.append(Hanging(f"and {len(limits) - MOST_LIMITS} more: see the page, or `--json`", style="dim"))
    return Group(*rows)
