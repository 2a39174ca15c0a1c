"""How long a user waits before `openassay --help` says anything: median wall beside an empty Python program.

    bench/startup.py [--repetitions 15]

Exit code 1 where the median is over half a second.
"""

import argparse
import statistics
import subprocess
import sys
import time
from pathlib import Path

BOUND = 0.5
COMMANDS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "openassay --help": [str(Path(sys.executable).with_name("openassay")), "--help"],
    "openassay run --help": [str(Path(sys.executable).with_name("openassay")), "run", "--help"],
}


def seconds(command: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - began


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=15)
    repetitions = parser.parse_args().repetitions
    for command in COMMANDS.values():
        seconds(command)  # compiles the bytecode and fills the file cache
    taken: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(repetitions):
        for name, command in COMMANDS.items():
            taken[name].append(seconds(command))
    for name, times in taken.items():
        print(f"{name:22} median {statistics.median(times):.3f} s, fastest {min(times):.3f}, slowest {max(times):.3f}")
    return 0 if statistics.median(taken["openassay --help"]) <= BOUND else 1


if __name__ == "__main__":
    sys.exit(main())
