"""A model without any key: a person carries the prompts to a chat and brings the answers back.

Either one by one (`ManualModel` asks), or all together by a CSV (`export_prompts`, `read_answers`). Not here: the
terminal (`cli`), and any check of what the person pastes: it is an answer like any other.
"""

import asyncio
import contextlib
import csv
import io
import threading
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import TextIO

from openassay.models.faults import RULES
from openassay.schema.errors import EndpointError, FaultKind, InputError
from openassay.schema.message import Finish, ModelReply, ModelRequest
from openassay.schema.suggest import nearest
from openassay.tasks.rows import delimiter

Ask = Callable[[str], str | None]
"""Shows a prompt, returns the pasted answer; None where there is no answer yet."""
COLUMNS = ("cell", "prompt", "answer")


class ManualModel:
    """See `model.Model`. Asks one prompt at a time, whatever the run's concurrency.

    Raises:
        EndpointError: by `generate`, where there is no answer yet; the other prompts go on, and the run can be
            resumed for this one. What `ask` itself raises passes through: it may end the whole run.
    """

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._turn = asyncio.Lock()

    async def generate(self, request: ModelRequest) -> ModelReply:
        prompt = prompt_text(request)
        async with self._turn:
            answer = await _in_own_thread(self._ask, prompt)
        if answer is None:
            what = "no answer has been brought to this prompt yet"
            raise EndpointError(FaultKind.UNANSWERED, what, todo=RULES[FaultKind.UNANSWERED].todo)
        return ModelReply(text=answer, finish=Finish.STOP, model_reported="manual")

    async def close(self) -> None:
        return


async def _in_own_thread(ask: Ask, prompt: str) -> str | None:
    """The person may take minutes, and the run's display must go on.

    Not the loop's pool: its end waits for every thread, and one that reads a terminal never ends after Ctrl-C.
    """
    loop = asyncio.get_running_loop()
    answered: asyncio.Future[str | None] = loop.create_future()

    def settle(answer: str | None, error: Exception | None) -> None:
        if answered.done():  # cancelled meanwhile
            return
        if error is not None:
            answered.set_exception(error)
        else:
            answered.set_result(answer)

    def work() -> None:
        try:
            outcome: tuple[str | None, Exception | None] = (ask(prompt), None)
        except Exception as error:  # noqa: BLE001 - whatever the caller's function raises is the caller's
            outcome = (None, error)
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(settle, *outcome)

    threading.Thread(target=work, daemon=True, name="openassay-ask").start()
    return await answered


def prompt_text(request: ModelRequest) -> str:
    """What a person pastes into a chat: the texts of all messages, one after the other."""
    return "\n\n".join(message.text() for message in request.messages)


def export_prompts(rows: Iterable[tuple[str, str]], path: Path) -> int:
    """Write (cell key, prompt) with an empty column for the answer; how many rows there are.

    Raises:
        InputError: the file is there already: somebody's answers may stand in it.
    """
    written = 0
    with _new(path) as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for cell, prompt in rows:
            writer.writerow([harmless(cell), harmless(prompt), ""])
            written += 1
    return written


def _new(path: Path) -> TextIO:
    try:
        return path.open("x", encoding="utf-8-sig", newline="")  # with its mark, or Excel garbles umlauts
    except FileExistsError:
        raise InputError(
            "the file for the prompts is there already, and answers may stand in it: it was not touched",
            where=str(path),
            todo="give another name, or bring the answers in it with --answers",
        ) from None


def harmless(cell: str) -> str:
    """A spreadsheet runs a cell that opens like a formula, and prompts hold other people's text.

    >>> harmless("=1+1"), harmless("Why?")
    ("'=1+1", 'Why?')
    """
    return f"'{cell}" if cell[:1] in {"=", "+", "-", "@", "\t", "\r"} else cell


def read_answers(path: Path, known: Collection[str]) -> dict[str, str]:
    """Cell key -> answer, from the CSV that `export_prompts` wrote; rows without an answer are left out.

    Raises:
        InputError: the file, a column, or keys are wrong; every bad row is counted, the first are quoted.
    """
    answers: dict[str, str] = {}
    faults: list[str] = []
    seen: dict[str, int] = {}
    for number, row in enumerate(_rows(path), start=2):
        key, answer = (row.get("cell") or "").strip(), (row.get("answer") or "").strip("\r\n")
        if key not in known:
            near = nearest(key, known)
            faults.append(f"row {number}: unknown cell {key!r}" + (f"; did you mean {near!r}?" if near else ""))
        elif key in seen:
            faults.append(f"row {number}: the cell {key!r} stands in row {seen[key]} already")
        elif answer.strip():
            answers[key] = answer
        seen.setdefault(key, number)
    if faults:
        rest = f"; and {len(faults) - 3} more" if len(faults) > 3 else ""  # noqa: PLR2004 - three fit on a screen
        raise InputError(
            "; ".join(faults[:3]) + rest, where=str(path), todo="keep the column `cell` as it was exported"
        )
    return answers


def _rows(path: Path) -> list[dict[str, str]]:
    """Rows of a CSV as any spreadsheet writes it: comma, semicolon or tab, with or without a mark of its encoding."""
    text = _text(path)
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter(text, COLUMNS))
    try:
        names = list(reader.fieldnames or ())
        rows = list(reader)
    except csv.Error as error:
        raise InputError(f"cannot read the answers: {error}", where=str(path), todo="check the file") from None
    missing = [name for name in ("cell", "answer") if name not in names]
    if missing:
        raise InputError(
            f"expected the columns `cell` and `answer`, found: {', '.join(names) or 'none'}",
            where=f"{path}, row 1",
            todo="fill in the exported file, and keep its first row",
        )
    return rows


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"expected UTF-8 text, found a byte in line {line} that is none (Windows-1252, perhaps)",
            where=str(path),
            todo="save it from the spreadsheet as “CSV UTF-8”, with the same answers",
        ) from None
    except OSError as error:
        raise InputError(f"cannot read the answers: {error.strerror}", where=str(path), todo="check the path") from None
