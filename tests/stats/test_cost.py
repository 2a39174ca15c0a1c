import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from openassay.stats import cost_per_solved, frontier, mean_cost

amounts = st.lists(st.floats(0.001, 100), min_size=2, max_size=30)


@given(amounts)
def test_symmetric_costs_have_the_interval_of_scipy(half):
    costs = [200 - cost for cost in half] + [200 + cost for cost in half]
    found = mean_cost(costs)
    low, high = stats.t.interval(0.95, len(costs) - 1, 200, stats.sem(costs))
    assert (found.lo, found.hi) == pytest.approx((max(0, low), high), rel=1e-6)
    assert found.median == pytest.approx(200)


@given(amounts)
def test_the_interval_holds_the_mean(costs):
    found = mean_cost(costs)
    assert 0 <= found.lo <= found.mean + 1e-9
    assert found.hi >= found.mean - 1e-9


def test_it_reaches_further_towards_the_dear_items():
    found = mean_cost([1, 1, 2, 1, 2, 9])
    assert found.hi - found.mean > 1.5 * (found.mean - found.lo)


def test_one_item_bounds_nothing_and_few_are_said_to_be_few():
    assert mean_cost([0.2]).hi == float("inf")
    assert [mean_cost([0.1, 0.2] * half).few_items for half in (24, 25)] == [True, False]


@pytest.mark.parametrize("costs", [[], [-1, 2]])
def test_costs_are_amounts(costs):
    with pytest.raises(ValueError, match="0 or more"):
        mean_cost(costs)


def test_failures_are_paid_for():
    assert cost_per_solved([0.1, 0.3, 0.2], [1, 0, 1]).value == pytest.approx(0.3)
    nothing = cost_per_solved([0.1, 0.3], [0, 0])
    assert (nothing.value, nothing.hi) == (float("inf"), float("inf"))


@given(amounts, st.floats(0.01, 100))
def test_another_currency_changes_nothing_but_the_unit(costs, rate):
    passed = [number % 2 for number in range(len(costs))]
    one, other = cost_per_solved(costs, passed), cost_per_solved([cost * rate for cost in costs], passed)
    assert (one.value * rate, one.lo * rate, one.hi * rate) == pytest.approx((other.value, other.lo, other.hi))


def test_groups_make_it_wider():
    chance = np.random.default_rng(140)
    costs, passed = np.repeat(chance.gamma(2, 1, 10), 10), np.repeat(chance.binomial(1, 0.5, 10), 10)
    free, grouped = (
        cost_per_solved(costs, passed, clusters=groups) for groups in (None, [i // 10 for i in range(100)])
    )
    assert grouped.hi > free.hi


def test_a_cost_for_every_result():
    with pytest.raises(ValueError, match="found 2 and 1"):
        cost_per_solved([1, 2], [1])


FRONTIERS = [
    # scores of single items, costs, who is unbeaten
    ([0.9, 0.8, 0.7], [3, 2, 1], [True, True, True]),
    ([0.9, 0.8, 0.9], [3, 4, 1], [False, False, True]),
    ([0.5, 0.5], [1, 1], [True, True]),
    ([0.5, 0.5], [1, 2], [True, False]),
]


@pytest.mark.parametrize(("scores", "costs", "unbeaten"), FRONTIERS)
def test_who_is_beaten_on_both_is_not_on_the_frontier(scores, costs, unbeaten):
    found = frontier(np.array(scores)[:, None], np.array(costs)[:, None], seed=1, draws=10)
    assert list(found.on_it) == unbeaten
    assert found.chance == tuple(map(float, unbeaten))


def test_the_same_seed_gives_the_same_chances_and_groups_are_drawn_whole():
    chance = np.random.default_rng(141)
    scores, costs = chance.binomial(1, 0.5, (4, 40)), chance.gamma(2, 1, (4, 40))
    assert frontier(scores, costs, seed=5) == frontier(scores, costs, seed=5)
    one_group = frontier(scores, costs, seed=5, clusters=["all"] * 40)
    assert one_group.chance == tuple(map(float, one_group.on_it))


@pytest.mark.parametrize("cell", [np.nan])
def test_the_frontier_wants_whole_tables(cell):
    with pytest.raises(ValueError, match="some missing"):
        frontier([[1, cell]], [[1, 1]], seed=1)


def test_a_real_frontier(real_data, swe_table):
    scores, costs = swe_table(real_data("swebench_verified_bashonly_matrix.csv"))
    found = frontier(scores, np.nan_to_num(costs), seed=1)
    sure = sorted((chance for chance, on_it in zip(found.chance, found.on_it, strict=True) if on_it), reverse=True)
    assert sure == pytest.approx([1.0, 1.0, 0.96, 0.73, 0.54], abs=0.04)
    assert max(c for c, on_it in zip(found.chance, found.on_it, strict=True) if not on_it) == pytest.approx(
        0.45, abs=0.04
    )


@pytest.mark.parametrize(("items", "lowest"), [(20, 0.9), (50, 0.925), (200, 0.93)])
def test_coverage_of_real_costs(real_data, swe_table, items, lowest):
    scores, costs = swe_table(real_data("swebench_verified_bashonly_matrix.csv"))
    chance, mean, ratio = np.random.default_rng(142), [], []
    for _ in range(1_000):
        model = int(chance.integers(len(scores)))
        cost, score = np.nan_to_num(costs[model]), scores[model]
        at = chance.integers(0, 500, items)
        found = mean_cost(cost[at])
        mean.append(found.lo <= cost.mean() <= found.hi)
        solved = cost_per_solved(cost[at], score[at])
        ratio.append(solved.lo <= cost.sum() / score.sum() <= solved.hi)
    assert np.mean(mean) >= lowest
    assert np.mean(ratio) >= 0.915
