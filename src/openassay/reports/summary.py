"""From counts to what may be said: the records of `report --json`.

`summarise` takes run folders; `summarise_run` takes plain values. Cells are read once. Not here: how it looks.
"""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from openassay.reports.across import Across, across, sentences, used
from openassay.reports.ballots import Ballots
from openassay.reports.columnar import tally_import
from openassay.reports.comparing import Comparison, compare
from openassay.reports.contract import CategoryFacts, ModelFacts, Result, RunSummary, Summary
from openassay.reports.costs import costs_of
from openassay.reports.first_screen import first_screens
from openassay.reports.items import items_of
from openassay.reports.judging import Listener
from openassay.reports.judging_contract import Judging
from openassay.reports.limits import across_runs, limits
from openassay.reports.pair_limits import limits_of_pairs
from openassay.reports.results import Column, Drawn, RunFacts, result
from openassay.reports.spending import spending_of
from openassay.reports.swap_contract import SwapPair
from openassay.reports.swaps import SwapListener
from openassay.reports.tally import ScoredCell, Tally, tally
from openassay.reports.unnamed import unnamed
from openassay.runs import cells as stored
from openassay.runs.books import kept_draw
from openassay.runs.eligibility import blocked_in, remedy_after
from openassay.runs.folder import RunFolder
from openassay.runs.judge_calls import judge_calls
from openassay.runs.reviews import read_reviews
from openassay.runs.token_limit import token_limit
from openassay.schema.benchmark import Category
from openassay.schema.canonical import thaw
from openassay.schema.models import PlannedModel
from openassay.schema.record import MILLION, Json


def summarise(
    folders: Sequence[RunFolder], *, margin: float | None = None, unnamed_runs: Container[str] = ()
) -> Summary:
    """What these runs say, beside each other.

    Args:
        folders: of the runs.
        margin: see `summarise_run`.
        unnamed_runs: ids of runs whose items' authors, sources and groups are not named.
    """
    found = across([used(folder) for folder in folders])
    return combine([_summarised(folder, margin, hide=folder.id in unnamed_runs) for folder in folders], found)


def _summarised(folder: RunFolder, margin: float | None, *, hide: bool) -> Summary:
    known = unnamed(facts(folder)) if hide else facts(folder)
    if folder.plan.imported is None:
        return summarise_run(known, stored.read_cells(folder), margin=margin)
    return _concluded(known, Heard(tally_import(folder)), margin)


def facts(folder: RunFolder) -> RunFacts:
    return RunFacts(
        id=folder.id,
        plan_file=folder.plan_file,
        draw=kept_draw(folder),
        stopped=folder.stopped,
        info=folder.info,
        tasks=folder.tasks,
        spent=stored.totals(folder).spent_micro_usd,
        rejudged=folder.passes[-1].judges if folder.passes else None,
        standings=folder.passes[-1].standings if folder.passes else folder.plan.standings,
        judges_before=tuple(one.name for one in _judges_before(folder)),
        judge_calls=judge_calls(folder),
        reviews=read_reviews(folder),
        judge_policy=folder.judge_policy,
        answer_of=partial(stored.answer_text, folder),
        judge_todo={
            one.candidate: remedy_after([one], str(folder.path), folder.plan_file.benchmark_path)
            for one in blocked_in(folder)
        },
    )


def _judges_before(folder: RunFolder) -> tuple[PlannedModel, ...]:
    """Judges of the scoring before the last one; none where there was only one."""
    if not folder.passes:
        return ()
    return folder.passes[-2].judges if len(folder.passes) > 1 else folder.plan.judges


def summarise_run(facts: RunFacts, cells: Iterable[ScoredCell], *, margin: float | None = None) -> Summary:
    """What one run says, and does not say.

    Args:
        facts: all of the run but its cells.
        cells: each finished cell once, in any order.
        margin: differences between models up to this share were declared to make no difference.
    """
    return _concluded(facts, _heard(facts, cells), margin)


class Heard(NamedTuple):
    """What was kept of the cells of one run."""

    counts: Tally
    ballots: Ballots | None = None
    judging: Judging | None = None
    swaps: tuple[SwapPair, ...] = ()


def _heard(facts: RunFacts, cells: Iterable[ScoredCell]) -> Heard:
    """Everything in one reading."""
    listener, swaps = Listener(facts), SwapListener(facts)
    ballots = None if facts.plan.imported else Ballots(facts.tasks)
    heard = swaps.listen(listener.listen(cells))
    counts = tally(ballots.listen(heard) if ballots else heard, facts.tasks, facts.plan.attempts, _limit_of(facts))
    return Heard(counts, ballots, listener.found(), swaps.found(_planned_times(facts)))


def _concluded(facts: RunFacts, heard: Heard, margin: float | None) -> Summary:
    columns = columns_of(facts, heard.counts)
    results = tuple(map(result, columns))
    found = compare(facts, columns, results, items_of(columns), heard.ballots, margin)
    run, judging = _run_summary(facts, results, heard.counts), heard.judging
    summary = Summary(
        runs=(run,),
        results=found.results,
        items=found.items,
        judging=(judging,) if judging else (),
        **found.comparison._asdict(),
        costs=costs_of(columns, found.results, facts.plan.seed),
        swaps=heard.swaps,
        spending=spending_of(columns),
        limits=(),
    )
    beside = limits_of_pairs(run, summary, facts.tasks.values())
    said = limits(run, found.results, facts.tasks.values(), facts.judge_policy, facts.draw.notes, judging, beside)
    return summary.model_copy(update={"limits": said, "first": first_screens(summary)})


def columns_of(facts: RunFacts, counts: Tally) -> list[Column]:
    """Every model in every category of the run, category by category."""
    times = _planned_times(facts)
    return [
        Column(facts, drawn, model.name, counts)
        for category in facts.info.category
        if (drawn := _drawn(facts, category, times)).tasks
        for model in facts.plan.models
    ]


def _drawn(facts: RunFacts, category: Category, times: Mapping[str, int]) -> Drawn:
    tasks = tuple(task for task in facts.tasks.values() if task.category == category.id and task.id in times)
    return Drawn(category, tasks, tuple(times[task.id] for task in tasks))


def columns_in(folder: RunFolder) -> list[Column]:
    """The same of a run folder, where nothing else is wanted of it."""
    known = facts(folder)
    if folder.plan.imported is not None:
        return columns_of(known, tally_import(folder))
    cells = stored.read_cells(folder)
    return columns_of(known, tally(cells, known.tasks, known.plan.attempts, _limit_of(known)))


def combine(summaries: Sequence[Summary], found: Sequence[Across] = ()) -> Summary:
    """Several runs beside each other, never added up; `found` says whether they may be compared."""
    runs = tuple(run for summary in summaries for run in summary.runs)
    said = [sentence for summary in summaries for sentence in summary.limits]
    return Summary(
        runs=runs,
        results=tuple(result for summary in summaries for result in summary.results),
        items=tuple(item for summary in summaries for item in summary.items),
        judging=tuple(one for summary in summaries for one in summary.judging),
        **{name: tuple(one for summary in summaries for one in getattr(summary, name)) for name in Comparison._fields},
        costs=tuple(one for summary in summaries for one in summary.costs),
        swaps=tuple(pair for summary in summaries for pair in summary.swaps),
        spending=tuple(one for summary in summaries for one in summary.spending),
        first=tuple(one for summary in summaries for one in summary.first),
        across=tuple(found),
        limits=tuple(dict.fromkeys([*across_runs(runs), *sentences(found), *said])),
    )


def _limit_of(facts: RunFacts) -> Callable[[str, str], int]:
    models = {model.name: model for model in facts.plan.models}
    return lambda model, task: token_limit(facts.plan, models[model], facts.tasks[task])


def _planned_times(facts: RunFacts) -> dict[str, int]:
    times: dict[str, int] = {}
    for drawn in facts.draw.draws:
        for task in drawn:
            times[task] = times.get(task, 0) + facts.plan.attempts
    return times


def _run_summary(facts: RunFacts, results: Sequence[Result], counts: Tally) -> RunSummary:
    plan, info = facts.plan, facts.info
    planned, finished = sum(r.planned for r in results), sum(r.finished for r in results)
    scored = sum(r.scored for r in results)
    return RunSummary(
        id=facts.id,
        plan_digest=facts.plan_file.digest,
        benchmark=plan.benchmark,
        benchmark_version=plan.benchmark_version,
        benchmark_digest=plan.benchmark_digest,
        **info.model_dump(
            include={"title", "developers", "purpose", "funding", "conflicts", "licence", "scope", "visibility"}
        ),
        categories=tuple(_category(facts, c) for c in info.category if any(r.category == c.id for r in results)),
        complete=scored == planned,
        planned=planned,
        finished=finished,
        scored=scored,
        imported=sum(group.imported for group in counts.groups.values()),
        imported_from=plan.imported,
        software=plan.software,
        created=facts.plan_file.created,
        spent_usd=facts.spent / MILLION,
        budget_usd=None if plan.budget is None else plan.budget / MILLION,
        models=tuple(ModelFacts.of(m, _thawed(m.parameters), _reported(counts, m.name)) for m in plan.models),
        judges=tuple(ModelFacts.of(m, _thawed(m.parameters)) for m in facts.judges),
        draws=plan.draws,
        attempts=plan.attempts,
        per_category=plan.per_category,
        seed=plan.seed,
        solver=plan.solver,
        template_digest=plan.template_digest,
        max_tokens=plan.max_tokens,
        tries=plan.retry.tries,
        parameters=_thawed(plan.parameters),
        analysis=plan.analysis,
        stop_alpha=str(plan.stop.alpha) if plan.stop else None,
        stopped=facts.stopped,
        disclosures=plan.disclosures,
    )


def _category(facts: RunFacts, category: Category) -> CategoryFacts:
    return CategoryFacts(**category.model_dump(), pool=facts.draw.pool.get(category.id))


def _thawed(parameters: dict[str, Json]) -> dict[str, Json]:
    return {name: thaw(value) for name, value in parameters.items()}


def _reported(counts: Tally, model: str) -> tuple[str, ...]:
    return tuple(sorted({name for (owner, _), g in counts.groups.items() if owner == model for name in g.reported}))
