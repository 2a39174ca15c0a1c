"""What a reader brings to a report: own needs, and figures of others to stand beside it.

Not here: their files (`needs_file`, `published`), what the runs say by themselves (`summary`).
"""

from collections.abc import Sequence
from pathlib import Path

from openassay.reports.contract import Summary
from openassay.reports.first_screen import first_screens
from openassay.reports.needs import answer
from openassay.reports.needs_file import Needs, read_needs
from openassay.reports.outside import beside
from openassay.reports.published import Figure, read_outside


def for_reader(summary: Summary, needs: Needs | None = None, outside: Sequence[Figure] = ()) -> Summary:
    """The summary with the reader's side added, and told first."""
    models = [model.name for run in summary.runs for model in run.models]
    found = summary.model_copy(
        update={"needs": answer(summary, needs) if needs else None, "outside": beside(outside, models)}
    )
    return found.model_copy(update={"first": first_screens(found)})


def read_for(summary: Summary, needs: Path | None, outside: Path | None) -> Summary:
    """The same from files; `OwnFileError` with every fault of one."""
    categories = dict.fromkeys(category.id for run in summary.runs for category in run.categories)
    models = dict.fromkeys(model.name for run in summary.runs for model in run.models)
    return for_reader(
        summary,
        read_needs(needs, list(categories), list(models)) if needs else None,
        read_outside(outside).figure if outside else (),
    )
