"""A draw by difficulty: the same share of easy and of hard items, from what other models did before."""

import pytest

from openassay.models.scripted import ScriptedModel
from openassay.reports.summary import summarise
from openassay.runs.prepare import RunOptions, prepare
from openassay.runs.strata import difficulty
from openassay.schema.errors import PlanError
from openassay.schema.models import ModelSpec


def number_in(request):
    return int(request.messages[0].text().split()[2])


def below(limit):
    """Right on the sums of numbers below the limit: the higher ones are hard."""
    return ScriptedModel(lambda r: str(number_in(r) + 2) if number_in(r) < limit else "no")


def spec(name):
    return ModelSpec(name=name, endpoint="scripted", model=f"{name}-1")


@pytest.fixture
async def before(tmp_path, benchmark_of, run_it):
    """A benchmark of 100 sums and an earlier run of three models over it."""
    benchmark = benchmark_of({"sums": 100})
    specs = [spec("a"), spec("b"), spec("c")]
    folder = prepare(benchmark, tmp_path, specs, [], RunOptions(), tmp_path / "runs")
    await run_it(folder, {"a": below(25), "b": below(50), "c": below(75)})
    return benchmark, folder


def drawn(tmp_path, benchmark, known, **options):
    options = RunOptions(difficulty=known, **({"per_category": 40} | options))
    return prepare(benchmark, tmp_path, [spec("new")], [], options, tmp_path / "runs")


async def test_every_stratum_gives_its_share(before, tmp_path):
    benchmark, folder = before
    draw = drawn(tmp_path, benchmark, difficulty([folder], benchmark, [spec("new")])).draw
    quarters = [sum(low <= int(name.split("-")[1]) < low + 25 for name in draw.draws[0]) for low in (0, 25, 50, 75)]
    assert quarters == [10, 10, 10, 10]
    assert sum(one.share for one in draw.strata) == 1_000_000
    assert any("strata of difficulty" in note for note in draw.notes)


async def test_the_interval_is_narrower_than_that_of_a_plain_draw(before, tmp_path, run_it):
    benchmark, earlier = before
    widths = []
    for known in (difficulty([earlier], benchmark, [spec("new")]), {}):
        folder = drawn(tmp_path, benchmark, known)
        await run_it(folder, {"new": below(50)})
        (result,) = summarise([folder]).results
        widths.append(result.interval[1] - result.interval[0])
    assert widths[0] < 0.8 * widths[1]


async def test_a_candidates_own_earlier_luck_does_not_count(before):
    benchmark, folder = before
    known = difficulty([folder], benchmark, [spec("a"), spec("b")])
    assert set(known.values()) == {0.0, 1.0}
    with pytest.raises(PlanError, match="no result of another model"):
        difficulty([folder], benchmark, [spec("a"), spec("b"), spec("c")])


@pytest.mark.parametrize("options", [{"draws": 2}, {"per_category": None}])
async def test_what_cannot_be_drawn_by_difficulty_is_refused(before, tmp_path, options):
    benchmark, folder = before
    with pytest.raises(PlanError, match="one draw of some items"):
        drawn(tmp_path, benchmark, difficulty([folder], benchmark, [spec("new")]), **options)
