"""From what the judges said about one check to exactly one deciding verdict. Pure; the rules stand in `benchmark.toml`.

    primary's passes agree, nothing disputes them      -> its first pass decides
    disputed, rule `second`                            -> the next judge that may decide and whose passes agree
    disputed, rule `people`, or nobody left            -> unmeasurable; goes to people
    contradicts a script on the same fact, `script`    -> the script's result, for the judged check too
    drawn for an audit, or challenged                  -> the verdict stands and is marked, until people decide

Every other verdict is kept beside. Not here: asking (`runs.panel`), people (`runs.reviews`).
"""

from collections.abc import Sequence
from typing import NamedTuple

from openassay.schema.attempt import Verdict
from openassay.schema.judging import Cause, DisputeRules
from openassay.schema.task import Check

_STANDS: frozenset[Cause] = frozenset({"audit", "challenge"})
"""Causes that leave the verdict in force until somebody else has decided."""
_SAID = {"met": "", "missed": "canary", "unread": "reply"}


class View(NamedTuple):
    """What one judge said about one check."""

    passes: tuple[Verdict, ...]
    may_decide: bool
    """False where it is of the candidate's lineage, or a lineage is unknown."""
    why_not: str = ""
    """In words, where it may not."""


class Case(NamedTuple):
    """One check with all that bears on who decides it."""

    check: Check
    views: tuple[View, ...]
    """Of the judges asked so far, the primary one first; never empty."""
    rules: DisputeRules
    script: Verdict | None = None
    """Deciding verdict of the script check on the same fact."""
    marks: tuple[Cause, ...] = ()
    """`audit`, `challenge`."""


def settled(view: View) -> bool:
    """Whether its passes are all measured and say the same."""
    first = view.passes[0]
    return first.result != "unmeasurable" and all(
        (one.result, one.value) == (first.result, first.value) for one in view.passes
    )


def causes(case: Case) -> tuple[Cause, ...]:
    """Why the primary judge's verdict is disputed; empty where it is not."""
    primary = case.views[0]
    found: list[Cause] = []
    if not primary.may_decide:
        found.append("lineage")
    if any(one.control == "missed" for one in primary.passes):
        found.append("canary")
    if any(one.result == "unmeasurable" and one.control != "missed" for one in primary.passes):
        found.append("reply")
    if not settled(primary) and all(one.result != "unmeasurable" for one in primary.passes):
        found.append("order")
    if _contradicts(primary, case.script):
        found.append("contradiction")
    return (*found, *case.marks)


def _contradicts(view: View, script: Verdict | None) -> bool:
    if script is None or script.result == "unmeasurable" or not settled(view):
        return False
    return view.passes[0].result != script.result


def asks_on(case: Case) -> bool:
    """Whether another judge is to be asked about this check."""
    actions = {_action(case.rules, cause) for cause in causes(case)}
    firm = {_action(case.rules, cause) for cause in causes(case) if cause not in _STANDS}
    if "people" in firm or "second" not in actions:
        return False
    return not any(view.may_decide and settled(view) for view in case.views[1:])


def decided(case: Case) -> tuple[Verdict, ...]:
    """All verdicts on the check, exactly one of them deciding."""
    why = causes(case)
    chosen = _chosen(case, why)
    said = [one for view in case.views for one in view.passes]
    beside = tuple(one.model_copy(update={"decides": False}) for one in said if one is not chosen)
    return (chosen.model_copy(update={"decides": True, "disputes": why}), *beside)


def _chosen(case: Case, why: tuple[Cause, ...]) -> Verdict:
    firm = [cause for cause in why if cause not in _STANDS]
    actions = {_action(case.rules, cause) for cause in firm}
    if not firm:
        return case.views[0].passes[0]
    if "people" in actions:
        return _nobody(case, firm, "people decide")
    if "second" in actions:
        second = next((view for view in case.views[1:] if view.may_decide and settled(view)), None)
        if second is None:
            return _nobody(case, firm, _nobody_left(case))
        if _contradicts(second, case.script) and case.rules.contradiction != "second":
            return _by_script(case) if case.rules.contradiction == "script" else _nobody(case, firm, "people decide")
        return second.passes[0]
    return _by_script(case)


def _action(rules: DisputeRules, cause: Cause) -> str:
    return str(getattr(rules, cause))


def _nobody_left(case: Case) -> str:
    asked = [view for view in case.views[1:] if view.passes]
    if not asked:
        return "no second judge may decide: name one of another lineage with --judge, or let people decide"
    return "the second judge could not settle it either: people decide"


def _nobody(case: Case, firm: Sequence[Cause], todo: str) -> Verdict:
    words = "; ".join(_in_words(case, cause) for cause in firm)
    return Verdict(
        check=case.check.id,
        result="unmeasurable",
        reason=f"{words}; {todo}",
        by="judge",
        who="nobody",
        evidence=case.views[0].passes[0].evidence,
    )


def _in_words(case: Case, cause: Cause) -> str:
    primary = case.views[0]
    if cause == "lineage":
        return primary.why_not or "the judge is of the candidate's own lineage and does not decide alone"
    if cause == "order":
        return f"the judge's passes in different item order differ ({', '.join(one.result for one in primary.passes)})"
    if cause == "contradiction" and case.script is not None:
        return f"the judge says {primary.passes[0].result}, the script check {case.script.check} {case.script.result}"
    wanted = "canary" if cause == "canary" else "reply"
    return next((one.reason for one in primary.passes if _SAID.get(one.control, "reply") == wanted), cause)


def _by_script(case: Case) -> Verdict:
    script = case.script
    if script is None:  # pragma: no cover (a contradiction needs one)
        raise ValueError("expected a script verdict")
    said = case.views[0].passes[0].result
    return script.model_copy(
        update={
            "check": case.check.id,
            "reason": f"the script check {script.check} decides the fact against the judge ({said}): {script.reason}",
            "malformed": False,
        }
    )
