"""What a run may not be, each with the rule that forbids it and what to do. Makes no call."""

from collections.abc import Sequence
from itertools import combinations
from urllib.parse import urlsplit

from openassay.models.allowed import endpoint_allowed
from openassay.models.prices import price_of
from openassay.schema.benchmark import Benchmark
from openassay.schema.consent import may_run, not_allowed
from openassay.schema.errors import PlanError, RefusedError
from openassay.schema.models import ModelSpec

PROMPT_WORDS = frozenset({"prompt", "system", "system_prompt", "messages", "instructions", "prefix", "suffix"})
"""Parameters that would change what one model reads."""


def refuse(
    benchmark: Benchmark, specs: Sequence[ModelSpec], judge_specs: Sequence[ModelSpec], budget: int | None
) -> None:
    """Raise where any rule is broken."""
    _at_least_one(specs)
    for spec in (*specs, *judge_specs):
        _no_prompt_of_its_own(spec)
        _may_see(benchmark, spec)
        if budget is not None:
            _has_price(spec)
    _runs_only_what_is_allowed(benchmark)
    for judge in judge_specs:
        _is_no_candidate(judge, specs)
    _are_told_apart(judge_specs)
    if benchmark.info.judge.required and not judge_specs:
        raise RefusedError(
            "this benchmark requires a judge, and none was named",
            where="benchmark.toml [judge] required = true",
            todo="name one with --judge NAME",
        )


def _at_least_one(specs: Sequence[ModelSpec]) -> None:
    if not specs:
        raise PlanError(
            "expected at least one model, found none",
            where="--model",
            todo="name one: --model NAME, or --model NAME=URL#MODEL",
        )


def _runs_only_what_is_allowed(benchmark: Benchmark) -> None:
    for task in benchmark.tasks:
        for check in task.checks:
            if "." in check.uses and not may_run(check.uses):
                raise not_allowed("scorer", check.uses, where=f"{task.id}, check {check.id}")


def _no_prompt_of_its_own(spec: ModelSpec) -> None:
    found = sorted(PROMPT_WORDS & set(spec.parameters))
    if found:
        raise RefusedError(
            f"the entry of {spec.name!r} has {found[0]!r}: all models of a run get the same bytes for the same task",
            where=f"[models.{spec.name}] parameters.{found[0]}",
            todo="take it out; what every model should read belongs into the task's instruction",
        )


def _may_see(benchmark: Benchmark, spec: ModelSpec) -> None:
    if why := endpoint_allowed(spec, benchmark.info):
        raise RefusedError(
            why,
            where=f"[models.{spec.name}]",
            todo="take a local model, or name the host under `endpoints` in benchmark.toml if it may see the tasks",
        )


def _has_price(spec: ModelSpec) -> None:
    if price_of(spec) is None:
        raise RefusedError(
            f"a budget was given, and the price of {spec.name!r} is not known, so the cap could not be kept",
            where=f"[models.{spec.name}]",
            todo="add price = { input = 0.10, output = 0.40 } (USD per million tokens), or leave --budget out",
        )


def _is_no_candidate(judge: ModelSpec, specs: Sequence[ModelSpec]) -> None:
    for spec in specs:
        if spec.name == judge.name or _same_model(spec, judge):
            raise RefusedError(
                f"the judge {judge.name!r} is also a candidate ({spec.name!r}): nobody judges their own answers",
                where=f"--judge {judge.name}",
                todo="take a judge that is not tested in this run, best of another lineage",
            )


def _are_told_apart(judges: Sequence[ModelSpec]) -> None:
    """A judge is known by what it is, not by name or address: its replies and what was measured are found by that."""
    for one, other in combinations(judges, 2):
        if one.endpoint != "scripted" and _identity(one) == _identity(other):
            raise RefusedError(
                f"the judges {one.name!r} and {other.name!r} are the same model, asked the same way: a second opinion "
                "of the same judge is none",
                where=f"--judge {other.name}",
                todo="take a judge of another lineage; if they are different models, give each its exact version as "
                "`model`",
            )


def _identity(spec: ModelSpec) -> tuple[object, ...]:
    return spec.endpoint, spec.model, spec.parameters, spec.file


def _same_model(a: ModelSpec, b: ModelSpec) -> bool:
    if a.endpoint == "scripted" or a.endpoint != b.endpoint or a.model != b.model:
        return False
    return urlsplit(a.base_url).netloc == urlsplit(b.base_url).netloc and a.file == b.file
