"""Several runs side by side: whether they may be compared, and what changed between them. They are never pooled.

Not here: what single runs say (`summary`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from openassay.reports.words import counted, listed
from openassay.runs.folder import RunFolder
from openassay.schema.benchmark import BenchmarkInfo
from openassay.schema.plan import Plan
from openassay.schema.record import Record
from openassay.schema.task import Task

NAMED = 5
"""Items named in one sentence."""
STATED = ("title", "developers", "purpose", "licence", "funding", "conflicts", "scope", "visibility")
CONDITIONS = {
    "max_tokens": "the limit of tokens",
    "parameters": "the parameters sent to every model",
    "attempts": "the attempts at an item",
    "draws": "the number of draws",
    "per_category": "the items drawn a category",
    "seed": "the seed of the draw",
    "retry": "the rule for retries",
    "software": "OpenAssay's version",
}


class Across(Record):
    """A run against the first one."""

    first: str
    second: str
    comparable: bool
    """The benchmark's comparability number, its digest and every prompt agree."""
    why_not: tuple[str, ...]
    changed: tuple[str, ...]
    """What changed between them, in words; conditions of the run included."""
    added: tuple[str, ...]
    """Items that only the second used."""
    removed: tuple[str, ...]
    """Items that only the first used."""
    altered: tuple[str, ...]
    """Items of both that are not the same."""
    common: int


class Used(NamedTuple):
    """What a run rests on."""

    id: str
    plan: Plan
    info: BenchmarkInfo
    tasks: Mapping[str, Task]
    prompts: Mapping[str, str]
    """Task -> digest of the messages that every model received."""


def used(folder: RunFolder) -> Used:
    prompts = {task.task: task.prompt for task in folder.draw.tasks}
    return Used(folder.id, folder.plan, folder.info, folder.tasks, prompts)


def across(runs: Sequence[Used]) -> tuple[Across, ...]:
    """Each later run against the first; none for a run alone."""
    return tuple(_against(runs[0], other) for other in runs[1:])


def _against(first: Used, second: Used) -> Across:
    common = [task for task in first.prompts if task in second.prompts]
    altered = [task for task in common if first.tasks[task].identity != second.tasks[task].identity]
    why_not = tuple(_why_not(first, second, common))
    return Across(
        first=first.id,
        second=second.id,
        comparable=not why_not,
        why_not=why_not,
        changed=(*_changed(first, second, altered), *_conditions(first.plan, second.plan)),
        added=tuple(task for task in second.prompts if task not in first.prompts),
        removed=tuple(task for task in first.prompts if task not in second.prompts),
        altered=tuple(altered),
        common=len(common),
    )


def _why_not(first: Used, second: Used, common: Iterable[str]) -> Iterator[str]:
    one, other = first.plan, second.plan
    if one.benchmark != other.benchmark:
        yield f"they used different benchmarks ({one.benchmark}, {other.benchmark})"
        return
    numbers = [plan.benchmark_version.split("-")[0] for plan in (one, other)]
    if numbers[0] != numbers[1]:
        yield f"the benchmark's comparability number went from {numbers[0]} to {numbers[1]}"
    elif one.benchmark_digest != other.benchmark_digest:
        yield "the benchmark's files changed, though its comparability number did not"
    if (one.solver, one.template_digest) != (other.solver, other.template_digest):
        yield "what models are told around a task changed"
    differ = sum(first.prompts[task] != second.prompts[task] for task in common)
    if differ:
        yield f"{counted(differ, 'item')} had another prompt"


def _changed(first: Used, second: Used, altered: Sequence[str]) -> Iterator[str]:
    added = [task for task in second.prompts if task not in first.prompts]
    removed = [task for task in first.prompts if task not in second.prompts]
    if added:
        yield f"{counted(len(added), 'item')} only in the second ({_some(added)})"
    if removed:
        yield f"{counted(len(removed), 'item')} only in the first ({_some(removed)})"
    parts: dict[str, list[str]] = {}
    for task in altered:
        for part in _parts(first.tasks[task], second.tasks[task]):
            parts.setdefault(part, []).append(task)
    for part, tasks in parts.items():
        yield f"{part} of {counted(len(tasks), 'item')} ({_some(tasks)})"
    stated = [name for name in STATED if getattr(first.info, name) != getattr(second.info, name)]
    if stated:
        yield f"what the benchmark says of itself ({listed(stated)})"


def _parts(one: Task, other: Task) -> Iterator[str]:
    """What differs between two versions of a task, in words; never its text."""
    if (one.instruction, one.materials) != (other.instruction, other.materials):
        yield "the instruction or material"
    before, after = ({check.id: check for check in task.checks} for task in (one, other))
    if before.keys() != after.keys():
        yield "the list of checks"
    if any(before[name] != after[name] for name in before.keys() & after.keys()):
        yield "a check's demand, reference, weight or options"
    if (one.files, one.limits, one.group, one.category) != (other.files, other.limits, other.group, other.category):
        yield "files, limits, group or category"


def _conditions(one: Plan, other: Plan) -> Iterator[str]:
    for field, words in CONDITIONS.items():
        if getattr(one, field) != getattr(other, field):
            yield words
    versions = {model.name: model for model in one.models}
    renewed = [model.name for model in other.models if model.name in versions and versions[model.name] != model]
    if renewed:
        yield f"version, price or parameters of {listed(renewed)}"
    if [judge.name for judge in one.judges] != [judge.name for judge in other.judges]:
        yield "the judges"


def _some(tasks: Sequence[str]) -> str:
    return ", ".join(tasks[:NAMED]) + (", ..." if len(tasks) > NAMED else "")


def sentences(found: Sequence[Across]) -> Iterator[str]:
    """Whether the runs may be compared, and what changed."""
    for one in found:
        changed = f" Changed: {'; '.join(one.changed)}." if one.changed else " Nothing else that is recorded changed."
        runs = f"Runs {one.first} and {one.second}"
        if one.comparable:
            yield f"{runs} may be compared on {counted(one.common, 'item')} of both.{changed}"
        else:
            yield f"{runs} may not be compared: {listed(list(one.why_not))}.{changed}"
