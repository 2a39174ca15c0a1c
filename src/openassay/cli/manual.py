"""Answers from people's own chats: prompts shown or exported one by one, answers pasted or read back from a CSV.

Not here: the model that asks (`models.manual`); this is only where its answers come from.
"""

import csv
import sys
from collections import defaultdict, deque
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from openassay.cli import console
from openassay.schema.errors import PlanError
from openassay.schema.suggest import unknown_name

if TYPE_CHECKING:
    from openassay.runs.folder import RunFolder

END = "."
COLUMNS = ("model", "task", "draw", "attempt", "prompt", "answer")
TASK_COLUMNS = ("task", "id", "task_id")

Ask = Callable[[str], str | None]


def prompt_text(folder: "RunFolder", task: str) -> str:
    """A task's prompt as a person pastes it into a chat."""
    return "\n\n".join(message.text() for message in folder.prompt(task))


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


def from_csv(folder: "RunFolder", path: Path, model: str) -> Ask:
    """Answers by task from a CSV with the columns `task` and `answer`, in file order where a task has several.

    An empty cell is no answer yet: None, so that the run stays open for it.
    """
    waiting = _answers(path, model, known=set(folder.tasks))
    by_prompt = {prompt_text(folder, task): task for task in folder.tasks}

    def ask(prompt: str) -> str | None:
        left = waiting[by_prompt.get(prompt, "")]
        return left.popleft() if left else None

    return ask


def _answers(path: Path, model: str, *, known: set[str]) -> "defaultdict[str, deque[str]]":
    rows, column = _rows(path)
    found: defaultdict[str, deque[str]] = defaultdict(deque)
    for line, row in enumerate(rows, start=2):
        task = (row[column] or "").strip()
        if task not in known:
            raise PlanError(
                unknown_name("task", task, sorted(known)[:20]),
                where=f"{path}, row {line}",
                todo="keep the task ids as `--export-prompts` wrote them",
            )
        if row.get("model", model) in {model, "", None} and (answer := (row["answer"] or "").strip("\r\n")):
            found[task].append(answer)
    return found


def _rows(path: Path) -> tuple[list[dict[str, str]], str]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            names = list(reader.fieldnames or [])
            rows = list(reader)
    except UnicodeDecodeError as fault:
        raise PlanError("expected UTF-8 text", where=str(path), todo="save it as CSV UTF-8") from fault
    column = next((name for name in TASK_COLUMNS if name in names), "")
    if not column or "answer" not in names:
        raise PlanError(
            f"expected the columns `task` and `answer`, found: {', '.join(names) or 'none'}",
            where=str(path),
            todo="write the file with `--export-prompts` and fill in its last column",
        )
    return rows, column


def export(folder: "RunFolder", path: Path, cells: Iterable[tuple[str, str, int, int]]) -> int:
    """Write the prompts of these cells with an empty column for answers; how many there are."""
    written = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for model, task, draw, attempt in cells:
            writer.writerow([model, task, draw, attempt, prompt_text(folder, task), ""])
            written += 1
    return written
