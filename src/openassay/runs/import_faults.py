"""What cannot be true in a table of results: every fault with its row and column, all of them before anything is kept.

Whole columns at a time, so that a million rows take a second. Not here: headlines (`import_headlines`).
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from openassay.runs.import_table import Rows, number
from openassay.schema.errors import Fault, TableError

if TYPE_CHECKING:
    import polars as pl

UNSEEN = r"[\p{Cc}\p{Cf}\s]"
"""Characters that nobody sees in a name."""
QUOTED = 40
"""Characters of a cell that are quoted."""


class Rule(NamedTuple):
    """One thing that may be wrong with a row."""

    field: str
    wrong: "pl.Expr"
    """True where it is."""
    code: str
    what: str
    todo: str
    beside: str = ""
    """Field of the row in which the first, right one stands."""


def refuse_faults(rows: Rows, file: str) -> None:
    """`TableError` with all faults of the rows; the first `TableError.shown` of them in words."""
    found: list[Fault] = []
    total = 0
    frame = _with_firsts(rows.frame)
    for rule in _rules(frame.columns):
        wrong = frame.filter(rule.wrong)
        total += wrong.height
        found += (_fault(rule, row, rows, file) for row in wrong.head(TableError.shown).iter_rows(named=True))
    if found:
        raise TableError(tuple(sorted(found, key=lambda one: one.line or 0)), total)


def _with_firsts(frame: "pl.DataFrame") -> "pl.DataFrame":
    """Beside each row the first row of its cell, and the first value of what its item or model has only one of."""
    import polars as pl  # 60 MB that a run does without

    cell = [name for name in ("model", "item", "attempt") if name in frame.columns]
    firsts = [pl.col("row").first().over(cell).alias("first")]
    owners = {"category": "item", "cluster": "item", "headline": "model"}
    frame = frame.with_columns(pl.col("model").str.replace_all(UNSEEN, "").str.to_lowercase().alias("looks"))
    firsts.append(pl.col("model").first().over("looks").alias("first_model"))
    firsts += [
        pl.col(field).first().over(owner).alias(f"first_{field}")
        for field, owner in owners.items()
        if field in frame.columns
    ]
    return frame.with_columns(firsts)


def _rules(columns: list[str]) -> Iterator[Rule]:
    import polars as pl  # as above

    for field in ("model", "item", "attempt", "score", "category"):
        if field in columns:
            todo = "fill it in; leave the whole row out where there is no result"
            yield Rule(field, pl.col(field).is_null(), "empty", f"expected a value for {field!r}, found nothing", todo)
    yield Rule(
        "model",
        pl.col("model").ne_missing(pl.col("first_model")),
        "alike",
        "expected models whose names differ by more than case and spaces, {first} as in the first row of it",
        "write a model's name the same in all its rows; give another model a name that readers can tell apart",
    )
    score = number("score")
    given = pl.col("score").is_not_null()
    todo = "write scores as shares from 0 to 1, with a decimal point: 0.1, not 10 %"
    yield Rule("score", given & score.is_null(), "no-number", "expected a score from 0 to 1", todo)
    yield Rule("score", score.is_not_null() & ~score.is_between(0, 1), "range", "expected a score from 0 to 1", todo)
    yield from _amounts(columns)
    if "date" in columns:
        wrong = pl.col("date").is_not_null() & date("date").is_null()
        yield Rule("date", wrong, "date", "expected a date such as 2026-01-31", "write dates as year-month-day")
    twice = pl.col("row") != pl.col("first")
    named = pl.all_horizontal(pl.col(name).is_not_null() for name in ("model", "item"))
    yield Rule(
        "item",
        twice & named,
        "twice",
        "a second result of the same model on the same item and attempt",
        "keep one of the rows; or name the column that tells attempts apart: --as COLUMN=attempt",
        beside="first",
    )
    for field, owner in {"category": "item", "cluster": "item", "headline": "model"}.items():
        if field in columns:
            differs = pl.col(field).ne_missing(pl.col(f"first_{field}"))
            what = f"expected one {field} for each {owner}, {{first}} as in its first row"
            yield Rule(field, differs, "differs", what, f"write the same {field} in all rows of the {owner}")


def _amounts(columns: list[str]) -> Iterator[Rule]:
    import polars as pl  # as above

    for field, unit in {"cost": "US dollars", "tokens_in": "tokens", "tokens_out": "tokens"}.items():
        if field not in columns:
            continue
        amount = number(field)
        whole = pl.lit(value=True) if field == "cost" else (amount % 1) == 0
        right = (amount.is_between(0, 1e12) & whole).fill_null(value=False)
        what = f"expected {unit} from 0, or nothing where they are not known"
        yield Rule(field, pl.col(field).is_not_null() & ~right, "amount", what, "write a plain number")
    if "cost" in columns:
        cost = number("cost")
        what = "expected 0 or at least 0.000001 US dollars, in which costs are kept: less would count as nothing"
        todo = "leave the cost empty: it is then unknown, and meets no demand"
        yield Rule("cost", (cost > 0) & (cost < 1e-6), "small", what, todo)  # noqa: PLR2004


def date(field: str) -> "pl.Expr":
    """The day of a date; a time behind it is left out; null where it is none."""
    import polars as pl  # as above

    return pl.col(field).str.slice(0, 10).str.to_date("%Y-%m-%d", strict=False)


def _fault(rule: Rule, row: dict[str, object], rows: Rows, file: str) -> Fault:
    what = rule.what.replace("{first}", _quoted(row.get(f"first_{rule.field}")))
    if rule.beside:
        what = f"{what}: {_quoted(row['model'])} on {_quoted(row['item'])}; the first stands in row {row[rule.beside]}"
    elif rule.code != "empty":
        what = f"{what}, found {_quoted(row[rule.field])}"
    own = str(row["model"]) if rows.wide and rule.field == "score" else rows.column.get(rule.field, rule.field)
    line = row["row"]
    return Fault(
        code=rule.code, what=what, file=file, line=line if isinstance(line, int) else None, field=own, todo=rule.todo
    )


def _quoted(value: object) -> str:
    return "nothing" if value is None else repr(str(value)[:QUOTED])
