"""Code tasks in a real run: scored in a sandbox, scored again without the benchmark, refused where none works."""

import shutil

import pytest

from openassay.models.scripted import ScriptedModel
from openassay.reports.summary import summarise
from openassay.runs import rescore
from openassay.runs.cells import read_cells
from openassay.runs.folder import open_run
from openassay.runs.grade import grade
from openassay.runs.observer import Silent
from openassay.runs.prepare import RunOptions, prepare
from openassay.runs.probing import UNSAFE, Prober, from_folder
from openassay.schema.errors import SandboxError
from openassay.schema.models import ModelSpec
from openassay.tasks.load import load

TASK = {
    "task.toml": 'id = "double"\n',
    "instruction.md": "Write `double(n)`.\n",
    "checklist.toml": '[[check]]\nid = "works"\nuses = "python"\n'
    'options = { function = "double", cases = "hidden/cases.jsonl", seconds = 2 }\n',
    "hidden/cases.jsonl": '{"args": [2], "expected": 4}\n{"args": ["a"], "expected": "aa"}\n',
    "solution/answer.md": "```python\ndef double(n):\n    return n * 2\n```\n",
}
REPLIES = {
    "right": "```python\ndef double(n):\n    return n + n\n```",
    "wrong": "```python\ndef double(n):\n    return n\n```",
    "hangs": "```python\ndef double(n):\n    while True: pass\n```",
    "talks": "You should multiply it by two.",
}


@pytest.fixture
def coded(benchmark_of, tmp_path):
    benchmark_of({"sums": 1})
    for name, text in TASK.items():
        path = tmp_path / "bench" / "tasks" / "more" / "double" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return load(tmp_path / "bench")


def prepared_run(coded, tmp_path, **options):
    specs = [ModelSpec(name=name, endpoint="scripted") for name in REPLIES]
    return prepare(coded, tmp_path / "bench", specs, [], RunOptions(categories=("more",), **options), tmp_path / "runs")


def models():
    return {name: ScriptedModel(lambda _request, reply=reply: reply) for name, reply in REPLIES.items()}


async def test_answers_are_run_and_run_again_without_the_benchmark(sandbox, coded, tmp_path, run_it):
    folder = prepared_run(coded, tmp_path)
    end = await run_it(folder, models(), sandbox=sandbox)
    assert end.state == "complete", end
    found = {cell.attempt.model: cell.scoring for cell in read_cells(folder)}
    assert {name: one.score.passed for name, one in found.items()} == {
        "right": True, "wrong": False, "hangs": False, "talks": False,
    }  # fmt: skip
    assert found["hangs"].verdicts[0].ended == "timed_out"
    assert found["talks"].score.outcome == "format_error"
    assert found["right"].verdicts[0].sandbox == f"{sandbox.guarantees().words()}; at most 2 s, 512 MB, 64 processes"
    outcomes = {result.model: result.outcomes for result in summarise([folder]).results}
    assert outcomes["hangs"] == {"timed_out": 1}
    shutil.rmtree(tmp_path / "bench")
    import asyncio

    again = await rescore.score(open_run(folder.path), observer=Silent(), stop=asyncio.Event(), sandbox=sandbox)
    assert again.state == "complete"
    after = {cell.attempt.model: cell.scoring.verdicts for cell in read_cells(open_run(folder.path))}
    assert after == {name: one.verdicts for name, one in found.items()}


class Broken:
    def run(self, job):
        raise SandboxError("the sandbox is gone")

    def guarantees(self):
        raise SandboxError("the sandbox is gone")


async def test_a_sandbox_that_fails_is_no_models_failure(sandbox, coded, tmp_path, run_it):
    folder = prepared_run(coded, tmp_path)
    end = await run_it(folder, models(), sandbox=Broken())
    assert (end.state, end.scored) == ("incomplete", 0)
    healed = await run_it(open_run(folder.path), models(), sandbox=sandbox)
    assert healed.state == "complete"


def test_without_a_sandbox_code_is_refused_and_text_is_not(coded, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SandboxError) as refused:
        prepared_run(coded, tmp_path)
    assert refused.value.todo
    assert not (tmp_path / "runs").exists()
    specs = [ModelSpec(name="a", endpoint="scripted")]
    prepare(coded, tmp_path / "bench", specs, [], RunOptions(categories=("sums",)), tmp_path / "runs")


def test_unsafe_stands_in_the_plan(coded, tmp_path):
    folder = prepared_run(coded, tmp_path, unsafe=True)
    assert UNSAFE in folder.plan.disclosures
    assert open_run(folder.path).plan_file.unsafe


async def test_one_answer_is_graded(sandbox, coded):
    prober = Prober(sandbox, from_folder(coded))
    found = await grade(coded.task("double"), REPLIES["right"], prober=prober)
    assert found.score.passed
