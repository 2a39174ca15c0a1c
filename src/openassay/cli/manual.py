"""Answers from people's own chats: prompts shown one by one and answers pasted, or all of them through a CSV.

Not here: the model that asks and the CSV's format (`models.manual`).
"""

import sys
from collections import defaultdict, deque
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from openassay.cli import console
from openassay.models.manual import Ask, read_answers
from openassay.models.manual import export_prompts as write_csv
from openassay.runs.books import read_grid
from openassay.runs.folder import RunFolder
from openassay.schema.errors import PlanError
from openassay.schema.plan import Cell

END = "."


def pasting(read: TextIO | None = None, write: TextIO | None = None) -> Ask:
    """Show each prompt, read lines until one that holds only a dot; None at the end of the input."""
    source, target = read or sys.stdin, write or sys.stderr

    def ask(prompt: str) -> str | None:
        print(f"\n===== paste this into the chat =====\n{console.safe(prompt)}", file=target)
        print(f"===== paste its answer here, then a line with only {END} =====", file=target, flush=True)
        lines: list[str] = []
        for line in iter(source.readline, ""):
            if line.rstrip("\r\n") == END:
                return "".join(lines).strip("\n")
            lines.append(line)
        return "".join(lines).strip("\n") or None

    return ask


def from_csv(folder: RunFolder, path: Path, model: str) -> Ask:
    """Answers from a filled-in CSV, each for the cell it stands at; None where there is none yet."""
    cells = list(_todo(folder))
    answers = read_answers(path, _all_keys(folder))
    waiting: defaultdict[str, deque[str | None]] = defaultdict(deque)
    for cell in cells:
        if cell.model == model:
            waiting[_prompt(folder, cell.task)].append(answers.get(cell.key()))

    def ask(prompt: str) -> str | None:
        left = waiting[prompt]
        return left.popleft() if left else None

    return ask


def export(folder: RunFolder, path: Path) -> int:
    """Write the prompts that manual models have not answered yet; how many there are."""
    cells = list(_todo(folder))
    if not cells:
        raise PlanError(
            "no prompt is left for a manual model to answer",
            where=str(folder.path),
            todo='name a model with endpoint = "manual" in the models file',
        )
    return write_csv(((cell.key(), _prompt(folder, cell.task)) for cell in cells), path)


def _todo(folder: RunFolder) -> Iterator[Cell]:
    grid = read_grid(folder, {0})
    for one in folder.plan.models:
        if one.endpoint == "manual":
            yield from grid.todo(one.name)


def _all_keys(folder: RunFolder) -> list[str]:
    """Keys of every cell of manual models, finished ones too: a CSV may be read twice."""
    names = [one.name for one in folder.plan.models if one.endpoint == "manual"]
    return [
        Cell(name, task, draw, attempt).key()
        for name in names
        for attempt in range(folder.plan.attempts)
        for draw, tasks in enumerate(folder.draw.draws)
        for task in tasks
    ]


def _prompt(folder: RunFolder, task: str) -> str:
    """A task's prompt as a person pastes it into a chat; the same text that `models.manual` asks for."""
    return "\n\n".join(message.text() for message in folder.prompt(task))
