"""kill -9 at 50 random moments of a run with 64 calls in flight, each time resumed by the real command."""

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import pytest
from aiohttp import web

from openassay.runs import cells, journal
from openassay.runs.books import cell_of, read_attempts
from openassay.runs.folder import RunFolder, open_run
from openassay.runs.prepare import RunOptions, prepare
from openassay.schema.models import ModelSpec, Price

OPENASSAY = Path(sys.executable).with_name("openassay")
KILLS = 50
IN_FLIGHT = 64
ITEMS = 6000
TOKENS = 20
"""That every reply reports; a token costs one micro-dollar."""
LATENCY = 0.1


class Endpoint:
    """A server in a thread that counts what it was asked and what it charged."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()
        self.peak = 0
        self._now = 0
        self._ready = threading.Event()
        threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True).start()
        self._ready.wait(10)

    async def _serve(self) -> None:
        app = web.Application()
        app.router.add_post("/v1/chat/completions", self._answer)
        runner = web.AppRunner(app)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        self._ready.set()
        await asyncio.Event().wait()

    async def _answer(self, request: web.Request) -> web.Response:
        prompt = (await request.json())["messages"][0]["content"]
        self.asked[prompt] += 1
        self._now += 1
        self.peak = max(self.peak, self._now)
        try:
            await asyncio.sleep(LATENCY)
        finally:
            self._now -= 1
        number = prompt.split()[2] if prompt.startswith("What is") else "0"
        choice = {"message": {"content": str(int(number) + 2)}, "finish_reason": "stop"}
        usage = {"prompt_tokens": 0, "completion_tokens": TOKENS}
        return web.json_response({"model": "m", "choices": [choice], "usage": usage})

    @property
    def charged(self) -> int:
        return TOKENS * self.asked.total()


def resume(folder: RunFolder, budget: float | None = None) -> subprocess.Popen[bytes]:
    money = [] if budget is None else ["--budget", str(budget)]
    command = [str(OPENASSAY), "resume", str(folder.path), "--quiet", *money]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def finished(folder: RunFolder) -> set[str]:
    return {cell_of(one).task for one in read_attempts(folder.journal)}


def tear(folder: RunFolder, rng: random.Random) -> None:
    """What a kill in the middle of a write leaves: a last line without its end."""
    path = journal.segments(folder.journal, rng.choice(("calls", "attempts", "verdicts")))[-1]
    whole = next(journal.read_segment(path), None)
    if whole is not None:
        with path.open("ab") as file:
            file.write(whole.body[: rng.randrange(1, len(whole.body))])


@pytest.fixture
def killed(tmp_path: Path, benchmark_of) -> tuple[RunFolder, Endpoint]:
    endpoint = Endpoint()
    spec = ModelSpec(
        name="m", endpoint="openai", base_url=endpoint.url, model="m", price=Price(input=0, output=1_000_000)
    )
    options = RunOptions(concurrency=IN_FLIGHT, budget=100 * ITEMS * TOKENS, max_tokens=TOKENS)
    folder = prepare(benchmark_of({"sums": ITEMS}), tmp_path, [spec], [], options, tmp_path / "runs")
    return folder, endpoint


def test_kill_at_fifty_random_moments(killed, capsys):
    folder, endpoint = killed
    rng = random.Random(20261130)
    before: dict[str, int] = {}
    for kill in range(KILLS):
        started = endpoint.asked.total()
        process = resume(folder)
        while endpoint.asked.total() <= started + 1 and process.poll() is None:
            time.sleep(0.002)
        time.sleep(rng.uniform(0.0, 0.35))
        assert process.poll() is None, process.stderr.read().decode()[-1500:]
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        process.stderr.close()
        if kill % 5 == 4:
            tear(folder, rng)
        for task in finished(folder):
            before.setdefault(prompt_of(folder, task), endpoint.asked[prompt_of(folder, task)])
        assert cells.totals(open_run(folder.path)).spent_micro_usd >= endpoint.charged

    process = resume(folder)
    _, said = process.communicate(timeout=300)
    assert process.returncode == 0, said
    result = cells.totals(open_run(folder.path))
    assert (result.planned, result.finished, result.scored) == (ITEMS, ITEMS, ITEMS)
    assert result.outcomes == {"answered": ITEMS}
    every = [cell_of(one.attempt).key() for one in cells.read_cells(open_run(folder.path))]
    assert len(every) == len(set(every)) == ITEMS
    lines = Counter(cell_of(one).key() for one in read_attempts(folder.journal))
    assert set(lines.values()) == {1}
    assert {prompt: endpoint.asked[prompt] for prompt in before} == before
    assert endpoint.peak >= IN_FLIGHT
    assert result.spent_micro_usd >= endpoint.charged
    repeated = endpoint.asked.total() - ITEMS
    with capsys.disabled():
        print(  # noqa: T201
            f"\n{KILLS} kills: {repeated} calls repeated, {len(before)} of {ITEMS} finished before a kill"
        )


def test_the_cap_holds_across_kills(killed):
    folder, endpoint = killed
    rng = random.Random(1)
    cap = 1500 * TOKENS / 1_000_000
    for _ in range(100):
        started = endpoint.asked.total()
        process = resume(folder, budget=cap)
        while endpoint.asked.total() <= started + 20 and process.poll() is None:
            time.sleep(0.002)
        time.sleep(rng.uniform(0.0, 0.3))
        if process.poll() is not None:
            break
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        process.stderr.close()
    said = process.stderr.read().decode()
    process.stderr.close()
    assert process.returncode == 1, said
    assert "budget" in said
    spent = cells.totals(open_run(folder.path)).spent_micro_usd
    assert endpoint.charged <= spent <= 1500 * TOKENS


def prompt_of(folder: RunFolder, task: str) -> str:
    return folder.tasks[task].instruction


def test_the_journal_is_plain_json_lines(killed):
    folder, _ = killed
    process = resume(folder)
    time.sleep(2)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stderr.close()
    for kind in journal.KINDS:
        for line in journal.read(folder.journal, kind):
            assert isinstance(json.loads(line.body), dict)
