"""A table of results made elsewhere, as it lies on the disk -> rows of text under the names that we use.

Long: one row a result, a column for each of `FIELDS`. Wide: one row an item, one column a model. CSV, Parquet or JSON
lines. Not here: whether what stands in the rows can be true (`import_faults`), and the run folder (`import_cells`).
"""

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from openassay.schema.errors import Fault, InputError, PlanError, TableError
from openassay.schema.record import Record
from openassay.schema.suggest import nearest, unknown_name

if TYPE_CHECKING:
    import polars as pl

NEEDED = ("model", "item", "score")
FIELDS = {
    "model": "which model answered",
    "item": "which item it answered",
    "score": "from 0 to 1; where all of a category are 0 or 1: failed or passed",
    "attempt": "which of several attempts; left out where there is one",
    "category": "of the item",
    "cluster": "what the item shares with others, such as its source",
    "cost": "of the attempt, US dollars",
    "tokens_in": "of the attempt",
    "tokens_out": "of the attempt, reasoning included",
    "date": "of the attempt, such as 2026-01-31",
    "headline": "the figure that is stated for the model, the same in all its rows",
}
"""Field -> what it holds."""
BOTH = "item.attempt"
"""Stands for a column that holds an item and, after its last dot, an attempt."""
ALIASES = {"group": "cluster"}
OF_ITEMS = ("item", "attempt", "category", "cluster")
"""Fields that a wide table may have."""
_CSV, _JSON = "UTF-8, and no row with more cells than the header", "one JSON object on each line"
EXPECTED = {".csv": _CSV, ".tsv": _CSV, ".jsonl": _JSON, ".ndjson": _JSON, ".parquet": "a whole Parquet file"}
"""Ending of the file's name -> what must be in it."""
SAMPLE = 1_000
YES_NO = {"true": "1", "false": "0"}


class Layout(Record):
    """How the columns of a table are to be understood."""

    renamed: dict[str, str] = {}
    """Column -> field."""
    wide: bool = False
    """One row an item, one column a model; also found out by itself where the first column is named ``item``."""
    ignored: tuple[str, ...] = ()
    """Columns that are left out."""
    cluster_from: str = ""
    """Regular expression with one group: the cluster is what the group finds in the item's name."""


class Rows(NamedTuple):
    """The table under our names."""

    frame: "pl.DataFrame"
    """Columns: `row` (1-based, as an editor counts) and fields of `FIELDS`, all text; null where empty."""
    column: dict[str, str]
    """Field -> the table's own name for it."""
    wide: bool
    unused: tuple[str, ...]
    """Columns that were not taken."""


def read_rows(path: Path, layout: Layout) -> Rows:
    """All rows of a table, nothing of them checked; `InputError` where it is none, `TableError` for wrong columns."""
    frame = _read(path)
    column = _fields(path, frame.columns, layout)
    first = frame.columns[0]
    wide = layout.wide or ("model" not in column and "score" not in column and column.get("item") == first)
    if wide and not {"item", BOTH} & set(column):
        column["item"] = first
    rows = _wide(path, frame, column, layout) if wide else _long(path, frame, column, layout)
    frame = _split(rows.frame)
    return rows._replace(frame=_clustered(path, frame, layout.cluster_from) if layout.cluster_from else frame)


def _read(path: Path) -> "pl.DataFrame":
    import polars as pl  # 60 MB that a run does without

    if path.suffix.lower() not in EXPECTED:
        raise InputError(
            f"expected a table with the ending {', '.join(EXPECTED)}, found {path.name!r}",
            where=str(path),
            todo="save it as CSV or Parquet",
        )
    try:
        frame = _frame(path)
    except OSError as fault:
        raise InputError(
            f"cannot read the table: {fault.strerror or fault}", where=str(path), todo="check the path"
        ) from None
    except (pl.exceptions.PolarsError, UnicodeDecodeError, csv.Error) as fault:
        raise InputError(
            f"the table cannot be read ({type(fault).__name__}): expected {EXPECTED[path.suffix.lower()]}",
            where=str(path),
            todo="save it anew as CSV (UTF-8) or Parquet",
        ) from None
    frame = _without_nameless(path, frame)
    if not frame.height or not frame.width:
        raise InputError("the table has no rows", where=str(path), todo="give a table with at least one result")
    return frame


def _without_nameless(path: Path, frame: "pl.DataFrame") -> "pl.DataFrame":
    """A comma too many at the end of each line makes a column without name; it must be empty."""
    if "" not in frame.columns:
        return frame
    given = frame[""].drop_nulls()
    if given.len():
        _refuse(path, "no-name", f"a column without a name holds {str(given[0])[:40]!r}", "name it", line=1)
    return frame.drop("")


def _frame(path: Path) -> "pl.DataFrame":
    import polars as pl  # as above

    path.stat()  # says what is wrong with a path better than polars does
    suffix = path.suffix.lower()
    if suffix == ".parquet":
        return pl.read_parquet(path)
    if suffix in {".jsonl", ".ndjson"}:
        return pl.read_ndjson(path, infer_schema_length=None)
    header, separator = _header(path)
    frame = pl.read_csv(path, separator=separator, infer_schema=False)
    if len(header) == frame.width:  # polars renames the columns that share a name; `_header` refused these
        frame.columns = header
    return frame


def _header(path: Path) -> tuple[list[str], str]:
    """Names of the columns of a CSV, and what separates them."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        line = file.readline()
    separator = max(",;\t", key=line.count)
    names = [name.strip() for name in next(csv.reader([line], delimiter=separator), [])]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        _refuse(path, "column-twice", f"expected each column once, found {twice[0]!r} twice", "rename one", line=1)
    return names, separator


def _fields(path: Path, names: Sequence[str], layout: Layout) -> dict[str, str]:
    """Field -> column, of what is named as we name it or renamed."""
    known = [*FIELDS, BOTH]
    for name in (*layout.renamed, *layout.ignored):
        if name not in names:
            raise PlanError(unknown_name("column", name, names), where=str(path), todo="name a column of the table")
    found: dict[str, str] = {}
    for name in names:
        field = layout.renamed.get(name, ALIASES.get(name.lower(), name.lower()))
        if name in layout.renamed and field not in known:
            raise PlanError(unknown_name("field", field, known), where="--as", todo=f"write --as {name}=FIELD")
        if field not in known or name in layout.ignored:
            continue
        if field in found:
            raise PlanError(
                f"the columns {found[field]!r} and {name!r} both stand for {field!r}",
                where=str(path),
                todo=f"leave one out: --ignore {name}",
            )
        found[field] = name
    if BOTH in found and found.keys() & {"item", "attempt"}:
        raise PlanError(
            f"{BOTH} stands for item and attempt, and one of them is given too", where="--as", todo="drop one"
        )
    return found


def _long(path: Path, frame: "pl.DataFrame", column: dict[str, str], layout: Layout) -> Rows:
    rest = [name for name in frame.columns if name not in column.values()]
    missing = [field for field in NEEDED if field not in column and not (field == "item" and BOTH in column)]
    if missing:
        near = nearest(missing[0], rest)
        hint = f"; did you mean {near!r}?" if near else "."
        found = ", ".join(frame.columns[:12])
        what = f"expected a column {missing[0]!r}{hint} Found: {found}"
        todo = f"say which column it is: --as {near or 'COLUMN'}={missing[0]}; or --wide, where each column is a model"
        _refuse(path, "no-column", what, todo, line=1)
    unused = [name for name in rest if name not in layout.ignored]
    near_misses = [(name, near) for name in unused if (near := nearest(name, set(FIELDS) - set(column)))]
    if near_misses:
        name, near = near_misses[0]
        what = f"unknown column {name!r}; did you mean {near!r}?"
        _refuse(path, "unknown-column", what, f"write --as {name}={near}, or --ignore {name}", line=1)
    return Rows(_numbered(path, frame, column), column, wide=False, unused=tuple(rest))


def _wide(path: Path, frame: "pl.DataFrame", column: dict[str, str], layout: Layout) -> Rows:
    import polars as pl  # as above

    taken = {field: name for field, name in column.items() if field in OF_ITEMS or field == BOTH}
    models = [name for name in frame.columns if name not in taken.values() and name not in layout.ignored]
    texts = frame.head(SAMPLE).select(_text(frame, name) for name in models)
    for name in models:
        values = texts.select(pl.col(name).drop_nulls())
        if values.height and values.select(number(name))[name].null_count() == values.height:
            what = f"expected scores of a model in the column {name!r}, found {values[name][0][:40]!r}"
            todo = f"write --as {name}=category (or cluster), or --ignore {name}"
            _refuse(path, "no-scores", what, todo, line=1)
    if not models:
        _refuse(path, "no-models", "expected one column a model, found none", "see `openassay import --help`", line=1)
    rows = _numbered(path, frame, taken, models)
    kept = [name for name in rows.columns if name not in models]
    long = rows.unpivot(on=models, index=kept, variable_name="model", value_name="score")
    for name in models:
        if texts[name].null_count() == texts.height and rows[name].null_count() == rows.height:
            _refuse(path, "no-scores", f"the column {name!r} is empty", f"write --ignore {name}", line=1)
    return Rows(long.drop_nulls("score"), taken, wide=True, unused=layout.ignored)


def number(field: str) -> "pl.Expr":
    """A field of text as a number; null where it is none."""
    import polars as pl  # as above

    return pl.col(field).str.to_lowercase().replace(YES_NO).cast(pl.Float64, strict=False)


def _numbered(path: Path, frame: "pl.DataFrame", column: dict[str, str], models: Sequence[str] = ()) -> "pl.DataFrame":
    """Fields as text, with the number of each row."""
    import polars as pl  # as above

    first = 2 if path.suffix.lower() in {".csv", ".tsv"} else 1
    fields = [_text(frame, name).alias(field) for field, name in column.items()]
    rows = frame.select(*fields, *(_text(frame, name) for name in models)).with_row_index("row", offset=first)
    return rows.filter(~pl.all_horizontal(pl.exclude("row").is_null()))  # blank lines are no rows


def _text(frame: "pl.DataFrame", name: str) -> "pl.Expr":
    import polars as pl  # as above

    if frame[name].dtype.is_nested() or frame[name].dtype == pl.Binary:
        raise InputError(
            f"expected text or numbers in the column {name!r}, found {frame[name].dtype}",
            where=name,
            todo=f"leave it out: --ignore {name}",
        )
    text = pl.col(name).cast(pl.String).str.strip_chars()
    return pl.when(text != "").then(text).alias(name)


def _split(frame: "pl.DataFrame") -> "pl.DataFrame":
    """Item and attempt out of one column; where there is no dot, the attempt stays empty and is told as a fault."""
    import polars as pl  # as above

    if BOTH not in frame.columns:
        return frame
    dot = pl.col(BOTH).str.extract_groups(r"^(?<item>.*)\.(?<attempt>[^.]+)$").struct
    return frame.with_columns(
        pl.coalesce(dot.field("item"), BOTH).alias("item"), dot.field("attempt").alias("attempt")
    ).drop(BOTH)


def _clustered(path: Path, frame: "pl.DataFrame", pattern: str) -> "pl.DataFrame":
    """The cluster of each row out of its item's name; polars' expressions take time linear in the text."""
    import polars as pl  # as above

    try:
        found = frame.with_columns(pl.col("item").str.extract(pattern, 1).alias("cluster"))
    except pl.exceptions.PolarsError:
        raise PlanError(
            f"expected a regular expression with one group, found {pattern!r}",
            where="--cluster-from",
            todo="write for example --cluster-from '^(.+)__'",
        ) from None
    missed = found.filter(pl.col("cluster").is_null() & pl.col("item").is_not_null())
    if missed.height:
        row, item = missed["row"][0], missed["item"][0]
        what = f"{pattern!r} finds no cluster in the item {item[:40]!r} ({missed.height:,} rows)"
        _refuse(path, "no-cluster", what, "write an expression that fits every item", line=row)
    return found


def _refuse(path: Path, code: str, what: str, todo: str, line: int | None = None) -> NoReturn:
    raise TableError((Fault(code=code, what=what, file=path.name, line=line, todo=todo),))
