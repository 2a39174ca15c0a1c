"""What people are asked to look at: an audit of known probability, and everything that waits for them."""

import itertools
from collections import Counter
from decimal import Decimal

import pytest

from openassay.models.scripted import ScriptedModel
from openassay.runs import cells
from openassay.runs.folder import open_run
from openassay.runs.prepare import RunOptions, prepare
from openassay.runs.review_queue import queue
from openassay.runs.reviews import Reviews, reviewing
from openassay.schema.models import ModelSpec
from openassay.schema.review import Review
from openassay.scorers.canaries import holds
from openassay.scorers.scripted_judge import deciding

TONE = {"id": "tone", "uses": "rubric", "by": "judge", "hard": False, "text": "is polite", "reference": "is polite"}
SEND = {"id": "send", "by": "human", "hard": True, "text": "a colleague would send it"}
BOTH = {"sums": 13, "more": 6}


def lines(category, number, checks):
    return [
        {"id": f"{category}-q{n}", "category": category, "instruction": f"Greet {n} of {category}.", "checks": checks}
        for n in range(number)
    ]


def truthful(criterion, output):
    """Gets every canary right and passes every criterion."""
    return holds(criterion, output) is not False


@pytest.fixture
def judged(tmp_path, benchmark_of, run_it):
    """A run with one judge of another lineage."""

    async def make(checks=(TONE,), seed=0, judges=True, sizes=BOTH, extra=""):
        rows = [row for name, size in sizes.items() for row in lines(name, size, list(checks))]
        benchmark = benchmark_of(dict.fromkeys(sizes, 0), extra, lines=rows)
        specs = [ModelSpec(name=name, endpoint="scripted", lineage=("llama",)) for name in ("one", "two")]
        named = [ModelSpec(name="j", endpoint="scripted", lineage=("gpt",))] if judges else []
        folder = prepare(benchmark, tmp_path / "bench", specs, named, RunOptions(seed=seed), tmp_path / "runs")
        models = {spec.name: ScriptedModel({"*": "Dear all, hello"}) for spec in specs}
        await run_it(folder, models, judges={"j": ScriptedModel(deciding(truthful))} if judges else {})
        return open_run(folder.path)

    return make


def places(found):
    return {(item.cell, item.check.id) for item in found.items}


def category(item):
    return item.cell.task.split("-")[0]


async def test_the_audit_draws_its_share_of_each_category_rounded_up(judged):
    found = queue(await judged(), Decimal("0.1"))
    assert found.judged == 38
    assert Counter(map(category, found.items)) == {"sums": 3, "more": 2}
    assert {category(item): item.probability for item in found.items} == {"sums": 115_385, "more": 166_667}
    assert {item.causes for item in found.items} == {("audit",)}


BAR = "[judge.bar]\nagreement = 0.8\n"
SHORT = {"id": "short", "by": "script", "uses": "format", "options": {"max_words": 9}, "hard": True, "text": "is short"}
LAW = {**TONE, "hard": True}


@pytest.mark.parametrize(
    ("checks", "listed"),
    [([TONE], 19 * 2), ([LAW, SHORT], 19 * 2), ([TONE, SHORT], 0)],
    ids=["no other check", "a hard one", "a soft one beside one that counts"],
)
async def test_what_a_judge_below_the_bar_leaves_without_a_result_is_put_to_people(judged, checks, listed):
    found = queue(await judged(checks, extra=BAR), Decimal(0))
    assert [item.waits for item in found.items] == [True] * listed


async def test_a_larger_share_only_adds(judged):
    folder = await judged()
    drawn = [places(queue(folder, Decimal(share) / 10)) for share in range(11)]
    assert all(fewer <= more for fewer, more in itertools.pairwise(drawn))
    assert (len(drawn[0]), len(drawn[10])) == (0, 38)


async def test_what_is_drawn_does_not_depend_on_what_people_decided(judged):
    folder = await judged()
    before = queue(folder, Decimal("0.3"))
    with reviewing(folder) as writer:
        for item in before.items:
            writer.decide(line(item, "fail"))
    after = queue(folder, Decimal("0.3"))
    assert [item.id for item in after.items] == [item.id for item in before.items]
    assert list(after.left(writer.reviews, "ana")) == []
    assert next(one.machine.score.score for one in cells.read_cells(folder) if one.machine) == 1_000_000


def line(item, result, rater="ana"):
    return Review(
        **item.cell._asdict(),
        check=item.check.id,
        criterion=item.criterion,
        evidence=item.verdict.evidence,
        rater=rater,
        result=result,
        causes=item.causes,
        probability=item.probability,
        at_ms=1,
    )


async def test_what_waits_for_people_comes_whole_and_hard_checks_first(judged):
    found = queue(await judged((TONE, SEND), judges=False), Decimal(0))
    assert len(found.items) == 76
    assert [item.check.id for item in found.items[:38]] == ["send"] * 38
    assert {item.probability for item in found.items} == {None}


async def test_the_order_is_mixed_over_models_and_tasks(judged):
    found = queue(await judged(judges=False), Decimal(0))
    shown = [item.cell.model for item in found.items]
    assert Counter(itertools.pairwise(shown))["one", "two"] >= 5
    assert not any("one" in item.id or "two" in item.id for item in found.items)


async def test_a_challenged_verdict_comes_onto_the_list_of_the_others(judged):
    folder = await judged()
    target = queue(folder, Decimal(1)).items[0]
    with reviewing(folder) as writer:
        writer.decide(line(target, "challenged"))
    found = queue(folder, Decimal(0))
    assert [(item.id, item.causes) for item in found.items] == [(target.id, ("challenge",))]
    assert list(found.left(writer.reviews, "ben")) == list(found.items)
    assert list(found.left(writer.reviews, "ana")) == []


async def test_each_rater_has_a_list_of_their_own(judged):
    found = queue(await judged(), Decimal("0.1"))
    reviews = Reviews([line(found.items[0], "pass"), line(found.items[1], "fail", "ben")])
    assert [found.done(reviews, rater) for rater in ("ana", "ben", "cem")] == [1, 1, 0]
