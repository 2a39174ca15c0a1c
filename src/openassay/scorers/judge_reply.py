"""How a judge's reply is read. It fails closed: what is not exactly one complete verdict object decides nothing.

A reply that misses a canary item or the nonce decides nothing either: that judge passes whatever it is shown, obeyed
the output, or answered for another one. Not here: which judge's verdict counts (`panel`).
"""

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from openassay.schema.attempt import Verdict
from openassay.schema.evidence import JudgeItem, JudgeRequest
from openassay.schema.message import Finish
from openassay.schema.record import MILLION, Json
from openassay.schema.task import Check, Task
from openassay.scorers import unsupported
from openassay.scorers.finding import shown
from openassay.scorers.fold import key, without_reasoning
from openassay.scorers.judge import rubric_options
from openassay.scorers.judge_prompt import labelled
from openassay.scorers.quoting import quotes_output
from openassay.scorers.strict_json import JsonError, parse

REASON_CHARS = 500
UNQUOTED = "the reason quotes nothing of the output"

_FENCED = re.compile(r"\A```(?:json)?[ \t]*\n(.*)\n```\Z", re.DOTALL)


class Judgement(NamedTuple):
    """One criterion as judged."""

    passed: bool
    reason: str


class Reading(NamedTuple):
    """What one reply comes to."""

    request: JudgeRequest
    control: Literal["met", "missed", "unread"]
    """Of the canary items and the nonce."""
    judged: dict[str, Judgement]
    """Item id -> judgement, canaries left out; empty unless the control is met."""
    fault: str = ""
    """Why it decides nothing, in words."""


def read(request: JudgeRequest, reply: str, finish: Finish | None) -> Reading:
    """A reply to a posed request.

    Args:
        request: as posed.
        reply: the judge's text, as received.
        finish: why the judge stopped.
    """
    found = _verdicts(request, reply, finish)
    if isinstance(found, str):
        return Reading(request, "unread", {}, found)
    nonce, judged = found
    missed = _missed(request, nonce, judged)
    if missed:
        return Reading(request, "missed", {}, missed)
    real = {item.id: judged[item.id] for item in request.items if item.truth is None}
    return Reading(request, "met", real)


def said(request: JudgeRequest, reply: str, finish: Finish | None) -> dict[str, bool]:
    """Item id, canaries too -> whether the reply passes it, whatever controls it missed; empty where it is unreadable.

    Decides nothing: it is how an always-passing judge is seen to be one.
    """
    found = _verdicts(request, reply, finish)
    return {} if isinstance(found, str) else {name: one.passed for name, one in found[1].items()}


def _missed(request: JudgeRequest, nonce: str, judged: dict[str, Judgement]) -> str:
    """Which control the reply missed, in words; empty where it met all."""
    if nonce != request.nonce:
        return f"it did not repeat the nonce: expected {request.nonce}, found {shown(nonce)}"
    for item in request.items:
        if item.truth is not None and judged[item.id].passed != item.truth:
            said, surely = ("failed", "true") if item.truth else ("passed", "false")
            return f"it {said} a canary item that is surely {surely}"
    return ""


def verdicts(
    request: JudgeRequest, task: Task, readings: Sequence[Reading], who: str, order: int
) -> tuple[Verdict, ...]:
    """One verdict for every check that the request is about, from one pass's readings.

    Args:
        request: before it was posed.
        task: whose checks are judged.
        readings: of one pass; in the mode `item` one an item.
        who: the judge's name and the prompt's digest.
        order: number of the pass.
    """
    asked = {item.check for item in request.items}
    return tuple(
        _of_check(request, check, readings, who).model_copy(update={"order": order})
        for check in task.checks
        if check.id in asked
    )


def _of_check(request: JudgeRequest, check: Check, readings: Sequence[Reading], who: str) -> Verdict:
    """One check's verdict from the judgements on its criteria; the judge's own sums are not used."""
    items = [item for item in request.items if item.check == check.id]
    heard = [one for one in readings if any(item.check == check.id for item in one.request.items)]
    worst = next((one for state in ("unread", "missed") for one in heard if one.control == state), None)
    if worst is not None or not heard:
        why = worst.fault if worst else "the judge was not asked about it"
        verdict = _verdict(request, check, who, "unmeasurable", f"the judge gave no usable verdict: {why}")
        return verdict.model_copy(update={"control": worst.control if worst else ""})
    judged = {name: one for reading in heard for name, one in reading.judged.items()}
    quotable = _quotable(request, check)
    quoted = any(quotes_output(judged[item.id].reason, quotable) for item in items)
    flags = (*request.notes, *(() if quoted else (UNQUOTED,)))
    return _measured(request, check, items, judged, who).model_copy(update={"control": "met", "flags": flags})


def _quotable(request: JudgeRequest, check: Check) -> str:
    if check.uses != unsupported.NAME:
        return request.output
    return "\n".join([request.output, *(material.text for material in request.materials)])


def _measured(
    request: JudgeRequest, check: Check, items: list[JudgeItem], judged: dict[str, Judgement], who: str
) -> Verdict:
    if check.uses == unsupported.NAME:
        passes = {item.id: judged[item.id].passed for item in items}
        reasons = {item.id: judged[item.id].reason for item in items}
        found = unsupported.finding(check, request.output, passes, reasons, whole=not request.left_out)
        return _verdict(request, check, who, found.result, found.reason).model_copy(update={"value": found.value})
    if len(items) == 1:
        passed, reason = judged[items[0].id]
        return _verdict(request, check, who, "pass" if passed else "fail", reason)
    share = Fraction(sum(item.weight for item in items if judged[item.id].passed), sum(item.weight for item in items))
    enough = share >= Fraction(str(rubric_options(check).min_share))
    words = [
        f"{number} {'pass' if judged[item.id].passed else 'fail'}: {judged[item.id].reason}"
        for number, item in enumerate(items, 1)
    ]
    verdict = _verdict(request, check, who, "pass" if enough else "fail", "; ".join(words))
    return verdict.model_copy(update={"value": round(share * MILLION)})


def _verdict(request: JudgeRequest, check: Check, who: str, result: Any, reason: str) -> Verdict:
    return Verdict(check=check.id, result=result, reason=reason, by="judge", who=who, evidence=request.evidence)


def _verdicts(request: JudgeRequest, reply: str, finish: Finish | None) -> tuple[str, dict[str, Judgement]] | str:
    """Nonce, and item id -> judgement; or why the reply is not a verdict."""
    if finish in (Finish.LENGTH, Finish.CONTENT_FILTER, Finish.REFUSAL):
        return {"length": "the reply was cut off", "refusal": "it refused"}.get(finish.value, "the reply was filtered")
    try:
        found = parse(_bare(reply))
    except JsonError:
        return f"expected one JSON object and nothing around it, found {shown(reply)}"
    if not isinstance(found, dict):
        return f"expected a JSON object, found {type(found).__name__}"
    fault = _form_fault(request, found)
    if fault:
        return fault
    judged = _by_item(request, found["items"])
    if isinstance(judged, str):
        return judged
    return _sum_fault(found, judged) or (str(found["nonce"]), judged)


def _bare(reply: str) -> str:
    """The reply without a reasoning block that opens it, and without one code fence around all of it.

    The block ends at its first closing tag: a candidate's text quoted in a verdict must not move that end.
    """
    text = reply.strip()
    if text.startswith("<think>"):
        _, closed, rest = text.partition("</think>")
        text = rest.strip() if closed else without_reasoning(text)
    fenced = _FENCED.match(text)
    return fenced[1] if fenced else text


_FIELDS = {"task_id", "nonce", "items", "score", "total"}
_ITEM_FIELDS = {"check", "pass", "reason"}


def _form_fault(request: JudgeRequest, found: dict[str, Json]) -> str:
    if set(found) != _FIELDS:
        expected = "task_id, nonce, items, score, total"
        return f"expected the fields {expected}, found {shown(', '.join(sorted(found)) or 'none')}"
    if found["task_id"] != request.task:
        return f"expected task_id {shown(request.task)}, found {shown(found['task_id'])}"
    if not isinstance(found["nonce"], str):
        return f"expected a nonce as text, found {type(found['nonce']).__name__}"
    if not isinstance(found["items"], list):
        return "expected a list of items"
    whole = [found[name] for name in ("score", "total")]
    if not all(isinstance(number, int | float) and not isinstance(number, bool) for number in whole):
        return "expected numbers as score and total"
    return ""


def _by_item(request: JudgeRequest, items: Any) -> dict[str, Judgement] | str:
    names = labelled(request)
    texts = {key(item.text): item.id for item in request.items}
    judged: dict[str, Judgement] = {}
    for item in items:
        fault = _item_fault(item)
        if fault:
            return fault
        name = names.get(item["check"]) or texts.get(key(item["check"]))
        if name is None or name in judged:
            return f"{'a second item' if name else 'an item that was not asked'}: {shown(item['check'])}"
        judged[name] = Judgement(item["pass"], " ".join(item["reason"].split())[:REASON_CHARS])
    missing = [label for label, name in names.items() if name not in judged]
    return f"no item for {', '.join(missing)}" if missing else judged


def _item_fault(item: Any) -> str:
    if not isinstance(item, dict) or set(item) != _ITEM_FIELDS:
        return "expected items with check, pass and reason, and nothing else"
    if not isinstance(item["pass"], bool):
        return f"expected true or false as pass, found {shown(repr(item['pass']))}"
    if not isinstance(item["check"], str) or not isinstance(item["reason"], str) or not item["reason"].strip():
        return "expected a reason in words for each item"
    return ""


def _sum_fault(found: dict[str, Any], judged: dict[str, Judgement]) -> str:
    passed = sum(one.passed for one in judged.values())
    if found["total"] != len(judged) or found["score"] != passed:
        says = shown(f"{found['score']} of {found['total']}")
        return f"its items say {passed} of {len(judged)}, its own sum says {says}"
    return ""
