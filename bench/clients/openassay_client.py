"""The same work in OpenAssay: a benchmark folder, a prepared run, the engine with everything that it journals.

Clock and CPU start with the first call, as the issue says: loading the benchmark and writing the run folder stand
apart, as `setup_s`. They end when the engine returns, with every attempt scored and its journal on the disk.

    python openassay_client.py ITEMS URL CONNECTIONS OUT [--attempts K] [--rescore]
"""

import argparse
import asyncio
import csv
import json
import time
from pathlib import Path

from meter import Meter, read_items, report

from openassay import __version__
from openassay.models.connect import connect
from openassay.models.model import Model
from openassay.models.specs import parse_shorthand
from openassay.runs.engine import RunEnd, run
from openassay.runs.folder import RunFolder, open_run
from openassay.runs.observer import Silent
from openassay.runs.prepare import RunOptions, prepare
from openassay.runs.rescore import score
from openassay.schema.message import ModelReply, ModelRequest
from openassay.tasks.load import load

BENCHMARK = """
id = "bench"
version = "1-A"
title = "Repeat a number"
developers = "OpenAssay"
purpose = "Measures the engine"
licence = "CC0-1.0"
funding = "none"
[[category]]
id = "repeat"
track = "research"
title = "Repeat"
definition = "Repeats a number"
"""


class Started:
    """A model that starts the meter at its first call."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.meter: Meter | None = None

    async def generate(self, request: ModelRequest) -> ModelReply:
        self.meter = self.meter or Meter()
        return await self.model.generate(request)

    async def close(self) -> None:
        await self.model.close()


def write_benchmark(folder: Path, items: list[dict[str, str]]) -> Path:
    tasks = folder / "tasks" / "repeat"
    tasks.mkdir(parents=True)
    (folder / "benchmark.toml").write_text(BENCHMARK, encoding="utf-8")
    with (tasks / "all.items.csv").open("w", encoding="utf-8", newline="") as out:
        rows = csv.DictWriter(out, ["id", "instruction", "reference", "scorer"])
        rows.writeheader()
        rows.writerows(item | {"scorer": "exact"} for item in items)
    return folder


def prepared(out: Path, items: list[dict[str, str]], url: str, connections: int, attempts: int) -> RunFolder:
    folder = write_benchmark(out / "benchmark", items)
    options = RunOptions(attempts=attempts, concurrency=connections, max_tokens=16)
    return prepare(load(folder), folder, (parse_shorthand(f"m={url}#m"),), (), options, out / "runs")


async def execute(folder: RunFolder) -> tuple[RunEnd, Meter]:
    model = Started(connect(folder.plan_file.connections["m"]))
    try:
        end = await run(folder, models={"m": model}, judges={}, observer=Silent(), stop=asyncio.Event())
    finally:
        await model.close()
    if end.state != "complete" or model.meter is None:
        raise SystemExit(f"the run did not complete: {end}")
    return end, model.meter


def passed(folder: RunFolder) -> int:
    """Right answers, read from the journal."""
    lines = (line for path in folder.journal.glob("verdicts-*.jsonl") for line in path.open("rb"))
    return sum(json.loads(line)["score"]["passed"] is True for line in lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("items", "url", "connections", "out"):
        parser.add_argument(name)
    parser.add_argument("--attempts", type=int, default=1)
    parser.add_argument("--rescore", action="store_true")
    arguments = parser.parse_args()
    items, out, connections = read_items(arguments.items), Path(arguments.out), int(arguments.connections)
    (out / "warm").mkdir()
    asyncio.run(execute(prepared(out / "warm", items[:1], arguments.url, 1, 1)))
    began = time.perf_counter()
    folder = prepared(out, items, arguments.url, connections, arguments.attempts)
    setup = time.perf_counter() - began
    end, meter = asyncio.run(execute(folder))
    result = meter.result(attempts=end.finished, version=__version__)
    extra = {"setup_s": setup, "right": passed(folder)}
    if arguments.rescore:
        extra |= rescored(open_run(folder.path))
    report(result | extra)


async def rescore(folder: RunFolder) -> None:
    end = await score(folder, observer=Silent(), stop=asyncio.Event())
    if end.state != "complete":
        raise SystemExit(f"the re-scoring did not complete: {end}")


def rescored(folder: RunFolder) -> dict[str, float]:
    """Seconds to score every stored output again, from opening the folder to the last verdict written."""
    began, cpu = time.perf_counter(), time.process_time()
    asyncio.run(rescore(folder))
    return {"rescore_s": time.perf_counter() - began, "rescore_cpu_s": time.process_time() - cpu}


if __name__ == "__main__":
    main()
