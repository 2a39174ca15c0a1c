"""`openassay resume`: do what a run has not done yet. What is finished is never called again."""

from pathlib import Path
from typing import Annotated

import typer

from openassay.cli import execution, plan_file, run_folders
from openassay.cli.execution import Manner
from openassay.cli.flags import JsonFlag, RunFolderPath
from openassay.runs.imported import refuse_imported

EXAMPLES = """
openassay resume runs/desk-20260101-101500-ab12
openassay resume runs/desk-20260101-101500-ab12 --budget 5
openassay resume runs/desk-20260101-101500-ab12 --answers prompts.csv
"""


def command(
    run: RunFolderPath,
    *,
    budget: Annotated[
        str | None, typer.Option("--budget", metavar="USD", help="A new cap over the whole run, spent money included.")
    ] = None,
    answers: Annotated[
        Path | None, typer.Option("--answers", metavar="FILE", help="Read a manual model's answers from a CSV.")
    ] = None,
    export_prompts: Annotated[
        Path | None,
        typer.Option("--export-prompts", metavar="FILE", help="Write the prompts still unanswered to a CSV, then end."),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress display.")] = False,
    as_json: JsonFlag = False,
) -> int:
    """Go on with a run that was stopped, interrupted or killed.

    It asks only for what is missing. Exits 0 complete, 1 incomplete, 2 refused, 130 stopped again.
    """
    folder = run_folders.opened(run)
    refuse_imported(folder, "resume", "nobody here can ask its models; what is missing has to come from the table")
    if export_prompts is not None:
        return execution.export_prompts(folder, export_prompts, as_json=as_json)
    cap = plan_file.micro_usd(budget, "--budget")
    return execution.carry_out(folder, Manner(quiet=quiet, as_json=as_json, answers=answers, budget=cap))
