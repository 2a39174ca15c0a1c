"""Flags that several verbs share, so that they read the same everywhere."""

from pathlib import Path
from typing import Annotated

import typer

JsonFlag = Annotated[bool, typer.Option("--json", help="One JSON document on stdout; prose on stderr.")]
ModelsFile = Annotated[
    Path | None,
    typer.Option("--models-file", metavar="FILE", help="Where models are named; else ./models.toml."),
]
BenchmarkFolder = Annotated[Path, typer.Argument(metavar="BENCH", help="A benchmark folder.")]
RunFolderPath = Annotated[Path, typer.Argument(metavar="RUN", help="A run folder, such as runs/20260101-101500-ab12.")]
Unsafe = Annotated[
    bool,
    typer.Option("--unsafe", help="Run model-written code without a sandbox, with your rights; the report says so."),
]
Judges = Annotated[
    list[str] | None,
    typer.Option("--judge", metavar="NAME", help="Judge of `rubric` checks; repeat it: the first is primary."),
]
Calibrations = Annotated[
    list[Path] | None,
    typer.Option("--calibration", metavar="FILE", help="How a judge was measured, kept elsewhere; repeat it."),
]
