"""A claim about the frozen pool alone has its own, narrower interval; the usual one is about tasks of this kind."""

import asyncio
import json

from openassay.models.scripted import ScriptedModel
from openassay.reports.summary import summarise
from openassay.runs.engine import run
from openassay.runs.observer import Silent
from openassay.runs.prepare import RunOptions, prepare
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
[[category]]
id = "sums"
track = "research"
title = "Sums"
definition = "adds"
"""


async def test_a_claim_about_the_pool_alone_is_narrower(tmp_path):
    """Thirty of forty items of a pool were drawn: three quarters of it are known."""
    folder = await drawn_run(tmp_path, pool=40, per_category=30)
    (result,) = summarise([folder]).results
    low, high = result.interval
    pool_low, pool_high = result.pool_interval
    assert low < pool_low < result.pass_rate < pool_high < high
    assert (pool_high - pool_low) < 0.7 * (high - low)


async def test_a_whole_pool_has_no_interval_of_its_own(tmp_path):
    (result,) = summarise([await drawn_run(tmp_path, pool=30, per_category=None)]).results
    assert result.pool_interval is None


async def drawn_run(tmp_path, *, pool, per_category):
    """A run of a scripted model that is right on every second sum."""
    folder = tmp_path / "bench"
    (folder / "tasks" / "sums").mkdir(parents=True)
    (folder / "benchmark.toml").write_text(HEAD)
    rows = [
        {"id": f"s-{n}", "instruction": f"What is {n} + 2?", "reference": str(n + 2), "scorer": "exact"}
        for n in range(pool)
    ]
    (folder / "tasks" / "sums" / "a.items.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    model = ModelSpec(name="half", endpoint="scripted")
    made = prepare(load(folder), folder, [model], [], RunOptions(per_category=per_category), tmp_path / "runs")
    scripted = ScriptedModel(lambda r: str(n + 2) if (n := int(r.messages[0].text().split()[2])) % 2 else "no")
    await run(made, models={"half": scripted}, judges={}, observer=Silent(), stop=asyncio.Event())
    return made
