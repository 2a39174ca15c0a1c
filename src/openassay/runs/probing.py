"""Runs what an answer must be run for: from an answer to what probes found, in a sandbox and never in the event loop.

Not here: what a probe does (`probes`), what its finding is worth (`scorers`).
"""

import asyncio
import os
from collections.abc import Callable, Iterable
from pathlib import Path

from openassay.probes.resolve import needs_sandbox, probe_all
from openassay.runs.objects import Objects
from openassay.sandbox.sandbox import Sandbox
from openassay.schema.attempt import Outcome
from openassay.schema.benchmark import Benchmark
from openassay.schema.errors import InputError, OpenAssayError, SandboxError, ScorerError
from openassay.schema.sandbox import ProbeResult
from openassay.schema.task import Task

Blob = Callable[[Task, str], bytes]
"""Task and path in its folder -> content of that file."""
UNSAFE = "Model-written code ran without a sandbox (--unsafe): nothing shows that it left the verdicts alone."
"""Disclosed in the plan of such a run."""


class Prober:
    """Runs probes, only a few at a time: more would take each other's seconds.

    Args:
        sandbox: None where no task needs one.
        blob: reads a task's own files.
        width: probes at once; None for one a processor.
    """

    def __init__(self, sandbox: Sandbox | None, blob: Blob, width: int | None = None) -> None:
        self._sandbox = sandbox
        self._blob = blob
        self._turns = asyncio.Semaphore(width or os.cpu_count() or 1)

    async def probe(self, task: Task, answer: str, outcome: Outcome) -> dict[str, ProbeResult]:
        """Check id -> what its probe found; nothing for an answer that is not scored by what it does.

        Raises:
            SandboxError: there is no sandbox, or it failed.
            ScorerError: a probe broke.
        """
        if outcome != Outcome.ANSWERED or not needs_sandbox(task):
            return {}
        async with self._turns:
            return await asyncio.to_thread(probe_now, task, answer, self._blob, self._sandbox)


def probe_now(task: Task, answer: str, blob: Blob, sandbox: Sandbox | None) -> dict[str, ProbeResult]:
    """As `Prober.probe`, in this thread, for an answer that is there."""
    if not needs_sandbox(task) or not answer.strip():
        return {}
    if sandbox is None:
        raise SandboxError(f"the task {task.id} runs code, and no sandbox was given", todo="install bubblewrap")
    read = lambda path: blob(task, path)  # noqa: E731  # reads the files of this task
    try:
        return probe_all(task, answer, read, sandbox)
    except OpenAssayError:
        raise
    except Exception as error:  # noqa: BLE001  # whatever breaks in a probe is ours, never the model's failure
        raise ScorerError(f"a probe of {task.id} broke: {type(error).__name__}") from None


def sandbox_for(tasks: Iterable[Task], *, unsafe: bool) -> Sandbox | None:
    """A sandbox where one of the tasks needs it; `SandboxError`, with what to install, where there is none."""
    if not any(needs_sandbox(task) for task in tasks):
        return None
    from openassay.sandbox.find import find_sandbox  # a run of text alone does without

    return find_sandbox(unsafe=unsafe)


def prober_for(benchmark: Benchmark, tasks: Iterable[Task], *, unsafe: bool = False) -> Prober:
    """For answers to tasks of a loaded benchmark, without a run."""
    return Prober(sandbox_for(tasks, unsafe=unsafe), from_folder(benchmark))


def from_objects(objects: Objects) -> Blob:
    """Files of a task out of a run folder, so that a run can be scored again without its benchmark."""
    return lambda task, path: objects.get(_sha256(task, path))


def from_folder(benchmark: Benchmark) -> Blob:
    """Files of a task out of its benchmark's folder."""
    return lambda task, path: _read(benchmark, task, path)


def _read(benchmark: Benchmark, task: Task, path: str) -> bytes:
    _sha256(task, path)  # a file that is none of the task's is never read
    place = benchmark.places.get(task.id)
    if not benchmark.folder or place is None or not place.folder:
        raise InputError(f"the folder of the task {task.id} is not known", todo="load the benchmark from its folder")
    return (Path(benchmark.folder) / place.folder / path).read_bytes()


def _sha256(task: Task, path: str) -> str:
    found = next((entry.sha256 for entry in task.files if entry.path == path), None)
    if found is None:
        raise InputError(
            f"the task has no file {path!r}", where=task.id, todo="correct the name in the check's options"
        )
    return found


def store_files(benchmark: Benchmark, tasks: Iterable[Task], objects: Objects) -> None:
    """Keep the files of every task that runs something, under the digests that the task states."""
    blob = from_folder(benchmark)
    for task in tasks:
        if not needs_sandbox(task):
            continue
        for entry in task.files:
            if objects.put(blob(task, entry.path)) != entry.sha256:
                raise InputError(
                    f"the file {entry.path} was changed while it was read", where=task.id, todo="try again"
                )
