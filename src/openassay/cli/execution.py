"""A run as a person meets it: what is planned, the preflight, the progress, Ctrl-C, and how it ended.

Shared by `run` and `resume`. Not here: the engine and the preflight themselves (`runs`), the tables (`reports`).
"""

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from openassay.cli import console, manual
from openassay.cli.progress import Display, dollars
from openassay.schema.models import ModelSpec

if TYPE_CHECKING:
    from openassay.models.model import Model
    from openassay.runs.engine import RunEnd
    from openassay.runs.folder import RunFolder

COMPLETE, INCOMPLETE, INTERRUPTED = 0, 1, 130


class Manner(NamedTuple):
    """How a run talks, and where its pasted answers come from."""

    quiet: bool = False
    as_json: bool = False
    answers: "manual.Ask | None" = None
    """For manual models; None to show prompts and wait for pasted answers."""


def carry_out(folder: "RunFolder", manner: Manner) -> int:
    """Run what is not finished yet, show the result, and return the exit code."""
    end = asyncio.run(_carry_out(folder, manner))
    _tell_end(folder, end, manner)
    return _code(end)


async def _carry_out(folder: "RunFolder", manner: Manner) -> "RunEnd":
    from openassay.runs import engine, preflight

    plan, connections = folder.plan, folder.plan_file.connections
    models = {one.name: _connect(connections[one.name], manner) for one in plan.models}
    judges = {one.name: _connect(connections[one.name], manner) for one in plan.judges}
    stop = asyncio.Event()
    try:
        with _signals(stop), Display(time.monotonic, quiet=manner.quiet or manner.as_json) as display:
            talking = asyncio.create_task(display.keep_talking())
            try:
                await preflight.preflight(folder, models=models, judges=judges)
                return await engine.run(folder, models=models, judges=judges, observer=display, stop=stop)
            finally:
                talking.cancel()
    finally:
        for model in [*models.values(), *judges.values()]:
            await model.close()


def _connect(spec: ModelSpec, manner: Manner) -> "Model":
    from openassay.models.connect import connect
    from openassay.models.manual import ManualModel

    if spec.endpoint == "manual":
        return ManualModel(manner.answers or manual.pasting())
    return connect(spec)


@contextlib.contextmanager
def _signals(stop: asyncio.Event) -> Iterator[None]:
    """Ctrl-C or a polite kill: once stops cleanly, twice ends at once. The journal holds at every moment."""
    loop = asyncio.get_running_loop()

    def stopping() -> None:
        if stop.is_set():
            os._exit(INTERRUPTED)
        stop.set()
        console.say("stopping: letting the calls in flight finish; once more to end at once")

    handled = (signal.SIGINT, signal.SIGTERM)
    for one in handled:
        loop.add_signal_handler(one, stopping)
    try:
        yield
    finally:
        for one in handled:
            loop.remove_signal_handler(one)
