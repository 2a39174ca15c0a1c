import pytest

from openassay.models.scripted import ScriptedModel
from openassay.runs.grade import NamedJudge, grade, interchange
from openassay.runs.prove import prove

EXACT = {"id": "answer", "uses": "exact", "reference": "2"}
CASES = {
    "reference": ({"reference": "2", "scorer": "exact"}, "proven"),
    "solution that fails": ({"reference": "2", "scorer": "exact", "solution": "3"}, "failed"),
    "nothing to prove with": ({"scorer": "regex", "options": {"pattern": "2"}}, "unproven"),
    "only a judge": ({"scorer": "rubric", "reference": "is kind", "solution": "hello"}, "unproven"),
}


@pytest.mark.parametrize("case", CASES)
def test_a_checklist_is_proven_or_not(case, benchmark_of):
    fields, status = CASES[case]
    benchmark = benchmark_of({"sums": 0}, lines=[{"id": "x", "instruction": "Say two.", **fields}])
    (proof,) = prove(benchmark)
    assert proof.status == status, proof.reasons
    assert bool(proof.reasons) == (status != "proven")


async def test_one_answer_is_graded_in_the_interchange_form(benchmark_of):
    benchmark = benchmark_of({"sums": 1})
    task = benchmark.tasks[0]
    form = interchange(task, await grade(task, "The answer is: 2"))
    assert (form["task_id"], form["score"], form["total"], form["passed"]) == ("sums-0", 1, 1, True)
    assert form["items"][0]["pass"] is True
    assert interchange(task, await grade(task, " "))["outcome"] == "no_answer"


async def test_without_a_judge_a_judged_check_is_unmeasured(benchmark_of):
    line = {"id": "x", "instruction": "Hi", "scorer": "rubric", "reference": "is kind"}
    task = benchmark_of({"sums": 0}, lines=[line]).tasks[0]
    form = interchange(task, await grade(task, "hello"))
    assert form["passed"] is None
    assert form["unmeasured"]


async def test_a_judges_prose_is_never_a_verdict(benchmark_of):
    line = {"id": "x", "instruction": "Hi", "scorer": "rubric", "reference": "is kind"}
    task = benchmark_of({"sums": 0}, lines=[line]).tasks[0]
    judge = NamedJudge("j", ScriptedModel({"*": "I think it passes."}))
    assert (await grade(task, "hello", judge)).verdicts[0].result == "unmeasurable"
