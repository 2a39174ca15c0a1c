"""What a result does not show, in sentences made from the facts of the run.

Not here: opinions. Every sentence names what it follows from.
"""

from collections.abc import Iterable, Sequence

from openassay.models.lineage import related
from openassay.reports.contract import ModelFacts, Result, RunSummary
from openassay.reports.elsewhere import limits_of_import
from openassay.reports.judge_limits import limits_of
from openassay.reports.judging_contract import Judging
from openassay.reports.words import bounds, counted, listed, percent, token_limits
from openassay.schema.attempt import Outcome
from openassay.schema.judging import JudgePolicy
from openassay.schema.task import Task

WIDE = 0.05
"""Half width of an interval that is worth a sentence."""


def limits(
    run: RunSummary,
    results: Sequence[Result],
    tasks: Iterable[Task],
    policy: JudgePolicy,
    notes: Sequence[str],
    judging: Judging | None = None,
    beside: Iterable[str] = (),
) -> tuple[str, ...]:
    """All sentences for one run, the most important first; `beside` are those on models beside each other."""
    said = [
        *_incomplete(run, results),
        *limits_of_import(run),
        *_few_items(run, results),
        *beside,
        *_stopped(run),
        *_attempts(run, results),
        *_grouped(tasks),
        *_judged(run, results),
        *limits_of(judging, sum(result.uncounted for result in results)),
        *_related(run, policy),
        *_unsafe(results),
        *_cut(results),
        *_whose(run),
        *_conditions(run),
        *notes,
    ]
    return tuple(dict.fromkeys(said))


def across_runs(runs: Sequence[RunSummary]) -> list[str]:
    """What may not be concluded from runs that stand beside each other."""
    if len(runs) == 1:
        return []
    said = ["Runs stand beside each other and are never added up: other times, endpoints and settings may differ."]
    kinds = {(run.benchmark, run.benchmark_version.split("-")[0]) for run in runs}
    if len(kinds) > 1:
        names = listed([f"{run.id} ({run.benchmark} {run.benchmark_version})" for run in runs])
        said.append(f"These runs are not comparable: they used different benchmarks or comparability numbers: {names}.")
    elif len({run.benchmark_digest for run in runs}) > 1:
        said.append("The benchmark's files changed between these runs, though its comparability number did not.")
    return said


def _incomplete(run: RunSummary, results: Sequence[Result]) -> list[str]:
    if run.scored == run.planned:
        return []
    lost = sum(result.outcomes.get(Outcome.INFRASTRUCTURE_ERROR, 0) for result in results)
    broken = sum(result.outcomes.get(Outcome.SCORER_ERROR, 0) for result in results)
    unanswered = sum(result.unanswered for result in results)
    untried = run.planned - run.finished - lost - unanswered
    counts = [
        (untried, "not in the imported table" if run.imported_from else "not made"),
        (unanswered, "waiting for your answer"),
        (lost, "lost to endpoints"),
        (broken, "without a verdict because a scorer failed"),
    ]
    gaps = [f"{number:,} {what}" for number, what in counts if number]
    if undecided := sum(result.undecided for result in results):
        gaps.append(f"{undecided:,} waiting for a judge or a person")
    why = f" ({listed(gaps)})" if gaps else ""
    return [
        (
            f"This is no result yet: {run.scored:,} scored of {run.planned:,} planned{why}. "
            "No rate is given where one attempt is missing, because what is missing is rarely missing by chance."
        )
    ]


def _few_items(run: RunSummary, results: Sequence[Result]) -> list[str]:
    said = []
    for category in run.categories:
        rated = [r for r in results if r.category == category.id and r.interval]
        widest = max(rated, key=_width, default=None)
        if widest is None or widest.interval is None or _width(widest) / 2 <= WIDE:
            continue
        said.append(
            f"“{category.title}” rests on {counted(widest.n_items, 'item')}: the {widest.passed} of {widest.passable} "
            f"passed by {widest.model} would fit a true rate anywhere from {bounds(widest.interval)}."
        )
    return said


def _width(result: Result) -> float:
    return result.interval[1] - result.interval[0] if result.interval else 0.0


def _stopped(run: RunSummary) -> list[str]:
    """A run that ends when it looks good looks too good: said of every category that did."""
    titles = {category.id: category.title for category in run.categories}
    return [
        f"“{titles.get(one.category, one.category)}” ended after {one.units} of {one.of} items, by a rule declared "
        f"before the run (at most {percent(float(run.stop_alpha or 0))} false alarms over the whole run): that the "
        "models differ is shown, and how much they differ is overestimated."
        for one in run.stopped
    ]


def _attempts(run: RunSummary, results: Sequence[Result]) -> list[str]:
    if all(result.attempts_per_item == 1 for result in results):
        return ["Each item was tried once: whether a model would do it again is not shown."]
    said = [
        (
            "Several attempts at an item show how steady a model is; they are not more items, and the "
            "intervals do not count them as such."
        )
    ]
    if any(result.attempts_per_item is None for result in results):
        said.append("Some items were drawn more often than others. In rates each item counts once.")
    if run.draws > 1:
        said.append("Draws come from one pool: their agreement says nothing about items outside it.")
    return said


def _grouped(tasks: Iterable[Task]) -> list[str]:
    groups = [task.group for task in tasks if task.group]
    if len(groups) == len(set(groups)):
        return []
    return [
        (
            f"{counted(len(groups), 'item')} share {counted(len(set(groups)), 'source')}: items of one source rise and "
            "fall together, so they count as fewer, and their intervals are wider."
        )
    ]


def _judged(run: RunSummary, results: Sequence[Result]) -> list[str]:
    said = []
    if unmeasured := sum(result.unmeasured for result in results):
        why = "no judge could decide; each item says why" if run.judges else "no judge took part"
        said.append(f"{counted(unmeasured, 'check')} could not be measured ({why}): the scores cover the rest.")
    if judged := sum(result.judged for result in results):
        names = listed([judge.name for judge in run.judges]) if run.judges else "a model"
        said.append(f"{counted(judged, 'verdict')} came from {names}, not from people.")
    return said


def _related(run: RunSummary, policy: JudgePolicy) -> list[str]:
    said = []
    for judge in run.judges:
        kin = [model.name for model in run.models if _kin(judge, model)]
        if kin:
            said.append(
                f"Judge {judge.name} may be of one lineage with {listed(kin)}: its verdicts on them may be kind."
            )
    if said and not policy.different_lineage:
        said.append(
            "Such verdicts decide here: the benchmark lifts the rule that they do not (different_lineage = false)."
        )
    return said


def _kin(judge: ModelFacts, model: ModelFacts) -> bool:
    """Of a related lineage, or from the same developer."""
    return related(judge.lineage, model.lineage) or (judge.developer == model.developer != "")


def _cut(results: Sequence[Result]) -> list[str]:
    cut = sum(result.outcomes.get(Outcome.LIMIT_REACHED, 0) for result in results)
    if not cut:
        return []
    at = token_limits([limit for result in results for limit in result.cut_at])
    return [
        (
            f"{counted(cut, 'answer')} hit the limit of {at} and count as not passed: what these "
            "models would have said with more room is not shown."
        )
    ]


def _unsafe(results: Sequence[Result]) -> list[str]:
    count = sum(result.unsafe for result in results)
    if not count:
        return []
    return [
        (
            f"{counted(count, 'verdict')} came from model-written code that ran without a sandbox (--unsafe): it could "
            "have read the tests or changed their outcome, and this machine."
        )
    ]


def _whose(run: RunSummary) -> list[str]:
    scope = run.scope or "The benchmark states no scope of its own: nothing is known beyond these very tasks."
    said = [scope]
    if run.imported_from:
        said.append("The import holds no texts: no item, answer or reason can be looked up here.")
    elif run.visibility == "public":
        said.append("The items are public: a model may have met them in training.")
    else:
        said.append(f"The items are {run.visibility}: readers outside cannot check them, only how they were used.")
    if len({category.track for category in run.categories}) > 1:
        said.append("Tracks measure different things and are never added up to one number.")
    return said


def _conditions(run: RunSummary) -> list[str]:
    if run.imported_from:
        return []  # see `elsewhere`
    said = [
        (
            f"The seed ({run.seed}) fixes which items were drawn. It does not make answers repeatable: servers answer "
            "differently from call to call. What can be repeated is the scoring of the stored answers."
        )
    ]
    if run.imported:
        said.append(
            f"{counted(run.imported, 'answer')} of {run.finished:,} came from outside (pasted or imported): how they "
            "were made, what they cost and how long they took is not known here."
        )
    settings = {tuple(sorted((name, str(value)) for name, value in model.parameters.items())) for model in run.models}
    if len(settings) > 1:
        said.append(
            "The models ran with different parameters (see “How it was run”): part of a gap may be the settings."
        )
    return said
