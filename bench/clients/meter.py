"""What every client measures of itself, the same way: wall, CPU of the process and its children, peak memory.

A client first does one attempt (imports, connections, compiled validators), then its whole work between `Meter()` and
`result()`: start-up stands apart. Standard library only, because it also runs in the peers' environments.
"""

import json
import os
import time
from pathlib import Path


class Meter:
    def __init__(self) -> None:
        self.cpu = _cpu()
        self.wall = time.perf_counter()

    def result(self, *, attempts: int, version: str) -> dict[str, object]:
        """What was measured since the meter was made."""
        wall, cpu = time.perf_counter() - self.wall, _cpu() - self.cpu
        return {
            "wall_s": wall,
            "cpu_s": cpu,
            "cpu_ms_per_attempt": 1000 * cpu / attempts,
            "peak_mb": peak_mb(),
            "attempts": attempts,
            "version": version,
        }


def report(result: dict[str, object]) -> None:
    """Print the client's result as the one line that `engine.py` reads."""
    print("RESULT " + json.dumps(result), flush=True)


def _cpu() -> float:
    """User and system seconds of this process (all threads) and of its ended children."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def peak_mb() -> float:
    """Highest resident memory since the process started.

    `VmHWM`, not `ru_maxrss`: the latter is inherited over fork and exec, and would show the parent's.
    """
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return 0.0


def read_items(path: str) -> list[dict[str, str]]:
    with Path(path).open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
