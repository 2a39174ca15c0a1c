"""`openassay import`: a table of results made elsewhere becomes a run that can be reported and compared.

Not here: reading and checking the table (`runs.import_cells`).
"""

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openassay.cli import console
from openassay.cli.flags import JsonFlag
from openassay.cli.run_folders import RUNS
from openassay.schema.errors import PlanError

if TYPE_CHECKING:
    from openassay.runs.import_cells import Import

EXAMPLES = """
openassay import results.csv
openassay import results.parquet --source https://example.org/results --by "The authors"
openassay import table.csv --as instance=item --as resolved=score --cluster-from '^(.+)__'
openassay import table.csv --headline stated.csv --without 'Some Model'
openassay import matrix.csv --wide --as subject=category --ignore note
openassay import matrix.csv --wide --as question=item.attempt
"""


class Seen(StrEnum):
    private = "private"
    public = "public"


def command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A table: .csv, .tsv, .parquet or .jsonl.")],
    *,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where run folders go.")] = RUNS,
    renamed: Annotated[
        list[str] | None, typer.Option("--as", metavar="COLUMN=FIELD", help="What a column holds; repeat it.")
    ] = None,
    ignore: Annotated[list[str] | None, typer.Option("--ignore", metavar="COLUMN", help="Leave a column out.")] = None,
    wide: Annotated[bool, typer.Option("--wide", help="One row an item, one column a model.")] = False,
    cluster_from: Annotated[
        str, typer.Option("--cluster-from", metavar="REGEX", help="One group: what an item's name says of its source.")
    ] = "",
    without: Annotated[
        list[str] | None, typer.Option("--without", metavar="MODEL", help="Leave a model out; the report says so.")
    ] = None,
    headline: Annotated[
        Path | None, typer.Option("--headline", metavar="FILE", help="A CSV with the columns model,headline.")
    ] = None,
    name: Annotated[
        str, typer.Option("--name", metavar="ID", help="Short name of the benchmark; else the file's.")
    ] = "",
    benchmark: Annotated[str, typer.Option("--benchmark", metavar="TEXT", help="What the benchmark is called.")] = "",
    source: Annotated[str, typer.Option("--source", metavar="TEXT", help="Where the table was found.")] = "",
    by: Annotated[str, typer.Option("--by", metavar="TEXT", help="Who says that these are the results.")] = "",
    visibility: Annotated[Seen, typer.Option("--visibility", help="Of the items.")] = Seen.private,
    as_json: JsonFlag = False,
) -> int:
    r"""Make a run of results that were made elsewhere, marked as imported wherever it is shown.

    \b
    A row a result, with the columns model, item, score (0 to 1), and where known
    attempt, category, cluster, cost (US dollars), tokens_in, tokens_out, date,
    headline. Or a row an item and a column a model (--wide).

    A headline stated for a model is recomputed from its cells; where it does not follow, nothing is imported. Cells
    that the table lacks make the run incomplete. Exits 1 then, 2 where the table has faults.
    """
    from openassay.runs.import_benchmark import Words
    from openassay.runs.import_cells import ImportOptions, import_cells
    from openassay.runs.import_table import Layout

    layout = Layout(renamed=_pairs(renamed or ()), wide=wide, ignored=tuple(ignore or ()), cluster_from=cluster_from)
    options = ImportOptions(
        layout=layout,
        without=tuple(without or ()),
        words=Words(name=_named(name), title=benchmark, visibility=visibility.value),
        source=source,
        stated_by=by,
    )
    _tell(found := import_cells(file, options, out, headline), as_json=as_json)
    return 1 if found.missing else 0


def _pairs(written: Sequence[str]) -> dict[str, str]:
    found = {}
    for one in written:
        column, sign, field = one.rpartition("=")
        if not sign or not column or not field:
            raise PlanError(f"expected COLUMN=FIELD, found {one!r}", where="--as", todo="write --as instance=item")
        found[column] = field
    return found


def _named(name: str) -> str:
    from openassay.runs.import_benchmark import names_for

    if name and (safe := names_for([name])[name]) != name:
        raise PlanError(
            f"expected letters, digits, dots, hyphens and underscores, found {name!r}",
            where="--name",
            todo=f"write --name {safe}",
        )
    return name


def _tell(found: "Import", *, as_json: bool) -> None:
    from openassay.reports.words import counted

    if as_json:
        console.write_json(_document(found))
        return
    plan = found.folder.plan
    counts = [(found.cells, "result"), (len(plan.models), "model"), (len(found.folder.draw.tasks), "item")]
    said = ", ".join(counted(*one) for one in [*counts, (plan.attempts, "attempt")])
    console.show(f"imported: {said} an item")
    if found.headlines:
        console.show(f"headlines: {len(found.headlines)} of {len(plan.models)} stated, each follows from its cells")
    if found.unused:
        console.say(f"note: columns not taken: {', '.join(found.unused)}")
    for note in found.folder.draw.notes:
        console.say(f"incomplete: {note}")
    console.show(f"run: {found.folder.path}")
    console.say(f"Show it with: openassay report {found.folder.path}")


def _document(found: "Import") -> dict[str, object]:
    plan = found.folder.plan
    return {
        "run": found.folder.id,
        "path": str(found.folder.path),
        "models": len(plan.models),
        "items": len(found.folder.draw.tasks),
        "attempts": plan.attempts,
        "planned": found.planned,
        "finished": found.cells,
        "complete": not found.missing,
        "missing": found.missing,
        "headlines": {model: stated.text for model, stated in found.headlines.items()},
        "unused": list(found.unused),
        "imported": plan.imported.model_dump(mode="json") if plan.imported else None,
    }
