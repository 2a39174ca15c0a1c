"""The work folder of code under test, and what its process wrote: shared by the probes.

A clean tree: the task's `environment/` files, the answer's one file, and ours below `.assay/`; nothing else of the
answer. What comes out is read as data.
"""

import json
from collections.abc import Callable
from importlib import resources
from typing import Any, NamedTuple

from openassay.schema.checks import PythonOptions
from openassay.schema.errors import InputError
from openassay.schema.sandbox import Guarantees, ProbeResult, Ran, SandboxLimits
from openassay.schema.task import Task

Files = Callable[[str], bytes]
"""Path in the task folder -> content."""
OURS = ".assay"
ENVIRONMENT = "environment/"
MB = 1024 * 1024


MODULE = "solution"
"""Under which an answer is imported that is one function."""


class Place(NamedTuple):
    """Where an answer stands in the work folder, and under which name it is imported."""

    path: str
    module: str

    @classmethod
    def of(cls, options: PythonOptions) -> "Place":
        if options.file:
            path = options.file.removeprefix(ENVIRONMENT)
            return cls(path, path.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
        module = options.module or MODULE
        return cls(f"{module.replace('.', '/')}.py", module)


def environment(task: Task, files: Files) -> dict[str, bytes]:
    """The task's own files as the code under test finds them."""
    return {
        entry.path.removeprefix(ENVIRONMENT): files(entry.path)
        for entry in task.files
        if entry.path.startswith(ENVIRONMENT)
    }


def inside(*names: str) -> dict[str, bytes]:
    """Our own files for the sandbox."""
    folder = resources.files("openassay.probes.inside")
    return {f"{OURS}/{name}": folder.joinpath(name).read_bytes() for name in names}


def hidden(task: Task, files: Files, path: str) -> bytes:
    """A file that the check names; `InputError` where the task has none of this name."""
    if not any(entry.path == path for entry in task.files):
        raise InputError(
            f"the task has no file {path!r}", where=task.id, todo="correct the name in the check's options"
        )
    return files(path)


def limits(seconds: int, memory_mb: int) -> SandboxLimits:
    # Every process of the job is held to the seconds of CPU, and real time ends it in any case.
    return SandboxLimits(wall_ms=seconds * 1000, cpu_s=seconds + 1, memory=memory_mb * MB)


def lines(ran: Ran) -> list[dict[str, Any]]:
    """The JSON objects that were written, up to the first line that is none."""
    found = []
    for line in ran.result.split(b"\n"):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            break
        if not isinstance(row, dict):
            break
        found.append(row)
    return found


def exception(told: object) -> str:
    """An exception as `load.told` tells it, cut."""
    names = told.get("names") if isinstance(told, dict) else None
    if not isinstance(told, dict) or not isinstance(names, list) or not names:
        return "for a reason that cannot be read"
    return f"{names[0]}: {told.get('message', '')}"[:200]


def malformed(why: str, guarantees: Guarantees) -> ProbeResult:
    return ProbeResult(ran=True, passed=False, malformed=True, reason=why, value=0, sandbox=guarantees.words())


def not_ran(why: str, ran: Ran | None = None) -> ProbeResult:
    """Our own fault."""
    return ProbeResult(ran=False, reason=why, sandbox=ran.guarantees.words() if ran else "")


STOPS = {
    "exit": "the process ended by itself",
    "wall": "time ran out",
    "cpu": "time ran out",
    "memory": "memory ran out",
    "output": "it printed too much",
    "result": "it gave too much",
}
"""Why something did not come to its end, by `Ran.ended`."""
