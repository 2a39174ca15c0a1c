"""Rows into a CSV or Parquet file, a few thousand at a time.

Not here: the rows (`export_rows`), where the file may go (`export_place`).
"""

import csv
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from openassay.reports.export_columns import Table, Value
from openassay.reports.export_place import HEAD, IsOurs
from openassay.schema.message import whole

if TYPE_CHECKING:
    import polars as pl

BATCH = 20_000
"""Rows in memory."""
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # noqa: RUF001  # spreadsheets take both widths
"""Signs by which a spreadsheet takes a cell for a formula, which could run what a model or a contributor wrote."""
CELLS_BEGIN = ["run", "plan_digest", "benchmark", "benchmark_version", "model"]
VERDICTS_BEGIN = ["run", "benchmark", "benchmark_version", "model", "category"]
"""First columns, by which an earlier export is known."""


def write_csv(table: Table, path: Path) -> int:
    """UTF-8, a header, commas; null is empty. Rows written."""
    number = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)  # ends rows with CR LF (RFC 4180), and so quotes a field that holds either of them
        writer.writerow(table.columns)
        for row in table.rows:
            writer.writerow(map(plain, row))
            number += 1
    return number


def plain(value: Value) -> str | int | float:
    """A value as it stands in a CSV field.

    >>> [plain(one) for one in ("=1+1", -0.5, True, None, "a-b")]
    ["'=1+1", -0.5, 'true', '', 'a-b']
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return value
    text = whole(value).replace("\0", "\ufffd")
    return f"'{text}" if text.startswith(FORMULA) else text


def write_parquet(table: Table, path: Path) -> int:
    """Columns with types, null as null, texts as they are. Rows written."""
    import polars as pl  # 60 MB that a run does without

    schema = pl.Schema({name: _kinds()[kind] for name, kind in table.columns.items()})
    number = 0
    with TemporaryDirectory(prefix=".openassay-", dir=path.parent) as place:  # only its owner can read it
        for at, batch in enumerate(_batches(table.rows)):
            pl.DataFrame(batch, schema=schema, orient="row").write_parquet(Path(place) / f"{at:06}.parquet")
            number += len(batch)
        parts = pl.scan_parquet(Path(place) / "*.parquet") if number else pl.LazyFrame(schema=schema)
        parts.sink_parquet(path, compression="zstd", maintain_order=True)
    return number


def _kinds() -> "dict[type, type[pl.DataType]]":
    import polars as pl  # as above

    return {str: pl.String, int: pl.Int64, float: pl.Float64, bool: pl.Boolean}


def _batches(rows: Iterator[tuple[Value, ...]]) -> Iterator[list[tuple[Value, ...]]]:
    while batch := [tuple(map(_whole, row)) for row in islice(rows, BATCH)]:
        yield batch


def _whole(value: Value) -> Value:
    return whole(value) if isinstance(value, str) else value


def csv_is_ours(path: Path) -> bool:
    """Whether a file is an earlier CSV export."""
    with path.open("rb") as file:
        head = file.read(HEAD).split(b"\n", 1)[0].decode("utf-8", "replace")
    return _begins(next(csv.reader([head]), []))


def parquet_is_ours(path: Path) -> bool:
    """Whether a file is an earlier Parquet export."""
    import polars as pl  # as above

    try:
        return _begins(list(pl.read_parquet_schema(path)))
    except (OSError, pl.exceptions.PolarsError):
        return False


def _begins(names: Sequence[str]) -> bool:
    return any(list(names[: len(known)]) == known for known in (CELLS_BEGIN, VERDICTS_BEGIN))


OURS: dict[str, IsOurs] = {"csv": csv_is_ours, "parquet": parquet_is_ours}
WRITERS = {"csv": write_csv, "parquet": write_parquet}
