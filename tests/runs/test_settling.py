"""`run --stop-when-settled`: declared before the run, the same after a kill, and never an early end of equals."""

import asyncio
import json

import pytest

from openassay.models.scripted import ScriptedModel
from openassay.reports.summary import summarise
from openassay.runs import cells
from openassay.runs.folder import open_run
from openassay.runs.prepare import RunOptions, prepare
from openassay.schema.models import ModelSpec
from openassay.stats import evalue_paired


def right(request):
    return str(int(request.messages[0].text().split()[2]) + 2)


def wrong_on(every):
    """Wrong on every so many-th sum."""

    def reply(request):
        number = int(request.messages[0].text().split()[2])
        return "no" if number % every == 0 else str(number + 2)

    return ScriptedModel(reply)


@pytest.fixture
def made(tmp_path, benchmark_of):
    def make(names=("good", "weak"), sizes=None, **options):
        benchmark = benchmark_of(sizes or {"sums": 120})
        specs = [ModelSpec(name=name, endpoint="scripted") for name in names]
        options = RunOptions(stop_when_settled=True, concurrency=4, **options)
        return prepare(benchmark, tmp_path / "bench", specs, [], options, tmp_path / "runs")

    return make


async def test_a_clear_difference_ends_the_category_early_for_both_models(made, run_it):
    folder = made()
    end = await run_it(folder, {"good": ScriptedModel(right), "weak": wrong_on(2)})
    folder = open_run(folder.path)
    (settled,) = folder.stopped
    assert end.state == "complete"
    assert settled.units < 60
    assert (end.planned, end.finished, end.scored) == (2 * settled.units,) * 3
    assert float(settled.pairs[0].evalue) >= 20
    found = summarise([folder])
    assert f"ended after {settled.units} of 120 items" in " ".join(found.limits)
    (good, weak) = found.results
    assert (good.n_items, weak.n_items) == (settled.units, settled.units)
    wins = good.passed - weak.passed
    assert evalue_paired(wins, 0) >= 20 > evalue_paired(wins - 1, 0)


async def test_equal_models_run_to_the_end(made, run_it):
    folder = made(sizes={"sums": 40})
    end = await run_it(folder, {"good": wrong_on(3), "weak": wrong_on(3)})
    assert (end.planned, end.scored, open_run(folder.path).stopped) == (80, 80, ())


async def test_one_category_may_end_while_the_other_goes_on(made, run_it):
    folder = made(sizes={"sums": 100, "more": 60})

    def weak(request):
        text = request.messages[0].text()
        return right(request) if " in more" in text else "no"

    await run_it(folder, {"good": ScriptedModel(right), "weak": ScriptedModel(weak)})
    folder = open_run(folder.path)
    assert [one.category for one in folder.stopped] == ["sums"]
    assert [one.n_items for one in summarise([folder]).results if one.category == "more"] == [60, 60]


async def test_a_fast_model_does_not_run_far_ahead(made, run_it):
    folder = made()
    fast = []

    async def never(request):
        await asyncio.sleep(3600)

    class Slow:
        generate = staticmethod(never)
        close = staticmethod(lambda: None)

    stop = asyncio.Event()
    asyncio.get_running_loop().call_later(0.5, stop.set)
    models = {"good": ScriptedModel(lambda r: fast.append(1) or right(r)), "weak": Slow()}
    await run_it(folder, models, stop=stop, grace=0.1)
    assert len(fast) <= 8 + 4


async def test_what_was_settled_holds_after_a_kill_and_nothing_more_is_asked(made, run_it):
    folder = made()
    await run_it(folder, {"good": ScriptedModel(right), "weak": wrong_on(2)})
    asked = []
    nobody = ScriptedModel(lambda request: asked.append(request) or "no")
    end = await run_it(open_run(folder.path), {"good": nobody, "weak": nobody})
    assert (end.state, asked) == ("complete", [])


async def test_a_run_that_died_before_it_was_settled_settles_at_the_same_item(made, run_it, tmp_path):
    whole = made()
    await run_it(whole, {"good": ScriptedModel(right), "weak": wrong_on(2)})
    halves = made()
    calls = []

    def dying(request):
        calls.append(1)
        if len(calls) > 5:
            stop.set()
        return right(request)

    stop = asyncio.Event()
    await run_it(halves, {"good": ScriptedModel(dying), "weak": wrong_on(2)}, stop=stop)
    assert open_run(halves.path).stopped == ()
    await run_it(open_run(halves.path), {"good": ScriptedModel(right), "weak": wrong_on(2)})
    assert open_run(halves.path).stopped == open_run(whole.path).stopped


async def test_with_several_attempts_the_first_ones_settle_and_the_kept_items_get_all(made, run_it):
    folder = made(attempts=3)
    end = await run_it(folder, {"good": ScriptedModel(right), "weak": wrong_on(2)})
    folder = open_run(folder.path)
    (settled,) = folder.stopped
    assert end.scored == 2 * 3 * settled.units
    assert len(list(cells.read_cells(folder))) == end.scored


def test_the_rule_stands_in_the_plan_and_the_whole_pool_comes_in_random_order(made):
    folder = made(sizes={"sums": 30})
    assert json.loads((folder.path / "plan.json").read_text())["plan"]["stop"] == {"alpha": "0.05"}
    assert list(folder.draw.draws[0]) != sorted(folder.draw.draws[0], key=lambda name: int(name.split("-")[1]))
