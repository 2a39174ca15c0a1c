"""The gate: from verdicts to one score. Pure, in integers, and independent of the order of the verdicts.

`passed` = every hard check passes. `score` = weighted share of the measured checks, a check with a `value`
contributing that share, any other 1 or 0. A failed hard check makes the attempt count as 0 and keeps its score.
"""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

from openassay.schema.attempt import ABOUT_THE_MODEL, Outcome, Score, Verdict
from openassay.schema.canonical import freeze, thaw
from openassay.schema.errors import ScorerError
from openassay.schema.evidence import Evidence
from openassay.schema.record import MILLION
from openassay.schema.task import Check, Task
from openassay.scorers.script import evidence_digest

_ZEROED = frozenset({Outcome.NO_ANSWER, Outcome.LIMIT_REACHED, Outcome.FORMAT_ERROR})


def aggregate(checks: Sequence[Check], verdicts: Iterable[Verdict], outcome: Outcome) -> Score:
    """What the verdicts on one attempt come to.

    Args:
        checks: of the task.
        verdicts: one deciding verdict a check; a check without one is unmeasured.
        outcome: of the attempt; `answered` becomes `format_error` where a hard check found the form wrong.

    Raises:
        ScorerError: two deciding verdicts on one check, or a verdict on a check that the task does not have.
    """
    found = deciding(checks, verdicts)
    uncounted = tuple(check.id for check in checks if not check.hard and _uncounted(found.get(check.id)))
    unmeasured = tuple(check.id for check in checks if not _measured(found.get(check.id)) and check.id not in uncounted)
    if outcome not in ABOUT_THE_MODEL:
        return Score(outcome=outcome, passed=None, score=None, counted=None, unmeasured=tuple(c.id for c in checks))
    if outcome is Outcome.ANSWERED and any(check.hard and _malformed(found.get(check.id)) for check in checks):
        outcome = Outcome.FORMAT_ERROR
    if outcome in _ZEROED:
        return _zero(checks, outcome, unmeasured)
    passed = _passed([found.get(check.id) for check in checks if check.hard])
    sums = _sums(checks, found)
    score = _share(sums)
    return Score(
        outcome=outcome,
        passed=passed,
        score=score,
        counted=0 if passed is False else score,
        points=_points(sums),
        dimensions=_dimensions(checks, found, score),
        unmeasured=unmeasured,
        uncounted=uncounted,
    )


def deciding(checks: Sequence[Check], verdicts: Iterable[Verdict]) -> dict[str, Verdict]:
    """Check id -> its deciding verdict."""
    known = {check.id for check in checks}
    found: dict[str, Verdict] = {}
    for verdict in verdicts:
        if not verdict.decides:
            continue
        if verdict.check not in known or verdict.check in found:
            trouble = "a second deciding verdict" if verdict.check in found else "a verdict on an unknown check"
            raise ScorerError(f"expected one verdict a check, found {trouble}: {verdict.check!r}")
        found[verdict.check] = verdict
    return found


def failed_verdicts(checks: Sequence[Check], outcome: Outcome, detail: str, evidence: Evidence) -> tuple[Verdict, ...]:
    """A fail on every check, for an attempt that left no answer to score: empty, refused or cut off.

    Args:
        checks: of the task; judged and human checks fail too, since there is nothing to judge.
        outcome: `no_answer`, `limit_reached` or `format_error`.
        detail: the attempt's own sentence, such as ``cut off at 48 tokens``.
        evidence: what the attempt left behind.
    """
    digest = evidence_digest(evidence)
    reason = _REASONS.get(outcome, f"the attempt ended as {outcome.value}") + (f": {detail}" if detail else "")
    return tuple(
        Verdict(check=check.id, result="fail", reason=reason, who=f"outcome/{outcome.value}", evidence=digest)
        for check in checks
    )


_REASONS = {
    Outcome.NO_ANSWER: "there is no answer",
    Outcome.LIMIT_REACHED: "the answer was cut off",
    Outcome.FORMAT_ERROR: "the answer is not in the form demanded",
}


def seed_form(task: Task, verdicts: Iterable[Verdict], score: Score) -> dict[str, Any]:
    """The interchange form: ``task_id, items, score, total``, and our extra keys.

    An unmeasurable check stands in `items` with a null `pass` and once more under `unmeasured`; it is in neither
    `score` nor `total`, and neither is a check marked ``"counted": false``, whose judge does not meet the benchmark's
    bar. Numbers are whole where they are whole.
    """
    found = deciding(task.checks, verdicts)
    items = [_item(check, found.get(check.id)) for check in task.checks]
    points, total = _thawed_points(task, score)
    return {
        "task_id": task.id,
        "items": items,
        "score": points,
        "total": total,
        "passed": score.passed,
        "outcome": score.outcome.value,
        "unmeasured": [{key: item[key] for key in ("id", "check", "reason")} for item in items if item["pass"] is None],
    }


def _thawed_points(task: Task, score: Score) -> tuple[Any, Any]:
    if isinstance(score.points, list):
        return thaw(score.points[0]), thaw(score.points[1])
    return None, sum(check.weight for check in task.checks)


def _item(check: Check, verdict: Verdict | None) -> dict[str, Any]:
    passes = {"pass": True, "fail": False}
    beside = {} if verdict is None or verdict.counts else {"counted": False}
    ran = {} if verdict is None else {"ended": verdict.ended, "flags": list(verdict.flags), "sandbox": verdict.sandbox}
    return {
        **{name: told for name, told in ran.items() if told},
        **beside,
        "check": check.text or check.id,
        "pass": passes.get(verdict.result) if verdict else None,
        "reason": verdict.reason if verdict else "no verdict",
        "id": check.id,
        "hard": check.hard,
        "by": check.by,
        "dimension": check.dimension,
        "value": None if verdict is None or verdict.value is None else _number(verdict.value),
    }


def _number(millionths: int) -> int | float:
    return millionths // MILLION if millionths % MILLION == 0 else millionths / MILLION


def _measured(verdict: Verdict | None) -> bool:
    return verdict is not None and verdict.result != "unmeasurable" and verdict.counts


def _uncounted(verdict: Verdict | None) -> bool:
    return verdict is not None and verdict.result != "unmeasurable" and not verdict.counts


def _malformed(verdict: Verdict | None) -> bool:
    return verdict is not None and verdict.malformed


def _passed(hard: list[Verdict | None]) -> bool | None:
    """False once one fails; null while one is open or where there is none."""
    if any(verdict is not None and verdict.counts and verdict.result == "fail" for verdict in hard):
        return False
    return True if hard and all(_measured(verdict) for verdict in hard) else None


def _worth(verdict: Verdict) -> int:
    if verdict.value is not None:
        return verdict.value
    return MILLION if verdict.result == "pass" else 0


def _sums(checks: Iterable[Check], found: dict[str, Verdict]) -> tuple[int, int]:
    """Points in millionths, and weight, over the measured checks."""
    pairs = [(check.weight, found[check.id]) for check in checks if _measured(found.get(check.id))]
    return sum(weight * _worth(verdict) for weight, verdict in pairs), sum(weight for weight, _ in pairs)


def _share(sums: tuple[int, int]) -> int | None:
    points, weight = sums
    return (2 * points + weight) // (2 * weight) if weight else None  # rounded half up, in integers


def _points(sums: tuple[int, int]) -> Any:
    points, weight = sums
    whole, rest = divmod(points, MILLION)
    return [freeze(Decimal(points) / MILLION) if rest else whole, weight]


def _dimensions(checks: Sequence[Check], found: dict[str, Verdict], total: int | None) -> dict[str, int]:
    names = sorted({check.dimension for check in checks})
    if len(names) == 1:  # most tasks: its share is the whole
        return {} if total is None else {names[0]: total}
    shares = {name: _share(_sums([one for one in checks if one.dimension == name], found)) for name in names}
    return {name: share for name, share in shares.items() if share is not None}


def _zero(checks: Sequence[Check], outcome: Outcome, unmeasured: tuple[str, ...]) -> Score:
    return Score(
        outcome=outcome,
        passed=False,
        score=0,
        counted=0,
        points=[0, sum(check.weight for check in checks)],
        dimensions=dict.fromkeys(sorted({check.dimension for check in checks}), 0),
        unmeasured=unmeasured,
    )
