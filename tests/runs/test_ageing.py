from datetime import UTC, datetime

import pytest

from openassay.models.scripted import ScriptedModel
from openassay.runs.ageing import Use, saturated, uses, worn
from openassay.runs.prepare import RunOptions, prepare
from openassay.schema.models import ModelSpec
from openassay.tasks.load import load

TODAY = datetime(2026, 12, 1, tzinfo=UTC)


def use(**changes):
    usual = {"models": 4, "solved_by": 1, "failed_by": 1, "places": ("a.org",), "first_sent": "2026-10-01"}
    return Use(task="t", category="c", runs=1, **(usual | changes))


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({}, None),
        ({"solved_by": 4}, "all 4 models passed it"),
        ({"solved_by": 2, "models": 2}, None),
        ({"first_sent": "2025-11-01"}, "first sent to others on 2025-11-01"),
        ({"first_sent": "", "places": ()}, None),
        ({"places": tuple("abcde")}, "sent to 5 places"),
    ],
)
def test_what_is_worn(changes, why):
    found = list(worn([use(**changes)], TODAY))
    assert [why in one.why for one in found] == ([] if why is None else [True])
    assert all(one.todo for one in found)


@pytest.fixture
async def played(tmp_path, benchmark_of, run_it, good):
    """A benchmark of 12 sums and a run in which three models solve all of them."""
    benchmark = benchmark_of({"sums": 12})
    specs = [ModelSpec(name=name, endpoint="scripted", model=name) for name in "abc"]
    folder = prepare(benchmark, tmp_path, specs, [], RunOptions(), tmp_path / "runs")
    await run_it(folder, dict.fromkeys("abc", good))
    return benchmark, folder


async def test_runs_tell_who_solved_what(played):
    benchmark, folder = played
    found = uses(benchmark, [folder])
    assert {(one.runs, one.models, one.solved_by, one.places) for one in found} == {(1, 3, 3, ())}
    assert len(list(worn(found, TODAY))) == 12
    (category,) = saturated(benchmark, [folder])
    assert category.category == "sums"


async def test_a_changed_task_starts_anew(played, tmp_path):
    _, folder = played
    items = tmp_path / "bench" / "tasks" / "sums" / "a.items.jsonl"
    items.write_text(items.read_text().replace("What is 0", "How much is 0"))
    assert len(uses(load(tmp_path / "bench"), [folder])) == 11


async def test_an_endpoint_of_others_has_seen_it_and_this_machine_has_not(tmp_path, benchmark_of, run_it):
    benchmark = benchmark_of({"sums": 2})
    specs = [
        ModelSpec(name="far", endpoint="openai", model="x", base_url="https://llm.example.org/v1"),
        ModelSpec(name="near", endpoint="openai", model="y", base_url="http://127.0.0.1:1/v1"),
    ]
    folder = prepare(benchmark, tmp_path, specs, [], RunOptions(), tmp_path / "runs")
    await run_it(folder, {"far": ScriptedModel({"*": "2"}), "near": ScriptedModel({"*": "2"})})
    assert {one.places for one in uses(benchmark, [folder])} == {("llm.example.org",)}
