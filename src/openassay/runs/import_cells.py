"""From a table of results made elsewhere to a run folder that can be reported: `import_cells`.

Everything is checked before anything is written, and `plan.json` is written last: what is stopped in between leaves no
run. Not here: reading the table (`import_table`), its faults (`import_faults`), headlines (`import_headlines`), and
reading such a run again (`imported`).
"""

import hashlib
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from openassay import __version__
from openassay.runs import imported
from openassay.runs.folder import RunFolder, create_run, pack, pack_prompts
from openassay.runs.import_benchmark import Words, benchmark_of, names_for
from openassay.runs.import_coded import Coded, coded, means, missing_of, notes_on
from openassay.runs.import_faults import refuse_faults
from openassay.runs.import_headlines import Stated, parse, read_headlines, refuse_wrong
from openassay.runs.import_table import Layout, Rows, read_rows
from openassay.runs.objects import Objects
from openassay.runs.prepare import new_folder
from openassay.runs.prompts import prompt_digest
from openassay.schema.benchmark import BenchmarkInfo
from openassay.schema.canonical import canonical, digest
from openassay.schema.errors import InputError, PlanError
from openassay.schema.message import user
from openassay.schema.models import PlannedModel
from openassay.schema.plan import Draw, DrawnTask, Imported, Plan, PlanFile
from openassay.schema.record import Record
from openassay.schema.suggest import unknown_name
from openassay.schema.task import Task
from openassay.tasks.identity import benchmark_digest

if TYPE_CHECKING:
    import polars as pl

THIN = 100
"""A table that holds fewer than one in so many of the cells that it implies is misread."""


class ImportOptions(Record):
    """What flags say about a table."""

    layout: Layout = Layout()
    without: tuple[str, ...] = ()
    """Models that are left out, as the table names them."""
    words: Words = Words()
    source: str = ""
    """Where the table was found."""
    stated_by: str = ""
    """Who says that these are the results."""


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
    cells = coded(rows.frame)
    _refuse_thin(cells, path)
    stated = _stated(rows, cells.models, headlines, options.without)
    refuse_wrong(stated, means(cells), path.name)
    return _write(path, sha256, options, out, cells, stated, rows.unused)


def _refuse_thin(cells: Coded, path: Path) -> None:
    number = cells.frame.height
    if cells.planned > THIN * number:
        raise InputError(
            f"{len(cells.models):,} models, {len(cells.items):,} items and {cells.attempts:,} attempts make "
            f"{cells.planned:,} results, found {number:,}: less than 1 %",
            where=str(path),
            todo="see whether the right columns are taken; number the attempts anew for each model and item",
        )


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


def _stated(rows: Rows, models: Sequence[str], file: Path | None, left_out: Sequence[str]) -> dict[str, Stated]:
    texts: dict[str, str] = {}
    if "headline" in rows.frame.columns:
        said = rows.frame.select("model", "headline").drop_nulls().unique("model", maintain_order=True)
        texts |= dict(said.iter_rows())
    if file is not None:
        texts |= read_headlines(file, models, left_out)
    return parse(texts)


def _write(
    path: Path,
    sha256: str,
    options: ImportOptions,
    out: Path,
    cells: Coded,
    stated: Mapping[str, Stated],
    unused: tuple[str, ...],
) -> Import:
    info, tasks = benchmark_of(path.stem, options.words, cells)
    data = _bytes(cells.frame)
    models = names_for(cells.models)
    marker = Imported(
        file=path.name,
        sha256=sha256,
        cells=hashlib.sha256(data).hexdigest(),
        number=cells.frame.height,
        priced=cells.frame["cost"].count(),
        source=options.source,
        stated_by=options.stated_by,
        headlines={models[name]: one.text for name, one in stated.items()},
        left_out=options.without,
        unused=unused,
    )
    plan = _plan(info, tasks, cells, models, marker)
    missing = missing_of(cells)
    notes = tuple(notes_on(cells, models, missing))
    place = new_folder(out, plan)
    try:
        folder = _fill(place, path, plan, info, tasks, data, notes)
    except BaseException:
        shutil.rmtree(place, ignore_errors=True)
        raise
    return Import(folder, cells.frame.height, cells.planned, missing, dict(stated), unused)


def _bytes(frame: "pl.DataFrame") -> bytes:
    import io

    buffer = io.BytesIO()
    frame.write_parquet(buffer, compression="zstd", statistics=False)
    return buffer.getvalue()


def _plan(
    info: BenchmarkInfo, tasks: Sequence[Task], cells: Coded, models: Mapping[str, str], marker: Imported
) -> Plan:
    return Plan(
        software=__version__,
        benchmark=info.id,
        benchmark_version=info.version,
        benchmark_digest=benchmark_digest(info, (task.identity for task in tasks)),
        visibility=info.visibility,
        categories=tuple(category.id for category in info.category),
        models=tuple(PlannedModel(name=models[text], endpoint="imported", model=text) for text in cells.models),
        solver="imported",
        template_digest=digest({"solver": "imported"}),
        attempts=cells.attempts,
        imported=marker,
    )


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
    file = place / imported.FILE
    file.touch(mode=0o600)
    file.write_bytes(data)
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
