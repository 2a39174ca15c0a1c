"""The results of a run that were made elsewhere: `cells.parquet` in its folder, and what may not be done with it.

One row a cell, in the order of the grid (attempt, then item, then model), names as numbers: a million cells take a few
megabytes and a second. Columns, format 1::

    model       u32   index into the plan's models
    item        u32   index into the draw's tasks
    attempt     u32   0-based
    score       i64   millionths
    cost        i64   micro-dollars; null where unknown
    tokens_in   i64   null where unknown
    tokens_out  i64   null where unknown
    day         i32   days since 1970-01-01; null where unknown

A cell that the table lacked has no row. There are no texts. Not here: how a table becomes such a run (`import_cells`).
"""

import hashlib
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from openassay.runs.folder import RunFolder
from openassay.schema.attempt import Attempt, Outcome, Score, Scoring, Verdict
from openassay.schema.canonical import sha256_hex
from openassay.schema.errors import RefusedError, RunFolderError
from openassay.schema.message import Usage
from openassay.schema.plan import Imported
from openassay.schema.record import MILLION

if TYPE_CHECKING:
    import polars as pl

FILE = "cells.parquet"
CHECK = "result"
"""Id of the one check that every imported item has."""
WHO = "imported/1"
DAY_MS = 86_400_000
NO_TEXTS = "imported: no texts"
"""Stands where a run of our own has an instruction or a reason."""
UNKNOWN = Usage()
NOTHING = sha256_hex(b"")
"""Digest of the evidence: none is here."""
BATCH = 20_000
"""Cells that are records at one time."""


def refuse_imported(folder: RunFolder, verb: str, why: str) -> None:
    """`RefusedError` where the run was imported.

    Args:
        folder: any run.
        verb: what was asked for, such as ``score``.
        why: what is missing for it.
    """
    if folder.plan.imported is not None:
        raise RefusedError(
            f"`{verb}` is for runs made here; this one was imported from {folder.plan.imported.file!r}: {why}",
            where=str(folder.path),
            todo=f"`openassay report {folder.path}` shows it; import the table anew where it has changed",
        )


def table(folder: RunFolder) -> "pl.DataFrame":
    """All cells as one table, its columns as in this module's text; `RunFolderError` where it is not what was written.

    `folder.plan.models[row.model]` is the model, `folder.draw.tasks[row.item]` the item with its category. Meant for
    counting whole columns at once; `read_cells` yields the same cells one by one.
    """
    import polars as pl  # 60 MB that a run does without

    wanted = marker(folder)
    place = folder.path / FILE
    try:
        with place.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
            file.seek(0)
            frame = pl.read_parquet(file) if found == wanted.cells else None
    except (OSError, pl.exceptions.PolarsError) as fault:
        why = (fault.strerror if isinstance(fault, OSError) else None) or type(fault).__name__
        raise _damaged(folder, f"{FILE} cannot be read: {why}") from None
    if frame is None:
        raise _damaged(folder, f"{FILE} does not match its digest: expected {wanted.cells}, found {found}")
    return frame


def marker(folder: RunFolder) -> Imported:
    """Where the cells come from; `RunFolderError` for a run of our own."""
    if folder.plan.imported is None:
        raise RunFolderError("expected an imported run, found one made here", where=str(folder.path))
    return folder.plan.imported


def _damaged(folder: RunFolder, what: str) -> RunFolderError:
    return RunFolderError(
        what,
        where=str(folder.path / FILE),
        todo="the file was changed or damaged: restore it from a backup, or import the table anew",
    )


def attempts_of(folder: RunFolder) -> Iterator[tuple[Attempt, Scoring]]:
    """Every cell as the records that a run of our own holds, few of them at a time."""
    hard = [any(check.hard for check in folder.tasks[drawn.task].checks) for drawn in folder.draw.tasks]
    names = [model.name for model in folder.plan.models]
    drawn = folder.draw.tasks
    for batch in table(folder).iter_slices(BATCH):
        for model, item, number, score, cost, tokens_in, tokens_out, day in batch.iter_rows():
            key = {"model": names[model], "task": drawn[item].task, "draw": 0, "attempt": number}
            verdicts, scored = _scored(score, hard[item])
            # Not validated again: the file's digest says that it is as it was when it was written.
            attempt = Attempt.model_construct(
                **key,
                outcome=Outcome.ANSWERED,
                prompt=drawn[item].prompt,
                usage=_usage(tokens_in, tokens_out),
                cost=cost or 0,
                started_ms=(day or 0) * DAY_MS,
                took_ms=0,
                imported=True,
            )
            yield attempt, Scoring.model_construct(**key, pass_number=0, verdicts=verdicts, score=scored, at_ms=0)


def _usage(tokens_in: int | None, tokens_out: int | None) -> Usage:
    return UNKNOWN if tokens_in is tokens_out is None else Usage(tokens_in=tokens_in, tokens_out=tokens_out)


@lru_cache(maxsize=65_536)
def _scored(score: int, hard: bool) -> tuple[tuple[Verdict, ...], Score]:  # noqa: FBT001  # a key of the cache
    """Verdict and score of a cell; the same records for the same figure."""
    verdict = Verdict(
        check=CHECK,
        result="pass" if score == MILLION else "fail",
        value=None if hard else score,
        reason=NO_TEXTS,
        who=WHO,
        evidence=NOTHING,
    )
    passed = score == MILLION if hard else None
    return (verdict,), Score(outcome=Outcome.ANSWERED, passed=passed, score=score, counted=score)
