"""Small benchmarks and an endpoint on loopback for the tests of the runs room."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path

import pytest
from aiohttp import web

from openassay.models.model import Model
from openassay.models.scripted import ScriptedModel
from openassay.runs import engine
from openassay.runs.folder import RunFolder
from openassay.runs.observer import Silent
from openassay.runs.prepare import RunOptions, prepare
from openassay.runs.run_end import RunEnd
from openassay.schema.benchmark import Benchmark
from openassay.schema.message import ModelRequest
from openassay.schema.models import ModelSpec
from openassay.tasks.load import load

HEAD = """
id = "bench"
version = "1-A"
title = "Sums"
developers = "us"
purpose = "to test"
licence = "CC0-1.0"
funding = "none"
{extra}
[[category]]
id = "sums"
track = "research"
title = "Sums"
definition = "adds"
[[category]]
id = "more"
track = "research"
title = "More"
definition = "adds more"
"""


def written(folder: Path, sizes: dict[str, int], extra: str = "", lines: Iterable[dict] = ()) -> Benchmark:
    """Sums whose answer is the number in the question plus two."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "benchmark.toml").write_text(HEAD.format(extra=extra))
    for category, size in sizes.items():
        place = folder / "tasks" / category
        place.mkdir(parents=True, exist_ok=True)
        rows = [sum_item(category, number) for number in range(size)]
        rows += [line for line in lines if line.get("category", category) == category]
        (place / "a.items.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return load(folder)


def sum_item(category: str, number: int) -> dict:
    return {
        "id": f"{category}-{number}",
        "instruction": f"What is {number} + 2 in {category}? A number only.",
        "reference": str(number + 2),
        "scorer": "exact",
    }


def right(request: ModelRequest) -> str:
    """The right answer to a sum."""
    return str(int(request.messages[0].text().split()[2]) + 2)


@pytest.fixture
def write_benchmark() -> Callable[..., Benchmark]:
    return written


@pytest.fixture
def benchmark_of(tmp_path: Path) -> Callable[..., Benchmark]:
    return lambda sizes, extra="", lines=(): written(tmp_path / "bench", sizes, extra, lines)


@pytest.fixture
def prepared(tmp_path: Path, benchmark_of: Callable[..., Benchmark]) -> Callable[..., RunFolder]:
    """A run folder for scripted models of these names."""

    def make(names: Iterable[str] = ("good",), sizes: dict[str, int] | None = None, **options: object) -> RunFolder:
        benchmark = benchmark_of(sizes or {"sums": 5})
        specs = [ModelSpec(name=name, endpoint="scripted") for name in names]
        return prepare(benchmark, tmp_path / "bench", specs, [], RunOptions(**options), tmp_path / "runs")

    return make


async def run_all(folder: RunFolder, models: dict[str, Model], **options: object) -> RunEnd:
    settings = {"judges": {}, "observer": Silent(), "stop": asyncio.Event(), **options}
    return await engine.run(folder, models=models, **settings)


@pytest.fixture
def run_it() -> Callable[..., Awaitable[RunEnd]]:
    return run_all


@pytest.fixture
def good() -> Model:
    return ScriptedModel(right)


@pytest.fixture
async def endpoint() -> object:
    """Start a loopback endpoint from a handler: `await endpoint(handler)` gives its base URL."""
    runners = []

    async def start(handler: Callable[[web.Request], Awaitable[web.StreamResponse]]) -> str:
        app = web.Application()
        app.router.add_post("/v1/chat/completions", handler)
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        runners.append(runner)
        return f"http://127.0.0.1:{runner.addresses[0][1]}/v1"

    yield start
    for runner in runners:
        await runner.cleanup()
