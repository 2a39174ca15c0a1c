"""Which judge may decide on which candidate, known from the plan alone: before anybody is asked or paid.

Not here: asking a judge (`panel`), and what a lineage is (`models.lineage`).
"""

import shlex
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from openassay.models.lineage import lineage_of, same_lineage
from openassay.runs.folder import RunFolder
from openassay.schema.judging import JudgePolicy
from openassay.schema.models import PlannedModel

ALLOW = "`different_lineage = false` under [judge] in benchmark.toml"


class Blocked(NamedTuple):
    """A candidate on which no judge of the run may decide."""

    candidate: str
    judges: tuple[str, ...]
    """Of unknown lineage."""
    unknown: bool
    """The candidate's own lineage is."""


def may_decide(judge: PlannedModel, candidate: PlannedModel, policy: JudgePolicy) -> bool:
    """A judge of the candidate's own lineage, or where either is unknown, does not decide alone."""
    return not policy.different_lineage or not same_lineage(judge, candidate)


def blocked(
    judges: Sequence[PlannedModel], candidates: Iterable[PlannedModel], policy: JudgePolicy
) -> tuple[Blocked, ...]:
    """Every candidate on which none of these judges may decide; empty where there is no judge at all."""
    strangers = tuple(one.name for one in judges if not lineage_of(one))
    return tuple(
        Blocked(one.name, strangers, not lineage_of(one))
        for one in candidates
        if judges and not any(may_decide(judge, one, policy) for judge in judges)
    )


def blocked_in(folder: RunFolder) -> tuple[Blocked, ...]:
    """Those of a run as last scored; empty where no check is judged."""
    judged = any(check.by == "judge" for task in folder.tasks.values() for check in task.checks)
    return blocked(folder.judges, folder.plan.models, folder.judge_policy) if judged else ()


def remark(found: Sequence[Blocked]) -> str:
    """What will not be measured, and why; one sentence."""
    names = ", ".join(one.candidate for one in found)
    unknown = _unknown(found)
    why = (
        f"the lineage of {' and '.join(unknown)} is unknown, and unknown counts as shared"
        if unknown
        else "every judge shares its lineage"
    )
    return f"no judge of this run may decide on {names}: {why}, so judged checks stay unmeasured"


def remedy(found: Sequence[Blocked]) -> str:
    """What to do about it before the run."""
    unknown = _unknown(found)
    first = _state_lineage(unknown) if unknown else "name a judge of another family with --judge"
    return f"{first}; or write {ALLOW}"


def remedy_after(found: Sequence[Blocked], run: str, bench: str) -> str:
    """What to do about it where the answers are there: a plan is frozen, so a candidate's lineage is too.

    Args:
        found: on whom no judge may decide.
        run: the run folder.
        bench: the benchmark's folder.
    """
    score = f"openassay score {shlex.quote(run)}"
    unknown = _unknown(found)
    if any(one.unknown for one in found):
        stated = _state_lineage(unknown)
        return f"write {ALLOW}, then `{score} --bench {shlex.quote(bench)}`; or {stated} and begin a new run"
    if unknown:
        return f"{_state_lineage(unknown)}, then `{score} --judge {unknown[0]}`"
    return f"`{score} --judge NAME` with a judge of another family"


def _unknown(found: Sequence[Blocked]) -> list[str]:
    names = [name for one in found for name in (*one.judges, *([one.candidate] if one.unknown else []))]
    return list(dict.fromkeys(names))


def _state_lineage(names: Sequence[str]) -> str:
    places = " and to ".join(f"[models.{name}]" for name in names)
    return f'add `lineage = ["family"]` to {places} in models.toml'
