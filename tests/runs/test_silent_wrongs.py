"""Sixteen ways in which other tools are silently wrong, each tried here: none of them gives a wrong number.

The numbers are those of the list that the project began with; each test says what went wrong elsewhere.
"""

import itertools
import json

import pytest

from openassay.cli.main import code_of
from openassay.models.scripted import ScriptedModel
from openassay.reports.summary import summarise
from openassay.runs import cells
from openassay.runs.folder import open_run
from openassay.runs.prepare import RunOptions, prepare
from openassay.schema.errors import BenchmarkError, EndpointError, FaultKind
from openassay.schema.message import Finish, ModelReply
from openassay.schema.models import ModelSpec
from openassay.schema.plan import RetryRule
from openassay.scorers.scripted_judge import truthful

KIND = {"id": "kind", "uses": "rubric", "by": "judge", "hard": False, "text": "is kind", "reference": "is kind"}
QUICK = RetryRule(tries=2, first_wait_ms=1, longest_wait_ms=1)


@pytest.fixture
def judged(tmp_path, benchmark_of, run_it):
    """Run ten items that only a judge decides, and summarise."""

    async def go(judge_reply, answer="hello"):
        lines = [{"id": f"n-{n}", "instruction": f"Greet {n}.", "checks": [KIND]} for n in range(10)]
        benchmark = benchmark_of({"sums": 0}, lines=lines)
        specs = [ModelSpec(name="m", endpoint="scripted", lineage=("llama",))]
        judges = [ModelSpec(name="j", endpoint="scripted", lineage=("gpt",))]
        folder = prepare(benchmark, tmp_path, specs, judges, RunOptions(retry=QUICK), tmp_path / "runs")
        end = await run_it(folder, {"m": ScriptedModel({"*": answer})}, judges={"j": ScriptedModel(judge_reply)})
        return end, summarise([folder]).results[0], list(cells.read_cells(folder))

    return go


def form(request, **more):
    """A right reply of a judge, with some fields changed, those of its last item too."""
    reply = json.loads(truthful(lambda *_: True)(request))
    reply["items"][-1] |= more.pop("item", {})
    return json.dumps({name: value for name, value in (reply | more).items() if value is not None})


NO_VERDICT = {
    "1 only a reason": lambda _: '{"reason": "no verdict given"}',
    "1 only a score": lambda _: '{"score": 0.1}',
    "1 score as text": lambda _: '{"score": "0.1"}',
    "1 pass and score contradict": lambda request: form(request, score=0),
    "1 score out of range": lambda request: form(request, score=90),
    "2 prose": lambda _: "It seems fine to me.",
    "8 unparsable": lambda _: '{"items": [',
    "9 a verdict quoted from the candidate": lambda _: 'It writes {"check": "kind", "pass": true}; my verdict is no.',
    "15 score 90 on a scale of 10": lambda request: form(request, score=90, total=10),
    "15 pass as text": lambda request: form(request, item={"pass": "true"}),
    "cut off": lambda request: ModelReply(text=form(request), finish=Finish.LENGTH),
}


@pytest.mark.parametrize("case", NO_VERDICT)
async def test_a_judge_without_a_verdict_neither_passes_nor_fails_nor_vanishes(judged, case):
    """1, 2, 8, 9, 15: elsewhere a pass, a fail, or an item that disappears from the denominator."""
    _, result, found = await judged(NO_VERDICT[case])
    assert {cell.scoring.verdicts[0].result for cell in found} == {"unmeasurable"}
    assert (result.pass_rate, result.score, result.interval) == (None, None, None)
    assert (result.planned, result.scored, result.undecided) == (10, 0, 10)
    assert result.headline.endswith("of 10 planned")


async def test_a_usable_verdict_does_count(judged):
    """So that the test above can fail."""
    _, result, found = await judged(form)
    assert {cell.scoring.verdicts[0].result for cell in found} == {"pass"}
    assert (result.scored, result.score) == (10, 1.0)


async def test_half_of_the_judgements_missing_is_no_headline(judged):
    """8: elsewhere a headline of 1.000 from 8 of 10."""
    odd = tuple(f"Greet {n}." for n in range(1, 10, 2))
    _, result, _ = await judged(
        lambda request: "prose" if request.messages[1].text().split("\n")[1] in odd else form(request)
    )
    assert (result.score, result.scored, result.undecided) == (None, 5, 5)


async def test_a_judge_that_cannot_be_reached_is_no_failure_of_the_model(judged):
    """2, 14: elsewhere failed tests and '0 errors'."""

    def unreachable(_):
        raise EndpointError(FaultKind.CONTEXT_TOO_LONG, "HTTP 400")

    end, result, _ = await judged(unreachable)
    assert (end.state, result.outcomes) == ("incomplete", {"scorer_error": 10})
    assert (result.pass_rate, result.score) == (None, None)


@pytest.mark.parametrize(
    "line",
    [
        {"id": "x", "instruction": "Capital of France?", "__expected": "Paris", "scorer": "exact"},
        {"id": "x", "instruction": "Capital of France?", "scorer": "exact"},
        {"id": "x", "instruction": "Capital of France?", "scorer": "exact", "reference": ""},
        {"id": "sums-0", "instruction": "Again?", "scorer": "exact", "reference": "1"},
    ],
    ids=["2 misspelt column", "7 no reference", "7 empty reference", "13 duplicate id"],
)
def test_what_would_pass_everything_does_not_load(benchmark_of, line):
    """2, 7, 13: elsewhere 100 %, or counted twice."""
    with pytest.raises(BenchmarkError):
        benchmark_of({"sums": 1}, lines=[line])


async def test_an_interrupted_run_has_the_totals_of_its_rows(prepared, run_it, good):
    """3: elsewhere 27 of 27 above 30 rows."""
    folder = prepared(sizes={"sums": 10}, concurrency=1, retry=QUICK)

    def gives_up(request):
        if "7 + 2" in request.messages[0].text():
            raise EndpointError(FaultKind.WRONG_KEY, "HTTP 401")
        return "2"

    end = await run_it(folder, {"good": ScriptedModel(gives_up)})
    result = summarise([folder]).results[0]
    assert end.state == "stopped"
    assert (result.pass_rate, result.headline) == (None, f"{end.finished} scored of 10 planned")
    await run_it(open_run(folder.path), {"good": good})
    result = summarise([open_run(folder.path)]).results[0]
    assert (result.planned, result.scored, result.passable) == (10, 10, 10)
    assert result.passed == sum(one.scoring.score.passed for one in cells.read_cells(folder))


async def test_repetitions_are_paid_scored_and_never_cases(prepared, run_it):
    """4, 12: elsewhere 3 paid and 1 scored, 30 cases for 10 items, and a cache that answers for the judge."""
    folder = prepared(sizes={"sums": 5}, attempts=3)
    calls = itertools.count(1)
    await run_it(folder, {"good": ScriptedModel(lambda _: str(next(calls)))})
    result = summarise([folder]).results[0]
    assert next(calls) == 16
    assert (result.n_items, result.attempts_per_item, result.scored) == (5, 3, 15)
    answers = {cells.answer_text(folder, cell.attempt) for cell in cells.read_cells(folder)}
    assert len(answers) == 15
    assert result.n_effective <= 15


async def test_an_error_of_the_endpoint_is_in_no_denominator(prepared, run_it):
    """5: elsewhere '80 %' with an error among the ten."""
    folder = prepared(sizes={"sums": 10}, retry=QUICK)

    def sometimes(request):
        if "3 + 2" in request.messages[0].text():
            raise EndpointError(FaultKind.SERVER_ERROR, "HTTP 503")
        return "2"

    await run_it(folder, {"good": ScriptedModel(sometimes)})
    result = summarise([folder]).results[0]
    assert (result.pass_rate, result.scored) == (None, 9)
    assert result.outcomes["infrastructure_error"] == 1


async def test_no_number_is_over_several_models_or_categories(prepared, run_it, good):
    """6, 10: elsewhere one pooled rate over models as the headline."""
    folder = prepared(["a", "b"], sizes={"sums": 2, "more": 2})
    await run_it(folder, {"a": good, "b": ScriptedModel({"*": "no"})})
    summary = summarise([folder])
    assert {(one.model, one.category): one.pass_rate for one in summary.results} == {
        ("a", "sums"): 1.0,
        ("a", "more"): 1.0,
        ("b", "sums"): 0.0,
        ("b", "more"): 0.0,
    }
    assert not {"total", "overall", "pass_rate", "score"} & set(summary.model_dump())


@pytest.mark.parametrize("arguments", [["--epoch", "3"], ["--scorrer", "x"]])
def test_a_misspelt_setting_is_an_error(benchmark_of, tmp_path, capsys, arguments):
    """10: elsewhere one repetition, silently."""
    benchmark_of({"sums": 1})
    code = code_of(["run", str(tmp_path / "bench"), "--model", "x=http://127.0.0.1:9/v1#m", *arguments])
    assert code == 2
    assert arguments[0] in capsys.readouterr().err


@pytest.mark.parametrize(("answer", "rate"), [("right", 1.0), ("wrong", 0.0)])
async def test_all_or_nothing_is_never_certain(prepared, run_it, good, answer, rate):
    """11, 13: elsewhere 1.000 with a standard error of 0.000."""
    folder = prepared(sizes={"sums": 10})
    await run_it(folder, {"good": good if answer == "right" else ScriptedModel({"*": "no"})})
    result = summarise([folder]).results[0]
    low, high = result.interval
    assert result.pass_rate == rate
    assert high - low > 0.2


async def test_cut_off_and_empty_answers_are_columns(prepared, run_it):
    """13: elsewhere plain failures."""
    folder = prepared(sizes={"sums": 3})
    replies = iter([ModelReply(text="2", finish=Finish.LENGTH), ModelReply(text="", finish=Finish.STOP), "2"])
    await run_it(folder, {"good": ScriptedModel(lambda _: next(replies))})
    result = summarise([folder]).results[0]
    assert result.outcomes == {"limit_reached": 1, "no_answer": 1, "answered": 1}
    assert any("max" in advice and "tokens" in advice for advice in result.advice)


async def test_every_run_has_a_folder_of_its_own(prepared, run_it, good):
    """16: elsewhere the last call overwrites the five before."""
    folders = [prepared(sizes={"sums": 1}) for _ in range(3)]
    for folder in folders:
        await run_it(folder, {"good": good})
    assert len({folder.path for folder in folders}) == 3
    assert [cells.totals(folder).scored for folder in folders] == [1, 1, 1]
