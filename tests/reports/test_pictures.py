import pytest

from openassay.reports import pictures
from openassay.reports.summary import summarise_run
from openassay.schema.message import Usage


def run(made, models, rate, items=12, attempts=1, cost=None):
    """A run in which `rate(model number, item number, attempt)` says what passed."""
    tasks = [made.task(f"sum-{n}") for n in range(items)]
    facts = made.facts(tasks, models, attempts=attempts)
    cells = [
        made.cell(
            model,
            task.id,
            rate(m, n, k),
            attempt=k,
            usage=Usage(tokens_in=1, tokens_out=1),
            cost=cost[m] if cost else 0,
        )
        for m, model in enumerate(models)
        for n, task in enumerate(tasks)
        for k in range(attempts)
    ]
    return summarise_run(facts, cells)


def numbers(summary):
    return {model.name: number for number, model in enumerate(summary.runs[0].models)}


@pytest.mark.parametrize(("models", "shown", "left_out"), [(3, 3, 0), (8, 28, 0), (9, 8, 28)])
def test_of_many_pairs_each_model_stands_against_the_next(made, models, shown, left_out):
    summary = run(made, [f"m{n}" for n in range(models)], lambda m, n, _: (n + m) % 12 > m)
    found = pictures.forest(summary.pairs)
    assert (len(found.rows), found.left_out) == (shown, left_out)


def test_neighbours_go_down_from_the_best(made):
    summary = run(made, [f"m{n}" for n in range(9)], lambda m, n, _: n < 3 + m)
    found = pictures.neighbours(summary.pairs)
    assert [pair.a for pair in found] == [f"m{n}" for n in range(8, 0, -1)]
    assert all(pair.mean_a >= pair.mean_b for pair in found)


def test_a_pair_without_an_interval_has_no_picture(made):
    (row,) = pictures.forest(run(made, ["a", "b"], lambda m, n, _: n > m, items=4).pairs).rows
    assert row[1] == ""


def test_every_pair_has_a_place_of_its_own(made):
    summary = run(made, ["a", "b", "c"], lambda m, n, _: n > m)
    assert len({pictures.pair_place(pair) for pair in summary.pairs}) == 3


@pytest.mark.parametrize(("models", "items", "drawn"), [(1, 12, False), (2, 9, False), (2, 10, True)])
def test_a_map_needs_two_models_and_ten_items(made, models, items, drawn):
    names = [f"m{n}" for n in range(models)]
    summary = run(made, names, lambda m, n, _: n > m, items=items)
    assert (pictures.item_map(summary.items, names, numbers(summary)) is not None) is drawn


def test_a_map_counts_what_was_passed_always_sometimes_and_never(made):
    summary = run(made, ["a", "b"], lambda m, n, k: n > 3 or (m == 1 and n > 1 and k == 0), attempts=2)
    rows = pictures.item_map(summary.items, ["a", "b"], numbers(summary)).rows
    assert [(row.always, row.some, row.never) for row in rows] == [(8, 0, 4), (8, 2, 2)]


@pytest.mark.parametrize(("most", "a_bar", "bars"), [(12, 1, 12), (6, 2, 6), (5, 3, 4)])
def test_of_many_items_neighbours_share_a_bar(made, most, a_bar, bars):
    summary = run(made, ["a", "b"], lambda m, n, _: n > 3 + m)
    found = pictures.item_map(summary.items, ["a", "b"], numbers(summary), most=most)
    assert found.a_bar == a_bar
    assert f'viewBox="0 0 {bars} 20"' in found.rows[0].picture
    assert found.rows[0].always == 8


@pytest.mark.parametrize(("attempts", "items", "drawn"), [(2, 12, False), (3, 9, False), (3, 12, True)])
def test_curves_need_three_attempts_and_ten_items(made, attempts, items, drawn):
    summary = run(made, ["a", "b"], lambda m, n, k: (n + k) % 3 > m, items=items, attempts=attempts)
    assert bool(pictures.curve_picture(summary.results, "Sums", numbers(summary))) is drawn


@pytest.mark.parametrize(("models", "numbered"), [(2, False), (7, True)])
def test_many_dots_bear_numbers_of_the_table(made, models, numbered):
    names = [f"model-{n}" for n in range(models)]
    summary = run(made, names, lambda m, n, _: n > m, cost=[100 * (models - m) for m in range(models)])
    table = pictures.cost_table(summary.costs[0], numbers(summary))
    assert [one.model for one in table.rows] == names[::-1]
    assert table.numbered is numbered
    assert (">model-0</text>" in table.picture) is not numbered
