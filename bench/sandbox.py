"""What a jail costs: median wall of a trivial command beside the same as a plain subprocess.

    bench/sandbox.py [--repetitions 40]

The ways are interleaved, so that a busy machine slows all of them. Exit code 1 where the median overhead of the best
driver here is over 60 ms.
"""

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

from openassay.sandbox.find import find_sandbox
from openassay.sandbox.workspace import Workspace
from openassay.schema.sandbox import Job

BOUND = 60.0
COMMAND = ("/bin/true",)


def milliseconds(run: Callable[[], object]) -> float:
    began = time.perf_counter()
    run()
    return (time.perf_counter() - began) * 1000


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=40)
    repetitions = parser.parse_args().repetitions
    sandbox = find_sandbox()
    with Workspace() as workspace:
        plain = "plain subprocess"
        ways: dict[str, Callable[[], object]] = {
            plain: lambda: subprocess.run(COMMAND, check=True, capture_output=True),
            "jail": lambda: sandbox.run(Job(argv=COMMAND)),
            "jail with two files": lambda: sandbox.run(Job(argv=COMMAND, files={"a.py": b"x", "b/c.py": b"y"})),
            "jail in a work folder": lambda: workspace.run(Job(argv=COMMAND)),
            "plain Python": lambda: subprocess.run((sys.executable, "-c", "pass"), check=True, capture_output=True),
            "Python in a jail": lambda: sandbox.run(Job(argv=("python3", "-c", "pass"))),
        }
        taken: dict[str, list[float]] = {name: [] for name in ways}
        for number in range(repetitions + 1):
            for name, run in ways.items():
                once = milliseconds(run)
                if number:  # the first fills the file cache
                    taken[name].append(once)
    base = statistics.median(taken[plain])
    print(sandbox.guarantees().words())
    print(f"{'':24}{'median':>10}{'fastest':>10}{'slowest':>10}{'overhead':>10}   ms")
    for name, times in taken.items():
        middle = statistics.median(times)
        print(f"{name:24}{middle:10.1f}{min(times):10.1f}{max(times):10.1f}{middle - base:10.1f}")
    return 0 if statistics.median(taken["jail"]) - base <= BOUND else 1


if __name__ == "__main__":
    sys.exit(main())
