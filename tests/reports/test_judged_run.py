"""From a run with scripted judges of the candidate's lineage and of another to what its report says of them."""

import asyncio
import json
import re

import pytest

from openassay.models.scripted import ScriptedModel
from openassay.reports.folders import nameless, opened
from openassay.reports.html import render
from openassay.reports.summary import summarise
from openassay.runs import cells, engine, rescore
from openassay.runs.folder import open_run
from openassay.runs.observer import Silent
from openassay.runs.prepare import RunOptions, prepare
from openassay.runs.reviews import criterion_digest, reviewing
from openassay.schema.models import ModelSpec, PlannedModel
from openassay.schema.review import Review
from openassay.scorers.scripted_judge import truthful
from openassay.tasks.load import load

BENCHMARK = """
id = "miles"
version = "1-A"
title = "Miles"
developers = "us"
purpose = "to test"
licence = "CC0-1.0"
funding = "none"
[[category]]
id = "river"
track = "research"
title = "River"
definition = "tells of birds"
"""
BIRD = "kingfisher"


def mile(text):
    return int(re.findall(r"mile (\d+)", text)[-1])


def candidate():
    return ScriptedModel(
        lambda asked: f"At mile {mile(asked.messages[-1].text())} a {BIRD} sat on a stone by the water."
    )


def judge(passes):
    return ScriptedModel(truthful(lambda _criterion, output: passes(mile(output))))


@pytest.fixture
async def judged(tmp_path):
    """A finished run: a kind relative of one candidate judges first, a stricter stranger second."""
    bench = tmp_path / "bench"
    (bench / "tasks" / "river").mkdir(parents=True)
    (bench / "benchmark.toml").write_text(BENCHMARK)
    lines = [
        {
            "id": f"mile-{n}",
            "instruction": f"Tell of mile {n}.",
            "scorer": "rubric",
            "reference": f"It is lively ({BIRD})",
        }
        for n in range(10)
    ]
    (bench / "tasks" / "river" / "a.items.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    specs = [
        ModelSpec(name=name, endpoint="scripted", lineage=(family,))
        for name, family in (("cousin", "llama"), ("other", "mistral"), ("kin", "llama"), ("stranger", "gpt"))
    ]
    folder = prepare(load(bench), bench, specs[:2], specs[2:], RunOptions(), tmp_path / "runs")
    models = {"cousin": candidate(), "other": candidate()}
    judges = {"kin": judge(lambda n: n != 9), "stranger": judge(lambda n: n < 5)}
    await engine.run(folder, models=models, judges=judges, observer=Silent(), stop=asyncio.Event())
    return open_run(folder.path)


async def test_the_report_shows_how_far_two_judges_differ_on_the_firsts_relatives(judged):
    summary = summarise([judged])
    (found,) = summary.judging
    (pair,) = found.pairs
    own = next(one for one in pair.groups if one.candidates == "own")
    assert (own.first_passed.hits, own.second_passed.hits, own.n, own.first_only) == (9, 5, 10, 4)
    assert {one.cause: one.decided for one in found.disputes} == {"lineage": {"second": 10}}
    assert [one.score for one in summary.results] == [0.5, 0.9]
    assert (found.judges[0].usable.hits, found.judges[0].usable.n, found.judges[0].missed.hits) == (40, 40, 0)
    assert [one.calls for one in found.judges] == [20, 20]  # `other` answered as `cousin` did: kin was not asked again


async def test_another_judge_on_the_same_answers_stands_beside_the_first(judged):
    harsh = PlannedModel(name="harsh", endpoint="scripted", model="", lineage=("claude",))
    end = await rescore.score(
        judged,
        observer=Silent(),
        stop=asyncio.Event(),
        judges={"harsh": judge(lambda _: False)},
        planned_judges=(harsh,),
    )
    again = summarise([open_run(judged.path)]).judging[0].rescored
    assert end.state == "complete"
    assert (again.judges_before, again.judges_after) == (("kin", "stranger"), ("harsh",))
    assert (again.compared.agreement.hits, again.compared.n, again.compared.first_only) == (6, 20, 14)


async def test_what_is_said_of_judges_holds_no_text_of_private_items(judged):
    summary = summarise([judged])
    public = "".join(render(summary, opened([judged], summary, "public"), "public"))
    assert BIRD in "".join(render(summary, opened([judged], summary, "owner"), "owner"))
    assert "Disputes, and who decided them" in public
    assert BIRD not in public
    assert BIRD not in summary.model_dump_json()


async def test_people_are_named_to_the_owner_and_to_nobody_else(judged):
    (first, *_) = cells.read_cells(judged)
    check = judged.tasks[first.attempt.task].checks[0]
    with reviewing(judged) as writer:
        writer.decide(
            Review(
                model=first.attempt.model,
                task=first.attempt.task,
                draw=0,
                attempt=0,
                check=check.id,
                criterion=criterion_digest(check),
                evidence=first.scoring.verdicts[0].evidence,
                rater="Ann Heron",
                result="fail",
                note="I doubt it",
                at_ms=0,
            )
        )
    (cell, *_) = cells.read_cells(open_run(judged.path))
    hidden = nameless(cell).scoring.verdicts
    assert [(one.who, one.reason) for one in cell.scoring.verdicts if one.by == "human"] == [
        ("Ann Heron", "a person decided: fail; Ann Heron: I doubt it")
    ]
    assert [(one.who, one.reason) for one in hidden if one.by == "human"] == [("", "a person decided: fail")]
    assert "Ann Heron" not in summarise([open_run(judged.path)]).model_dump_json()
