"""A task folder to a draft: task.toml, instruction.md, checklist.toml and the folders beside them."""

from pathlib import Path
from typing import Any

from openassay.schema.task import Check, FileEntry, Origin, Swapped, TaskLimits
from openassay.tasks.checklist import read_check
from openassay.tasks.drafts import Draft, check_name
from openassay.tasks.faults import FaultList, Place
from openassay.tasks.items import list_sources, names_only, read_table
from openassay.tasks.material import read_materials
from openassay.tasks.swap import BY_HAND_TOML, by_hand
from openassay.tasks.toml import read_toml
from openassay.tasks.tree import Tree, unix_lines
from openassay.tasks.values import kind

KEYS = ("id", "deliverable", "group", "swap", "materials", "origin", "limits")
PARTS = ("task.toml", "instruction.md", "checklist.toml")
FOLDERS = ("environment", "hidden", "solution", "evidence")


def read_folder(folder: Path, category: str, tree: Tree) -> Draft | None:
    """The draft of one task folder; None where it has no readable task.toml."""
    faults = tree.faults
    found = _toml(folder / "task.toml", tree)
    files = _files(folder, tree)
    if found is None:
        return None
    values, place = found
    for name in [name for name in values if name not in KEYS]:
        faults.add_unknown(place, "key", name, KEYS)
    _texts_only(values, place, faults)
    names = _materials(values, files, place, faults)
    return Draft(
        id=check_name(values.get("id", folder.name), "id", place, faults),
        category=category,
        instruction=_instruction(folder, tree),
        place=place,
        materials=read_materials(tree, folder / "environment", names, place),
        checks=_checklist(folder, tree),
        group=values.get("group", ""),
        swap=_swap(values, place, faults),
        solution=_solution(folder, tree),
        origin=read_table(Origin, values.get("origin", {}), place, faults, "origin"),
        limits=read_table(TaskLimits, values.get("limits", {}), place, faults, "limits"),
        deliverable=values.get("deliverable", "text"),
        files=files,
        folder=tree.relative(folder),
        checks_field="check",
        checks_place=Place(tree.relative(folder / "checklist.toml"), 1),
    )


def _toml(path: Path, tree: Tree) -> tuple[dict[str, Any], Place] | None:
    if not path.is_file():
        what = f"the task folder has no {path.name}"
        tree.faults.add(Place(tree.relative(path)), "missing-file", what, todo=f"add {path.name}")
        return None
    text = tree.text(path)
    return None if text is None else read_toml(text, tree.relative(path), tree.faults)


def _texts_only(values: dict[str, Any], place: Place, faults: FaultList) -> None:
    for name in ("group", "deliverable"):
        if not isinstance(values.get(name, ""), str):
            what = f"expected text, found {kind(values[name])}"
            faults.add(place, f"wrong-{name}", what, field=name, todo=f"write {name!r} in quotes")
            del values[name]


def _swap(values: dict[str, Any], place: Place, faults: FaultList) -> Swapped | None:
    """The variant that the folder is; a folder is one task, so its texts are written out by hand."""
    written = values.get("swap")
    if written is None:
        return None

    def report(code: str, what: str, todo: str) -> None:
        faults.add(place, code, what, field="swap", todo=todo)

    if not isinstance(written, dict) or "variants" in written:
        what = "a task folder is one variant; only an item of an items file becomes several"
        report("swap-in-folder", what, f"write one folder a variant, each with `group` and swap = {BY_HAND_TOML}")
        return None
    variant = by_hand(written, values, report)
    return variant.swapped if variant else None


def _materials(values: dict[str, Any], files: tuple[FileEntry, ...], place: Place, faults: FaultList) -> list[str]:
    """The files that are named, or all of `environment/` where the deliverable is a text and none are."""
    if "materials" in values or values.get("deliverable", "text") != "text":
        return names_only(values.get("materials", []), place, faults)
    inside = "environment/"
    return [entry.path.removeprefix(inside) for entry in files if entry.path.startswith(inside)]


def _instruction(folder: Path, tree: Tree) -> str:
    path = folder / "instruction.md"
    place = Place(tree.relative(path))
    text = tree.text(path) if path.is_file() else ""
    if text is not None and not text.strip():
        what = "the task has no instruction"
        tree.faults.add(place, "missing-instruction", what, todo="write instruction.md: exactly what every model gets")
    return unix_lines(text or "").strip()


def _checklist(folder: Path, tree: Tree) -> tuple[Check, ...]:
    found = _toml(folder / "checklist.toml", tree)
    if found is None:
        return ()
    values, place = found
    for name in [name for name in values if name != "check"]:
        tree.faults.add_unknown(place, "key", name, ["check"])
    if not values.get("check"):
        tree.faults.add(place, "missing-scorer", "the checklist has no check", field="check", todo="add a [[check]]")
        return ()

    def read_reference(name: str, field: str) -> str | None:
        path = tree.inside(folder, name, place, "reference_file")
        text = tree.text(path) if path else None
        if text is not None and not text.strip():
            tree.faults.add(place, "missing-reference", f"{name!r} is empty", field=field, todo="fill it in")
        return unix_lines(text) if text else None

    sources = list_sources(values["check"], place, "check", tree.faults)
    checks = (read_check(source._replace(read_reference=read_reference), tree.faults) for source in sources)
    return tuple(check for check in checks if check)


def _solution(folder: Path, tree: Tree) -> str | None:
    """The one text file in `solution/`, or the one called answer; None where the solution is more than a text."""
    place = folder / "solution"
    if not place.is_dir():
        return None
    files = [path for path in sorted(place.iterdir()) if path.is_file() and not path.is_symlink()]
    named = [path for path in files if path.stem == "answer"] or files
    if len(named) != 1 or named[0].suffix not in {".txt", ".md", ".json"}:
        return None
    text = tree.text(named[0])
    return unix_lines(text).strip() if text else None


def _files(folder: Path, tree: Tree) -> tuple[FileEntry, ...]:
    """Every file of the task but `evidence/`, hashed; anything that is no part of a task folder is a fault."""
    entries = []
    for path in tree.files(folder):
        name = path.relative_to(folder).as_posix()
        top = name.partition("/")[0]
        if name not in PARTS and (top == name or top not in FOLDERS):
            tree.faults.add_unknown(Place(tree.relative(path)), "file", name, [*PARTS, *(f"{f}/" for f in FOLDERS)])
        elif top != "evidence" and (digest := tree.digest(path)):
            entries.append(FileEntry(path=name, sha256=digest))
    return tuple(entries)
