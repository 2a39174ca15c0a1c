"""`openassay claim`: what a published figure leaves out, what can still be said of it, and what to ask.

Not here: the rules (`reports.claim`).
"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openassay.cli import console
from openassay.cli.flags import JsonFlag
from openassay.schema.errors import InputError, PlanError

if TYPE_CHECKING:
    from openassay.reports.claim import Claim, Reading

EXAMPLES = """
openassay claim --sample > claim.toml
openassay claim claim.toml
openassay claim announcement.md --json
"""
TEXTS = (".txt", ".md", ".markdown")
MOST_SHOWN = 12
"""Figures of a text that are printed; `--json` has all."""
SAMPLE = """\
# What was published, as it was published. Leave out what the source does not say: that is what `openassay claim` lists.
# Only model and figure must be there. Give several [[claim]] to compare them.

[[claim]]
model = "large"
figure = "82 %"                 # or 82, or 0.82; other measures as text
benchmark = "SupportBench"      # which benchmark or trial
# what = ""                     # what it measures, in words
# benchmark_version = ""
# tasks = ""                    # all of it, a subset, chosen by whom
# metric = "pass@1"             # how the figure was calculated
# version = "large-2026-11-01"  # exact version of the model
# n = 100                       # tasks; attempts at one task are not more tasks
# attempts = 1                  # at each task
# selection = ""                # mean of all runs, best of 5, majority vote
# prompt = ""
# temperature = 0.7
# tools = ""                    # tools, scaffold, budget of calls or tokens
# interval = ""                 # as stated
# date = "2026-11-30"           # when it was measured
# measured_by = ""
# relationship = ""             # of who measured to who makes the model
# paid_by = ""
# contamination = ""            # are the tasks public, and what was done about it
# cost = ""
# source = ""
# url = ""                      # kept as text, never opened

[[claim]]
model = "small"
figure = "79 %"
benchmark = "SupportBench"
# metric = "pass@1"
# n = 100
"""


def command(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="A TOML file (see --sample), or a text: .txt or .md.")
    ] = None,
    sample: Annotated[bool, typer.Option("--sample", help="Print a TOML file to fill in, and nothing else.")] = False,
    as_json: JsonFlag = False,
) -> int:
    """List what a published figure leaves out, what can still be said of it, and the questions to send.

    Nothing is fetched. In a text words are looked for: what is not found there may still be said elsewhere. Exits 1
    where something is missing without which the figure cannot be read.
    """
    if sample:
        console.show(SAMPLE.rstrip())
        return 0
    if file is None:
        raise PlanError("expected a file", where="openassay claim", todo="see `openassay claim --sample`")
    found = _examined(file)
    if as_json:
        console.write_json(found.model_dump(mode="json"))
    else:
        _show(found)
    return 1 if found.essential_missing else 0


def _examined(file: Path) -> "Claim":
    from openassay.reports.claim import examine
    from openassay.reports.claim_text import examine_text
    from openassay.reports.own_files import text_of
    from openassay.reports.published import read_claims

    if file.suffix.lower() in TEXTS:
        return examine_text(text_of(file))
    if file.suffix.lower() != ".toml":
        raise InputError(
            f"expected a .toml, .txt or .md file, found {file.name!r}",
            where=str(file),
            todo="write the text into a .txt file, and give that",
        )
    return examine(read_claims(file).claim)


def _show(found: "Claim") -> None:
    from openassay.reports.visible import visible

    lines = _of_text(found) if found.source == "text" else _of_file(found)
    lines += ["", "Questions to send:", *(f"  {at}. {one}" for at, one in enumerate(found.questions, start=1))]
    if not found.questions:
        lines[-1] = "Nothing is left out that this list knows of."
    for line in lines:
        console.show(visible(line))


def _of_file(found: "Claim") -> list[str]:
    lines = []
    for reading in found.readings:
        lines += [f"{reading.model}: {reading.figure}", *(f"  {sentence}" for sentence in reading.said)]
        lines += _gaps(reading, "left out")
    return [*lines, *(f"\n{one.sentence}" for one in found.compared)]


def _gaps(reading: "Reading", word: str) -> list[str]:
    first = [one.label for one in reading.left_out if one.essential]
    rest = [one.label for one in reading.left_out if not one.essential]
    lines = [f"  {word}, and it cannot be read without: {', '.join(first)}"] if first else []
    lines += [f"  {word}: {', '.join(rest)}"] if rest else []
    return lines or [f"  nothing {word}"]


def _of_text(found: "Claim") -> list[str]:
    from openassay.reports.words import counted

    number = counted(len(found.readings), "percentage")
    lines = [f"{number} found" if found.readings else "no percentage found in the text"]
    for reading in found.readings[:MOST_SHOWN]:
        lines += [f"  {reading.figure}: “{reading.context}”", *(f"    {sentence}" for sentence in reading.said)]
    lines += ["", "Found (words were looked for, nothing was understood):"]
    lines += [f"  {name}: “{words}”" for name, words in found.found.items()] or ["  nothing but percentages"]
    missing = found.readings[0].left_out if found.readings else ()
    lines += ["", "Not found in the text:", *(f"  {one.label}{' (essential)' * one.essential}" for one in missing)]
    return lines
