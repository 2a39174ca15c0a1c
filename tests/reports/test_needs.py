from dataclasses import replace
from math import comb

import pytest

from openassay.reports import needs_words
from openassay.reports.needs import answer
from openassay.reports.needs_file import Needs, read_needs
from openassay.reports.reader import for_reader
from openassay.reports.spending import quantile_interval
from openassay.reports.summary import combine, summarise_run
from openassay.schema.errors import OwnFileError
from openassay.schema.models import Price
from openassay.stats import wilson

PRICED = Price(input=1_000_000, output=1_000_000)


def summary(made, *, items=40, attempts=1, passed=(38, 12), price=PRICED, drop=0, tracks=None, cost=10_000):
    """Two models on letters and, as many, on sums, each with so many passed."""
    tasks = [made.task(f"{c}-{n}", c) for c in ("letters", "sums") for n in range(items)]
    facts = made.facts(tasks, ("alpha", "beta"), attempts=attempts, tracks=tracks or {})
    plan = facts.plan_file.plan
    models = tuple(model.model_copy(update={"price": price}) for model in plan.models)
    file = facts.plan_file.model_copy(update={"plan": plan.model_copy(update={"models": models})})
    cells = [
        made.cell(model, f"{c}-{n}", n < good, attempt=attempt, cost=cost + n)
        for model, good in zip(("alpha", "beta"), passed, strict=True)
        for c in ("letters", "sums")
        for n in range(items)
        for attempt in range(attempts)
    ]
    return summarise_run(replace(facts, plan_file=file), cells[drop:])


def needs(**fields):
    return Needs.model_validate(fields)


def found(made, wanted, **run):
    return {one.model: one for one in answer(summary(made, **run), wanted).qualified}


@pytest.mark.parametrize("n", [20, 50, 100, 300])
@pytest.mark.parametrize("bound", [0.5, 0.7, 0.8, 0.9, 0.95])
def test_a_model_exactly_at_the_bound_is_hardly_ever_said_to_meet_or_to_miss_it(n, bound):
    """Exact, over every number of passes."""
    chances = [comb(n, x) * bound**x * (1 - bound) ** (n - x) for x in range(n + 1)]
    ends = [wilson(x / n, n) for x in range(n + 1)]
    assert sum(chance for chance, (lo, _) in zip(chances, ends, strict=True) if lo >= bound) < 0.035
    assert sum(chance for chance, (_, hi) in zip(chances, ends, strict=True) if hi < bound) < 0.08


ONE = {"category": "letters"}
VERDICTS = [
    ({"min_pass_rate": 0.7}, {}, ("yes", "no")),
    ({"min_pass_rate": 0.9}, {}, ("not settled", "no")),
    ({"min_pass_rate": 0.2}, {}, ("yes", "not settled")),
    ({"min_pass_rate": 0.1}, {}, ("yes", "yes")),
    ({"min_score": 0.7}, {}, ("yes", "no")),
    ({"min_pass_rate": 0.7}, {"items": 9, "passed": (9, 0)}, ("not settled", "not settled")),
    ({"min_pass_rate": 0.7}, {"drop": 1}, ("not settled", "no")),
    ({"min_pass_all": 0.7, "k": 2}, {}, ("not settled", "not settled")),
    ({"min_pass_all": 0.7, "k": 2}, {"attempts": 2}, ("yes", "no")),
]


@pytest.mark.parametrize(("minimum", "run", "verdicts"), VERDICTS)
def test_a_minimum_is_met_failed_or_not_settled_by_the_whole_interval(made, minimum, run, verdicts):
    both = found(made, needs(need=[ONE | minimum]), **run)
    assert tuple(one.qualifies for one in both.values()) == verdicts


def test_items_that_settle_passing_every_time_do_not_count_attempts_as_items(made):
    """24 of 40 against a bound of 50 %: 7.85 x .24 / .1^2, however often each of them was tried."""
    tasks = [made.task(f"letters-{n}", "letters") for n in range(40)]
    cells = [
        made.cell("alpha", f"letters-{n}", n < 24 or (n + k) % 4 > 0, attempt=k) for n in range(40) for k in range(4)
    ]
    run = summarise_run(made.facts(tasks, ("alpha",), attempts=4), cells)
    (demand,) = answer(run, needs(need=[ONE | {"min_pass_all": 0.5, "k": 4}])).qualified[0].demands
    assert (demand.value, demand.status) == (pytest.approx(0.6), "not settled")
    assert demand.items_needed == pytest.approx(188, rel=0.1)


def test_a_demand_for_all_tasks_is_never_shown_to_be_met_and_says_so(made):
    both = found(made, needs(need=[ONE | {"min_pass_rate": 1}]), passed=(40, 12))
    (demand,) = both["alpha"].demands
    assert (demand.status, demand.sure, demand.items_needed) == ("not settled", None, None)
    assert demand.why == "no number of tasks shows 100 %"
    assert "below 100 %" in both["alpha"].step
    assert both["beta"].qualifies == "no"


def test_a_yes_and_a_no_say_how_sure_they_are_and_by_how_much_one_fails(made):
    both = found(made, needs(need=[ONE | {"min_pass_rate": 0.7}]))
    assert both["alpha"].sure > 0.99
    assert both["beta"].sure > 0.99
    (missed,) = both["beta"].demands
    assert missed.short == pytest.approx(0.4)
    assert needs_words.missed(missed) == "misses by 40 points"


def test_one_demand_that_fails_is_enough_and_many_demands_lower_the_certainty_of_a_no(made):
    one = found(made, needs(need=[ONE | {"min_pass_rate": 0.47}]))["beta"]
    two = found(made, needs(need=[ONE | {"min_pass_rate": 0.47, "min_score": 0.1}]))["beta"]
    assert (one.qualifies, two.qualifies) == ("no", "no")
    assert two.sure < one.sure


STEPS = [
    ({"min_pass_all": 0.5, "k": 4}, {}, "--attempts 4"),
    ({"min_pass_rate": 0.9}, {}, "items of “Letters”"),
    ({"min_pass_rate": 0.9}, {"drop": 1}, "openassay resume"),
    ({"min_pass_rate": 0.9}, {"items": 9, "passed": (9, 9)}, "more must be written"),
]


@pytest.mark.parametrize(("minimum", "run", "step"), STEPS)
def test_what_is_not_settled_comes_with_what_would_settle_it(made, minimum, run, step):
    assert step in found(made, needs(need=[ONE | minimum]), **run)["alpha"].step


CAPS = [
    ({"max_cost_per_task_usd": 0.02}, {}, "met"),
    ({"max_cost_per_task_usd": 0.005}, {}, "failed"),
    ({"max_cost_per_task_usd": 0.02}, {"price": None, "cost": 0}, "unknown"),
    ({"max_cost_per_task_usd": 0.0}, {"price": Price(input=0, output=0), "cost": 0}, "failed"),
    ({"max_latency_s": 1.0}, {}, "met"),
    ({"max_latency_s": 0.5, "latency": "mean"}, {}, "failed"),
    ({"max_latency_s": 1.0, "latency": "p95"}, {}, "not settled"),
    ({"max_latency_s": 1.0, "latency": "p95"}, {"items": 80}, "met"),
    ({"max_cost_per_month_usd": 200.0, "volume": 10_000}, {}, "met"),
    ({"max_cost_per_month_usd": 50.0, "volume": {"letters": 10_000}}, {}, "failed"),
    ({"max_cost_per_month_usd": 50.0, "volume": 10_000}, {"price": None, "cost": 0}, "unknown"),
    ({"max_cost_per_month_usd": 50.0, "volume": 10_000}, {"drop": 1}, "unknown"),
    ({"max_cost_per_month_usd": 200.0, "volume": 10_000}, {"items": 5}, "not settled"),
]


@pytest.mark.parametrize(("cap", "run", "status"), CAPS)
def test_caps_on_cost_and_time_hold_for_the_whole_interval(made, cap, run, status):
    model = found(made, needs(**cap), **run)["alpha"]
    assert {demand.status for demand in model.demands} == {status}


def test_runs_are_asked_apart_and_one_without_the_category_says_so(made):
    one = summary(made)
    run = one.runs[0].model_copy(update={"id": "run-2"})
    other = one.model_copy(update={"runs": (run,), "results": (), "spending": ()})
    both = answer(combine([one, other]), needs(need=[ONE | {"min_pass_rate": 0.1}], volume={"letters": 5}))
    assert [(q.run, q.qualifies) for q in both.qualified if q.model == "alpha"] == [
        ("run-1", "yes"),
        ("run-2", "not settled"),
    ]
    assert "no category 'letters'" in both.qualified[-1].demands[0].why
    assert (both.monthly[-1].cost_usd, both.monthly[-1].hours) == (None, None)


@pytest.mark.parametrize("run", [{"price": None, "cost": 0}, {"drop": 1}])
def test_what_is_unknown_qualifies_nobody(made, run):
    both = found(made, needs(max_cost_per_task_usd=100.0), **run)
    assert both["alpha"].qualifies == "not settled"
    assert any(demand.why for demand in both["alpha"].demands)


def test_a_month_has_its_cost_and_hours_with_intervals(made):
    (alpha, _) = answer(summary(made), needs(volume=36_000)).monthly
    assert alpha.tasks == {"letters": 18_000, "sums": 18_000}
    assert alpha.cost_usd == pytest.approx(36_000 * 0.0100195)
    assert alpha.hours == pytest.approx(8.0)
    assert alpha.cost_interval[0] < alpha.cost_usd < alpha.cost_interval[1]
    assert "split evenly" in alpha.notes[0]
    assert "too narrow" in alpha.notes[1]


def test_an_own_machine_costs_nothing_that_is_counted(made):
    free = Price(input=0, output=0)
    (alpha, _) = answer(summary(made, price=free, cost=0, items=1), needs(volume={"letters": 10})).monthly
    assert any("machine" in note for note in alpha.notes)


def test_a_weighed_value_never_stands_without_its_parts(made):
    wanted = needs(need=[{"category": "letters", "weight": 3}, {"category": "sums", "weight": 1}])
    for one in answer(summary(made), wanted).weighed:
        assert [part.weight for part in one.parts] == [0.75, 0.25]
        assert one.value == pytest.approx(sum(part.value * part.weight for part in one.parts))
        assert one.interval[0] < one.value < one.interval[1]
        assert "your weighing" in one.notes[0]
        assert len(one.notes) == 1
        said = needs_words.weighed(one, {})
        assert "your own weighing" in said
        assert all(needs_words.percent(part.value) in said for part in one.parts)


def test_weighing_over_tracks_is_said_out_loud(made):
    wanted = needs(need=[{"category": "letters", "weight": 1}, {"category": "sums", "weight": 1}])
    one = answer(summary(made, tracks={"sums": "coding"}), wanted).weighed[0]
    assert any("adds different tracks (research and coding)" in note for note in one.notes)


def test_without_weights_nothing_is_weighed_and_an_incomplete_category_has_no_weighed_value(made):
    assert answer(summary(made), needs(need=[ONE | {"min_pass_rate": 0.5}])).weighed == ()
    one = answer(summary(made, drop=1), needs(need=[ONE | {"weight": 1}])).weighed[0]
    assert (one.value, one.interval) == (None, None)
    assert "no weighed value" in needs_words.weighed(one, {})


def test_only_the_models_in_question_are_looked_at(made):
    wanted = needs(models=["beta"], need=[ONE | {"min_pass_rate": 0.5}], volume=10)
    found = answer(summary(made), wanted)
    assert {one.model for one in (*found.qualified, *found.monthly)} == {"beta"}


@pytest.mark.parametrize(
    ("share", "items", "bounded"), [(0.95, 71, False), (0.95, 73, True), (0.5, 5, False), (0.5, 6, True)]
)
def test_a_quantile_is_bounded_only_by_enough_items(share, items, bounded):
    lo, hi = quantile_interval([float(n) for n in range(items)], share, items)
    assert (hi is not None) == bounded
    assert lo <= (items - 1) * share


FAULTS = [
    ('[[need]]\ncategory = "leters"\nmin_pass_rate = 0.8\n', ["did you mean 'letters'?", "needs.toml:2"]),
    ('models = ["alhpa"]\nvolume = 1\n', ["did you mean 'alpha'?"]),
    ('[[need]]\ncategory = "letters"\nmin_pass_rate = 80\n', ["80 % is 0.8", "found 80"]),
    ('[[need]]\ncategory = "letters"\nmin_pass_rate = "80 %"\n', ["found '80 %'"]),
    ('[[need]]\ncategory = "letters"\nmin_passrate = 0.8\n', ["did you mean 'min_pass_rate'?"]),
    ('[[need]]\ncategory = "letters"\nmin_pass_all = 0.8\n', ["min_pass_all and k belong together"]),
    ('[[need]]\ncategory = "letters"\nk = 4\n', ["min_pass_all and k belong together"]),
    ('[[need]]\ncategory = "letters"\n[[need]]\ncategory = "letters"\n', ["stands twice"]),
    ('[[need]]\ncategory = "letters"\nweight = 1\n[[need]]\ncategory = "sums"\n', ["a weight for every need"]),
    ('[[need]]\ncategory = "letters"\nweight = 0\n', ["one above 0"]),
    ('[[need]]\ncategory = "letters"\nweight = -1\n', ["weight"]),
    ("max_cost_per_month_usd = 5\n", ["needs a volume"]),
    ("[volume]\nleters = 5\n", ["did you mean 'letters'?"]),
    ("volume = 0\n", ["volume"]),
    ('latency = "p99"\nmax_latency_s = 3\n', ["'median', 'p95' or 'mean'", "found 'p99'"]),
    ('title = "x"\n', ["demands nothing"]),
    ("max_latency_s = nan\n", ["needs.toml"]),
    ('[[need]]\ncategory = "leters"\nmin_score = 3\nmin_pass_rate = 80\n', ["min_score", "min_pass_rate"]),
]


@pytest.mark.parametrize(("text", "said"), FAULTS)
def test_every_fault_of_the_file_is_told_with_what_was_meant(tmp_path, text, said):
    path = tmp_path / "needs.toml"
    path.write_text(text)
    with pytest.raises(OwnFileError) as caught:
        read_needs(path, ["letters", "sums"], ["alpha", "beta"])
    assert [one for one in said if one not in str(caught.value)] == []


FIRST = [
    ({"min_pass_rate": 0.7}, {}, ["alpha qualifies, of 2 models", "the one demand", "Not met: beta: pass rate"]),
    ({"min_pass_rate": 0.9}, {}, ["no model of 2", "Not settled: alpha", "cheapest step"]),
    ({"min_pass_rate": 0.1}, {}, ["alpha and beta qualify", "Because"]),
    ({"min_pass_rate": 0.9}, {"drop": 1}, ["This is no result yet: 159 of 160"]),
]


@pytest.mark.parametrize(("minimum", "run", "said"), FIRST)
def test_the_first_screen_answers_for_the_readers_needs(made, minimum, run, said):
    told = for_reader(summary(made, **run), needs(title="the desk", need=[ONE | minimum])).first_of("run-1")
    assert len(told) <= 6
    assert "best" not in " ".join(told)
    assert [one for one in said if one not in " ".join(told)] == []
