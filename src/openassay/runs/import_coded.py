"""A table without faults -> its names as numbers, what it lacks, and what each model's cells come to.

Not here: whether the table has faults (`import_faults`), and what is written (`import_cells`).
"""

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from openassay.runs.import_faults import date
from openassay.runs.import_headlines import Mean
from openassay.runs.import_table import number
from openassay.schema.record import MILLION

if TYPE_CHECKING:
    import polars as pl

ALL = "all"
"""The category of items whose table names none."""
EXAMPLES = 3
"""Missing items that a note names."""
NOTED = 40
"""Models whose missing cells get a note of their own."""


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
    def per_model(self) -> int:
        """Cells that each model should have."""
        return len(self.items) * self.attempts

    @property
    def planned(self) -> int:
        return len(self.models) * self.per_model


def coded(frame: "pl.DataFrame") -> Coded:
    import polars as pl  # 60 MB that a run does without

    models, items = _names(frame, "model"), _names(frame, "item")
    attempts = _attempt_labels(frame)
    given = set(frame.columns)
    unknown = pl.lit(None, dtype=pl.Int64)
    attempt = _code("attempt", attempts) if attempts else pl.lit(0)
    numbers = frame.select(
        _code("model", models).alias("model"),
        _code("item", items).alias("item"),
        attempt.cast(pl.UInt32).alias("attempt"),
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
    return Coded(numbers, models, items, max(len(attempts), 1), category, cluster, hard)


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


def means(coded: Coded) -> dict[str, Mean]:
    import polars as pl  # as above

    by_item = coded.frame.group_by("model", "item").agg(
        pl.col("score").mean().alias("mean"), pl.col("score").sum().alias("sum"), pl.len().alias("cells")
    )
    found = by_item.group_by("model").agg(pl.col("mean").mean(), pl.col("sum").sum(), pl.col("cells").sum())
    return {
        coded.models[model]: Mean(mean / MILLION, cells, coded.per_model, total / MILLION)
        for model, mean, total, cells in found.iter_rows()
    }


def missing_of(coded: Coded) -> dict[str, int]:
    """Model -> cells that the table lacks; models that lack none are left out."""
    planned = coded.per_model
    counts = dict(coded.frame["model"].value_counts().iter_rows())
    return {
        name: planned - counts.get(code, 0) for code, name in enumerate(coded.models) if counts.get(code, 0) < planned
    }


def notes_on(coded: Coded, models: Mapping[str, str], missing: Mapping[str, int]) -> Iterator[str]:
    """What the table lacks, by name, so that every report says it."""
    import polars as pl  # as above

    planned = coded.per_model
    for text, lacks in list(missing.items())[:NOTED]:
        own = coded.frame.filter(pl.col("model") == coded.models.index(text))
        whole = own.group_by("item").len().filter(pl.col("len") == coded.attempts)["item"]
        lacking = sorted(set(range(len(coded.items))) - set(whole.to_list()))
        shown = ", ".join(coded.items[code] for code in lacking[:EXAMPLES])
        more = f" and {len(lacking) - EXAMPLES:,} more" if len(lacking) > EXAMPLES else ""
        yield f"The imported table lacks {lacks:,} of {planned:,} results of {models[text]}: {shown}{more}."
    if len(missing) > NOTED:
        yield f"It lacks results of {len(missing) - NOTED} more models."
