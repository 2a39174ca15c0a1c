import asyncio
import contextlib
import itertools
from collections import Counter

import pytest
from aiohttp import web
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from openassay.models.connect import connect
from openassay.models.scripted import ScriptedModel
from openassay.reports.summary import summarise
from openassay.runs import cells
from openassay.runs.books import read_budget
from openassay.runs.estimate import estimate
from openassay.runs.folder import open_run
from openassay.runs.grid import Grid
from openassay.runs.preflight import preflight
from openassay.runs.prepare import RunOptions, prepare
from openassay.schema.attempt import Outcome
from openassay.schema.errors import EndpointError, FaultKind, RunFolderError
from openassay.schema.message import Finish, ModelReply, Usage
from openassay.schema.models import ModelSpec, Price
from openassay.schema.plan import Cell, RetryRule

QUICK = RetryRule(tries=3, first_wait_ms=1, longest_wait_ms=5, dead_after_s=60)


async def test_every_cell_once(prepared, run_it, good):
    folder = prepared(["a", "b"], attempts=3, draws=2, per_category=2)
    end = await run_it(folder, {"a": good, "b": ScriptedModel({"*": "7"})})
    assert (end.state, end.planned, end.finished, end.scored) == ("complete", 24, 24, 24)
    found = list(cells.read_cells(folder))
    assert len({(c.attempt.model, c.attempt.task, c.attempt.draw, c.attempt.attempt) for c in found}) == 24
    assert all(one.scoring.score.passed for one in found if one.attempt.model == "a")
    assert len({(c.attempt.task, c.attempt.prompt) for c in found}) == 4


@pytest.mark.parametrize(
    ("reply", "outcome", "passed"),
    [
        (ModelReply(text="2", finish=Finish.STOP), Outcome.ANSWERED, True),
        (ModelReply(text="2", finish=Finish.LENGTH), Outcome.LIMIT_REACHED, False),
        (ModelReply(text="", finish=Finish.STOP), Outcome.NO_ANSWER, False),
        (ModelReply(text="", finish=Finish.REFUSAL), Outcome.NO_ANSWER, False),
        (ModelReply(text="x", finish=Finish.CONTENT_FILTER), Outcome.NO_ANSWER, False),
    ],
)
async def test_a_reply_becomes_an_outcome(prepared, run_it, reply, outcome, passed):
    folder = prepared(sizes={"sums": 1})
    end = await run_it(folder, {"good": ScriptedModel(lambda _: reply)})
    (cell,) = cells.read_cells(folder)
    assert end.state == "complete"
    assert (cell.attempt.outcome, cell.scoring.score.passed) == (outcome, passed)


def flaky(kind, failures, **more):
    """Fail so many times, then answer right."""
    counter = itertools.count()

    def reply(request):
        if next(counter) < failures:
            raise EndpointError(kind, "the server says no", where="http://x", **more)
        return str(int(request.messages[0].text().split()[2]) + 2)

    return ScriptedModel(reply)


@pytest.mark.parametrize("kind", [FaultKind.SERVER_ERROR, FaultKind.RATE_LIMITED, FaultKind.CONNECTION_LOST])
async def test_a_passing_fault_is_tried_again_and_recorded(prepared, run_it, kind):
    folder = prepared(sizes={"sums": 1}, retry=QUICK)
    await run_it(folder, {"good": flaky(kind, 2)})
    (cell,) = cells.read_cells(folder)
    assert (cell.attempt.tries, cell.attempt.faults) == (3, (kind, kind))
    assert cell.scoring.score.passed


async def test_what_fails_for_good_is_incomplete_and_tried_again_by_a_resume(prepared, run_it, good):
    folder = prepared(sizes={"sums": 2}, retry=QUICK, concurrency=1)
    end = await run_it(folder, {"good": flaky(FaultKind.SERVER_ERROR, 3)})
    assert (end.state, end.finished) == ("incomplete", 1)
    assert cells.totals(folder).outcomes == {"answered": 1, "infrastructure_error": 1}
    end = await run_it(open_run(folder.path), {"good": good})
    assert (end.state, end.finished) == ("complete", 2)
    assert cells.totals(folder).outcomes == {"answered": 2}


@pytest.mark.parametrize("kind", [FaultKind.WRONG_KEY, FaultKind.UNKNOWN_MODEL, FaultKind.REFUSED_PARAMETER])
async def test_a_fault_that_will_not_pass_stops_the_run_and_records_no_attempt(prepared, run_it, kind):
    folder = prepared(sizes={"sums": 3})
    end = await run_it(folder, {"good": flaky(kind, 99)})
    assert (end.state, end.finished) == ("stopped", 0)
    assert "the server says no" in end.message
    assert end.todo
    assert list(cells.read_cells(folder)) == []


async def test_a_dead_endpoint_stops_the_run(prepared, run_it):
    rule = RetryRule(tries=100, first_wait_ms=200, longest_wait_ms=300, dead_after_s=1)
    folder = prepared(sizes={"sums": 3}, retry=rule)
    end = await run_it(folder, {"good": flaky(FaultKind.CONNECTION_REFUSED, 999)})
    assert end.state == "dead_endpoint"
    assert "no good reply for" in end.message


async def test_a_context_that_is_too_long_is_a_limit(prepared, run_it):
    folder = prepared(sizes={"sums": 1})
    end = await run_it(folder, {"good": flaky(FaultKind.CONTEXT_TOO_LONG, 1)})
    (cell,) = cells.read_cells(folder)
    assert end.state == "complete"
    assert (cell.attempt.outcome, cell.scoring.score.passed) == (Outcome.LIMIT_REACHED, False)


async def test_two_processes_cannot_write_one_run(prepared, run_it, good):
    folder = prepared()
    with folder.lock(), pytest.raises(RunFolderError, match="another process"):
        await run_it(open_run(folder.path), {"good": good})


async def test_a_long_answer_stands_in_an_object(prepared, run_it):
    folder = prepared(sizes={"sums": 1})
    long = "é" * 9000
    await run_it(folder, {"good": ScriptedModel({"*": long})})
    (cell,) = cells.read_cells(folder)
    assert cell.attempt.answer == ""
    assert cells.answer_text(folder, cell.attempt) == long


async def test_a_stop_leaves_the_rest_for_a_resume(prepared, run_it, good):
    folder = prepared(sizes={"sums": 5}, concurrency=1)
    stop = asyncio.Event()
    asked = Counter()

    def reply(request):
        asked[request.messages[0].text()] += 1
        if len(asked) == 2:
            stop.set()
        return "2"

    end = await run_it(folder, {"good": ScriptedModel(reply, latency=0.01)}, stop=stop)
    assert end.state == "interrupted"
    assert 2 <= end.finished < 5
    await run_it(open_run(folder.path), {"good": ScriptedModel(reply)})
    assert sorted(asked.values()) == [1] * 5


class Killed(BaseException):
    """The process dies here."""


def dying(after):
    """Answer so many calls, then die in the middle of one; never for None."""
    counter = itertools.count()

    def reply(request):
        if next(counter) == after:
            raise Killed
        return str(int(request.messages[0].text().split()[2]) + 2)

    return ScriptedModel(reply)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(deaths=st.lists(st.integers(0, 6), max_size=5), attempts=st.integers(1, 2), concurrency=st.integers(1, 4))
def test_dying_at_any_call_and_resuming_comes_to_the_same_totals(
    tmp_path_factory, write_benchmark, run_it, deaths, attempts, concurrency
):
    tmp = tmp_path_factory.mktemp("death")
    benchmark = write_benchmark(tmp / "bench", {"sums": 3, "more": 2})
    spec = ModelSpec(name="good", endpoint="scripted", price=Price(input=1_000_000, output=1_000_000))
    options = RunOptions(attempts=attempts, concurrency=concurrency, budget=10_000_000)
    folder = prepare(benchmark, tmp, [spec], [], options, tmp / "runs")
    for after in deaths:
        with contextlib.suppress(Killed):
            asyncio.run(run_it(open_run(folder.path), {"good": dying(after)}))
    end = asyncio.run(run_it(open_run(folder.path), {"good": dying(None)}))
    found = cells.totals(open_run(folder.path))
    assert (end.state, found.finished, found.scored) == ("complete", 5 * attempts, 5 * attempts)
    assert found.outcomes == {"answered": 5 * attempts}
    keys = Counter((c.attempt.task, c.attempt.attempt) for c in cells.read_cells(folder))
    assert set(keys.values()) == {1}


async def test_the_cap_holds_when_the_server_charges_far_more(tmp_path, benchmark_of, run_it, endpoint):
    """The endpoint reports ten times the tokens that could have been used."""
    charged = 0

    async def handler(request):
        nonlocal charged
        charged += 1
        await asyncio.sleep(0.005)
        usage = {"prompt_tokens": 900, "completion_tokens": 5120}
        choices = [{"message": {"content": "2"}, "finish_reason": "stop"}]
        return web.json_response({"model": "m", "choices": choices, "usage": usage})

    url = await endpoint(handler)
    benchmark = benchmark_of({"sums": 60})
    spec = ModelSpec(name="dear", endpoint="openai", base_url=url, model="m", price=Price(input=0, output=1_000_000))
    cap = 100_000
    folder = prepare(benchmark, tmp_path, [spec], [], RunOptions(budget=cap, concurrency=16), tmp_path / "runs")
    model = connect(spec)
    await preflight(folder, models={"dear": model}, judges={})
    end = await run_it(folder, {"dear": model})
    await model.close()
    assert end.state == "budget"
    assert charged * 5120 == end.spent <= cap
    assert end.finished == charged - 1


async def test_a_charge_beyond_all_bounds_is_met_once(tmp_path, benchmark_of, run_it):
    spec = ModelSpec(name="dear", endpoint="scripted", price=Price(input=0, output=1_000_000))
    options = RunOptions(budget=20_000, concurrency=16)
    folder = prepare(benchmark_of({"sums": 60}), tmp_path, [spec], [], options, tmp_path / "runs")
    usage = Usage(tokens_in=9, tokens_out=5120)

    class Dear:
        async def generate(self, _request):
            await asyncio.sleep(0.005)
            return ModelReply(text="2", finish=Finish.STOP, usage=usage)

        async def close(self):
            return

    end = await run_it(folder, {"dear": Dear()})
    assert (end.state, end.spent) == ("budget", 3 * 5120)


async def test_a_preflight_that_was_cut_off_counts_at_its_upper_bound(tmp_path, benchmark_of):
    spec = ModelSpec(name="m", endpoint="openai", model="m", base_url="x", price=Price(input=0, output=1_000_000))
    folder = prepare(benchmark_of({"sums": 1}), tmp_path, [spec], [], RunOptions(budget=99_999), tmp_path / "runs")

    class CutOff:
        async def generate(self, _request):
            raise EndpointError(FaultKind.TIMED_OUT, "no complete reply")

        async def close(self):
            return

    for _ in range(3):
        with pytest.raises(EndpointError):
            await preflight(folder, models={"m": CutOff()}, judges={})
    assert read_budget(folder).spent == 3 * 16


@pytest.mark.parametrize(
    "cell", [Cell("a", "sums-9", 0, 0), Cell("a", "sums-0", 1, 0), Cell("a", "sums-0", 0, 1), Cell("b", "sums-0", 0, 0)]
)
def test_a_cell_that_the_plan_does_not_have_is_damage(prepared, cell):
    folder = prepared(["a"])
    with pytest.raises(RunFolderError, match="none such"):
        Grid(folder.plan, folder.draw).mark_finished(cell)


async def test_unknown_usage_counts_at_the_upper_bound(tmp_path, benchmark_of, run_it):
    spec = ModelSpec(name="m", endpoint="scripted", price=Price(input=0, output=1_000_000))
    folder = prepare(benchmark_of({"sums": 1}), tmp_path, [spec], [], RunOptions(budget=9_999), tmp_path / "runs")
    silent = ScriptedModel(lambda _: ModelReply(text="2", finish=Finish.STOP, usage=Usage()))
    end = await run_it(folder, {"m": silent})
    assert end.spent == 512


async def test_a_consistency_group_is_scored_together_even_over_a_death(tmp_path, benchmark_of, run_it):
    checks = [
        {"id": "answer", "uses": "numeric", "reference": 4},
        {"id": "same", "uses": "consistent", "hard": False},
    ]
    lines = [
        {"id": f"g-{n}", "instruction": f"Wording {n}: what is 2 + 2?", "group": "two", "checks": checks}
        for n in range(3)
    ]
    benchmark = benchmark_of({"sums": 0}, lines=lines)
    spec = ModelSpec(name="m", endpoint="scripted")
    folder = prepare(benchmark, tmp_path, [spec], [], RunOptions(concurrency=1), tmp_path / "runs")
    answers = {"Wording 0": "4", "Wording 1": "4", "Wording 2": "5"}
    with pytest.raises(Killed):
        await _die_after(folder, run_it, answers, 2)
    assert cells.totals(folder).scored == 0
    await run_it(open_run(folder.path), {"m": ScriptedModel(answers)})
    same = {c.attempt.task: c.scoring.verdicts[1].result for c in cells.read_cells(folder)}
    assert same == {"g-0": "pass", "g-1": "pass", "g-2": "fail"}


async def _die_after(folder, run_it, answers, count):
    counter = itertools.count()

    def reply(request):
        if next(counter) == count:
            raise Killed
        return next(text for words, text in answers.items() if words in request.messages[0].text())

    await run_it(folder, {"m": ScriptedModel(reply)})


@pytest.mark.parametrize(("own", "forced", "limit"), [({}, None, 40), ({"max_tokens": 90}, None, 90), ({}, 7, 7)])
async def test_the_limit_that_is_told_is_the_limit_that_was_sent(tmp_path, benchmark_of, run_it, own, forced, limit):
    line = {"id": "short", "instruction": "Say much.", "scorer": "exact", "reference": "2", "max_tokens": 40}
    spec = ModelSpec(name="m", endpoint="scripted", parameters=own)
    options = RunOptions(max_tokens=forced)
    folder = prepare(benchmark_of({"sums": 0}, lines=[line]), tmp_path, [spec], [], options, tmp_path / "runs")
    sent = []

    def cut(request):
        sent.append(request.parameters["max_tokens"])
        return ModelReply(text="so much", finish=Finish.LENGTH)

    await run_it(folder, {"m": ScriptedModel(cut)})
    (cell,) = cells.read_cells(folder)
    summary = summarise([folder])
    assert (sent, cell.attempt.detail) == ([limit], f"cut off at {limit} tokens")
    assert summary.results[0].cut_at == (limit,)
    assert f"({limit} tokens)" in summary.results[0].advice[0]
    assert any(f"the limit of {limit} tokens" in said for said in summary.limits)
    assert estimate(folder).tokens_out_max == limit
