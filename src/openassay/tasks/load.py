"""Reading a benchmark folder: everything in it, or every reason why not.

All faults of all files are collected before anything is raised. Loading is pure reading: nothing is written, run or
asked of a model.
"""

from collections.abc import Iterable
from pathlib import Path

from openassay.schema.benchmark import Benchmark, BenchmarkInfo
from openassay.schema.canonical import digest
from openassay.schema.errors import BenchmarkError
from openassay.tasks.drafts import Draft, admit, check_draft
from openassay.tasks.faults import FaultList, Place
from openassay.tasks.folders import PARTS, read_folder
from openassay.tasks.identity import benchmark_digest
from openassay.tasks.info import FILE, read_info
from openassay.tasks.items import read_items
from openassay.tasks.rows import READERS
from openassay.tasks.tree import Tree

TASKS = "tasks"


def load(path: Path | str) -> Benchmark:
    """A benchmark from its folder (or its `benchmark.toml`).

    Raises:
        BenchmarkError: with every fault of every file.
    """
    faults, path = FaultList(), Path(path)
    root = path.parent if path.name == FILE else path
    tree = Tree(root, faults)
    info = read_info(tree)
    drafts = _read_tasks(tree) if root.is_dir() and (info or (root / FILE).exists()) else []
    for draft in drafts:
        check_draft(draft, info, faults)
    _check_duplicates(drafts, faults)
    if faults.found or info is None:
        raise BenchmarkError(tuple(sorted(faults.found, key=lambda fault: (fault.file, fault.line or 0))))
    return _benchmark(info, drafts, root)


def _benchmark(info: BenchmarkInfo, drafts: list[Draft], root: Path) -> Benchmark:
    order = [category.id for category in info.category]
    drafts = sorted(drafts, key=lambda draft: order.index(draft.category))
    tasks = tuple(admit(draft, info) for draft in drafts)
    return Benchmark(
        info=info,
        tasks=tasks,
        places={draft.id: draft.where() for draft in drafts},
        folder=str(root),
        digest=benchmark_digest(info, (task.identity for task in tasks)),
    )


def _read_tasks(tree: Tree) -> list[Draft]:
    """All drafts below `tasks/`, in the order of the paths."""
    top = tree.root / TASKS
    if top.is_symlink() or not top.is_dir():
        what = f"the benchmark has no folder {TASKS!r}"
        tree.faults.add(Place(TASKS), "no-tasks", what, todo=f"add {TASKS}/<category>/<name>.items.csv")
        return []
    files = tree.files(top)
    folders = sorted({path.parent for path in files if path.name in PARTS and path.parent not in (tree.root, top)})
    before = len(tree.faults.found)
    drafts = [draft for folder in folders if (draft := _task_folder(folder, tree))]
    lists = [path for path in files if not _is_below(path, folders)]
    for path in lists:
        drafts += _items(path, tree)
    if not drafts and len(tree.faults.found) == before:
        what = "the benchmark holds no item and no task"
        tree.faults.add(Place(TASKS), "no-tasks", what, todo=f"add {TASKS}/<category>/<name>.items.csv")
    return drafts


def _is_below(path: Path, folders: Iterable[Path]) -> bool:
    return any(folder in path.parents for folder in folders)


def _task_folder(folder: Path, tree: Tree) -> Draft | None:
    """A folder stands at tasks/<category>/<task>; anything deeper or higher would be missed by a reader."""
    depth = len(folder.relative_to(tree.root).parts)
    below = folder.relative_to(tree.root).parts[3:]  # a category may well be called evidence
    if any(part in {"environment", "hidden", "solution", "evidence"} for part in below):
        return None  # a task's own files may be called task.toml too
    if depth != 3:  # noqa: PLR2004 - tasks, category, task
        what = f"expected a task folder at {TASKS}/<category>/<task-id>"
        tree.faults.add(Place(tree.relative(folder)), "misplaced", what, todo="move it there")
        return None
    return read_folder(folder, folder.parent.name, tree)


def _items(path: Path, tree: Tree) -> list[Draft]:
    """The drafts of an item file; none for a material file beside it."""
    ending = next((ending for ending in READERS if path.name.endswith(ending)), "")
    if not ending:
        _check_name(path, tree)
        return []
    parts = path.relative_to(tree.root).parts
    if len(parts) > 3:  # noqa: PLR2004 - tasks, category, file
        what = f"expected item files at {TASKS}/ or {TASKS}/<category>/"
        tree.faults.add(Place(tree.relative(path)), "misplaced", what, todo="move it there")
        return []
    text = tree.text(path)
    if text is None:
        return []
    before = len(tree.faults.found)
    rows = READERS[ending](text, tree.relative(path), tree.faults)
    if not rows and len(tree.faults.found) == before:
        tree.faults.add(Place(tree.relative(path)), "no-tasks", "the file holds no item", todo="add items or remove it")
    category = parts[1] if len(parts) == 3 else ""  # noqa: PLR2004
    return [draft for row in rows for draft in read_items(row, path.parent, category, tree)]


def _check_name(path: Path, tree: Tree) -> None:
    """A file that was meant as items but is not called so would be left out in silence."""
    name = path.name.lower()
    looks = ".items" in name or ".item." in name or name.endswith((".jsonl", ".yaml", ".yml", ".xlsx", ".ods", ".tsv"))
    if looks or (name.endswith(".csv") and _is_table_of_items(path)):
        what = f"{path.name!r} is not read: item files end with {', '.join(READERS)}"
        tree.faults.add(Place(tree.relative(path)), "unread-file", what, todo="rename it, or move it elsewhere")


def _is_table_of_items(path: Path) -> bool:
    with path.open("rb") as opened:
        header = opened.readline(1000)
    return b"instruction" in header.lower() and b"id" in header.lower()


def _check_duplicates(drafts: list[Draft], faults: FaultList) -> None:
    """The same id or the same content twice would be counted twice."""
    ids: dict[str, Draft] = {}
    contents: dict[str, Draft] = {}
    for draft in drafts:
        if draft.id and (first := ids.setdefault(draft.id.casefold(), draft)) is not draft:
            what = f"duplicate id {draft.id!r}: also at {first.place.name()}"
            faults.add(draft.place, "duplicate-id", what, field="id", todo="rename one of the two")
        key = digest(
            [draft.instruction, [[material.name, material.sha256] for material in draft.materials], _bytes(draft)]
        )
        differ = {"material", "materials"} & draft.place.unread  # by what stands under a misspelt name
        if draft.instruction and not differ and (first := contents.setdefault(key, draft)) is not draft:
            what = f"same instruction and material as {first.id!r} at {first.place.name()}"
            faults.add(draft.place, "duplicate-content", what, field="instruction", todo="remove one of the two")


def _bytes(draft: Draft) -> list[list[str]]:
    return [[entry.path, entry.sha256] for entry in draft.files if entry.path.startswith("environment/")]
