"""What a single result means, and a snippet that carries this wherever the number is quoted.

A number without its benchmark, version, size, interval and configuration says little, and invites more than it says.
Not here: what the run as a whole does not show (`limits`).
"""

from typing import NamedTuple

from markupsafe import Markup

from openassay.reports import words
from openassay.reports.contract import Interval, ModelFacts, Result, RunSummary
from openassay.reports.visible import visible

CAUTION = "This is a result on these items, not a general claim about the model."
WHAT = {
    "pass rate": "share of attempts that met every hard check, as a mean over items",
    "score": "weighted share of checks met, as a mean over items",
}


class Meaning(NamedTuple):
    """One result of one model in one category."""

    id: str
    """Of its place on the page, the same in every report of the run."""
    facts: tuple[tuple[str, str], ...]
    """(name, words), those that all results of the run have in common left out."""
    text: str
    """To be quoted."""
    html: str
    """The same as a piece of HTML, without script or style."""


def place(run: str, category: str, model: str) -> str:
    """Where a result is explained.

    >>> place("run-1", "sums", "alpha")
    'result--run-1--sums--alpha'
    """
    return f"result--{run}--{category}--{model}"


def meaning(run: RunSummary, result: Result) -> Meaning:
    """All that should stand beside this result."""
    category = next(one for one in run.categories if one.id == result.category)
    model = next(one for one in run.models if one.name == result.model)
    facts = _seen(
        ("What it is", _what(result)),
        ("Value", _value(result)),
        ("Out of", _size(result)),
        ("Category", f"{category.title} (track {category.track}): {category.definition}"),
        ("Model", _model(model)),
    )
    text = visible(_sentence(run, result, category.title, model))
    return Meaning(place(run.id, result.category, result.model), facts, text, _html((*facts, *shared(run))))


def shared(run: RunSummary) -> tuple[tuple[str, str], ...]:
    """What all results of a run have in common: (name, words)."""
    return _seen(
        ("Configuration", _configuration(run)),
        ("Benchmark", f"{run.title}, {run.benchmark} {run.benchmark_version}, digest {run.benchmark_digest[:12]}"),
        (
            "Made by",
            f"{run.developers}; funding: {run.funding}; conflicts of interest: {run.conflicts or 'none stated'}",
        ),
        ("Run", _run(run)),
    )


def _seen(*facts: tuple[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple((name, visible(said)) for name, said in facts)


def _what(result: Result) -> str:
    return WHAT["pass rate" if result.passable or result.pass_rate is not None else "score"]


def _value(result: Result) -> str:
    if result.pass_rate is not None:
        return _with_interval(result.pass_rate, result.interval)
    if result.score is not None:
        return _with_interval(result.score, result.score_interval)
    return f"none: {result.headline}"


def _with_interval(value: float, interval: Interval | None) -> str:
    if interval is None:
        return f"{words.percent(value)}, no interval: the items share too few sources"
    return f"{words.percent(value, interval)}, 95 % interval {words.bounds(interval)}"


def _size(result: Result) -> str:
    items, each = words.counted(result.n_items, "item"), result.attempts_per_item
    said = [
        f"{items} x {words.counted(each, 'attempt')}"
        if each
        else f"{items}, {words.counted(result.n_attempts, 'attempt')}"
    ]
    if result.passable:
        said.append(f"{result.passed:,} of {result.passable:,} attempts passed")
    if result.n_units is not None and result.n_units < result.n_items:
        said.append(f"{result.n_units:,} independent sources")
    said.append(result.headline)
    return "; ".join(said)


def _model(model: ModelFacts) -> str:
    set_to = "".join(f"; {name} {value}" for name, value in model.parameters.items())
    reported = ", ".join(model.reported)
    answered = f"; answered as {reported}" if reported and model.reported != (model.version,) else ""
    return f"{model.name}: {model.version or 'version not stated'} via {model.endpoint}{answered}{set_to}"


def _configuration(run: RunSummary) -> str:
    if run.imported_from:
        return "imported: prompts and parameters are not known here"
    set_to = "".join(f"; {name} {value}" for name, value in run.parameters.items())
    judges = f"; judged by {', '.join(judge.name for judge in run.judges)}" if run.judges else ""
    times = f"{words.counted(run.draws, 'draw')}, {words.counted(run.attempts, 'attempt')} an item"
    return f"{run.solver}, template {run.template_digest[:12]}, max_tokens {run.max_tokens}{set_to}; {times}{judges}"


def _run(run: RunSummary) -> str:
    made = "imported with" if run.imported_from else "made with"
    return f"{run.id} of {run.created[:10]}, plan {run.plan_digest[:12]}, {made} OpenAssay {run.software}"


def _sentence(run: RunSummary, result: Result, title: str, model: ModelFacts) -> str:
    """Everything in one paragraph."""
    return (
        f"{_model(model)}. {title}: {_value(result)} ({_what(result)}). Out of {_size(result)}. "
        f"Benchmark: {run.title}, {run.benchmark} {run.benchmark_version}, digest {run.benchmark_digest[:12]}, "
        f"by {run.developers}, funding: {run.funding}. Configuration: {_configuration(run)}. Run {_run(run)}. {CAUTION}"
    )


def _html(facts: tuple[tuple[str, str], ...]) -> str:
    rows = Markup("\n").join(Markup('<tr><th scope="row">{}</th><td>{}</td></tr>').format(*fact) for fact in facts)
    return str(Markup("<table>\n<caption>{}</caption>\n{}\n</table>").format(CAUTION, rows))
