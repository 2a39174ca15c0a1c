"""From a table of results made elsewhere to a run folder that can be reported: `import_cells`.

Everything is checked before anything is written, and `plan.json` is written last: what is stopped in between leaves no
run. Not here: reading the table (`import_table`), its faults (`import_faults`), headlines (`import_headlines`), and
reading such a run again (`imported`).
"""

import hashlib
import re
import shutil
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from openassay import __version__
from openassay.runs import imported
from openassay.runs.folder import RunFolder, create_run, pack, pack_prompts
from openassay.runs.import_faults import date, refuse_faults
from openassay.runs.import_headlines import Mean, Stated, parse, read_headlines, refuse_wrong
from openassay.runs.import_table import Layout, Rows, number, read_rows
from openassay.runs.objects import Objects
from openassay.runs.prepare import new_folder
from openassay.runs.prompts import prompt_digest
from openassay.schema.benchmark import BenchmarkInfo, Category
from openassay.schema.canonical import canonical, digest
from openassay.schema.errors import InputError, PlanError
from openassay.schema.message import user
from openassay.schema.models import PlannedModel
from openassay.schema.plan import Draw, DrawnTask, Imported, Plan, PlanFile
from openassay.schema.record import Record
from openassay.schema.suggest import unknown_name
from openassay.schema.task import Check, Origin, Task
from openassay.tasks.identity import benchmark_digest, task_identity

if TYPE_CHECKING:
    import polars as pl

TRACK = "imported"
ALL = "all"
"""The category of items whose table names none."""
LONGEST = 100
"""Characters of a name that is made from what a table says, so that a number fits behind it."""
NOT_STATED = "not stated (imported)"
EXAMPLES = 3
"""Missing items that a note names."""
NOTED = 40
"""Models whose missing cells get a note of their own."""
MILLION = imported.MILLION


class ImportOptions(Record):
    """What flags say about a table."""

    layout: Layout = Layout()
    without: tuple[str, ...] = ()
    """Models that are left out, as the table names them."""
    name: str = ""
    """Id of the benchmark; empty to make it from the file's name."""
    title: str = ""
    """What the benchmark is called; empty for its id."""
    source: str = ""
    stated_by: str = ""
    visibility: Literal["private", "public"] = "private"
    """Of the items' names; there are no texts."""


class Import(NamedTuple):
    """What came of it."""

    folder: RunFolder
    cells: int
    planned: int
    missing: dict[str, int]
    """Model, as the table names it -> cells that the table lacks; models that lack none are left out."""
    headlines: dict[str, Stated]
    """Model, as the table names it -> the stated figure that its cells agree with."""
    unused: tuple[str, ...]
    """Columns that were not taken."""


def import_cells(path: Path, options: ImportOptions, out: Path, headlines: Path | None = None) -> Import:
    """Write the run folder.

    Args:
        path: the table, CSV, Parquet or JSON lines.
        options: see `ImportOptions`.
        out: folder that holds run folders; made where it is missing.
        headlines: a CSV with the columns ``model,headline``, beside a column `headline` of the table.

    Raises:
        InputError: the table cannot be read, or (`TableError`) has faults.
        HeadlineError: a stated figure does not follow from its cells.
    """
    sha256 = _digest(path)
    rows = _without(read_rows(path, options.layout), options.without, path)
    refuse_faults(rows, path.name)
    coded = _coded(rows.frame)
    stated = _stated(rows, coded.models, headlines, options.without)
    means = _means(coded)
    refuse_wrong(stated, means, path.name)
    return _write(path, sha256, options, out, coded, stated, rows.unused)


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as fault:
        raise InputError(f"cannot read the table: {fault.strerror}", where=str(path), todo="check the path") from None


def _without(rows: Rows, names: Sequence[str], path: Path) -> Rows:
    import polars as pl  # 60 MB that a run does without

    known = rows.frame["model"].drop_nulls().unique(maintain_order=True).to_list()
    for name in names:
        if name not in known:
            raise PlanError(unknown_name("model", name, known), where="--without", todo=f"name a model of {path.name}")
    frame = rows.frame.filter(~pl.col("model").is_in(list(names)).fill_null(value=False)) if names else rows.frame
    if not frame.height:
        raise InputError("no results are left", where=str(path), todo="leave out fewer models")
    return rows._replace(frame=frame)


class Coded(NamedTuple):
    """A table without faults, its names as numbers."""

    frame: "pl.DataFrame"
    """As `imported.FILE`."""
    models: list[str]
    """In the order of the table, as are the items."""
    items: list[str]
    attempts: int
    category: list[str]
    """Of each item; `ALL` where the table says none."""
    cluster: list[str]
    hard: set[str]
    """Categories in which every score is 0 or 1."""

    @property
    def planned(self) -> int:
        return len(self.models) * len(self.items) * self.attempts


def _coded(frame: "pl.DataFrame") -> Coded:
    import polars as pl  # as above

    models, items = _names(frame, "model"), _names(frame, "item")
    attempts = _attempt_labels(frame)
    given = set(frame.columns)
    unknown = pl.lit(None, dtype=pl.Int64)
    attempt = _code("attempt", attempts) if attempts else pl.lit(0)
    coded = frame.select(
        _code("model", models).alias("model"),
        _code("item", items).alias("item"),
        attempt.cast(pl.UInt16).alias("attempt"),
        (number("score") * MILLION).round().cast(pl.Int64).alias("score"),
        ((number("cost") * MILLION).round().cast(pl.Int64) if "cost" in given else unknown).alias("cost"),
        *(
            (number(name).cast(pl.Int64) if name in given else unknown).alias(name)
            for name in ("tokens_in", "tokens_out")
        ),
        (date("date").cast(pl.Int32) if "date" in given else unknown.cast(pl.Int32)).alias("day"),
    ).sort("attempt", "item", "model")
    first = frame.unique("item", keep="first", maintain_order=True)
    category = first["category"].to_list() if "category" in given else [ALL] * len(items)
    cluster = [one or "" for one in first["cluster"].to_list()] if "cluster" in given else [""] * len(items)
    soft = frame.select(
        (pl.col("category") if "category" in given else pl.lit(ALL)).alias("category"),
        (~number("score").is_in([0.0, 1.0])).alias("soft"),
    ).filter("soft")
    hard = set(category) - set(soft["category"].unique().to_list())
    return Coded(coded, models, items, max(len(attempts), 1), category, cluster, hard)


def _names(frame: "pl.DataFrame", field: str) -> list[str]:
    found: list[str] = frame[field].unique(maintain_order=True).to_list()
    return found


def _code(field: str, names: list[str]) -> "pl.Expr":
    import polars as pl  # as above

    return pl.col(field).cast(pl.Enum(names)).to_physical().cast(pl.UInt32)


def _attempt_labels(frame: "pl.DataFrame") -> list[str]:
    """In the order of their numbers where they are numbers, else in that of the table."""
    if "attempt" not in frame.columns:
        return []
    labels = _names(frame, "attempt")
    return sorted(labels, key=float) if all(re.fullmatch(r"\d{1,9}(\.0+)?", label) for label in labels) else labels


def _stated(rows: Rows, models: Sequence[str], file: Path | None, left_out: Sequence[str]) -> dict[str, Stated]:
    texts: dict[str, str] = {}
    if "headline" in rows.frame.columns:
        said = rows.frame.select("model", "headline").drop_nulls().unique("model", maintain_order=True)
        texts |= dict(said.iter_rows())
    if file is not None:
        texts |= read_headlines(file, models, left_out)
    return parse(texts)


def _means(coded: Coded) -> dict[str, Mean]:
    import polars as pl  # as above

    by_item = coded.frame.group_by("model", "item").agg(
        pl.col("score").mean().alias("mean"), pl.col("score").sum().alias("sum"), pl.len().alias("cells")
    )
    found = by_item.group_by("model").agg(pl.col("mean").mean(), pl.col("sum").sum(), pl.col("cells").sum())
    planned = len(coded.items) * coded.attempts
    return {
        coded.models[model]: Mean(mean / MILLION, cells, planned, total / MILLION)
        for model, mean, total, cells in found.iter_rows()
    }


def names_for(texts: Sequence[str]) -> dict[str, str]:
    """A safe name for each text, each only once, always the same for the same texts in the same order.

    >>> names_for(["GPT-4o (2024)", "GPT-4o 2024", "ok"])
    {'GPT-4o (2024)': 'GPT-4o-2024', 'GPT-4o 2024': 'GPT-4o-2024-2', 'ok': 'ok'}
    """
    found: dict[str, str] = {}
    taken = set()
    numbers: Counter[str] = Counter()
    for text in texts:
        plain = re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-._")[:LONGEST] or "unnamed"
        name = plain
        numbers[plain] += 1
        while name in taken:
            numbers[plain] += 1
            name = f"{plain}-{numbers[plain]}"
        taken.add(name)
        found[text] = name
    return found


def _write(
    path: Path,
    sha256: str,
    options: ImportOptions,
    out: Path,
    coded: Coded,
    stated: Mapping[str, Stated],
    unused: tuple[str, ...],
) -> Import:
    info, tasks = _benchmark(path, options, coded)
    data = _bytes(coded.frame)
    models = names_for(coded.models)
    marker = Imported(
        file=path.name,
        sha256=sha256,
        cells=hashlib.sha256(data).hexdigest(),
        number=coded.frame.height,
        priced=coded.frame["cost"].count(),
        source=options.source,
        stated_by=options.stated_by,
        headlines={models[name]: one.text for name, one in stated.items()},
        left_out=options.without,
        unused=unused,
    )
    plan = _plan(info, tasks, coded, models, marker)
    missing = _missing(coded)
    notes = tuple(_notes(coded, models, missing))
    place = new_folder(out, plan)
    try:
        folder = _fill(place, path, plan, info, tasks, data, notes)
    except BaseException:
        shutil.rmtree(place, ignore_errors=True)
        raise
    return Import(folder, coded.frame.height, coded.planned, missing, dict(stated), unused)


def _bytes(frame: "pl.DataFrame") -> bytes:
    import io

    buffer = io.BytesIO()
    frame.write_parquet(buffer, compression="zstd", statistics=False)
    return buffer.getvalue()


def _benchmark(path: Path, options: ImportOptions, coded: Coded) -> tuple[BenchmarkInfo, tuple[Task, ...]]:
    categories = names_for(list(dict.fromkeys(coded.category)))
    name = options.name or names_for([path.stem])[path.stem]
    definition = "as the imported table says" if set(categories) != {ALL} else "all items of the imported table"
    info = BenchmarkInfo(
        id=name,
        version="1-A",
        title=options.title or name,
        developers=NOT_STATED,
        purpose=NOT_STATED,
        licence=NOT_STATED,
        funding=NOT_STATED,
        visibility=options.visibility,
        category=tuple(
            Category(id=one, track=TRACK, title=text, definition=definition) for text, one in categories.items()
        ),
    )
    return info, tuple(_tasks(coded, categories))


def _tasks(coded: Coded, categories: Mapping[str, str]) -> Iterable[Task]:
    checks = {
        hard: (Check(id=imported.CHECK, text="The score that the table holds", hard=hard, uses="imported"),)
        for hard in (True, False)
    }
    ids = names_for(coded.items)
    for item, category, cluster in zip(coded.items, coded.category, coded.cluster, strict=True):
        hard = category in coded.hard
        yield Task(
            id=ids[item],
            category=categories[category],
            instruction=imported.NO_TEXTS,
            group=cluster,
            checks=checks[hard],
            origin=Origin(source="" if ids[item] == item else f"item {item!r} of the table"),
            identity=task_identity({"id": item, "category": category, "group": cluster, "hard": hard}),
        )


def _plan(
    info: BenchmarkInfo, tasks: Sequence[Task], coded: Coded, models: Mapping[str, str], marker: Imported
) -> Plan:
    return Plan(
        software=__version__,
        benchmark=info.id,
        benchmark_version=info.version,
        benchmark_digest=benchmark_digest(info, (task.identity for task in tasks)),
        visibility=info.visibility,
        categories=tuple(category.id for category in info.category),
        models=tuple(PlannedModel(name=models[text], endpoint="imported", model=text) for text in coded.models),
        solver="imported",
        template_digest=digest({"solver": "imported"}),
        attempts=coded.attempts,
        imported=marker,
    )


def _missing(coded: Coded) -> dict[str, int]:
    planned = len(coded.items) * coded.attempts
    counts = dict(coded.frame["model"].value_counts().iter_rows())
    return {
        name: planned - counts.get(code, 0) for code, name in enumerate(coded.models) if counts.get(code, 0) < planned
    }


def _notes(coded: Coded, models: Mapping[str, str], missing: Mapping[str, int]) -> Iterable[str]:
    """What the table lacks, by name, so that every report says it."""
    import polars as pl  # as above

    planned = len(coded.items) * coded.attempts
    for text, lacks in list(missing.items())[:NOTED]:
        own = coded.frame.filter(pl.col("model") == coded.models.index(text))
        whole = own.group_by("item").len().filter(pl.col("len") == coded.attempts)["item"]
        lacking = sorted(set(range(len(coded.items))) - set(whole.to_list()))
        shown = ", ".join(coded.items[code] for code in lacking[:EXAMPLES])
        more = f" and {len(lacking) - EXAMPLES:,} more" if len(lacking) > EXAMPLES else ""
        yield f"The imported table lacks {lacks:,} of {planned:,} results of {models[text]}: {shown}{more}."
    if len(missing) > NOTED:
        yield f"It lacks results of {len(missing) - NOTED} more models."


def _fill(
    place: Path,
    path: Path,
    plan: Plan,
    info: BenchmarkInfo,
    tasks: tuple[Task, ...],
    data: bytes,
    notes: tuple[str, ...],
) -> RunFolder:
    """Everything into the folder, the plan last."""
    objects = Objects(place / "objects")
    cells = place / imported.FILE
    cells.touch(mode=0o600)
    cells.write_bytes(data)
    messages = (user(imported.NO_TEXTS),)
    prompt = prompt_digest(messages)
    draw = Draw(
        info=objects.put(canonical(info)),
        records=objects.put(pack(tasks)),
        prompts=objects.put(pack_prompts((messages,) * len(tasks))),
        tasks=tuple(
            DrawnTask(task=task.id, category=task.category, identity=task.identity, prompt=prompt) for task in tasks
        ),
        draws=(tuple(task.id for task in tasks),),
        pool=dict(Counter(task.category for task in tasks)),
        notes=notes,
    )
    plan_file = PlanFile(
        plan=plan,
        digest=digest(plan),
        benchmark_path=str(path),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    return create_run(place, plan_file, draw)
