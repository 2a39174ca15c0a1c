"""What a person is told before the first paid call: items by scorer, calls, price, names of persons.

Not here: the estimate (`runs.prepare`) and the finding of names (`tasks.people`).
"""

import sys
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

from openassay.cli.progress import dollars
from openassay.reports.words import counted
from openassay.schema.errors import RefusedError

if TYPE_CHECKING:
    from openassay.runs.estimate import Estimate, ModelEstimate
    from openassay.runs.folder import RunFolder
    from openassay.schema.task import Check

NAMES_SHOWN = 8
ASK_FROM = 1_000_000
"""Micro-dollars: a run that may cost more, without a cap, is asked about at a terminal."""


def rows(folder: "RunFolder", estimate: "Estimate") -> list[str]:
    """The announcement, a line each."""
    plan, draw = folder.plan, folder.draw
    items = counted(len({task for one in draw.draws for task in one}), "item")
    if plan.draws > 1:
        each = "all items" if plan.per_category is None else f"{counted(plan.per_category, 'item')} a category"
        items = f"{plan.draws} draws x {each}"
    shape = f"{items} x {counted(plan.attempts, 'attempt')} x {counted(len(plan.models), 'model')}"
    judges = _judge_calls(estimate.judge_calls, len(plan.judges))
    found = [
        f"{plan.benchmark} {plan.benchmark_version}: {shape}",
        f"scorers: {', '.join(f'{name} {n}' for name, n in scorers(folder).items())}",
        f"planned: {counted(estimate.calls, 'call')}{judges}, {_cost(estimate)}{_cap(plan.budget)}",
        *(f"note: {note}" for note in draw.notes),
    ]
    if not plan.judges and any(check.by == "judge" for check in _checks(folder)):
        found.append("note: no --judge is named, so judged checks stay unmeasured")
    return [*found, *warnings(folder)]


def warnings(folder: "RunFolder") -> list[str]:
    """What is said even where all else is quiet: what money would not buy, and names of persons."""
    return [*lineage_note(folder), *names_remark(folder)]


def lineage_note(folder: "RunFolder") -> list[str]:
    """That no judge may decide on some model, and the line that changes it."""
    from openassay.runs.eligibility import blocked_in, remark, remedy

    found = blocked_in(folder)
    return [f"note: {remark(found)}", f"  do: {remedy(found)}"] if found else []


def model_rows(folder: "RunFolder", estimate: "Estimate") -> list[str]:
    """The share of each model and of the judge, for a dry run."""
    shares = [
        f"  {name}: {counted(one.calls, 'call')}, about {one.tokens_in} tokens in, "
        f"at most {one.tokens_out_max} out, {_cost(one)}"
        for name, one in estimate.by_model.items()
    ]
    return [*shares, *_judge_rows([one.name for one in folder.plan.judges], estimate)]


def _judge_rows(names: list[str], estimate: "Estimate") -> list[str]:
    """The first judge is asked about everything; the others about what is disputed, which may be everything."""
    if not estimate.judge_calls:
        return []
    most = f"at most {counted(estimate.judge_calls, 'call')}"
    price = _price(estimate.judge_cost_max_micro_usd)
    if len(names) == 1:
        return [f"  {names[0]}, the judge: {most}, {price}"]
    return [
        f"  {names[0]}, the first judge: {most}",
        *(f"  {name}, for what is disputed: {most}" for name in names[1:]),
        f"  all judges together: {price}",
    ]


def _judge_calls(calls: int, judges: int) -> str:
    if not calls:
        return ""
    return f", {counted(calls, 'judge call')}" if judges == 1 else f", {counted(calls, 'call')} at most of each judge"


def document(folder: "RunFolder", estimate: "Estimate") -> dict[str, object]:
    """The dry run as JSON."""
    plan = folder.plan
    return {
        "benchmark": plan.benchmark,
        "benchmark_version": plan.benchmark_version,
        "benchmark_digest": plan.benchmark_digest,
        "items": len(folder.tasks),
        "scorers": scorers(folder),
        "calls": estimate.calls,
        "judge_calls": estimate.judge_calls,
        "tokens_in": estimate.tokens_in,
        "tokens_out_max": estimate.tokens_out_max,
        "cost_max_usd": _usd(estimate.cost_max_micro_usd),
        "budget_usd": _usd(plan.budget),
        "models": {
            name: {**one._asdict(), "cost_max_usd": _usd(one.cost_max_micro_usd)}
            for name, one in estimate.by_model.items()
        },
        "notes": [*folder.draw.notes, *(row.strip() for row in lineage_note(folder)), *names_remark(folder)[:1]],
    }


def _usd(micro_usd: int | None) -> float | None:
    return None if micro_usd is None else micro_usd / 1_000_000


def scorers(folder: "RunFolder") -> Counter[str]:
    """How many drawn items each scorer has a check in."""
    used = Counter(name for task in folder.tasks.values() for name in {_scorer(check) for check in task.checks})
    return Counter(dict(used.most_common()))


def _checks(folder: "RunFolder") -> "list[Check]":
    return [check for task in folder.tasks.values() for check in task.checks]


def _scorer(check: "Check") -> str:
    return check.uses or check.by


def _cost(estimate: "Estimate | ModelEstimate") -> str:
    return _price(estimate.cost_max_micro_usd)


def _price(micro_usd: int | None) -> str:
    if micro_usd is None:
        return "price unknown"
    return f"at most {dollars(micro_usd)}" if micro_usd else "no cost"


def _cap(budget: int | None) -> str:
    return "" if budget is None else f", capped at {dollars(budget)}"


def names_remark(folder: "RunFolder") -> list[str]:
    """Person names that stand in what models are about to see, apart from those the benchmark allows."""
    from openassay.tasks import people

    allowed = set(folder.info.names_allowed)
    found: dict[str, None] = {}
    for task in folder.tasks.values():
        for text in (task.instruction, *(material.text for material in task.materials)):
            found |= dict.fromkeys(name for name in people.names_in(text) if name not in allowed)
    if not found:
        return []
    more = f" and {len(found) - NAMES_SHOWN} more" if len(found) > NAMES_SHOWN else ""
    shown = ", ".join(list(found)[:NAMES_SHOWN])
    return [
        f"remark: the material may name persons: {shown}{more}",
        "  do: take them out, or list invented people under names_allowed in benchmark.toml",
    ]


def doubt(folder: "RunFolder", estimate: "Estimate") -> str:
    """Why a person might not want this run after all; empty where nothing speaks against it."""
    found = []
    if folder.plan.budget is None and (estimate.cost_max_micro_usd or 0) > ASK_FROM:
        found.append(f"This may cost money ({_cost(estimate)}).")
    if lineage_note(folder):
        found.append("Judged checks will stay unmeasured (see the note above).")
    return " ".join(found)


def ask_to_go_on(folder: "RunFolder", estimate: "Estimate", ask: Callable[[str], str] = input) -> None:
    """Ask before money is spent without a cap or for little; only where a person sits at a terminal."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()) or not (why := doubt(folder, estimate)):
        return
    print(f"{why} Go on? [y/N] ", end="", file=sys.stderr, flush=True)
    if ask("").strip().lower() not in {"y", "yes"}:
        raise RefusedError("not started, as you asked", todo="`--budget USD` sets a cap, `--yes` asks nothing")
