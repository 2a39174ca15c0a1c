"""A run folder on disk: `plan.json`, `draw.json`, `lock`, `journal/`, `objects/`. It is the truth of a run.

Everything in it is readable by its owner alone (mode 0700). Writing needs the lock; reading does not.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from openassay.runs.objects import Objects
from openassay.schema.benchmark import BenchmarkInfo
from openassay.schema.canonical import digest
from openassay.schema.errors import RunFolderError
from openassay.schema.judging import JudgePolicy
from openassay.schema.message import Message
from openassay.schema.models import PlannedModel
from openassay.schema.plan import Draw, PlanFile, ScoringPass, Settled, Stopped
from openassay.schema.record import Record
from openassay.schema.task import Task

_MESSAGES = TypeAdapter(tuple[Message, ...])
R = TypeVar("R", bound=Record)


class RunFolder:
    """One run. Open an existing one with `open_run`, make a new one with `create_run`."""

    def __init__(self, path: Path, plan_file: PlanFile, draw: Draw) -> None:
        self.path = path
        self.plan_file = plan_file
        self.plan = plan_file.plan
        self.draw = draw
        self.journal = path / "journal"
        self.objects = Objects(path / "objects")

    @property
    def id(self) -> str:
        return self.path.name

    @cached_property
    def info(self) -> BenchmarkInfo:
        """What the benchmark says of itself."""
        return BenchmarkInfo.model_validate_json(self.objects.get(self.draw.info))

    @cached_property
    def passes(self) -> tuple[ScoringPass, ...]:
        """Whole passes of re-scoring, oldest first."""
        found = [_read(path, ScoringPass) for path in self.path.glob("scoring-*.json")]
        return tuple(sorted(found, key=lambda one: one.number))

    @cached_property
    def tasks(self) -> dict[str, Task]:
        """Every drawn task with its checks as last scored, by id."""
        records = self.passes[-1].records if self.passes else self.draw.records
        lines = self.objects.get(records).splitlines()
        return {task.id: task for task in map(Task.model_validate_json, lines)}

    @cached_property
    def stopped(self) -> tuple[Settled, ...]:
        """Categories that ended early by the plan's rule."""
        path = self.path / "stopped.json"
        return _read(path, Stopped).settled if path.exists() else ()

    def write_stopped(self, settled: tuple[Settled, ...]) -> None:
        """Note which categories end early, before a cell of them is left out."""
        _write(self.path / "stopped.json", Stopped(settled=settled))
        self.__dict__["stopped"] = settled

    @property
    def judges(self) -> tuple[PlannedModel, ...]:
        """Those of the last scoring."""
        return self.passes[-1].judges if self.passes else self.plan.judges

    @property
    def judge_policy(self) -> JudgePolicy:
        """The rule about judges as of the last scoring."""
        corrected = self.passes[-1].policy if self.passes else None
        return corrected or self.info.judge

    def prompt(self, task_id: str) -> tuple[Message, ...]:
        """The rendered messages that every model received for this task."""
        index = next(i for i, drawn in enumerate(self.draw.tasks) if drawn.task == task_id)
        return self._prompts[index]

    @cached_property
    def _prompts(self) -> tuple[tuple[Message, ...], ...]:
        lines = self.objects.get(self.draw.prompts).splitlines()
        return tuple(_MESSAGES.validate_json(line) for line in lines)

    @contextmanager
    def lock(self, name: str = "lock", taken: str = "another process is writing to this run") -> Iterator[None]:
        """Hold the run for writing; `RunFolderError` where another process holds it.

        Args:
            name: of the lock file; people's reviews have their own, so that a run may go on beside them.
            taken: what to say where it is held.
        """
        handle = os.open(self.path / name, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as fault:
                raise RunFolderError(
                    taken,
                    where=str(self.path),
                    todo="wait until it has ended, or stop it; then try again",
                ) from fault
            yield
        finally:
            os.close(handle)


def create_run(path: Path, plan_file: PlanFile, draw: Draw) -> RunFolder:
    """Write `plan.json` and `draw.json` into a folder whose objects are there already; the plan comes last.

    A folder without `plan.json` is no run, so that a kill in between leaves nothing half made.
    """
    (path / "journal").mkdir(mode=0o700, exist_ok=True)
    _write(path / "draw.json", draw)
    _write(path / "plan.json", plan_file)
    return RunFolder(path, plan_file, draw)


def open_run(path: Path) -> RunFolder:
    """An existing run; `RunFolderError` where it is none, damaged, or of an unknown format."""
    if not (path / "plan.json").is_file():
        raise RunFolderError(
            f"expected a run folder, found no plan.json in {path}",
            where=str(path),
            todo="give the folder that `openassay run` printed, such as runs/<id>",
        )
    plan_file = _read(path / "plan.json", PlanFile)
    if (found := digest(plan_file.plan)) != plan_file.digest:
        raise RunFolderError(
            f"plan.json does not match its digest: expected {plan_file.digest}, found {found}",
            where=str(path / "plan.json"),
            todo="the plan was changed after the run began; restore it, or begin a new run",
        )
    return RunFolder(path, plan_file, _read(path / "draw.json", Draw))


def write_pass(folder: RunFolder, one: ScoringPass, *, whole: bool) -> None:
    """Note that a pass of re-scoring begins, or that it is whole and counts from now on."""
    begun = folder.path / "scoring.begun.json"
    if not whole:
        _write(begun, one)
        return
    _write(folder.path / f"scoring-{one.number}.json", one)
    begun.unlink(missing_ok=True)


def started_pass(folder: RunFolder) -> ScoringPass | None:
    """The pass that was begun and is not whole."""
    begun = folder.path / "scoring.begun.json"
    return _read(begun, ScoringPass) if begun.exists() else None


def pack(records: tuple[Record, ...]) -> bytes:
    """Records as JSON lines, for one object."""
    return b"".join(record.model_dump_json(exclude_defaults=True).encode() + b"\n" for record in records)


def pack_prompts(prompts: tuple[tuple[Message, ...], ...]) -> bytes:
    """Rendered messages as JSON lines, for one object."""
    return b"".join(_MESSAGES.dump_json(messages) + b"\n" for messages in prompts)


def _write(path: Path, record: Record) -> None:
    part = path.with_suffix(".part")
    part.touch(mode=0o600)
    part.write_text(record.model_dump_json(indent=1, exclude_none=True) + "\n", encoding="utf-8")
    with part.open("rb") as file:
        os.fsync(file.fileno())
    part.replace(path)


def _read(path: Path, kind: type[R]) -> R:
    try:
        return kind.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as fault:
        first = fault.errors()[0]["msg"] if isinstance(fault, ValidationError) else str(fault)
        raise RunFolderError(
            f"{path.name} cannot be read: {first}",
            where=str(path),
            todo="this file was written by another version or damaged; see CHANGELOG.md for the formats that are read",
        ) from None
