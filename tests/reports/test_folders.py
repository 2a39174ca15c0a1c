"""The verb on a real run folder: every text in it holds the same bird."""

import asyncio
import json

import pytest

from openassay.cli import report
from openassay.models.scripted import ScriptedModel
from openassay.runs import engine
from openassay.runs.observer import Silent
from openassay.runs.prepare import RunOptions, prepare
from openassay.schema.errors import InputError
from openassay.schema.models import ModelSpec
from openassay.scorers.scripted_judge import truthful
from openassay.tasks.load import load

BIRD = "kingfisher"
BENCHMARK = """
id = "birds"
version = "1-A"
title = "Birds"
developers = "us"
purpose = "to test"
licence = "CC0-1.0"
funding = "none"
visibility = "{visibility}"
[judge]
different_lineage = false
[[category]]
id = "river"
track = "research"
title = "River"
definition = "names a bird"
"""
ITEMS = [
    {
        "id": "one",
        "instruction": f"Name the bird: {BIRD}.",
        "material": f"A {BIRD} sat.",
        "reference": BIRD,
        "scorer": "exact",
    },
    {"id": "two", "instruction": f"Praise the {BIRD}.", "reference": f"It praises the {BIRD}", "scorer": "rubric"},
]


@pytest.fixture
async def birds(tmp_path):
    """Makes a run folder of a benchmark with this visibility."""

    async def make(visibility, stop=None):
        bench = tmp_path / "bench"
        (bench / "tasks" / "river").mkdir(parents=True)
        (bench / "benchmark.toml").write_text(BENCHMARK.format(visibility=visibility))
        (bench / "tasks" / "river" / "a.items.jsonl").write_text("".join(json.dumps(item) + "\n" for item in ITEMS))
        names = [ModelSpec(name=name, endpoint="scripted") for name in ("model", "judge")]
        folder = prepare(load(bench), bench, names[:1], names[1:], RunOptions(), tmp_path / "runs")
        models = {"model": ScriptedModel({"*": BIRD})}
        judges = {"judge": ScriptedModel(truthful(lambda _criterion, _output: True))}
        if stop is None:
            await engine.run(folder, models=models, judges=judges, observer=Silent(), stop=asyncio.Event())
        return folder.path

    return make


async def test_the_owner_reads_every_text_and_nobody_else_may_read_the_file(birds, capsys):
    run = await birds("private")
    assert report.command([run]) == 0
    page = run / "report" / "report.html"
    html = page.read_text()
    for text in (f"Name the bird: {BIRD}.", f"A {BIRD} sat.", f"praises the {BIRD}", f"it says &#39;{BIRD}", "[reply]"):
        assert text in html
    assert page.stat().st_mode & 0o077 == 0
    assert str(page) in capsys.readouterr().out


async def test_the_public_page_and_the_json_hold_no_text_of_private_items(birds, capsys):
    run = await birds("private")
    report.command([run], audience=report.Reader.public)
    assert BIRD not in (run / "report" / "report-public.html").read_text()
    assert BIRD not in capsys.readouterr().out
    report.command([run], as_json=True)
    document = capsys.readouterr().out
    assert BIRD not in document
    assert json.loads(document)["results"][0]["passed"] == 1


async def test_public_items_are_shown_to_the_public(birds):
    run = await birds("public")
    report.command([run], audience=report.Reader.public)
    assert f"Name the bird: {BIRD}." in (run / "report" / "report-public.html").read_text()


async def test_a_run_without_answers_exits_1_and_has_no_rate(birds, capsys):
    run = await birds("private", stop="at once")
    assert report.command([run], as_json=True) == 1
    assert json.loads(capsys.readouterr().out)["results"][0]["pass_rate"] is None


async def test_one_run_given_twice_is_refused(birds):
    run = await birds("private")
    with pytest.raises(InputError, match="each run once"):
        report.command([run, run])
