import pytest

from openassay.reports.summary import summarise_run
from openassay.schema.message import Usage

KNOWN, UNKNOWN = Usage(tokens_in=1, tokens_out=1), Usage()


def costs(made, paid, passes, *, items=12, attempts=1, usage=KNOWN):
    """Records of a run with one model a price; `passes[model]` items of it are passed."""
    tasks = [made.task(f"sum-{n}") for n in range(items)]
    cells = [
        made.cell(f"m{m}", task.id, n < passes[m], attempt=k, cost=price, usage=usage)
        for m, price in enumerate(paid)
        for n, task in enumerate(tasks)
        for k in range(attempts)
    ]
    return summarise_run(made.facts(tasks, [f"m{m}" for m in range(len(paid))], attempts=attempts), cells).costs


@pytest.mark.parametrize(
    ("paid", "items", "usage", "found"),
    [
        ((100, 200), 12, KNOWN, 1),
        ((100, 200), 9, KNOWN, 0),
        ((100, 0), 12, KNOWN, 0),
        ((100, 200), 12, UNKNOWN, 0),
        ((100,), 12, KNOWN, 0),
    ],
)
def test_cost_stands_against_score_for_ten_items_and_two_known_prices(made, paid, items, usage, found):
    assert len(costs(made, paid, [6] * len(paid), items=items, usage=usage)) == found


def test_the_dearer_and_worse_is_off_the_frontier(made):
    (found,) = costs(made, (1000, 2000, 4000), (6, 9, 7))
    assert [one.on_frontier for one in found.models] == [True, True, False]
    assert found.models[2].frontier_chance < 0.5


def test_a_solved_item_is_paid_for_with_the_failed_ones(made):
    (found,) = costs(made, (1_000_000, 1_000_000), (6, 0))
    assert found.models[0].cost_usd == pytest.approx(1)
    assert found.models[0].per_solved_usd == pytest.approx(2)
    assert (found.models[1].per_solved_usd, found.models[1].per_solved_interval) == (None, None)


def test_attempts_are_averaged_and_not_added(made):
    (found,) = costs(made, (1000, 2000), (6, 6), attempts=4)
    assert found.models[0].cost_usd == pytest.approx(0.001)


def test_models_without_a_price_are_named(made):
    (found,) = costs(made, (1000, 2000, 0), (6, 6, 6))
    assert found.without == ("m2",)
