"""Which results of a run are recorded as metrics of Every Eval Ever, and the row of each answer behind one.

Not here: the record of a model (`eee_record`).
"""

import json
from collections.abc import Iterator
from typing import Literal, NamedTuple

from openassay.reports.contract import Interval, Result, Summary
from openassay.reports.eee_identity import VERSION, Identity
from openassay.reports.export_rows import Source
from openassay.reports.tally import Reading, ScoredCell, read
from openassay.schema.attempt import Outcome
from openassay.schema.canonical import sha256_hex, thaw
from openassay.schema.message import whole
from openassay.schema.record import MILLION
from openassay.schema.task import Task


class Metric(NamedTuple):
    """One figure of one model in one category."""

    kind: Literal["pass_rate", "score"]
    value: float
    interval: Interval | None
    result: Result

    @property
    def id(self) -> str:
        return f"{self.result.run}/{self.result.category}/{self.kind}"


def metrics(summary: Summary) -> dict[str, tuple[Metric, ...]]:
    """Model -> its figures where everything planned is scored; the score only where it says something of its own."""
    found: dict[str, list[Metric]] = {}
    for result in summary.results:
        if result.pass_rate is not None:
            found.setdefault(result.model, []).append(Metric("pass_rate", result.pass_rate, result.interval, result))
        if result.score is not None and result.score != result.pass_rate:
            found.setdefault(result.model, []).append(Metric("score", result.score, result.score_interval, result))
    return {model: tuple(ones) for model, ones in found.items()}


def rows_of(source: Source, cell: ScoredCell, known: tuple[Metric, ...], who: Identity) -> Iterator[dict[str, object]]:
    """One row for each metric that the cell counts in."""
    task = source.task(cell)
    hard = any(check.hard for check in task.checks)
    reading = read(cell.attempt, cell.scoring, hard=hard)
    for metric in known:
        if metric.result.category != task.category or (metric.kind == "pass_rate" and not hard):
            continue
        value = float(bool(reading.passed)) if metric.kind == "pass_rate" else _share(reading)
        if reading.scored and value is not None:
            yield _row(source, cell, reading, metric, value) | {"model_id": who.model_id, "evaluation_id": who.id}


def _share(reading: Reading) -> float | None:
    return None if reading.counted is None else reading.counted / MILLION


def _row(source: Source, cell: ScoredCell, reading: Reading, metric: Metric, value: float) -> dict[str, object]:
    attempt, task = cell.attempt, source.task(cell)
    usage = attempt.usage
    row: dict[str, object] = {
        "metadata": _metadata(source, cell, reading, metric),
        "schema_version": VERSION,
        "evaluation_name": f"{source.facts.plan.benchmark}.{task.category}",
        "evaluation_result_id": metric.id,
        "sample_id": task.id,
        "interaction_type": "single_turn",
        **_said(source, cell, task),
        "evaluation": {"score": value, "is_correct": _correct(reading), "num_turns": 1},
    }
    if usage.tokens_in is not None and usage.tokens_out is not None:
        row["token_usage"] = {
            "input_tokens": usage.tokens_in,
            "output_tokens": usage.tokens_out,
            "total_tokens": usage.tokens_in + usage.tokens_out,
            "input_tokens_cache_read": usage.tokens_cached,
            "reasoning_tokens": usage.tokens_reasoning,
        }
    if attempt.took_ms > 0:
        row["performance"] = {"latency_ms": attempt.took_ms}
    if reading.outcome != Outcome.ANSWERED:
        row["error"] = reading.outcome.value
    return row


def _correct(reading: Reading) -> bool:
    """Where no hard check decides, only what meets every check in full is called correct."""
    return reading.counted == MILLION if reading.passed is None else reading.passed


def _metadata(source: Source, cell: ScoredCell, reading: Reading, metric: Metric) -> dict[str, str]:
    attempt, task = cell.attempt, source.task(cell)
    told = {
        "run": source.facts.id,
        "metric": metric.kind,
        "category": task.category,
        "track": source.tracks[task.category],
        "draw": str(attempt.draw + 1),
        "attempt": str(attempt.attempt + 1),
        "mark": reading.mark,
        "passed": "" if reading.passed is None else str(reading.passed).lower(),
        "group": task.group,
        "task_identity": task.identity if source.told.items else "",
        "cost_usd": "" if attempt.imported and not attempt.cost else f"{attempt.cost / MILLION:.6f}",
        "tries": str(attempt.tries),
        "imported": "true" if attempt.imported else "",
    }
    return {f"openassay.{name}": value for name, value in told.items() if value}


def _said(source: Source, cell: ScoredCell, task: Task) -> dict[str, object]:
    """Texts where they may be told; else nothing, not even a digest, by which a guess could be confirmed."""
    if not source.told.texts or source.folder.plan.imported is not None:
        return {"input": {"raw": "", "reference": []}, "output": {"raw": []}, "answer_attribution": []}
    raw, answer = whole(source.prompt_of(task.id)), whole(source.texts.answer(cell.attempt))
    reference = [_written(thaw(one.reference)) for one in task.checks if one.reference is not None]
    verdicts = cell.scoring.verdicts if cell.scoring else ()
    return {
        "sample_hash": sha256_hex((raw + "".join(reference)).encode()),
        "input": {"raw": raw, "reference": reference},
        "output": {"raw": [answer]},
        "answer_attribution": [
            {
                "turn_idx": 0,
                "source": "output.raw",
                "extracted_value": whole(one.took),
                "extraction_method": one.who or one.by,
                "is_terminal": True,
            }
            for one in verdicts
            if one.decides and one.took
        ],
    }


def _written(value: object) -> str:
    return whole(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
