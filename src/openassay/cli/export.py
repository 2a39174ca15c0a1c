"""`openassay export`: a run's results as a table or as Every Eval Ever records, or a benchmark's card.

Not here: what the files hold (`reports.export_rows`, `reports.eee`, `reports.benchmark_card`).
"""

import time
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from openassay.cli import console, run_folders
from openassay.cli.flags import JsonFlag
from openassay.schema.errors import PlanError
from openassay.schema.suggest import unknown_name

if TYPE_CHECKING:
    from openassay.reports.benchmark_card import Card
    from openassay.runs.folder import RunFolder

EXAMPLES = """
openassay export runs/20260101-101500-ab12 --format csv
openassay export runs/20260101-101500-ab12 --format csv --checks --out verdicts.csv
openassay export runs/20260101-101500-ab12 --format parquet --audience public --out cells.parquet
openassay export runs/20260101-101500-ab12 --format eee --out records --relationship third_party
openassay export runs/20260101-101500-ab12 --format card
openassay export my-benchmark --format card --out card.md
"""
FORMATS = ("csv", "parquet", "eee", "card")
LATER = {"inspect": "Inspect logs cannot be written yet"}
BENCHMARK = "benchmark.toml"


class Reader(StrEnum):
    owner = "owner"
    public = "public"


class Relation(StrEnum):
    first_party = "first_party"
    third_party = "third_party"
    collaborative = "collaborative"
    other = "other"


class Asked(NamedTuple):
    """What the flags say."""

    format: str
    out: Path | None
    audience: Reader
    checks: bool
    texts: bool
    relationship: Relation
    force: bool


def command(
    source: Annotated[Path, typer.Argument(metavar="RUN", help="A run folder; for a card also a benchmark folder.")],
    *,
    kind: Annotated[str, typer.Option("--format", metavar="FORMAT", help="csv, parquet, eee or card.")],
    out: Annotated[
        Path | None, typer.Option("--out", metavar="PATH", help="A file; for eee a folder. Else below RUN/export/.")
    ] = None,
    audience: Annotated[
        Reader,
        typer.Option("--audience", help="`public` names no reviewer, and no group of items that are not public."),
    ] = Reader.owner,
    checks: Annotated[bool, typer.Option("--checks", help="csv, parquet: one row a verdict, not one a cell.")] = False,
    texts: Annotated[
        bool, typer.Option("--texts", help="Prompts, answers and reasons too; for others only of a public benchmark.")
    ] = False,
    relationship: Annotated[
        Relation, typer.Option("--relationship", help="eee: of who ran this to who makes the models.")
    ] = Relation.other,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is no earlier export.")] = False,
    as_json: JsonFlag = False,
) -> int:
    r"""Write a run's results for other programs, or a benchmark's card for people.

    \b
    csv, parquet  one row a cell; with --checks one a verdict
    eee           Every Eval Ever 0.3: a record a model, a row an answer
    card          what a reader should know of the benchmark, and what nobody has said yet

    Without --texts no text of items or answers is in any of them. Records and cards are made for everybody. Exits 1
    where the run is incomplete: what is missing is left out, and told.
    """
    asked = Asked(kind, out, audience, checks, texts, relationship, force)
    _refuse(asked)
    if asked.format == "card" and _is_benchmark(source):
        document = _card_of_benchmark(source, asked)
    else:
        document = _exported(run_folders.opened(source), asked)
    if as_json:
        console.write_json(document)
    else:
        _show(document)
    return 0 if document.get("complete", True) else 1


def _refuse(asked: Asked) -> None:
    if why := LATER.get(asked.format):
        raise PlanError(why, where="--format", todo=f"write one of: {', '.join(FORMATS)}")
    if asked.format not in FORMATS:
        raise PlanError(unknown_name("format", asked.format, FORMATS), where="--format", todo="write --format csv")
    if asked.checks and asked.format not in {"csv", "parquet"}:
        raise PlanError("--checks is for csv and parquet", where="--checks", todo="leave it out")
    if asked.texts and asked.format == "card":
        raise PlanError("a card holds no texts of items", where="--texts", todo="leave it out")


def _is_benchmark(place: Path) -> bool:
    return place.name == BENCHMARK or (place / BENCHMARK).is_file()


def _exported(folder: "RunFolder", asked: Asked) -> dict[str, object]:
    from openassay.runs.cells import totals

    if asked.format == "eee":
        found = _records(folder, asked)
    elif asked.format == "card":
        found = _card_of_run(folder, asked)
    else:
        found = _table(folder, asked)
    counted = totals(folder)
    base = {"run": folder.id, "format": asked.format, "complete": counted.complete, "planned": counted.planned}
    return base | {"finished": counted.finished} | found


def _table(folder: "RunFolder", asked: Asked) -> dict[str, object]:
    from openassay.reports import export_tables
    from openassay.reports.export_place import FOR_ALL, OWNER_ONLY, replacing
    from openassay.reports.export_rows import cell_table, discretion, verdict_table

    told = discretion(folder.info.visibility, asked.audience.value, texts=asked.texts, where=str(folder.path))
    table = (verdict_table if asked.checks else cell_table)(folder, told)
    name = "verdicts" if asked.checks else "cells"
    path = _place(folder, asked, f"{name}-public" if asked.audience is Reader.public else name)
    mode = FOR_ALL if asked.audience is Reader.public else OWNER_ONLY
    with replacing(path, export_tables.OURS[asked.format], force=asked.force, mode=mode) as part:
        rows = export_tables.WRITERS[asked.format](table, part)
    return {"audience": asked.audience.value, "texts": asked.texts, "files": [str(path)], "rows": rows}


def _place(folder: "RunFolder", asked: Asked, name: str) -> Path:
    name = f"{name}.{'md' if asked.format == 'card' else asked.format}"
    if asked.out is None:
        return folder.path / "export" / name
    return asked.out / name if asked.out.is_dir() else asked.out


def _records(folder: "RunFolder", asked: Asked) -> dict[str, object]:
    from openassay.reports.eee import export_eee
    from openassay.reports.eee_identity import UNKNOWN, Given
    from openassay.reports.summary import summarise

    given = Given(now=int(time.time()), relationship=asked.relationship.value)
    unnamed = set() if folder.info.visibility == "public" else {folder.id}
    summary = summarise([folder], unnamed_runs=unnamed)
    out = asked.out or folder.path / "export" / "eee"
    written = export_eee(folder, summary, out, given, texts=asked.texts, force=asked.force)
    return {
        "audience": Reader.public.value,
        "texts": asked.texts,
        "files": [str(path) for one in written for path in (one.record, one.samples)],
        "rows": sum(one.rows for one in written),
        "models": {one.model: {"results": one.results, "rows": one.rows} for one in written},
        "unplaced": [one.model for one in written if one.record.parent.parent.name == UNKNOWN],
        "left_out": [f"{one.model}/{one.category}" for one in summary.results if one.scored < one.planned],
    }


def _card_of_run(folder: "RunFolder", asked: Asked) -> dict[str, object]:
    from openassay.reports.benchmark_card import card_of_run

    return _write_card(card_of_run(folder), _place(folder, asked, "card"), asked)


def _card_of_benchmark(source: Path, asked: Asked) -> dict[str, object]:
    from openassay.reports.benchmark_card import card_of_benchmark

    root = source.parent if source.name == BENCHMARK else source
    path = asked.out or root / "card.md"
    found = _write_card(card_of_benchmark(root), path / "card.md" if path.is_dir() else path, asked)
    return {"format": "card"} | found


def _write_card(card: "Card", path: Path, asked: Asked) -> dict[str, object]:
    """Markdown at `path`, JSON beside it."""
    from openassay.reports import card_markdown
    from openassay.reports.benchmark_card import FORMAT
    from openassay.reports.export_place import FOR_ALL, marked, replacing

    text, data = (path.with_suffix(".md"), path.with_suffix(".json"))
    with (
        replacing(text, marked(card_markdown.SIGN), force=asked.force, mode=FOR_ALL) as page,
        replacing(data, marked(FORMAT), force=asked.force, mode=FOR_ALL) as record,
    ):
        page.write_text(card_markdown.markdown(card), encoding="utf-8")
        record.write_text(card.model_dump_json(indent=1) + "\n", encoding="utf-8")
    return {"audience": Reader.public.value, "files": [str(text), str(data)], "open": list(card.open)}


def _show(document: dict[str, object]) -> None:
    files = document["files"]
    for path in files if isinstance(files, list) else []:
        console.show(f"written: {path}")
    if "rows" in document:
        console.show(f"rows: {document['rows']}")
    if names := document.get("unplaced"):
        console.say(f"no developer is stated of {_listed(names)}: name it in models.toml, or the store cannot place it")
    if left := document.get("left_out"):
        console.say(f"incomplete, left out: {_listed(left)}")
    elif not document.get("complete", True):
        console.say(f"incomplete: {document['finished']} of {document['planned']} cells are finished")


def _listed(names: object) -> str:
    return ", ".join(map(str, names)) if isinstance(names, list) else ""
