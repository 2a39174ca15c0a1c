"""The record of one model in Every Eval Ever: its results with their intervals, and how they came about.

What the format has no field for (n, plan, sampling, cost, funding, what may not be concluded) stands in
`additional_details`, where every value is text. Not here: the rows behind it (`eee_rows`).
"""

import json
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from openassay.reports.contract import CategoryFacts, ModelFacts, RunSummary, Summary
from openassay.reports.eee_identity import VERSION, Given, Identity, model_id
from openassay.reports.eee_rows import Metric
from openassay.reports.meaning import CAUTION, WHAT
from openassay.scorers.judge_prompt import PROMPT_DIGEST

NAMES = {"pass_rate": "pass rate", "score": "score"}
ARGUMENTS = ("temperature", "top_p", "top_k")
NO_FIELD = ("n_items", "n_attempts", "n_units", "n_effective", "passed", "passable", "few_sources", "if_faulty")
COUNTS = ("outcomes", "judged", "undecided", "uncounted", "unmeasured", "unsafe", "cost_usd", "usage_unknown")
USE = ("tokens_in", "tokens_out", "tokens_reasoning", "seconds", "consistency", "pass_hat_k", "pass_hat_k_intervals")
OF_RUN = ("id", "plan_digest", "benchmark", "benchmark_version", "benchmark_digest", "purpose", "scope", "visibility")
HOW = ("funding", "conflicts", "licence", "draws", "attempts", "per_category", "seed", "complete", "planned", "scored")


class Rows(NamedTuple):
    """Of the file of rows."""

    number: int
    sha256: str


def record_of(
    summary: Summary, who: Identity, known: tuple[Metric, ...], rows: Rows, given: Given
) -> dict[str, object]:
    """The record, ready for JSON.

    Args:
        summary: of one run.
        who: the model.
        known: its results.
        rows: written beside the record.
        given: what the run does not know.
    """
    run = summary.runs[0]
    model = next(one for one in run.models if one.name == who.model)
    return {
        "eval_library": {
            "name": "openassay",
            "version": run.software or "unknown",
            "additional_details": details(run.model_dump(include={"solver", "template_digest", "tries", "analysis"})),
        },
        "schema_version": VERSION,
        "evaluation_id": who.id,
        "evaluation_timestamp": run.created,
        "retrieved_timestamp": str(given.now),
        "source_metadata": _source(summary, run, given),
        "model_info": _model(model) | {"id": who.model_id},
        "evaluation_results": [_result(run, metric, model) for metric in known],
        "detailed_evaluation_results": {
            "format": "jsonl",
            "file_path": who.samples,
            "hash_algorithm": "sha256",
            "checksum": rows.sha256,
            "total_rows": rows.number,
        },
    }


def details(values: Mapping[str, object], prefix: str = "openassay") -> dict[str, str]:
    """Values as text under a prefix; what is empty or unknown is left out.

    >>> details({"n_items": 3, "interval": (0.1, 0.9), "scope": "", "p": None})
    {'openassay.n_items': '3', 'openassay.interval': '[0.1, 0.9]'}
    """
    kept = {name: value for name, value in values.items() if value is not None and value not in ("", (), [], {})}
    return {
        f"{prefix}.{name}": value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
        for name, value in kept.items()
    }


def _source(summary: Summary, run: RunSummary, given: Given) -> dict[str, object]:
    elsewhere = run.imported_from
    told = run.model_dump(mode="json", include={*OF_RUN, *HOW, "disclosures"})
    told["relationship"] = "not stated" if given.relationship == "other" else given.relationship
    found = details(told) | _numbered("may_not_be_concluded", summary.limits) | {"openassay.caution": CAUTION}
    if elsewhere is not None:
        found |= details(elsewhere.model_dump(include={"file", "sha256", "source", "stated_by"}), "openassay.imported")
    return {
        "source_name": run.title,
        "source_type": "evaluation_run",
        "source_organization_name": (elsewhere.stated_by if elsewhere else "") or run.developers or "unknown",
        "evaluator_relationship": given.relationship,
        "additional_details": found,
    }


def _numbered(name: str, sentences: Iterable[str]) -> dict[str, str]:
    return {f"openassay.{name}.{at:02}": sentence for at, sentence in enumerate(sentences, 1)}


def _model(model: ModelFacts) -> dict[str, object]:
    local = model.endpoint == "local"
    told = model.model_dump(include={"endpoint", "version", "reported", "lineage", "parameters", "weights_sha256"})
    return {
        "name": model.name,
        "id": model_id(model),
        "developer": model.developer or "unknown",
        "additional_details": {
            "deployment_type": "self_deployed" if local else "unknown",
            "model_availability": "unknown",
            **details(told),
        },
    }


def _result(run: RunSummary, metric: Metric, model: ModelFacts) -> dict[str, object]:
    category = next(one for one in run.categories if one.id == metric.result.category)
    return {
        "evaluation_result_id": metric.id,
        "evaluation_name": f"{run.benchmark}.{category.id}",
        "source_data": {
            "dataset_name": run.title,
            "source_type": "other",
            "additional_details": details(
                run.model_dump(include={"benchmark", "benchmark_version", "benchmark_digest", "visibility", "licence"})
            ),
        },
        "metric_config": _metric(run, metric, category),
        "score_details": _score(run, metric),
        "generation_config": _generation(run, model),
    }


def _metric(run: RunSummary, metric: Metric, category: CategoryFacts) -> dict[str, object]:
    found: dict[str, object] = {
        "evaluation_description": category.definition or category.title,
        "metric_id": f"openassay.{metric.kind}",
        "metric_name": NAMES[metric.kind],
        "metric_kind": metric.kind,
        "metric_unit": "proportion",
        "lower_is_better": False,
        "score_type": "continuous",
        "min_score": 0.0,
        "max_score": 1.0,
        "additional_details": {
            "openassay.what": WHAT[NAMES[metric.kind]],
            **details(category.model_dump(include={"id", "track", "title", "pool"}), "openassay.category"),
        },
    }
    if metric.result.judged and run.judges:
        found["llm_scoring"] = {
            "judges": [{"model_info": _model(judge)} for judge in run.judges],
            "input_prompt": f"OpenAssay's own wording, the same for every judge; sha256 now: {PROMPT_DIGEST}",
            "additional_details": {"openassay.order": "the first judge is primary; further ones decide disputes"},
        }
    return found


def _score(run: RunSummary, metric: Metric) -> dict[str, object]:
    result = metric.result
    told = result.model_dump(mode="json", include={*NO_FIELD, *COUNTS, *USE, "headline", "reliability", "advice"})
    found: dict[str, object] = {"score": metric.value, "details": details(told)}
    uncertainty: dict[str, object] = {"num_samples": result.n_items}
    if metric.interval is not None:
        low, high = metric.interval
        uncertainty["confidence_interval"] = {
            "lower": low,
            "upper": high,
            "confidence_level": 0.95,
            "method": run.analysis,
        }
    return found | {"uncertainty": uncertainty}


def _generation(run: RunSummary, model: ModelFacts) -> dict[str, object]:
    sent = {**run.parameters, **model.parameters}
    numbers = {
        name: sent[name]
        for name in ARGUMENTS
        if isinstance(sent.get(name), int | float) and not isinstance(sent[name], bool)
    }
    asked = sent.get("max_tokens")
    most = asked if isinstance(asked, int) and not isinstance(asked, bool) and asked > 0 else run.max_tokens
    return {
        "generation_args": {**numbers, "max_tokens": most},
        "additional_details": details(
            {"parameters": sent, "template_digest": run.template_digest, "solver": run.solver}
        ),
    }
