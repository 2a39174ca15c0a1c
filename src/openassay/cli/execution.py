"""A run as a person meets it: what is planned, the preflight, the progress, Ctrl-C, and how it ended.

Shared by `run` and `resume`. Not here: the engine and the preflight themselves (`runs`), the tables (`reports`).
"""

import asyncio
import contextlib
import os
import re
import shlex
import shutil
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from openassay.cli import console, ending, manual, measured
from openassay.cli.progress import Display
from openassay.models.manual import Ask
from openassay.runs import books
from openassay.runs.executor import executor_named
from openassay.runs.folder import RunFolder
from openassay.runs.left import left_to_do
from openassay.runs.preflight import preflight
from openassay.schema.errors import EndpointError, FaultKind, InputError, OpenAssayError, RefusedError
from openassay.schema.models import ModelSpec

if TYPE_CHECKING:
    from openassay.models.model import Model
    from openassay.runs.run_end import RunEnd

CODES = {"complete": 0, "interrupted": 130}
"""Exit code by how a run ended; 1 for every other end."""


class Manner(NamedTuple):
    """How a run talks, where pasted answers come from, and the cap that replaces the plan's."""

    quiet: bool = False
    as_json: bool = False
    answers: Path | None = None
    """A CSV with a manual model's answers; None to show prompts and wait for pasted ones."""
    budget: int | None = None
    """Micro-dollars."""
    executor: str = "local"


def carry_out(folder: RunFolder, manner: Manner, *, fresh: bool = False) -> int:
    """Run what is not finished yet, show the result, and return the exit code.

    A fresh run that cannot even begin leaves no folder behind: nothing was answered, and it is run anew.
    """
    try:
        end = asyncio.run(_carry_out(folder, manner))
    except (EndpointError, RefusedError, InputError) as error:
        if fresh and (folder.plan.calibration or not any(books.read_attempts(folder.journal))):
            shutil.rmtree(folder.path)
            error.todo = ending.run_again(error.todo)
        _name_the_key(error, folder)
        raise
    show = measured.show if folder.plan.calibration else ending.show
    return exit_code(end, scored=show(folder, end, as_json=manner.as_json))


def exit_code(end: "RunEnd", *, scored: bool) -> int:
    """0 only where every attempt is finished and scored."""
    code = CODES.get(end.state, 1)
    return code if scored or code else 1


def _name_the_key(error: OpenAssayError, folder: RunFolder) -> None:
    """Say which variable holds a wrong key: who wrote NAME=URL#MODEL has never seen `api_key_env`."""
    if not isinstance(error, EndpointError) or error.kind is not FaultKind.WRONG_KEY:
        return
    for name, spec in folder.plan_file.connections.items():
        if error.where.split(" ")[0] == name:
            variable = re.sub(r"[^A-Z0-9]", "_", name.upper()) + "_API_KEY"
            place = spec.api_key_env or spec.api_key_file
            unset = f"put it into the environment variable {variable}, or name one with api_key_env in models.toml"
            error.todo = f"set the right API key in {place}" if place else f"the endpoint wants an API key: {unset}"


async def _carry_out(folder: RunFolder, manner: Manner) -> "RunEnd":
    connections, left = folder.plan_file.connections, left_to_do(folder)
    _say_what_differs(folder, manner)
    async with contextlib.AsyncExitStack() as stack:
        again = f"Resume with: {ending.resume_command(folder)}"
        watching = await watch(stack, _display(folder, manner), again)
        pasted = manual.pasting(watching[1].is_set, manual.unanswered(folder))
        models = await connect_all(stack, folder, [connections[one.name] for one in left.models], manner, pasted)
        judges = await connect_all(stack, folder, [connections[one.name] for one in left.judges], manner, pasted)
        return await _try_and_run(folder, models, judges, watching, manner)


def _say_what_differs(folder: RunFolder, manner: Manner) -> None:
    if manner.answers and (number := manual.differing(folder, manner.answers)):
        differ, were = ("answer differs", "it was") if number == 1 else ("answers differ", "they were")
        console.say(f"note: {number} {differ} from those kept; {were} not replaced")


def _display(folder: RunFolder, manner: Manner) -> Display:
    priced = all(one.price is not None for one in (*folder.plan.models, *folder.plan.judges))
    typing = manner.answers is None and any(one.endpoint == "manual" for one in left_to_do(folder).models)
    alone = typing and all(one.endpoint == "manual" for one in folder.plan.models)
    # Who pastes an answer needs the cursor, and no line that is redrawn over it.
    quiet = manner.quiet or manner.as_json or alone
    return Display(time.monotonic, quiet=quiet, priced=priced, lively=False if typing else None)


async def watch(stack: contextlib.AsyncExitStack, display: Display, again: str) -> tuple[Display, asyncio.Event]:
    """A display that talks, and an event that Ctrl-C sets, until the stack is left.

    Args:
        stack: ends both.
        display: shown until then.
        again: how to go on, said where a second Ctrl-C ends all at once.
    """
    stack.enter_context(display)
    stop = stack.enter_context(_stopping(display, again))
    stack.push_async_callback(_ended, asyncio.create_task(display.keep_talking()))
    return display, stop


async def connect_all(
    stack: contextlib.AsyncExitStack, folder: RunFolder, specs: Sequence[ModelSpec], manner: Manner, pasted: Ask
) -> "dict[str, Model]":
    """Each model connected, closed when the stack is left.

    Args:
        stack: closes them.
        folder: whose objects hold pictures, and whose cells a CSV of answers names.
        specs: whom to connect.
        manner: where a manual model's answers come from.
        pasted: asks a person; one for all, since there is one keyboard.
    """
    opened: dict[str, Model] = {}
    for spec in specs:
        opened[spec.name] = _connect(folder, spec, manner, pasted)
        stack.push_async_callback(opened[spec.name].close)
    return opened


async def _try_and_run(
    folder: RunFolder,
    models: "Mapping[str, Model]",
    judges: "Mapping[str, Model]",
    watching: tuple[Display, asyncio.Event],
    manner: Manner,
) -> "RunEnd":
    display, stop = watching
    executor = executor_named(manner.executor)
    display.waiting = f"one word from {', '.join([*models, *judges])}" if models or judges else ""
    await preflight(folder, models=models, judges=judges, budget=manner.budget)
    display.waiting = ""
    return await executor.execute(
        folder, models=models, judges=judges, observer=display, stop=stop, budget=manner.budget
    )


async def _ended(task: "asyncio.Task[None]") -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


def _connect(folder: RunFolder, spec: ModelSpec, manner: Manner, pasted: Ask) -> "Model":
    from openassay.models.connect import connect

    if spec.endpoint != "manual":
        return connect(spec, read_blob=folder.objects.get, say=None if manner.quiet else console.say)
    ask = manual.from_csv(folder, manner.answers, spec.name) if manner.answers else pasted
    return connect(spec, read_blob=folder.objects.get, ask=ask)


def export_prompts(folder: RunFolder, path: Path, *, as_json: bool) -> int:
    """Write the prompts that manual models still have to answer, and say how to go on."""
    written = manual.export(folder, path)
    command = f"{ending.resume_command(folder)} --answers {shlex.quote(str(path))}"
    if as_json:
        console.write_json({"run": folder.id, "path": str(folder.path), "prompts": str(path), "resume": command})
    else:
        console.show(f"wrote {written} prompts to {path}; fill in the column `answer`, then:")
        console.show(f"  {command}")
    return 0


@contextlib.contextmanager
def _stopping(display: Display, again: str) -> Iterator[asyncio.Event]:
    """Ctrl-C or a polite kill: once stops cleanly, twice ends at once. The journal holds at every moment."""
    stop, loop = asyncio.Event(), asyncio.get_running_loop()

    def asked() -> None:
        if stop.is_set():
            display.close()
            console.say(f"ended at once, with nothing lost but the calls in flight. {again}")
            os._exit(CODES["interrupted"])
        stop.set()
        console.say("stopping: the calls in flight may finish; once more to end at once")

    handled = (signal.SIGINT, signal.SIGTERM)
    for one in handled:
        loop.add_signal_handler(one, asked)
    try:
        yield stop
    finally:
        for one in handled:
            loop.remove_signal_handler(one)
