"""OpenAssay's engine beside a bare aiohttp loop and the peers a user would take, on the same work, in one run.

Every client is its own process in its own environment, asks the same items of one local stand-in with a fixed latency
and measures itself (`clients/meter.py`). The clients take turns inside each repetition, so that a busy machine is busy
for all; ratios are taken within a repetition, and medians over repetitions are printed.

    bench/engine.py --quick      # a minute: OpenAssay and the bare loop, few attempts
    bench/engine.py              # the targets: 2,560 attempts at 64 and at 256 connections
    bench/engine.py --peers      # the same with inspect-ai and lm-eval (installs them apart, 1.1 GB, once)
    bench/engine.py --long       # 100,000 attempts: is memory flat?
    bench/engine.py --rescore    # attempts re-scored per second

Standard library only. Exit code 1 where a target is missed or a client did not do the work.
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
PEERS = HERE / "requirements-peers.txt"

Result = dict[str, Any]
"""What a client printed, plus `client`, `connections`, `ideal_s`."""


class Client(NamedTuple):
    name: str
    script: str
    packages: tuple[str, ...] = ()
    """Installed in an environment of its own; empty for what runs in this one."""


OPENASSAY = Client("openassay", "openassay_client.py")
BARE = Client("bare aiohttp", "bare_aiohttp.py")
INSPECT = Client("inspect-ai", "inspect_ai_client.py", ("inspect-ai", "openai"))
LM_EVAL = Client("lm-eval", "lm_eval_client.py", ("lm-eval[api]",))


class Target(NamedTuple):
    text: str
    measured: float
    bound: float
    at_most: bool = True

    def met(self) -> bool:
        return self.measured <= self.bound if self.at_most else self.measured >= self.bound

    def line(self) -> str:
        sign = "<=" if self.at_most else ">="
        return f"{'met   ' if self.met() else 'MISSED'} {self.text}: {self.measured:,.3g} ({sign} {self.bound:,g})"


def python_of(client: Client, cache: Path) -> str:
    """The interpreter that has the client's packages; makes the environment where it is missing."""
    if not client.packages:
        return sys.executable
    home = cache / client.name
    python = home / "bin" / "python"
    if not python.exists():
        print(f"installing {' '.join(client.packages)} into {home}", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", home], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "-c", PEERS, *client.packages], check=True)
    return str(python)


@contextmanager
def stand_in(latency_ms: float) -> Iterator[str]:
    """The base URL of a stand-in that lives as long as the block."""
    command = [sys.executable, HERE / "stand_in.py", "--latency-ms", str(latency_ms)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None  # noqa: S101  # PIPE was asked for
            yield f"http://127.0.0.1:{process.stdout.readline().strip()}/v1"
        finally:
            process.terminate()


def answered(url: str) -> dict[str, int]:
    """Calls the stand-in answered, and most in flight, since last asked."""
    with urllib.request.urlopen(url + "/count", timeout=10) as reply:  # noqa: S310  # our own loopback server
        return json.load(reply)


def write_items(path: Path, count: int) -> None:
    with path.open("w", encoding="utf-8") as lines:
        for number in range(count):
            item = {
                "id": f"repeat-{number}",
                "instruction": f"Repeat this number and nothing else: {number}",
                "reference": str(number),
            }
            lines.write(json.dumps(item) + "\n")


def run_client(client: Client, python: str, url: str, items: Path, connections: int, *more: str) -> Result:
    """One process of a client; its own result with the server's count beside it."""
    answered(url)
    with tempfile.TemporaryDirectory(prefix="openassay-bench-") as out:
        command = [python, HERE / "clients" / client.script, items, url, str(connections), out, *more]
        # A home of its own: peers keep caches and buffers under it, and must not find those of an earlier run.
        environment = os.environ | {"HOME": out, "PYTHONWARNINGS": "ignore"}
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, cwd=out)
    lines = [line for line in done.stdout.splitlines() if line.startswith("RESULT ")]
    if done.returncode or not lines:
        raise SystemExit(f"{client.name} failed with exit code {done.returncode}:\n{done.stderr[-3000:]}")
    result: Result = json.loads(lines[-1].removeprefix("RESULT "))
    seen = answered(url)
    return result | {"client": client.name, "connections": connections, "calls": seen["answered"], "peak": seen["peak"]}


def check_work(result: Result, items: int) -> None:
    """Every client must have asked for every item and found the same share right."""
    expected = sum(1 for number in range(items) if number % 10)
    times = result["attempts"] // items
    if result["attempts"] % items or result["right"] != expected * times or result["calls"] < result["attempts"]:
        raise SystemExit(f"{result['client']} did not do the work: {result}")


def compare(arguments: argparse.Namespace, clients: list[Client], work: Path) -> list[Result]:
    """All clients by turns, each number of connections, each repetition."""
    pythons = {client.name: python_of(client, arguments.cache) for client in clients}
    items = work / "items.jsonl"
    write_items(items, arguments.items)
    results = []
    with stand_in(arguments.latency_ms) as url:
        for connections in arguments.connections:
            for repetition in range(arguments.repetitions):
                # Each second repetition backwards, so that none is always measured after the heaviest.
                for client in clients if repetition % 2 == 0 else clients[::-1]:
                    result = run_client(client, pythons[client.name], url, items, connections)
                    check_work(result, arguments.items)
                    result |= {"repetition": repetition, "ideal_s": ideal(arguments, connections)}
                    results.append(result)
                    print(progress(result), file=sys.stderr, flush=True)
    return results


def ideal(arguments: argparse.Namespace, connections: int) -> float:
    """Seconds that the work takes when nothing but the latency costs time."""
    return -(-arguments.items // connections) * arguments.latency_ms / 1000


def progress(result: Result) -> str:
    return (
        f"{result['client']:13} C={result['connections']:<4} {result['wall_s']:7.2f} s "
        f"{result['cpu_ms_per_attempt']:7.3f} ms CPU an attempt {result['peak_mb']:6.0f} MB"
    )


def median(results: list[Result], client: str, connections: int, key: str) -> float:
    return statistics.median(
        row[key] for row in results if row["client"] == client and row["connections"] == connections
    )


def with_ratios(results: list[Result]) -> list[Result]:
    """Wall over ideal, and wall over the bare loop of the same repetition."""
    bare = {(row["connections"], row["repetition"]): row["wall_s"] for row in results if row["client"] == BARE.name}
    return [
        row
        | {
            "over_ideal": row["wall_s"] / row["ideal_s"],
            "over_bare": row["wall_s"] / bare[row["connections"], row["repetition"]],
        }
        for row in results
    ]


def table(results: list[Result], clients: list[Client], connections: list[int]) -> str:
    lines = [
        "| client | version | connections | wall s | over ideal | over bare loop | CPU ms an attempt | peak MB |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for count in connections:
        for client in clients:
            row = {
                key: median(results, client.name, count, key)
                for key in ("wall_s", "over_ideal", "over_bare", "cpu_ms_per_attempt", "peak_mb")
            }
            version = next(result["version"] for result in results if result["client"] == client.name)
            lines.append(
                f"| {client.name} | {version} | {count} | {row['wall_s']:.2f} | {row['over_ideal']:.2f} | "
                f"{row['over_bare']:.3f} | {row['cpu_ms_per_attempt']:.2f} | {row['peak_mb']:.0f} |"
            )
    return "\n".join(lines)


BUSY = 1.2
"""Wall over CPU of a loop that never waits: beyond it, other processes decide the wall times."""
BOUNDS = {64: 1.05, 256: 1.15}
"""Connections -> most wall over the bare loop."""


def targets(results: list[Result], clients: list[Client], connections: list[int]) -> list[Target]:
    found = []
    for count in connections:
        if count in BOUNDS:
            ratio = median(results, OPENASSAY.name, count, "over_bare")
            found.append(Target(f"wall over the bare loop at {count} connections", ratio, BOUNDS[count]))
        cpu = median(results, OPENASSAY.name, count, "cpu_ms_per_attempt")
        found.append(Target(f"CPU ms an attempt at {count} connections", cpu, 1.0))
        for peer, times in ((INSPECT, 15.0), (LM_EVAL, 2.0)):
            if peer in clients:
                share = median(results, peer.name, count, "cpu_ms_per_attempt") / cpu
                found.append(Target(f"times less CPU than {peer.name} at {count} connections", share, times, False))  # noqa: FBT003
    return found


def long_run(arguments: argparse.Namespace, work: Path) -> list[Target]:
    """Peak memory of 1,000 items asked once and asked a hundred times."""
    items = work / "long.jsonl"
    write_items(items, 1000)
    peaks = {}
    with stand_in(arguments.long_latency_ms) as url:
        for attempts in (1, arguments.long_attempts):
            result = run_client(OPENASSAY, sys.executable, url, items, 256, "--attempts", str(attempts))
            check_work(result, 1000)
            print(f"{attempts * 1000:,} attempts: {progress(result)}", flush=True)
            peaks[attempts] = result["peak_mb"]
    last = peaks[arguments.long_attempts]
    return [
        Target("peak MB more at the many attempts than at 1,000", last - peaks[1], 30.0),
        Target("peak MB", last, 200.0),
    ]


def rescoring(arguments: argparse.Namespace, work: Path) -> list[Target]:
    """Attempts a second that stored outputs are scored again, exact match."""
    items = work / "rescore.jsonl"
    write_items(items, arguments.items)
    rates = []
    with stand_in(1.0) as url:
        for _ in range(arguments.repetitions):
            result = run_client(OPENASSAY, sys.executable, url, items, 64, "--attempts", "4", "--rescore")
            check_work(result, arguments.items)
            rates.append(result["attempts"] / result["rescore_s"])
            print(
                f"re-scored {result['attempts']:,} attempts in {result['rescore_s']:.2f} s "
                f"({result['rescore_cpu_s']:.2f} s CPU): {rates[-1]:,.0f} a second",
                flush=True,
            )
    return [Target("attempts re-scored a second", statistics.median(rates), 10_000.0, at_most=False)]


def machine() -> str:
    """What the figures were measured on, with a fixed loop that shows how fast and how busy it is at the moment."""
    wall, cpu = time.perf_counter(), time.process_time()
    total = 0
    for number in range(5_000_000):
        total += number
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return (
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, Python {platform.python_version()}, "
        f"a fixed loop takes {cpu:.2f} s CPU, {wall:.2f} s wall"
        + ("; TOO BUSY to judge wall times" if wall > BUSY * cpu else "")
    )


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for flag in ("--quick", "--peers", "--long", "--rescore"):
        parser.add_argument(flag, action="store_true")
    parser.add_argument("--items", type=int, default=2560)
    parser.add_argument("--connections", type=int, nargs="+", default=[64, 256])
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--latency-ms", type=float, default=200.0)
    parser.add_argument("--long-attempts", type=int, default=100, help="times 1,000 items")
    parser.add_argument("--long-latency-ms", type=float, default=20.0)
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache" / "openassay-bench")
    parser.add_argument("--json", type=Path, help="write every single result here")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.items, arguments.repetitions, arguments.connections = 640, 1, [64]
    return arguments


def main() -> int:
    arguments = parse()
    clients = [OPENASSAY, BARE, *([INSPECT, LM_EVAL] if arguments.peers else [])]
    found: list[Target] = []
    print(f"{machine()}\n", flush=True)
    with tempfile.TemporaryDirectory(prefix="openassay-bench-") as folder:
        work = Path(folder)
        if arguments.long:
            found += long_run(arguments, work)
        if arguments.rescore:
            found += rescoring(arguments, work)
        if not (arguments.long or arguments.rescore):
            results = with_ratios(compare(arguments, clients, work))
            print(table(results, clients, arguments.connections))
            found += targets(results, clients, arguments.connections)
            if arguments.json:
                arguments.json.write_text(json.dumps(results, indent=1), encoding="utf-8")
    print("\n" + "\n".join(target.line() for target in found))
    return 0 if all(target.met() for target in found) else 1


if __name__ == "__main__":
    sys.exit(main())
