"""Which checks run something, and the probe that does it."""

from collections.abc import Callable

from openassay.probes import python
from openassay.probes.work import Files
from openassay.sandbox.sandbox import Sandbox
from openassay.schema.sandbox import ProbeResult
from openassay.schema.task import Check, Task

Probe = Callable[[Task, Check, str, Files, Sandbox], ProbeResult]
"""``(task, check, answer, files, sandbox) -> what it found``; blocks until the command has ended."""

PROBES: dict[str, Probe] = {"python": python.probe}


def needs_probe(check: Check) -> bool:
    return check.uses in PROBES


def needs_sandbox(task: Task) -> bool:
    """Whether some check of the task runs something."""
    return any(needs_probe(check) for check in task.checks)
