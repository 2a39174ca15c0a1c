import asyncio

import pytest

from openassay.models.scripted import ScriptedModel
from openassay.runs import cells, rescore
from openassay.runs.folder import open_run
from openassay.runs.observer import Silent
from openassay.runs.prepare import RunOptions, prepare
from openassay.schema.errors import EndpointError, FaultKind, RefusedError
from openassay.schema.models import ModelSpec, PlannedModel
from openassay.scorers.scripted_judge import truthful
from openassay.tasks.load import load

LIKES = {"id": "tone", "uses": "rubric", "by": "judge", "hard": False, "text": "is polite", "reference": "is polite"}
EXACT = {"id": "answer", "uses": "exact", "reference": "2"}


def judging(passes: bool):
    return ScriptedModel(truthful(lambda *_: passes))


async def again(folder, **more):
    return await rescore.score(open_run(folder.path), observer=Silent(), stop=asyncio.Event(), **more)


async def test_a_corrected_check_needs_no_call_and_keeps_the_old_verdicts(prepared, run_it, good, tmp_path):
    folder = prepared(sizes={"sums": 3})
    items = tmp_path / "bench" / "tasks" / "sums" / "a.items.jsonl"
    await run_it(folder, {"good": good})
    items.write_text(items.read_text().replace('"reference": "2"', '"reference": "wrong"'))
    end = await again(folder, benchmark=load(tmp_path / "bench"))
    assert (end.state, end.scored) == ("complete", 3)
    changed = [one for one in cells.read_cells(open_run(folder.path)) if one.attempt.task == "sums-0"]
    assert [one.scoring.score.passed for one in changed] == [False]
    assert [one.score.passed for one in changed[0].earlier] == [True]
    assert open_run(folder.path).tasks["sums-0"].checks[0].reference == "wrong"


async def test_another_instruction_is_refused(prepared, run_it, good, tmp_path):
    folder = prepared(sizes={"sums": 1})
    items = tmp_path / "bench" / "tasks" / "sums" / "a.items.jsonl"
    await run_it(folder, {"good": good})
    items.write_text(items.read_text().replace("What is 0", "How much is 0"))
    with pytest.raises(RefusedError, match="in other words"):
        await again(folder, benchmark=load(tmp_path / "bench"))


async def test_an_interrupted_pass_does_not_count_and_is_taken_up_again(prepared, run_it, good, tmp_path):
    folder = prepared(sizes={"sums": 5})
    await run_it(folder, {"good": good})
    stop = asyncio.Event()
    stop.set()
    end = await rescore.score(open_run(folder.path), observer=Silent(), stop=stop)
    assert end.state == "interrupted"
    assert open_run(folder.path).passes == ()
    assert cells.totals(open_run(folder.path)).scored == 5
    end = await again(folder)
    assert (end.state, [one.number for one in open_run(folder.path).passes]) == ("complete", [1])


def judged_run(tmp_path, benchmark_of, judge: PlannedModel | None = None):
    lines = [{"id": "polite", "instruction": "Say 2 politely.", "checks": [EXACT, LIKES]}]
    benchmark = benchmark_of({"sums": 0}, lines=lines)
    spec = ModelSpec(name="m", endpoint="scripted", lineage=("llama",))
    judges = [ModelSpec(name="j", endpoint="scripted", lineage=judge)] if judge is not None else []
    return prepare(benchmark, tmp_path, [spec], judges, RunOptions(), tmp_path / "runs")


@pytest.mark.parametrize("passes", [True, False])
async def test_a_judge_of_another_lineage_decides(tmp_path, benchmark_of, run_it, passes):
    folder = judged_run(tmp_path, benchmark_of, ("gpt",))
    await run_it(folder, {"m": ScriptedModel({"*": "2"})}, judges={"j": judging(passes)})
    (cell,) = cells.read_cells(folder)
    tone, other = cell.scoring.verdicts[1:]
    assert (tone.result, tone.decides, tone.order) == ("pass" if passes else "fail", True, 1)
    assert (other.result, other.decides, other.order) == (tone.result, False, 2)
    assert cell.scoring.score.passed
    assert b"Say 2 politely" in folder.objects.get(tone.object)


@pytest.mark.parametrize(("lineage", "said"), [(("llama",), "own lineage"), ((), "lineage is unknown")])
async def test_a_judge_of_the_same_or_unknown_lineage_does_not_decide_alone(
    tmp_path, benchmark_of, run_it, lineage, said
):
    folder = judged_run(tmp_path, benchmark_of, lineage)
    await run_it(folder, {"m": ScriptedModel({"*": "2"})}, judges={"j": judging(passes=True)})
    (cell,) = cells.read_cells(folder)
    deciding, *beside = cell.scoring.verdicts[1:]
    assert [(one.result, one.decides) for one in beside] == [("pass", False), ("pass", False)]
    assert (deciding.result, deciding.disputes) == ("unmeasurable", ("lineage",))
    assert said in deciding.reason
    assert cell.scoring.score.unmeasured == ("tone",)


async def test_a_judge_can_be_added_later_without_asking_the_model(tmp_path, benchmark_of, run_it):
    folder = judged_run(tmp_path, benchmark_of)
    await run_it(folder, {"m": ScriptedModel({"*": "2"})})
    (cell,) = cells.read_cells(folder)
    assert cell.scoring.score.unmeasured == ("tone",)
    planned = PlannedModel(name="j", endpoint="scripted", model="", lineage=("gpt",))
    end = await again(folder, judges={"j": judging(passes=True)}, planned_judges=(planned,))
    (cell,) = cells.read_cells(open_run(folder.path))
    assert end.state == "complete"
    assert [one.result for one in cell.scoring.verdicts if one.decides] == ["pass", "pass"]


async def test_a_judge_that_cannot_be_reached_is_our_fault_and_mended_by_a_resume(tmp_path, benchmark_of, run_it):
    folder = judged_run(tmp_path, benchmark_of, ("gpt",))

    def unreachable(_):
        raise EndpointError(FaultKind.CONTEXT_TOO_LONG, "the prompt is too long")

    end = await run_it(folder, {"m": ScriptedModel({"*": "2"})}, judges={"j": ScriptedModel(unreachable)})
    assert (end.state, end.finished, end.scored) == ("incomplete", 1, 0)
    assert cells.totals(folder).outcomes == {"answered": 1, "scorer_error": 1}
    asked = []
    end = await run_it(
        open_run(folder.path),
        {"m": ScriptedModel(lambda request: asked.append(request) or "2")},
        judges={"j": judging(passes=True)},
    )
    assert (end.state, asked) == ("complete", [])
    assert cells.totals(open_run(folder.path)).outcomes == {"answered": 1}
