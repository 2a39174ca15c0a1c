"""`openassay init`: a small working benchmark to start from. The files come from `tasks.scaffold`."""

from pathlib import Path
from typing import Annotated

import typer

from openassay.cli import console
from openassay.cli.flags import JsonFlag
from openassay.schema.errors import RefusedError

EXAMPLES = """
openassay init my-benchmark
openassay check my-benchmark
"""


def command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder to write; new or empty.")],
    frontend: Annotated[bool, typer.Option("--frontend", help="Tasks that are judged as web pages.")] = False,
    backend: Annotated[bool, typer.Option("--backend", help="Tasks that are judged by running code.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Write a small working benchmark that explains itself: its words, its questions, and a model file to fill in."""
    from openassay.tasks.scaffold import write

    if frontend or backend:
        raise RefusedError(
            "this version has no template for frontend or backend tasks",
            where="--frontend" if frontend else "--backend",
            todo=f"run `openassay init {folder}` for a benchmark of questions with text answers",
        )
    written = write(folder)
    if as_json:
        console.write_json({"folder": str(folder), "files": [str(path) for path in written]})
        return
    for path in written:
        console.show(f"wrote {path}")
    console.show(f"next: put your questions in, then `openassay check {folder}`")
