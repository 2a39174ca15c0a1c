"""What is said of a run whose results were made elsewhere: where they come from, and what nobody here can know of them.

Not here: how a table becomes such a run (`runs.import_cells`).
"""

from openassay.reports.contract import RunSummary
from openassay.reports.words import counted, listed
from openassay.schema.plan import Imported


def origin(table: Imported) -> str:
    """Which table, found where, said by whom; one sentence without its full stop."""
    found = f", found at {table.source}" if table.source else ", found at a place that the importer did not state"
    said = f", as stated by {table.stated_by}" if table.stated_by else ""
    return f"imported from the table {table.file} (sha256 {table.sha256[:12]}){found}{said}"


def checked(run: RunSummary, table: Imported) -> str:
    """What was compared before the import; one sentence."""
    number = len(table.headlines)
    if not number:
        return "No headline was stated beside the cells, so none was compared with them."
    of = f"the {number} stated headlines" if number > 1 else "the one stated headline"
    rest = len(run.models) - number
    more = f"; {counted(rest, 'model')} had none" if rest else ""
    return f"Before the import {of} had to follow from the cells, as far as printed{more}."


def limits_of_import(run: RunSummary) -> list[str]:
    """What an imported run does not show; empty for one made here."""
    table = run.imported_from
    if table is None:
        return []
    said = [
        (
            f"Nothing here was measured by OpenAssay: all results are {origin(table)}. How the answers were made, "
            "whether all models met the same prompts, and whether each score is right cannot be seen from scores alone."
        ),
        checked(run, table),
    ]
    if table.left_out:
        said.append(f"The table also holds {listed(list(table.left_out))}, left out by the importer.")
    if table.priced < table.number:
        unpriced = counted(table.number - table.priced, "result")
        said.append(
            f"The table states no cost for {unpriced}: they add nothing to the sums here, and are no free ones."
        )
    return said
