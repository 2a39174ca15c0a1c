"""A task that is read but not yet admitted: its own fields, before it inherits from the benchmark.

Rules that one task alone can break stand here; rules between tasks stand in `load`.
"""

import re
from typing import Any, NamedTuple

from openassay.schema.benchmark import BenchmarkInfo
from openassay.schema.suggest import unknown_name
from openassay.schema.task import Check, FileEntry, Material, Origin, Swapped, Task, TaskLimits, TaskPlace
from openassay.tasks.checklist import check_together
from openassay.tasks.faults import FaultList, Place
from openassay.tasks.identity import own_fields, task_identity
from openassay.tasks.values import short

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
"""As `schema.record.Identifier`."""

ORIGIN = tuple(Origin.model_fields)

_HOLD_AGAINST_MATERIAL = ("quotes_supported", "unsupported")


class Draft(NamedTuple):
    id: str
    category: str
    instruction: str
    place: Place
    materials: tuple[Material, ...] = ()
    checks: tuple[Check, ...] = ()
    group: str = ""
    swap: Swapped | None = None
    solution: str | None = None
    origin: Origin = Origin()
    limits: TaskLimits = TaskLimits()
    deliverable: str = "text"
    files: tuple[FileEntry, ...] = ()
    folder: str = ""
    checks_field: str = "checks"
    checks_place: Place | None = None
    """Where the checklist stands, where that is another file."""

    def where(self) -> TaskPlace:
        return TaskPlace(file=self.place.file, line=self.place.line, folder=self.folder)


def check_draft(draft: Draft, info: BenchmarkInfo | None, faults: FaultList) -> None:
    """Faults of one task as a whole."""
    check_together(draft.checks, draft.checks_place or draft.place, faults, draft.checks_field)
    known = [category.id for category in info.category] if info else []
    if draft.category and known and draft.category not in known:
        what = unknown_name("category", draft.category, known)
        todo = f"declare [[category]] id = {draft.category!r} in benchmark.toml, or correct the name"
        faults.add(draft.place, "unknown-category", what, field="category", todo=todo)
    if name := _hidden_name(draft):
        what = f"the instruction names the hidden file {name!r}, which no model may know of"
        faults.add(draft.place, "hidden-file", what, field="instruction", todo="describe what is wanted instead")
    _check_unfilled(draft, faults)
    held = [check.uses for check in draft.checks if check.uses in _HOLD_AGAINST_MATERIAL]
    if held and not draft.materials:
        what = f"{held[0]!r} holds the answer against the material, and there is none"
        faults.add(draft.place, "missing-material", what, field="materials", todo="add material or materials")


def _check_unfilled(draft: Draft, faults: FaultList) -> None:
    """A placeholder in a file would reach the model as it stands."""
    names = draft.swap.filled if draft.swap else {}
    for material in draft.materials:
        for name in [name for name in names if f"[[{name}]]" in material.text]:
            what = f"{material.name!r} holds [[{name}]], and files are shown as they are"
            todo = "write the text into `material`, where placeholders are filled"
            faults.add(draft.place, "placeholder-in-file", what, field="materials", todo=todo)


def _hidden_name(draft: Draft) -> str:
    """A hidden file, or a path into `hidden/`, that stands in the instruction."""
    path = re.search(r"(?<![\w.-])hidden/[\w./-]*", draft.instruction)
    if path:
        return path.group()
    shown = {name.rpartition("/")[2] for name in _below(draft, "environment/")}
    names = {name.rpartition("/")[2] for name in _below(draft, "hidden/")} - shown
    hidden = {name for name in names if "." in name or "_" in name}  # a plain word may stand in any text
    named = (name for name in sorted(hidden) if re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", draft.instruction))
    return next(named, "")


def _below(draft: Draft, folder: str) -> list[str]:
    return [entry.path for entry in draft.files if entry.path.startswith(folder)]


def admit(draft: Draft, info: BenchmarkInfo) -> Task:
    """The task with its identity, and with the benchmark's origin where it has none of its own."""
    texts = {name: getattr(draft, name) for name in ("id", "category", "instruction", "group", "solution")}
    texts["deliverable"] = draft.deliverable if draft.deliverable != "text" else ""
    fields = own_fields(texts, materials=draft.materials, checks=draft.checks, origin=draft.origin, limits=draft.limits)
    if draft.swap:
        fields["swap"] = draft.swap.model_dump(mode="json", exclude_defaults=True)
    inherited = {name: getattr(draft.origin, name) or getattr(info.origin, name) for name in ORIGIN}
    inherited["licence"] = inherited["licence"] or info.licence
    return Task(
        id=draft.id,
        category=draft.category,
        instruction=draft.instruction,
        materials=draft.materials,
        group=draft.group,
        swap=draft.swap,
        checks=draft.checks,
        solution=draft.solution,
        origin=Origin(**inherited),
        limits=draft.limits,
        deliverable=draft.deliverable,
        files=draft.files,
        identity=task_identity(fields, draft.files),
    )


def is_name(value: Any) -> bool:
    """Whether it is an identifier."""
    return isinstance(value, str) and _NAME.fullmatch(value) is not None


def check_name(value: Any, field: str, place: Place, faults: FaultList) -> str:
    """An identifier; empty, with a fault, where it is none."""
    if is_name(value):
        return str(value)
    what = f"expected letters, digits, dots, underscores or hyphens (at most 128, no spaces), found {short(value)}"
    faults.add(place, f"wrong-{field}", what, field=field, todo=f"rename the {field}")
    return ""
