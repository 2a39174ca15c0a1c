"""No text of a private item in any export: every text of a real run holds a marker, and the bytes are searched."""

import asyncio
import json

import polars as pl
import pytest

from openassay.cli import export
from openassay.models.scripted import ScriptedModel
from openassay.runs import cells, engine
from openassay.runs.folder import open_run
from openassay.runs.observer import Silent
from openassay.runs.prepare import RunOptions, prepare
from openassay.runs.reviews import criterion_digest, reviewing
from openassay.schema.models import ModelSpec
from openassay.schema.review import Review
from openassay.scorers.scripted_judge import truthful
from openassay.tasks.load import load

TEXT, NAME = "kingfisher", "wagtail"
"""The first stands in every text of items, answers, judges and reviews; the second in what names people and sources."""
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


def item(at):
    judged = {"id": "praise", "by": "judge", "hard": False, "uses": "rubric", "reference": f"It praises the {TEXT}"}
    exact = {"id": "name", "text": f"The {TEXT} is named", "uses": "exact", "reference": f"{TEXT} {at % 2}"}
    person = {"id": "send", "text": f"One would send the {TEXT}", "by": "human", "hard": False}
    return {
        "id": f"item-{at}",
        "instruction": f"Name the {TEXT} {at}.",
        "material": f"A {TEXT} sat.",
        "solution": f"{TEXT} {at % 2}",
        "group": f"{NAME} {at % 4}",
        "author": f"{NAME} A",
        "source": f"{NAME} S",
        "affiliation": f"{NAME} U",
        "checks": [exact, judged, person],
    }


@pytest.fixture(scope="module", params=["private", "confidential", "public"])
def birds(request, tmp_path_factory):
    """A finished run of twelve items in which a person has decided one check, with a note."""
    tmp_path = tmp_path_factory.mktemp(request.param)
    bench = tmp_path / "bench"
    (bench / "tasks" / "river").mkdir(parents=True)
    (bench / "benchmark.toml").write_text(BENCHMARK.format(visibility=request.param))
    lines = "".join(json.dumps(item(at)) + "\n" for at in range(12))
    (bench / "tasks" / "river" / "a.items.jsonl").write_text(lines)
    specs = [ModelSpec(name=name, endpoint="scripted") for name in ("model", "other", "judge")]
    folder = prepare(load(bench), bench, specs[:2], specs[2:], RunOptions(), tmp_path / "runs")
    models = {"model": ScriptedModel({"*": f"{TEXT} 0"}), "other": ScriptedModel({"*": f"a {TEXT} 1"})}
    judges = {"judge": ScriptedModel(truthful(lambda _criterion, _output: True))}
    asyncio.run(played(folder, models, judges))
    folder = open_run(folder.path)
    decide(folder)
    return folder


async def played(folder, models, judges):
    await engine.run(folder, models=models, judges=judges, observer=Silent(), stop=asyncio.Event())


def decide(folder):
    cell = next(iter(cells.read_cells(folder)))
    key = {name: getattr(cell.attempt, name) for name in ("model", "task", "draw", "attempt")}
    with reviewing(folder) as desk:
        for verdict in cell.scoring.verdicts:
            check = next(one for one in folder.tasks[cell.attempt.task].checks if one.id == verdict.check)
            digests = {"criterion": criterion_digest(check), "evidence": verdict.evidence}
            said = {"rater": f"{NAME} R", "result": "fail", "note": f"no {TEXT} at all"}
            desk.decide(Review(**key, **digests, **said, check=check.id, at_ms=1))


def exported(folder, tmp_path, kind, audience, **flags):
    """Every byte that the export writes and says, Parquet decompressed."""
    out = tmp_path / f"{kind}-{audience}"
    export.command(folder.path, kind=kind, out=out, audience=export.Reader(audience), **flags)
    files = [path for path in out.parent.rglob("*") if path.is_file() and str(path).startswith(str(out))]
    assert files
    told = [path.read_bytes().lower() for path in files]
    if kind == "parquet":
        told.append(json.dumps(pl.read_parquet(files[0]).to_dicts()).lower().encode())
    return b"".join(told)


@pytest.mark.parametrize("kind", ["csv", "parquet", "eee", "card"])
def test_no_export_holds_a_text_unless_it_is_asked_for(birds, tmp_path, capsys, kind):
    public = exported(birds, tmp_path, kind, "public") + capsys.readouterr().out.encode()
    assert TEXT.encode() not in public
    if birds.info.visibility != "public":
        assert NAME.encode() not in public
    assert TEXT.encode() not in exported(birds, tmp_path, kind, "owner")


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_row_a_verdict_holds_none_either(birds, tmp_path, kind):
    public = exported(birds, tmp_path, kind, "public", checks=True)
    assert TEXT.encode() not in public
    assert NAME.encode() not in public
    own = exported(birds, tmp_path, kind, "owner", checks=True)
    assert TEXT.encode() not in own
    assert f"{NAME} r".encode() in own


@pytest.mark.parametrize("checks", [False, True])
def test_the_owner_gets_every_text_by_asking(birds, tmp_path, checks):
    own = exported(birds, tmp_path, "csv", "owner", checks=checks, texts=True).decode()
    wanted = ["is named", f"no {TEXT} at all"] if checks else [f"name the {TEXT}", f"a {TEXT} sat", f"a {TEXT} 1"]
    for text in wanted:
        assert text in own
    assert (tmp_path / "csv-owner").stat().st_mode & 0o077 == 0


def test_a_public_export_of_public_items_names_no_reviewer(birds, tmp_path):
    if birds.info.visibility != "public":
        pytest.skip("about public items")
    for kind, flags in (("csv", {"checks": True}), ("csv", {}), ("eee", {})):
        told = exported(birds, tmp_path, kind, "public", texts=True, **flags).decode()
        assert TEXT in told
        assert f"{NAME} r" not in told
        assert f"no {TEXT} at all" not in told
