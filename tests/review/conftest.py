"""A judged run of hostile and ordinary answers, and its review page served on loopback."""

import asyncio
import contextlib
import json
from decimal import Decimal

import aiohttp
import pytest

from openassay.models.scripted import ScriptedModel
from openassay.review.desk import Desk
from openassay.review.server import running
from openassay.runs import engine
from openassay.runs.folder import open_run
from openassay.runs.observer import Silent
from openassay.runs.prepare import RunOptions, prepare
from openassay.runs.review_queue import queue
from openassay.runs.reviews import reviewing
from openassay.schema.models import ModelSpec
from openassay.scorers.canaries import holds
from openassay.scorers.scripted_judge import deciding
from openassay.tasks.load import load

HEAD = """
id = "letters"
version = "1-A"
title = "Letters of our office"
developers = "us"
purpose = "to test"
licence = "CC0-1.0"
funding = "none"
[[category]]
id = "letters"
track = "office"
title = "Letters"
definition = "Short letters"
"""
CHECKS = [
    {"id": "tone", "by": "judge", "hard": False, "text": "The letter is polite and names the date."},
    {"id": "send", "by": "human", "hard": True, "text": "A colleague would send it as it is."},
]
MODELS = ("zebra-9b", "heron-2b")
TOKEN = "t" * 32


def answers(name):
    """What a model answers to request `n`."""

    def answer(request):
        number = request.messages[0].text().split()[2]
        body = f"Dear Ms Okafor,\n\nthank you for your letter of 12 May (number {number}). We will reply within a week."
        return body + ("\n\nKind regards,\nthe office" if name == "zebra-9b" else "\n\nYours")

    return answer


def judge_of(name):
    def decide(criterion, output):
        surely = holds(criterion, output)
        return "Kind regards" in output if surely is None else surely

    return ScriptedModel(deciding(decide)), ModelSpec(name=name, endpoint="scripted", lineage=("gpt",))


@pytest.fixture
def benchmark(tmp_path):
    """Writes the benchmark: so many letters, with these checks and material."""

    def write(number=2, checks=CHECKS, material="", instruction="Reply to {n}: confirm the letter of 12 May."):
        place = tmp_path / "bench" / "tasks" / "letters"
        place.mkdir(parents=True)
        (tmp_path / "bench" / "benchmark.toml").write_text(HEAD)
        rows = [
            {
                "id": f"letter-{n}",
                "instruction": instruction.format(n=n),
                "checks": checks,
                "material": material and f"{material} {n}",
            }
            for n in range(number)
        ]
        (place / "a.items.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        return load(tmp_path / "bench")

    return write


@pytest.fixture
def judged_run(tmp_path, benchmark):
    """A finished run of two scripted models, judged by a scripted judge."""

    async def make(number=2, answer=None, judge=True, **words):
        specs = [ModelSpec(name=name, endpoint="scripted", lineage=("llama",)) for name in MODELS]
        model, spec = judge_of("owl-judge")
        folder = prepare(
            benchmark(number, **words),
            tmp_path / "bench",
            specs,
            [spec] if judge else [],
            RunOptions(),
            tmp_path / "runs",
        )
        models = {name: ScriptedModel(answer or answers(name)) for name in MODELS}
        judges = {"owl-judge": model} if judge else {}
        await engine.run(folder, models=models, judges=judges, observer=Silent(), stop=asyncio.Event())
        return open_run(folder.path)

    return make


class Visitor:
    """A browser without scripts: cookies, forms and redirects."""

    def __init__(self, session, address, desk):
        self.session = session
        self.desk = desk
        self.address = address
        self.root = address.split("/?")[0]

    async def get(self, path="/", **options):
        async with self.session.get(self.root + path, **options) as response:
            return response, await response.text()

    async def post(self, path, fields, **options):
        async with self.session.post(self.root + path, data=fields, **options) as response:
            return response, await response.text()

    def form(self, name="ana", **fields):
        """A decision about the next item of a rater, as its form would send it."""
        item = self.desk.next(name)
        given = {"rater": name, "item": item.id if item else "", "seen": "", "result": "pass", "note": ""}
        return {"form": self.token, **given, **fields}

    token = ""


@pytest.fixture
async def served():
    """Serves a run; `await visit(folder)` gives a visitor that was let in."""
    async with contextlib.AsyncExitStack() as stack:

        async def visit(folder, share="1", rater="", enter=True):
            writer = stack.enter_context(reviewing(folder))
            desk = Desk(folder, queue(folder, Decimal(share)), writer)
            address = await stack.enter_async_context(running(desk, rater=rater, token=TOKEN))
            # A jar that takes cookies of bare addresses, as browsers do.
            jar = aiohttp.CookieJar(unsafe=True)
            visitor = Visitor(await stack.enter_async_context(aiohttp.ClientSession(cookie_jar=jar)), address, desk)
            if enter:
                _, page = await visitor.get(address.removeprefix(visitor.root))
                visitor.token = page.split('name="form" value="')[1].split('"')[0]
            return visitor

        yield visit


@pytest.fixture
async def visitor(judged_run, served):
    """The page of a small run: two letters by two models, each with one judged check and one for people."""
    return await served(await judged_run())
