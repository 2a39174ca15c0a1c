"""Run a function under a time limit that a hostile pattern cannot outlast.

In the main thread an alarm interrupts it (`re` looks for signals while it matches): microseconds. In another thread,
or where there is no alarm, it runs in a Python process of its own that is killed at the limit: about 0.2 s.
"""

import importlib
import json
import signal
import subprocess
import sys
import threading
from types import FrameType
from typing import Any

from openassay.schema.errors import ScorerError
from openassay.schema.record import Json

SECONDS = 1.0
_START_SECONDS = 20.0


class TimeLimitError(Exception):
    """The function did not end in time."""


def limited(path: str, *args: Json, seconds: float = SECONDS) -> Any:
    """The value of the function at ``module:name``, called with JSON values and returning one.

    Raises:
        TimeLimitError: it did not end in time.
    """
    if threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer"):
        return _under_alarm(path, args, seconds)
    return _in_process(path, args, seconds)


def _call(path: str, args: tuple[Any, ...]) -> Any:
    module, _, name = path.partition(":")
    return getattr(importlib.import_module(module), name)(*args)


def _under_alarm(path: str, args: tuple[Json, ...], seconds: float) -> Any:
    def ring(_signal: int, _frame: FrameType | None) -> None:
        raise TimeLimitError

    before = signal.signal(signal.SIGALRM, ring)
    left, every = signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        return _call(path, args)
    finally:
        signal.setitimer(signal.ITIMER_REAL, left, every)  # an alarm of the caller's goes on
        signal.signal(signal.SIGALRM, before)


def _in_process(path: str, args: tuple[Json, ...], seconds: float) -> Any:
    # The child counts its own seconds by a CPU limit, so that slow imports are not held against the pattern.
    command = [sys.executable, "-m", "openassay.tasks.timelimit", path, str(seconds)]
    try:
        done = subprocess.run(  # noqa: S603  # our own interpreter and module
            command, input=json.dumps(args).encode(), capture_output=True, timeout=_START_SECONDS + seconds, check=False
        )
    except subprocess.TimeoutExpired:
        raise TimeLimitError from None
    if done.returncode == _TOO_SLOW:
        raise TimeLimitError
    if done.returncode:
        raise ScorerError(f"the process for `{path.rpartition(':')[2]}` ended with exit code {done.returncode}")
    return json.loads(done.stdout)


_TOO_SLOW = 3


def _serve(path: str, seconds: float) -> int:
    """The child's part: arguments from standard input, value to standard output."""
    args = tuple(json.load(sys.stdin))
    try:
        value = limited(path, *args, seconds=seconds) if hasattr(signal, "setitimer") else _call(path, args)
    except TimeLimitError:
        return _TOO_SLOW
    sys.stdout.write(json.dumps(value))
    return 0


if __name__ == "__main__":
    raise SystemExit(_serve(sys.argv[1], float(sys.argv[2])))
