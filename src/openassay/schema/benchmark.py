"""A benchmark's own words about itself (`benchmark.toml`) and, loaded, its tasks."""

from typing import Literal

from pydantic import Field

from openassay.schema.judging import JudgePolicy
from openassay.schema.record import Identifier, Json, Record, Sha256
from openassay.schema.task import Origin, Task, TaskPlace


class Category(Record):
    id: Identifier
    track: Identifier
    """Categories of different tracks are never added up."""
    title: str
    definition: str
    """What a task must be like to belong here."""


class Defaults(Record):
    """What a run takes where neither a flag nor a plan file says otherwise."""

    attempts: int = Field(default=1, ge=1)
    draws: int = Field(default=1, ge=1)
    per_category: int | None = Field(default=None, ge=1)
    max_tokens: int = Field(default=512, gt=0)
    parameters: dict[str, Json] = {}
    """Frozen; sent to every model alike."""


class BenchmarkInfo(Record):
    """The fields of `benchmark.toml`."""

    id: Identifier
    version: str = Field(pattern=r"^\d+-[A-Z]$")
    """Comparability number, hyphen, interface letter: ``1-A``. Results with different numbers are not comparable."""
    title: str
    developers: str
    purpose: str
    """Why these tasks, and whose needs they stand for."""
    licence: str
    funding: str
    conflicts: str = ""
    """Interests that a reader should know of; empty means that none were stated."""
    scope: str = ""
    """What results on these tasks do not say."""
    visibility: Literal["private", "confidential", "public"] = "private"
    endpoints: tuple[str, ...] = ()
    """For `confidential`: host names (``host`` or ``host:port``) that may see the tasks; `local` models always may."""
    names_allowed: tuple[str, ...] = ()
    """Person names in material that are meant to be there (invented people, authors of cited works)."""
    category: tuple[Category, ...] = Field(min_length=1)
    judge: JudgePolicy = JudgePolicy()
    defaults: Defaults = Defaults()
    origin: Origin = Origin()


class Benchmark(Record):
    """A loaded benchmark: the info, every task, and a digest over both."""

    info: BenchmarkInfo
    tasks: tuple[Task, ...]
    """Sorted by category in the order of `benchmark.toml`, then as they stand in the files."""
    places: dict[str, TaskPlace] = {}
    """Task id -> where it was read."""
    folder: str = ""
    """Where it was loaded from; empty for tasks out of a run folder. No part of the digest."""
    digest: Sha256
    """Over the info and the sorted identities of the tasks."""

    def task(self, task_id: str) -> Task:
        """The task of this id; KeyError where there is none."""
        for task in self.tasks:
            if task.id == task_id:
                return task
        raise KeyError(task_id)
