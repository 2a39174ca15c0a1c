"""The panel in a run: whom it asks, what it keeps, and what is never paid for twice."""

import asyncio
import json

import pytest

from openassay.models.scripted import ScriptedModel
from openassay.runs import cells, rescore
from openassay.runs.folder import open_run
from openassay.runs.observer import Silent
from openassay.runs.prepare import RunOptions, make_plan, prepare
from openassay.runs.reviews import criterion_digest, reviewing
from openassay.schema.benchmark import Benchmark
from openassay.schema.errors import EndpointError, FaultKind
from openassay.schema.judging import Calibration, Counts
from openassay.schema.models import ModelSpec, PlannedModel
from openassay.schema.review import Review
from openassay.scorers.judge_prompt import PROMPT_DIGEST
from openassay.scorers.scripted_judge import deciding, put, reply, truthful

TONE = {"id": "tone", "by": "judge", "hard": False, "text": "is polite"}
FACT = {"id": "fact", "uses": "regex", "hard": False, "options": {"pattern": "please"}}


class Counting:
    """A scripted judge that notes what it was asked."""

    def __init__(self, function):
        self.asked = []
        self.function = function
        self.model = ScriptedModel(self._reply)

    def _reply(self, request):
        self.asked.append(put(request))
        return self.function(request)


def saying(passes):
    return Counting(truthful(lambda *_: passes))


def first_passes(request):
    """Passes whatever stands first: another order, another verdict."""
    asked = put(request)
    honest = truthful(lambda *_: False)(request)
    real = [label for label, text in asked.criteria.items() if text in {"is polite", "is kind"}]
    said = {item["check"]: item["pass"] for item in json.loads(honest)["items"]}
    return reply(asked, said | {real[0]: True})


@pytest.fixture
def judged(tmp_path, benchmark_of, run_it):
    """Run `answers` (task -> text) past judges given as name -> (lineage, scripted judge)."""

    async def go(judges, *, checks=(TONE,), answers=("2", "3"), extra="", options=None):
        lines = [{"id": f"t-{n}", "instruction": f"Say {n}.", "checks": list(checks)} for n, _ in enumerate(answers)]
        benchmark = benchmark_of({"sums": 0}, extra=extra, lines=lines)
        candidate = ModelSpec(name="m", endpoint="scripted", lineage=("llama",))
        specs = [ModelSpec(name=name, endpoint="scripted", lineage=(line,)) for name, (line, _) in judges.items()]
        folder = prepare(benchmark, tmp_path, [candidate], specs, options or RunOptions(), tmp_path / "runs")
        said = {f"Say {n}.": answer for n, answer in enumerate(answers)}
        models = {"m": ScriptedModel(said)}
        end = await run_it(folder, models, judges={name: judge.model for name, (_, judge) in judges.items()})
        return end, open_run(folder.path), list(cells.read_cells(open_run(folder.path)))

    return go


def decided(cell, check="tone"):
    (found,) = [one for one in cell.scoring.verdicts if one.check == check and one.decides]
    return found.who.partition(" ")[0], found.result, found.disputes


async def test_a_settled_primary_judge_is_asked_twice_and_the_second_never(judged):
    one, two = saying(passes=True), saying(passes=False)
    _, _, found = await judged({"one": ("gpt", one), "two": ("claude", two)})
    assert [decided(cell) for cell in found] == [("one", "pass", ())] * 2
    assert (len(one.asked), len(two.asked)) == (4, 0)


async def test_on_a_relative_the_second_judge_decides_and_both_are_kept(judged):
    """The first is of the candidate's own lineage, and lenient."""
    one, two = saying(passes=True), saying(passes=False)
    _, _, found = await judged({"one": ("llama", one), "two": ("gpt", two)})
    assert [decided(cell) for cell in found] == [("two", "fail", ("lineage",))] * 2
    kept = [(v.who.partition(" ")[0], v.result, v.order, v.decides) for v in found[0].scoring.verdicts]
    assert kept == [
        ("two", "fail", 1, True),
        ("one", "pass", 1, False),
        ("one", "pass", 2, False),
        ("two", "fail", 2, False),
    ]


async def test_a_judge_moved_by_the_order_does_not_decide(judged):
    one, two = Counting(first_passes), saying(passes=False)
    kind = {**TONE, "id": "kind", "text": "is kind"}
    _, _, found = await judged({"one": ("gpt", one), "two": ("claude", two)}, checks=(TONE, kind), answers=("2",))
    assert decided(found[0]) == ("two", "fail", ("order",))
    assert decided(found[0], "kind") == ("two", "fail", ("order",))


async def test_an_always_passing_judge_decides_nothing(judged):
    always = Counting(deciding(lambda *_: True))
    _, _, found = await judged({"one": ("gpt", always)})
    assert [decided(cell) for cell in found] == [("nobody", "unmeasurable", ("canary",))] * 2
    assert found[0].scoring.score.unmeasured == ("tone",)


async def test_the_second_judge_is_asked_about_the_disputed_only(judged):
    fact = {**TONE, "id": "fact-2", "text": "is kind", "same_as": "fact"}
    one, two = saying(passes=True), saying(passes=True)
    rules = '[judge.disputes]\ncontradiction = "second"\n'
    checks = (TONE, FACT, fact)
    _, _, found = await judged(
        {"one": ("gpt", one), "two": ("claude", two)}, checks=checks, answers=("2",), extra=rules
    )
    assert decided(found[0]) == ("one", "pass", ())
    assert decided(found[0], "fact-2") == ("two", "pass", ("contradiction",))
    assert all("is polite" not in asked.criteria.values() for asked in two.asked)


async def test_a_script_decides_the_fact_against_the_judge(judged):
    fact = {**TONE, "id": "fact-2", "text": "says please", "same_as": "fact"}
    _, _, found = await judged({"one": ("gpt", saying(passes=True))}, checks=(FACT, fact), answers=("2",))
    assert decided(found[0], "fact-2") == ("regex/1", "fail", ("contradiction",))


async def test_the_same_answer_is_judged_once_for_all_attempts(judged):
    one = saying(passes=True)
    end, _, _ = await judged({"one": ("gpt", one)}, options=RunOptions(attempts=5))
    assert (end.scored, len(one.asked)) == (10, 4)


async def test_one_item_a_request(judged):
    one = saying(passes=True)
    checks = ({**TONE, "reference": ["is polite", "is kind"], "uses": "rubric"},)
    _, _, found = await judged({"one": ("gpt", one)}, checks=checks, answers=("2",), extra='[judge]\nmode = "item"\n')
    assert [len(asked.criteria) for asked in one.asked] == [3, 3, 3, 3]
    (verdict,) = [v for v in found[0].scoring.verdicts if v.decides]
    assert len({verdict.object, *verdict.more_objects}) == 2
    assert decided(found[0]) == ("one", "pass", ())


async def again(folder, **more):
    return await rescore.score(open_run(folder.path), observer=Silent(), stop=asyncio.Event(), **more)


async def test_judging_anew_calls_no_candidate_and_keeps_both_sets(judged):
    _, folder, _ = await judged({"one": ("gpt", saying(passes=True))})
    spec = ModelSpec(name="other", endpoint="scripted", lineage=("claude",))
    planned = make_plan_of(folder, spec)
    other = saying(passes=False)
    end = await again(folder, judges={"other": other.model}, planned_judges=planned)
    found = list(cells.read_cells(open_run(folder.path)))
    assert (end.state, len(other.asked)) == ("complete", 4)
    assert [decided(cell) for cell in found] == [("other", "fail", ())] * 2
    assert [{v.result for v in cell.earlier[0].verdicts} for cell in found] == [{"pass"}] * 2


def make_plan_of(folder, spec):
    stored = Benchmark(info=folder.info, tasks=tuple(folder.tasks.values()), digest="0" * 64)
    return make_plan(stored, [folder.plan_file.connections["m"]], [spec], RunOptions()).judges


async def test_judging_anew_with_the_same_judge_asks_nothing(judged):
    _, folder, _ = await judged({"one": ("gpt", saying(passes=True))})
    same = saying(passes=False)
    end = await again(folder, judges={"one": same.model}, planned_judges=folder.judges)
    assert (end.state, same.asked) == ("complete", [])
    assert [decided(cell) for cell in cells.read_cells(open_run(folder.path))] == [("one", "pass", ())] * 2


async def test_what_a_judge_said_before_it_died_is_not_asked_again(judged, run_it):
    calls = []

    def dies(request):
        calls.append(request)
        if len(calls) > 1:
            raise EndpointError(FaultKind.CONTEXT_TOO_LONG, "gone")
        return truthful(lambda *_: True)(request)

    end, folder, _ = await judged({"one": ("gpt", Counting(dies))}, answers=("2",))
    assert (end.state, end.scored) == ("incomplete", 0)
    back = saying(passes=True)
    end = await run_it(folder, {}, judges={"one": back.model})
    assert (end.state, len(back.asked)) == ("complete", 1)


BAR = "[judge.bar]\nitems = 2\nagreement = 0.8\n"


def calibrated(agreement):
    judge = PlannedModel(name="elsewhere", endpoint="scripted", model="", lineage=("gpt",))
    total = Counts(items=4, failing=2, measured=4, agreement=agreement, specificity=900_000)
    figures = {"total": total, "gold": "0" * 64, "gold_name": "g", "passes": 2, "repeats": 0, "created": "2026"}
    return Calibration(judge=judge, prompt=PROMPT_DIGEST, **figures)


@pytest.mark.parametrize(
    ("known", "counts", "said"),
    [
        ((), False, "measured by nobody"),
        ((calibrated(700_000),), False, "agreement 0.70, wanted 0.8"),
        ((calibrated(900_000),), True, ""),
    ],
)
async def test_below_the_bar_soft_items_are_shown_and_not_counted(judged, known, counts, said):
    options = RunOptions(calibrations=known)
    _, _, found = await judged({"one": ("gpt", saying(passes=True))}, checks=(FACT, TONE), extra=BAR, options=options)
    cell = found[0]
    assert decided(cell)[:2] == ("one", "pass")
    assert cell.scoring.score.uncounted == (() if counts else ("tone",))
    assert cell.scoring.score.score == (500_000 if counts else 0)
    assert said in next(one.reason for one in cell.scoring.verdicts if one.decides and one.check == "tone")


def challenge(folder, check):
    found = next(iter(cells.read_cells(folder)))
    verdict = next(one for one in found.scoring.verdicts if one.check == check and one.decides)
    place = {name: getattr(found.attempt, name) for name in ("model", "task", "draw", "attempt")}
    words = criterion_digest(next(one for one in folder.tasks[found.attempt.task].checks if one.id == check))
    line = Review(
        **place, check=check, criterion=words, evidence=verdict.evidence, rater="r", result="challenged", at_ms=1
    )
    with reviewing(folder) as writer:
        writer.decide(line)


@pytest.mark.parametrize(("rule", "asked"), [("second", 2), ("people", 0)])
async def test_a_challenged_verdict_is_marked_and_a_second_judge_asked_where_the_rules_say_so(judged, rule, asked):
    extra = f'[judge.disputes]\nchallenge = "{rule}"\n'
    one, two = saying(passes=True), saying(passes=False)
    judges = {"one": ("gpt", one), "two": ("claude", two)}
    _, folder, _ = await judged(judges, answers=("2",), extra=extra)
    challenge(folder, "tone")
    await again(folder, judges={name: judge.model for name, (_, judge) in judges.items()}, planned_judges=folder.judges)
    (cell,) = cells.read_cells(open_run(folder.path))
    assert decided(cell) == ("one", "pass", ("challenge",))
    assert len(two.asked) == asked


async def test_a_second_judge_audits_a_random_share(judged):
    one, two = saying(passes=True), saying(passes=True)
    extra = '[judge]\naudit = 0.25\n[judge.disputes]\naudit = "second"\n'
    answers = tuple(f"answer {n}" for n in range(80))
    _, _, found = await judged({"one": ("gpt", one), "two": ("claude", two)}, answers=answers, extra=extra)
    drawn = [cell for cell in found if decided(cell)[2] == ("audit",)]
    assert 10 <= len(drawn) <= 30
    assert len(two.asked) == 2 * len(drawn)
