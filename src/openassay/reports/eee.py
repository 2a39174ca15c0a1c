"""A run as records of Every Eval Ever 0.3: one JSON file a model, and beside it one JSON line a scored answer.

Field names and constraints follow https://github.com/evaleval/every_eval_ever (draft-07 schemas of version 0.3.0).
What that format has no field for stands under ``openassay.`` in `additional_details`. Made to be published: texts only
of public benchmarks, and nobody is named who decided a check. A category that is incomplete is left out.

Not here: the fields (`eee_record`, `eee_rows`).
"""

import hashlib
import json
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO, NamedTuple

from openassay.reports.contract import Summary
from openassay.reports.eee_identity import Given, Identity, identities
from openassay.reports.eee_record import Rows, record_of
from openassay.reports.eee_rows import Metric, metrics, rows_of
from openassay.reports.export_place import FOR_ALL, inside, marked, replacing
from openassay.reports.export_rows import Discretion, Source
from openassay.runs.folder import RunFolder
from openassay.schema.errors import RefusedError

ROW_SIGN = '{"metadata": {"openassay.'
RECORD_SIGN = '"name": "openassay"'


class Written(NamedTuple):
    """One model's record."""

    model: str
    record: Path
    samples: Path
    results: int
    rows: int


def export_eee(
    folder: RunFolder, summary: Summary, out: Path, given: Given, *, texts: bool, force: bool = False
) -> tuple[Written, ...]:
    """Write ``data/<benchmark>/<developer>/<model>/<uuid>.json`` and ``..._samples.jsonl`` below `out`.

    Args:
        folder: the run.
        summary: of this run alone; closed items unnamed.
        out: a folder; nothing is written outside it.
        given: what the run does not know.
        texts: prompts, references and answers into the rows; only for a public benchmark.
        force: write over files that are no earlier export.

    Raises:
        RefusedError: texts of closed items, or no category that is complete.
    """
    public = folder.info.visibility == "public"
    if texts and not public:
        what = f"these records are made to be published, and the items are {folder.info.visibility}"
        raise RefusedError(what, where=str(folder.path), todo="leave out --texts; the rows then hold no text")
    known = metrics(summary)
    if not known:
        what = "no category is complete: there is no result to record"
        raise RefusedError(what, where=str(folder.path), todo=f"openassay resume {folder.path}")
    source = Source(folder, Discretion(texts=texts, items=public, people=False))
    who = identities(summary.runs[0], list(known), given)
    with ExitStack() as stack:
        sinks = {one.model: Sink(out, one, stack, force=force) for one in who}
        for cell in source.cells():
            if sink := sinks.get(cell.attempt.model):
                for row in rows_of(source, cell, known[sink.who.model], sink.who):
                    sink.add(row)
        return tuple(sink.end(summary, known[model], given) for model, sink in sinks.items())


class Sink:
    """The two files of one model; rows are counted and digested as they are written.

    Both take their places when the stack is closed without an error, and not before.
    """

    def __init__(self, out: Path, who: Identity, stack: ExitStack, *, force: bool) -> None:
        self.who = who
        self.paths = [inside(out, *name.split("/")) for name in (who.record, who.samples)]
        signs = (RECORD_SIGN, ROW_SIGN)
        places = [
            stack.enter_context(replacing(path, marked(sign), force=force, mode=FOR_ALL))
            for path, sign in zip(self.paths, signs, strict=True)
        ]
        self._record, samples = places
        self._file: BinaryIO = stack.enter_context(samples.open("wb"))
        self._digest = hashlib.sha256()
        self._number = 0

    def add(self, row: dict[str, object]) -> None:
        line = json.dumps(row, ensure_ascii=False, allow_nan=False).encode() + b"\n"
        self._digest.update(line)
        self._number += 1
        self._file.write(line)

    def end(self, summary: Summary, known: tuple[Metric, ...], given: Given) -> Written:
        """Write the record of what was added."""
        self._file.flush()
        rows = Rows(self._number, self._digest.hexdigest())
        record = record_of(summary, self.who, known, rows, given)
        self._record.write_text(
            json.dumps(record, ensure_ascii=False, indent=1, allow_nan=False) + "\n", encoding="utf-8"
        )
        record_path, samples = self.paths
        return Written(self.who.model, record_path, samples, len(known), self._number)
