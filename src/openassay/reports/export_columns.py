"""The columns of the CSV and Parquet exports. Columns may be added; none is renamed.

Not here: how they are filled (`export_rows`).
"""

from collections.abc import Iterator
from typing import NamedTuple, get_args, get_type_hints

Value = str | int | float | bool | None


class CellRow(NamedTuple):
    run: str
    plan_digest: str
    benchmark: str
    benchmark_version: str
    model: str
    """The run's own name for it."""
    model_version: str
    developer: str
    lineage: str
    """Families, nearest first, divided by semicolons; empty where unknown."""
    category: str
    track: str
    task: str
    task_identity: str | None
    group: str | None
    draw: int
    """From 1."""
    attempt: int
    """From 1, within its draw."""
    outcome: str
    mark: str
    """What the cell came to in one word: `tally.MARKS`."""
    passed: bool | None
    """Null where no hard check decides, or nobody has decided yet."""
    score: float | None
    """Weighted share of the measured checks, 0..1."""
    counted: float | None
    """The score as aggregates count it: 0 where a hard check failed."""
    scored: bool
    """Whether it counts; else it waits, or says nothing about the model."""
    undecided: bool
    """Waits for a judge or a person."""
    judged: bool
    """A judge's verdict is among those that decide."""
    unmeasured: int
    """Checks that could not be measured."""
    uncounted: int
    """Soft checks with a verdict that is shown and not counted."""
    cost_usd: float | None
    """Of all tries, judges left out; null where it is not known."""
    tokens_in: int | None
    tokens_out: int | None
    tokens_reasoning: int | None
    seconds: float | None
    """Of the last try."""
    tries: int
    imported: bool
    """The answer came from outside."""


class CellTexts(NamedTuple):
    prompt: str
    answer: str
    reasons: str
    """A line a check: its id, verdict and reason."""


class VerdictRow(NamedTuple):
    run: str
    benchmark: str
    benchmark_version: str
    model: str
    category: str
    task: str
    draw: int
    attempt: int
    check: str
    hard: bool | None
    """Null for a check that the checklist no longer has; so with the next two."""
    dimension: str | None
    weight: int | None
    by: str
    """`script`, `judge` or `human`."""
    who: str
    result: str
    value: float | None
    decides: bool
    """False for a verdict kept beside the deciding one."""
    counts: bool
    """False for one that is shown and not counted."""
    disputes: str
    order: int
    """Of a judge: which of its passes, from 1."""
    control: str
    """Of a judge: whether it got canary items and nonce right."""
    ended: str
    """How code under test was stopped."""
    unsafe: bool
    """Model-written code ran without a sandbox."""


class VerdictTexts(NamedTuple):
    criterion: str
    took: str
    reason: str


class Table(NamedTuple):
    columns: dict[str, type]
    """Name -> `str`, `int`, `float` or `bool`; any value may be null."""
    rows: Iterator[tuple[Value, ...]]
    """Read once, one cell in memory at a time."""


def columns_of(*kinds: type) -> dict[str, type]:
    """Column -> its type, optional ones as what they are where they are there."""
    hints = {name: hint for kind in kinds for name, hint in get_type_hints(kind).items()}
    return {name: next((one for one in get_args(hint) if one is not type(None)), hint) for name, hint in hints.items()}
