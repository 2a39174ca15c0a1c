"""Which checks run something, and the probe that does it."""

from collections.abc import Callable
from typing import Any

from openassay.probes import command, python, written_tests
from openassay.probes.work import Files, limits
from openassay.sandbox.sandbox import Sandbox
from openassay.schema.canonical import digest, thaw
from openassay.schema.checks import SCORERS
from openassay.schema.sandbox import ProbeResult
from openassay.schema.task import Check, Task

Probe = Callable[[Task, Check, str, Files, Sandbox], ProbeResult]
"""``(task, check, answer, files, sandbox) -> what it found``; blocks until the command has ended."""

PROBES: dict[str, Probe] = {"python": python.probe, "command": command.probe, "written_tests": written_tests.probe}


def needs_probe(check: Check) -> bool:
    return check.uses in PROBES


def needs_sandbox(task: Task) -> bool:
    """Whether some check of the task runs something."""
    return any(needs_probe(check) for check in task.checks)


def probe_all(task: Task, answer: str, files: Files, sandbox: Sandbox) -> dict[str, ProbeResult]:
    """Check id -> what was found, for every check of the task that runs something.

    Checks that differ only in how many wrong versions tests must notice share one run.
    """
    found: dict[str, ProbeResult] = {}
    shared: dict[str, ProbeResult] = {}
    for check in filter(needs_probe, task.checks):
        key = digest({"uses": check.uses, **{k: v for k, v in check.options.items() if k != "min_killed"}})
        if key in shared and check.uses == "written_tests":
            found[check.id] = written_tests.again(shared[key], check)
        else:
            found[check.id] = shared[key] = _bounded(PROBES[check.uses](task, check, answer, files, sandbox), check)
    return found


def _bounded(result: ProbeResult, check: Check) -> ProbeResult:
    """With the limits of each command beside the guarantees, and nothing in it that cannot be written as UTF-8."""
    result = result.model_copy(
        update={"reason": _writable(result.reason), "details": tuple(map(_writable, result.details))}
    )
    if not result.sandbox:
        return result
    options: Any = SCORERS[check.uses].options.model_validate(thaw(dict(check.options)))
    words = limits(options.seconds, options.memory_mb).words()
    return result.model_copy(update={"sandbox": f"{result.sandbox}; at most {words}"})


def _writable(text: str) -> str:
    """Half of a pair, as a hostile process may have written, stands for no character."""
    return text.encode("utf-8", "replace").decode()
