"""What loads but would mislead: findings (a result would be wrong or unfair) and remarks (worth knowing).

What cannot be loaded at all is in `load`. Whether a task can be passed is proven by running its scorers on its
solution, which is not done here.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from openassay.schema.benchmark import Benchmark
from openassay.schema.errors import Fault, FaultLevel
from openassay.schema.task import Task
from openassay.tasks.leaks import leaks
from openassay.tasks.oracle import oracle_answer
from openassay.tasks.people import named_people
from openassay.tasks.references import A_LIST, looks_like_several
from openassay.tasks.scaffold import unedited

FEW = 3
"""Tasks in a category below which its result says next to nothing."""

_Z2 = 1.96**2


class _Said(NamedTuple):
    code: str
    what: str
    field: str = ""
    todo: str = ""


def lint(benchmark: Benchmark, folder: Path) -> tuple[Fault, ...]:
    """All findings, then all remarks.

    Args:
        benchmark: as loaded.
        folder: from which it was loaded; hidden files are compared with what models are shown.
    """
    findings = [_fault(benchmark, task, said, FaultLevel.FINDING) for task, said in _findings(benchmark, folder)]
    remarks = [_fault(benchmark, task, said, FaultLevel.REMARK) for task, said in _remarks(benchmark)]
    return (*findings, *remarks)


def _fault(benchmark: Benchmark, task: Task | None, said: _Said, level: FaultLevel) -> Fault:
    place = benchmark.places.get(task.id) if task else None
    return Fault(
        level=level,
        code=said.code,
        what=said.what,
        file=place.file if place else "benchmark.toml",
        line=place.line if place else None,
        field=said.field,
        todo=said.todo,
    )


def _findings(benchmark: Benchmark, folder: Path) -> Iterator[tuple[Task | None, _Said]]:
    for task in benchmark.tasks:
        place = benchmark.places.get(task.id)
        hidden = folder / place.folder / "hidden" if place and place.folder else None
        for rule in _TASK_RULES:
            yield from ((task, said) for said in rule(task))
        for field, what in leaks(task, hidden):
            todo = "what a model works on belongs into `material`; what it is measured by, into neither"
            yield task, _Said("leak", f"{task.id}: {what}", field, todo)
    yield from _near_duplicates(benchmark.tasks)
    yield from _split_groups(benchmark.tasks)
    yield from _mixed_swaps(benchmark.tasks)
    for number, category in enumerate(benchmark.info.category):
        if not any(task.category == category.id for task in benchmark.tasks):
            what = f"the category {category.id!r} has no task"
            yield None, _Said("empty-category", what, f"category.{number}", "add tasks or remove the category")


def _judged_hard(task: Task) -> Iterator[_Said]:
    for check in task.checks:
        if check.hard and check.by == "judge":
            what = f"{task.id}: the hard check {check.id!r} is left to a judge, so one judge's error fails the attempt"
            yield _Said("hard-judge", what, f"check {check.id}", "set hard = false, use a script, or by = 'human'")


def _lonely_consistent(task: Task) -> Iterator[_Said]:
    if not task.group and any(check.uses == "consistent" for check in task.checks):
        what = f"{task.id}: 'consistent' compares the answers of a group, and the task is in none"
        yield _Said("consistent-without-group", what, "group", "give the tasks that belong together the same group")


def _lonely_swap(task: Task) -> Iterator[_Said]:
    if task.swap is None and any(check.uses == "swap" for check in task.checks):
        what = f"{task.id}: the check 'swap' compares the variants of an item, and the task is none"
        yield _Said("swap-without-variants", what, "swap", "add `swap` with its variants, or use `consistent`")


def _nothing_to_support(task: Task) -> Iterator[_Said]:
    if not task.materials and any(check.uses == "unsupported" for check in task.checks):
        what = f"{task.id}: 'unsupported' holds every sentence against the material, and there is none"
        yield _Said("unsupported-without-material", what, "material", "add the material, or use another scorer")


def _unproven(task: Task) -> Iterator[_Said]:
    scripts = [check for check in task.checks if check.by == "script" and check.uses not in {"consistent", "swap"}]
    if scripts and oracle_answer(task) is None and not any(entry.path.startswith("solution/") for entry in task.files):
        what = f"{task.id}: nothing shows that its checks can be passed: no solution, and no one reference that is one"
        yield _Said("no-solution", what, "solution", "add a `solution`: an answer that passes everything hard")


def _one_for_several(task: Task) -> Iterator[_Said]:
    """Accepted as one text, alternatives fail every answer that gives one of them."""
    for check in task.checks:
        if check.uses in {"exact", "rubric"} and isinstance(check.reference, str):
            bars = check.uses == "exact" or "|" not in check.reference
            if bars and looks_like_several(check.reference):
                what = f"{task.id}: the reference of {check.id!r} looks like alternatives: write them as a JSON list"
                yield _Said("alternatives", what, f"check {check.id}", A_LIST)


_TASK_RULES: tuple[Callable[[Task], Iterator[_Said]], ...] = (
    _judged_hard,
    _lonely_consistent,
    _lonely_swap,
    _nothing_to_support,
    _unproven,
    _one_for_several,
)


def _near_duplicates(tasks: Iterable[Task]) -> Iterator[tuple[Task, _Said]]:
    """The same words in another case, spacing or punctuation."""
    seen: dict[str, Task] = {}
    for task in tasks:
        if task.files:
            continue  # an environment may make two tasks of one instruction
        words = _words("\n".join([task.instruction, *(material.text for material in task.materials)]))
        first = seen.setdefault(words, task)
        if first is not task:
            what = f"{task.id}: the same words as {first.id}, but for case, spaces and punctuation"
            yield task, _Said("near-duplicate", what, "instruction", "remove one of the two")


def _words(text: str) -> str:
    """Letters and digits, and the signs that change what a calculation means."""
    return "".join(sign for sign in text.casefold() if sign.isalnum() or sign in "+-*/<>=%^")


def _remarks(benchmark: Benchmark) -> Iterator[tuple[Task | None, _Said]]:
    yield from _few(benchmark)
    yield from _no_hard(benchmark)
    yield from _alone_in_group(benchmark.tasks)
    yield from _people(benchmark)
    yield from _origin(benchmark)
    if fields := unedited(benchmark.info):
        what = f"the words that `init` wrote still stand in {', '.join(fields)}; every report prints them"
        yield None, _Said("unedited", what, fields[0], "say what this benchmark is, and whose")
    if benchmark.info.visibility != "confidential" and benchmark.info.endpoints:
        what = "endpoints are named, but only a confidential benchmark is kept to them"
        yield (
            None,
            _Said("idle-endpoints", what, "endpoints", "set visibility = 'confidential' or remove the endpoints"),
        )
    if benchmark.info.visibility == "confidential" and not benchmark.info.endpoints:
        what = "confidential, and no endpoint is named: only local models will be asked"
        yield None, _Said("no-endpoints", what, "endpoints", "name the hosts that may see the tasks, if there are any")


def _few(benchmark: Benchmark) -> Iterator[tuple[None, _Said]]:
    for number, category in enumerate(benchmark.info.category):
        count = sum(task.category == category.id for task in benchmark.tasks)
        if 0 < count < FEW:
            low = round(100 * count / (count + _Z2))
            what = (
                f"{category.id}: {count} task{'s' if count > 1 else ''}; a model that passes all of them may still "
                f"fail up to {100 - low} of 100 such tasks"
            )
            yield None, _Said("few-tasks", what, f"category.{number}", f"write at least {FEW}, better 20")


def _no_hard(benchmark: Benchmark) -> Iterator[tuple[Task, _Said]]:
    for category in benchmark.info.category:
        soft = [
            task
            for task in benchmark.tasks
            if task.category == category.id and not any(check.hard for check in task.checks)
        ]
        if soft:
            what = (
                f"{category.id}: {len(soft)} task{'s' if len(soft) > 1 else ''} without a hard check ({_some(soft)}): "
                "they get a score, but never passed or failed"
            )
            yield soft[0], _Said("no-hard-check", what, "checks", "add a check that a script decides, where one can")


def _alone_in_group(tasks: Iterable[Task]) -> Iterator[tuple[Task, _Said]]:
    members: dict[str, list[Task]] = {}
    for task in tasks:
        members.setdefault(task.group, []).append(task)
    for group, found in members.items():
        if group and len(found) == 1:
            what = f"{found[0].id}: the only task of the group {group!r}, so there is nothing to compare"
            yield found[0], _Said("group-of-one", what, "group", "check the spelling of the group")


def _split_groups(tasks: Iterable[Task]) -> Iterator[tuple[Task, _Said]]:
    """A group over two categories would be drawn in pieces."""
    first: dict[str, Task] = {}
    for task in tasks:
        if task.group and first.setdefault(task.group, task).category != task.category:
            what = f"{task.id}: the group {task.group!r} also stands in {first[task.group].category!r}"
            yield (
                task,
                _Said("split-group", what, "group", "keep a group in one category, where it is drawn as a whole"),
            )


def _mixed_swaps(tasks: Iterable[Task]) -> Iterator[tuple[Task, _Said]]:
    """A group of variants holds nothing else, each variant once, and one attribute is changed."""
    first: dict[str, Task] = {}
    seen: set[tuple[str, str]] = set()
    swapped = {task.group for task in tasks if task.swap}
    for task in (task for task in tasks if task.group in swapped):
        before = first.setdefault(task.group, task).swap
        if task.swap is None or before is None or task.swap.attribute != before.attribute:
            what = f"{task.id}: the group {task.group!r} holds the variants of an item, and the task is none of them"
            yield task, _Said("mixed-swap", what, "group", "give the task another group")
        elif (task.group, task.swap.variant) in seen:
            what = f"{task.id}: the variant {task.swap.variant!r} stands twice in the group {task.group!r}"
            yield task, _Said("mixed-swap", what, "swap", "rename one of the two")
        else:
            seen.add((task.group, task.swap.variant))


def _people(benchmark: Benchmark) -> Iterator[tuple[Task, _Said]]:
    for task_id, names in named_people(benchmark.tasks, benchmark.info.names_allowed).items():
        what = f"{task_id}: looks like names of people: {', '.join(names[:5])}{', ...' if len(names) > 5 else ''}"  # noqa: PLR2004
        todo = "replace them, or list them in names_allowed in benchmark.toml where they are invented or authors"
        yield benchmark.task(task_id), _Said("person-name", what, "material", todo)


def _origin(benchmark: Benchmark) -> Iterator[tuple[Task, _Said]]:
    for name in ("author", "source", "licence", "language"):
        lacking = [task for task in benchmark.tasks if not getattr(task.origin, name)]
        if lacking:
            what = f"{len(lacking)} of {len(benchmark.tasks)} tasks state no {name} ({_some(lacking)})"
            todo = f"fill in {name!r}, or [origin] {name} in benchmark.toml for all"
            yield lacking[0], _Said("no-origin", what, name, todo)


def _some(tasks: list[Task]) -> str:
    return ", ".join(task.id for task in tasks[:3]) + (", ..." if len(tasks) > 3 else "")  # noqa: PLR2004
