"""Answers from people's own chats: prompts shown one by one and answers pasted, or all of them through a CSV.

Not here: the model that asks and the CSV's format (`models.manual`).
"""

import itertools
import os
import select
import sys
import threading
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from pathlib import Path

from openassay.cli import console
from openassay.models.manual import Ask, read_answers
from openassay.models.manual import export_prompts as write_csv
from openassay.runs.books import cell_of, read_attempts, read_grid
from openassay.runs.cells import answer_text
from openassay.runs.folder import RunFolder
from openassay.schema.attempt import ABOUT_THE_MODEL
from openassay.schema.errors import PlanError
from openassay.schema.plan import Cell

END = "."
REMINDER = "(Ctrl-C is safe: answers pasted so far are kept, and `openassay resume` goes on)"
PATIENCE_S = 0.2
"""How long a wait for typed text lasts before it is asked whether to go on."""


def pasting(stopped: Callable[[], bool] = lambda: False, total: int = 0, source: int | None = None) -> Ask:
    """Show each prompt, read lines until one that holds only a dot; None at the end of the input, or once stopped.

    Args:
        stopped: asked while nothing is typed, so that Ctrl-C need not wait for a line.
        total: prompts that there are, to say how many are left.
        source: file descriptor to read from; stdin by default.
    """
    lines, turn, numbers = _lines(source, stopped), threading.Lock(), itertools.count(1)

    def ask(prompt: str) -> str | None:
        with turn:  # two manual models share one person
            return asked(prompt)

    def asked(prompt: str) -> str | None:
        console.say(f"\n===== prompt {_place(next(numbers), total)}: paste this into the chat =====\n{prompt}")
        console.say(f"===== paste its answer here, then a line with only {END} =====")
        console.say(REMINDER)
        found: list[str] = []
        for line in lines:
            if line.rstrip("\r\n") == END:
                return "".join(found).strip("\n")
            found.append(line)
        return "".join(found).strip("\n") or None

    return ask


def _place(number: int, total: int) -> str:
    """Such as ``3 of 10``; a judge's prompts come on top of those that were counted."""
    return f"{number} of {total}" if number <= total else str(number)


def _lines(source: int | None, stopped: Callable[[], bool]) -> Iterator[str]:
    """Lines as they are typed, over all prompts; from the descriptor, since a buffered file cannot be waited for."""
    place, kept = sys.stdin.fileno() if source is None else source, b""
    while not stopped():
        if not select.select([place], [], [], PATIENCE_S)[0]:
            continue
        piece = os.read(place, 65_536)
        *whole, kept = (kept + piece).split(b"\n")
        for line in whole:
            yield line.decode(errors="replace") + "\n"
        if not piece:
            break
    if kept and not stopped():
        yield kept.decode(errors="replace")


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


def differing(folder: RunFolder, path: Path) -> int:
    """How many answers of a CSV differ from those that the run has kept: kept answers are final."""
    answers = read_answers(path, _all_keys(folder))
    kept = (one for one in read_attempts(folder.journal) if one.outcome in ABOUT_THE_MODEL)
    brought = ((attempt, answers.get(cell_of(attempt).key())) for attempt in kept)
    return sum(
        answer is not None and _typed(answer) != _typed(answer_text(folder, attempt)) for attempt, answer in brought
    )


def _typed(answer: str) -> str:
    """What a person typed: spreadsheets change the ends of lines."""
    return "\n".join(answer.splitlines()).strip()


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


def unanswered(folder: RunFolder) -> int:
    """How many prompts still wait for a person."""
    return sum(1 for _ in _todo(folder))


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
