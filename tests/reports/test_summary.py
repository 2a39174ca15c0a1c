import json
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openassay.reports.contract import Summary
from openassay.reports.summary import combine, summarise_run
from openassay.schema.attempt import Outcome
from openassay.stats import wilson


@pytest.fixture
def ten(made):
    """Ten sums, one model, seven right: facts and cells."""
    tasks = [made.task(f"sum-{n}") for n in range(10)]
    return made.facts(tasks, ("alpha",)), [made.cell("alpha", f"sum-{n}", n < 7) for n in range(10)]


def only(summary):
    (result,) = summary.results
    return result


def test_a_whole_result_has_a_rate_its_interval_and_its_counts(ten):
    result = only(summarise_run(*ten))
    assert (result.pass_rate, result.passed, result.passable, result.n_items) == (0.7, 7, 10, 10)
    assert result.interval == pytest.approx(wilson(0.7, 10))
    assert result.headline == "10 scored of 10 planned"
    assert (result.tokens_in, result.tokens_out, result.seconds, result.outcomes) == (200, 50, 0.8, {"answered": 10})


def test_seven_of_ten_scored_is_no_result(ten):
    facts, cells = ten
    summary = summarise_run(facts, cells[:9])
    result = only(summary)
    assert not summary.runs[0].complete
    assert (result.pass_rate, result.interval, result.score, result.score_interval) == (None, None, None, None)
    assert result.partial.model_dump() == {"scored": 9, "passed": 7, "failed": 2}
    assert "9 scored of 10 planned (1 not made)" in summary.limits[0]


LOST = [
    ({"outcome": Outcome.INFRASTRUCTURE_ERROR}, False, "1 lost to endpoints", "openassay resume"),
    ({"outcome": Outcome.SCORER_ERROR}, False, "a scorer failed", "openassay score"),
    ({}, False, "1 waiting for a judge or a person", "--judge"),
]


@pytest.mark.parametrize(("how", "complete", "gap", "advised"), LOST)
def test_what_says_nothing_about_the_model_leaves_no_rate_and_says_what_to_do(ten, made, how, complete, gap, advised):
    facts, cells = ten
    summary = summarise_run(facts, [*cells[:9], made.cell("alpha", "sum-9", None, **how)])
    result = only(summary)
    assert (summary.runs[0].complete, result.pass_rate, result.scored) == (complete, None, 9)
    assert gap in summary.limits[0]
    assert any(advised in sentence for sentence in result.advice)


@pytest.mark.parametrize("outcome", [Outcome.LIMIT_REACHED, Outcome.NO_ANSWER, Outcome.FORMAT_ERROR])
def test_cut_empty_and_malformed_answers_count_as_not_passed_and_are_told(ten, made, outcome):
    facts, cells = ten
    result = only(summarise_run(facts, [made.cell("alpha", "sum-0", False, outcome=outcome), *cells[1:]]))
    assert (result.pass_rate, result.outcomes[outcome]) == (0.6, 1)
    assert result.advice[0].startswith("1 of 10 answers")


def test_attempts_are_not_items(made):
    tasks = [made.task(f"sum-{n}") for n in range(10)]
    facts = made.facts(tasks, ("alpha",), attempts=3)
    cells = [made.cell("alpha", f"sum-{n}", n < 7, attempt=k) for n in range(10) for k in range(3)]
    result = only(summarise_run(facts, cells))
    assert (result.n_items, result.attempts_per_item, result.n_attempts, result.passed) == (10, 3, 30, 21)
    assert result.interval == pytest.approx(wilson(0.7, 10))
    assert (result.consistency, result.pass_hat_k) == (1.0, pytest.approx((0.7, 0.7, 0.7)))


def test_an_item_drawn_twice_counts_once_in_the_rate(made):
    tasks = [made.task("sum-0"), made.task("sum-1")]
    facts = made.facts(tasks, ("alpha",), draws=(("sum-0", "sum-1"), ("sum-0",)))
    cells = [
        made.cell("alpha", "sum-0", True),
        made.cell("alpha", "sum-0", True, draw=1),
        made.cell("alpha", "sum-1", False),
    ]
    summary = summarise_run(facts, cells)
    assert (only(summary).pass_rate, only(summary).planned, only(summary).attempts_per_item) == (0.5, 3, None)
    assert any("each item counts once" in sentence for sentence in summary.limits)


def test_tasks_without_a_hard_check_have_a_score_and_no_pass_rate(made):
    tasks = [made.task(f"essay-{n}", "essays", hard=False) for n in range(4)]
    cells = [made.cell("alpha", task.id, counted=250_000 * n) for n, task in enumerate(tasks)]
    result = only(summarise_run(made.facts(tasks, ("alpha",)), cells))
    assert (result.pass_rate, result.passable, result.score) == (None, 0, 0.375)
    assert result.by_dimension["content"].n_items == 4


def test_a_failed_gate_counts_as_zero_in_the_score(made):
    task = made.task("sum-1")
    cell = made.cell("alpha", "sum-1", False, counted=0)
    assert only(summarise_run(made.facts([task], ("alpha",)), [cell])).score == 0


def test_categories_and_tracks_are_never_added_up(busy):
    facts, cells, _ = busy
    summary = summarise_run(facts, cells)
    assert [(r.category, r.model) for r in summary.results] == [
        (category, model) for category in ("sums", "letters", "essays") for model in ("alpha", "beta")
    ]
    assert sum(r.planned for r in summary.results) == summary.runs[0].planned == len(cells)


def test_items_say_where_models_differ_and_where_one_is_unsteady(busy):
    facts, cells, _ = busy
    items = {item.task: item for item in summarise_run(facts, cells).items}
    assert items["sum-3"].different
    assert items["sum-3"].models["beta"].marks == ("cut", "cut")
    assert items["sum-6"].models["alpha"].unstable
    assert items["essay-1"].models["beta"].unsure


@settings(max_examples=50)
@given(st.randoms(use_true_random=False))
def test_the_order_of_cells_does_not_matter(made, chance):
    tasks = [made.task(f"sum-{n}") for n in range(4)]
    facts = made.facts(tasks, attempts=2)
    cells = [
        made.cell(model, f"sum-{n}", (n + k) % 3 > 0, attempt=k)
        for model in ("alpha", "beta")
        for n in range(4)
        for k in (0, 1)
    ]
    assert summarise_run(facts, chance.sample(cells, len(cells))) == summarise_run(facts, cells)


def test_the_json_reads_back(busy):
    facts, cells, _ = busy
    summary = summarise_run(facts, cells)
    assert Summary.model_validate_json(summary.model_dump_json()) == summary


def test_the_json_holds_no_text_of_items_or_answers(made):
    canary = "kingfisher"
    task = made.task("sum-1", instruction=f"{canary} 1", solution=f"{canary} 2")
    task = task.model_copy(
        update={"checks": tuple(c.model_copy(update={"text": canary, "reference": canary}) for c in task.checks)}
    )
    cell = made.cell("alpha", "sum-1", True, answer=canary, detail=canary, reason=canary, took=canary, who=canary)
    assert canary not in summarise_run(made.facts([task], ("alpha",)), [cell]).model_dump_json()


def test_the_fields_that_scripts_depend_on(ten):
    document = json.loads(summarise_run(*ten).model_dump_json())
    assert {"id", "plan_digest", "benchmark", "complete", "planned", "finished"} <= set(document["runs"][0])
    wanted = "run model category track n_items n_attempts passed pass_rate interval score outcomes cost_usd tokens_in"
    assert {*wanted.split(), "tokens_out", "seconds"} <= set(document["results"][0])
    assert all(isinstance(sentence, str) for sentence in document["limits"])


def test_runs_of_different_comparability_numbers_are_not_comparable(ten, made):
    other = made.facts(list(ten[0].tasks.values()), ("alpha",), version="2-A")
    one, two = summarise_run(*ten), summarise_run(other, ten[1])
    assert "not comparable" in combine([one, two]).limits[1]
    assert not any("not comparable" in sentence for sentence in combine([one, one]).limits)


@pytest.mark.parametrize("attempts", [20, pytest.param(200, marks=pytest.mark.slow)])
def test_many_attempts_are_counted_in_little_memory(made, attempts):
    tasks = [made.task(f"sum-{n}") for n in range(100)]
    facts = made.facts(tasks, ("alpha",), attempts=attempts)
    cells = [made.cell("alpha", f"sum-{n}", n % 2 == 0, answer="x" * 40_000) for n in range(100)]

    def stream():
        for k in range(attempts):
            for cell in cells:
                copy = {
                    "attempt": k,
                    "answer": cell.attempt.answer[1:],
                }  # a text of its own, or the bound would prove nothing
                yield cell._replace(attempt=cell.attempt.model_copy(update=copy))

    tracemalloc.start()
    summary = summarise_run(facts, stream())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert only(summary).scored == 100 * attempts
    assert peak < 20_000_000
