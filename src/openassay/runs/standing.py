"""Whether a judge's verdicts count: its calibration beside the bar that `benchmark.toml` sets. Pure.

Not here: measuring a judge (`calibrate`), and what becomes of verdicts that do not count (`scorers.gate`).
"""

from collections.abc import Iterator, Sequence

from openassay.schema.judging import Calibration, JudgeBar, JudgePolicy, Standing
from openassay.schema.models import PlannedModel
from openassay.schema.record import MILLION
from openassay.scorers.judge_prompt import PROMPT_DIGEST


def standings(
    policy: JudgePolicy, judges: Sequence[PlannedModel], calibrations: Sequence[Calibration]
) -> tuple[Standing, ...] | None:
    """One a judge; None where the benchmark sets no bar."""
    if policy.bar is None:
        return None
    return tuple(_standing(policy, policy.bar, judge, calibrations) for judge in judges)


def _standing(policy: JudgePolicy, bar: JudgeBar, judge: PlannedModel, calibrations: Sequence[Calibration]) -> Standing:
    known = [one for one in calibrations if same_judge(one.judge, judge)]
    asked = (PROMPT_DIGEST, policy.mode, policy.passes)
    fitting = [one for one in known if (one.prompt, one.mode, one.passes) == asked]
    if not fitting:
        other = "only as it was asked in another way" if known else "by nobody"
        why = f"the judge {judge.name} was measured {other}: `openassay judge calibrate --judge {judge.name}`"
        return Standing(judge=judge.name, counts=False, why=why)
    found = max(fitting, key=lambda one: one.created)
    short = list(below(bar, found))
    said = f"on the gold set {found.gold_name} ({found.total.measured} of {found.total.items} items measured)"
    if short:
        why = f"the judge {judge.name} is below the benchmark's bar {said}: {'; '.join(short)}"
        return Standing(judge=judge.name, counts=False, why=why, calibration=found)
    return Standing(
        judge=judge.name, counts=True, why=f"the judge {judge.name} meets the bar {said}", calibration=found
    )


def same_judge(a: PlannedModel, b: PlannedModel) -> bool:
    """Whether two entries are the same model asked with the same parameters, whatever their names."""
    return all(getattr(a, name) == getattr(b, name) for name in ("endpoint", "model", "parameters", "weights_sha256"))


def below(bar: JudgeBar, found: Calibration) -> Iterator[str]:
    """Each figure that does not reach the bar, in words."""
    if found.total.measured < bar.items:
        yield f"{found.total.measured} measured items, wanted {bar.items}"
    reached = {
        "agreement": found.total.agreement,
        "sensitivity": found.total.sensitivity,
        "specificity": found.total.specificity,
        "kappa": found.total.kappa,
        "consistency": found.same_over_order,
        "canaries": round(found.canaries_met / found.canaries_asked * MILLION) if found.canaries_asked else None,
    }
    for name, value in reached.items():
        wanted = getattr(bar, name)
        if wanted is None:
            continue
        if value is None:
            yield f"{name} not measured, wanted {wanted}"
        elif value < wanted * MILLION:
            yield f"{name} {value / MILLION:.2f}, wanted {wanted}"
