"""The answer that must pass: a task's solution, or its reference written as an answer.

Used to prove a task before any model is asked. Not every reference is an answer: what a regex, a format or a rubric
wants can only be shown by a `solution`.
"""

import json
from collections.abc import Callable, Iterable
from typing import Any

from openassay.schema.canonical import thaw
from openassay.schema.task import Check, Task

MISSING = "The information is not given in the material; it cannot be answered from it."


def oracle_answer(task: Task) -> str | None:
    """An answer that must pass every hard check; None where neither solution nor reference gives one.

    None also where two checks want different answers: then only a `solution` can show one that satisfies both.
    """
    if task.solution is not None:
        return task.solution
    rendered = {answer for check in task.checks if (answer := _rendered(check)) is not None}
    return rendered.pop() if len(rendered) == 1 else None


def _rendered(check: Check) -> str | None:
    render = _RENDERERS.get(check.uses)
    answer = render(thaw(check.reference), check.options) if render else None
    if answer is None:
        return None
    prefix = check.options.get("answer_prefix")
    return f"{prefix} {answer}" if isinstance(prefix, str) and prefix else answer


def _first(reference: Any, _options: dict[str, Any]) -> str | None:
    return str(reference[0] if isinstance(reference, list) else reference)


def _number(reference: Any, options: dict[str, Any]) -> str | None:
    digits = f"{reference:f}".rstrip("0").rstrip(".") if isinstance(reference, float) else str(reference)
    if isinstance(reference, float) and float(digits) != reference:
        digits = repr(reference)
    if options.get("decimal_comma"):
        digits = digits.replace(".", ",")
    return f"{digits} {options['unit']}" if options.get("unit") else digits


def _json(reference: Any, _options: dict[str, Any]) -> str | None:
    return None if reference is None else json.dumps(reference, ensure_ascii=False)


def _codes(reference: Any, _options: dict[str, Any]) -> str | None:
    """The coding that agrees best with all coders: that of one of them, or what at least half of them gave."""
    coders = list(reference.values())
    half = {
        span: [code for code in sorted(_used(coders, span)) if 2 * sum(code in c[span] for c in coders) >= len(coders)]
        for span in coders[0]
    }
    return json.dumps(max([half, *coders], key=lambda coding: _agreement(coding, coders)), ensure_ascii=False)


def _used(coders: list[dict[str, list[str]]], span: str) -> set[str]:
    return {code for coder in coders for code in coder[span]}


def _agreement(coding: dict[str, list[str]], coders: Iterable[dict[str, list[str]]]) -> float:
    return sum(_jaccard(set(codes), set(coder[span])) for coder in coders for span, codes in coding.items())


def _jaccard(one: set[str], other: set[str]) -> float:
    return len(one & other) / len(one | other) if one | other else 1.0


def _abstention(reference: Any, options: dict[str, Any]) -> str | None:
    """Where the answer must not abstain, any answer to the question will do, and this check knows none."""
    if not reference:
        return None
    phrases = options.get("phrases") or [MISSING]
    return str(phrases[0])


_RENDERERS: dict[str, Callable[[Any, dict[str, Any]], str | None]] = {
    "exact": _first,
    "choice": _first,
    "numeric": _number,
    "json": _json,
    "records": _json,
    "labels": _json,
    "codes": _codes,
    "abstains": _abstention,
}
