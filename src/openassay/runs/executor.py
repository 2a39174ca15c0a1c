"""Where a run's work is done. `local` is this process."""

import asyncio
from collections.abc import Mapping
from typing import Protocol

from openassay.models.model import Model
from openassay.runs import engine
from openassay.runs.folder import RunFolder
from openassay.runs.observer import Observer
from openassay.runs.run_end import RunEnd
from openassay.schema.errors import PlanError
from openassay.schema.suggest import unknown_name


class Executor(Protocol):
    async def execute(
        self,
        folder: RunFolder,
        *,
        models: Mapping[str, Model],
        judges: Mapping[str, Model],
        observer: Observer,
        stop: asyncio.Event,
        budget: int | None = None,
    ) -> RunEnd:
        """Do what is not done yet of a prepared run; see `engine.run`."""
        ...


class LocalExecutor:
    """One asyncio loop in this process."""

    async def execute(
        self,
        folder: RunFolder,
        *,
        models: Mapping[str, Model],
        judges: Mapping[str, Model],
        observer: Observer,
        stop: asyncio.Event,
        budget: int | None = None,
    ) -> RunEnd:
        return await engine.run(folder, models=models, judges=judges, observer=observer, stop=stop, budget=budget)


EXECUTORS: dict[str, type[Executor]] = {"local": LocalExecutor}


def executor_named(name: str) -> Executor:
    """The executor of this name."""
    if name not in EXECUTORS:
        raise PlanError(unknown_name("executor", name, EXECUTORS), where="--executor")
    return EXECUTORS[name]()
