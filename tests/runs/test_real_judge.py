"""A real small model as judge: it passes whatever it is shown, and is caught."""

import asyncio
import json

import pytest

from openassay.models.local import LocalModel
from openassay.models.local_weights import shelf, whereabouts
from openassay.runs import engine
from openassay.runs.calibrate import Measuring, begin
from openassay.runs.folder import open_run
from openassay.runs.measured_judge import calibration_of
from openassay.runs.observer import Silent
from openassay.runs.standing import standings
from openassay.schema.errors import InputError
from openassay.schema.judging import JudgeBar, JudgePolicy
from openassay.schema.models import ModelSpec
from openassay.tasks.gold import read_gold

SPEC = ModelSpec(name="half", endpoint="local", model="qwen2.5-coder-0.5b-instruct", context=2048)
ROWS = [
    ("Berlin is the capital of Germany.", "Names the capital of Germany", "pass"),
    ("The museum opens at noon and is free.", "Says on which day the museum is closed", "fail"),
]


@pytest.fixture
def gold(tmp_path):
    same = {"category": "facts", "kind": "facts", "instruction": "Answer in one sentence.", "ground": "It is so."}
    rows = [
        {**same, "id": f"g-{n}", "output": output, "criterion": criterion, "verdict": verdict}
        for n, (output, criterion, verdict) in enumerate(ROWS)
    ]
    path = tmp_path / "few.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return read_gold(path)


@pytest.fixture
async def half():
    try:
        whereabouts(SPEC, shelf())
    except InputError as error:
        pytest.skip(f"run `openassay setup local` first: {error.what}")
    model = LocalModel(SPEC)
    yield model
    await model.close()


@pytest.mark.local_models
async def test_a_real_judge_that_passes_everything_is_caught_and_does_not_count(tmp_path, gold, half):
    policy = JudgePolicy(passes=1, bar=JudgeBar(items=1))
    folder = begin(gold, SPEC, Measuring(policy, repeats=0, twins=False), tmp_path / "runs")
    end = await engine.run(folder, models={}, judges={"half": half}, observer=Silent(), stop=asyncio.Event())
    found = calibration_of(open_run(folder.path))
    assert end.state == "complete"
    assert found.requests == len(ROWS)
    assert found.canaries_met < found.canaries_asked or found.unusable
    (standing,) = standings(policy, [found.judge], [found])
    assert not standing.counts
