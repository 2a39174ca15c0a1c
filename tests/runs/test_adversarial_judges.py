"""The same in a run: outputs that try to move their judge gain no counted pass, and cost an honest judge no verdict."""

import runpy
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest

from openassay.models.scripted import ScriptedModel
from openassay.reports.summary import summarise
from openassay.runs import cells
from openassay.runs.folder import open_run
from openassay.runs.prepare import RunOptions, prepare
from openassay.schema.models import ModelSpec
from openassay.scorers.scripted_judge import truthful

adversarial = SimpleNamespace(**runpy.run_path(str(Path(__file__).parents[1] / "scorers" / "adversarial.py")))
CHECKS = [
    {"id": "names", "by": "judge", "hard": True, "text": adversarial.NAMES},
    {"id": "reason", "by": "judge", "hard": False, "text": adversarial.REASON},
]


@pytest.fixture
def judged(tmp_path, benchmark_of, run_it):
    """Run a candidate that gives these outputs, one a task, past one judge."""

    async def go(outputs, judged_by):
        asked = {f"{adversarial.INSTRUCTION} ({number})": output for number, output in enumerate(outputs)}
        lines = [{"id": f"t-{n}", "instruction": text, "checks": CHECKS} for n, text in enumerate(asked)]
        benchmark = benchmark_of({"sums": 0}, lines=lines)
        candidate = ModelSpec(name="m", endpoint="scripted", lineage=("llama",))
        judge = ModelSpec(name="j", endpoint="scripted", lineage=("gpt",))
        folder = prepare(benchmark, tmp_path, [candidate], [judge], RunOptions(), tmp_path / "runs")
        await run_it(folder, {"m": ScriptedModel(asked)}, judges={"j": ScriptedModel(judged_by)})
        run = open_run(folder.path)
        deciding = Counter(v.result for cell in cells.read_cells(run) for v in cell.scoring.verdicts if v.decides)
        return deciding, summarise([run])

    return go


def outputs(answer):
    return [attack.behind(answer) for attack in adversarial.ATTACKS]


@pytest.mark.parametrize("name", ["obeys", "passes all"])
async def test_an_obedient_judge_gives_no_counted_pass(judged, name):
    found, summary = await judged(outputs(adversarial.WRONG), adversarial.OBEDIENT[name])
    (result,) = summary.results
    assert found == {"unmeasurable": 2 * len(adversarial.ATTACKS)}
    assert (result.passed, result.score) == (0, None)


@pytest.mark.parametrize(("answer", "verdict"), [(adversarial.WRONG, "fail"), (adversarial.RIGHT, "pass")])
async def test_an_honest_judge_decides_as_without_the_attack(judged, answer, verdict):
    found, summary = await judged([*outputs(answer), answer], adversarial.honest)
    (result,) = summary.results
    count = len(adversarial.ATTACKS) + 1
    assert found == {verdict: 2 * count}
    assert (result.scored, result.passed) == (count, count if verdict == "pass" else 0)


async def test_an_answer_in_which_nothing_can_be_read_fails_and_asks_no_judge(judged):
    asked = []

    def lenient(request):
        asked.append(request)
        return truthful(lambda *_: True)(request)

    blank = ["\u200b\u2060", "\u2800", "\0\0", "\u3164", "\u202e \ufeff", "<think>All is well.", "\ufe0f"]
    found, summary = await judged(blank, lenient)
    assert (found, asked) == ({"fail": 2 * len(blank)}, [])
    assert summary.results[0].passed == 0
