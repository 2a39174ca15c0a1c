import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from openassay.stats import rank_sets

tables = st.tuples(st.integers(2, 6), st.integers(2, 20)).flatmap(
    lambda shape: arrays(float, shape, elements=st.sampled_from([0.0, 0.5, 1.0]))
)


def true_ranks(means):
    return np.array([1 + np.sum(means > own) for own in means]), np.array([np.sum(means >= own) for own in means])


@given(tables, st.booleans())
def test_a_set_holds_the_rank_that_was_seen(table, simultaneous):
    found = rank_sets(table, seed=1, simultaneous=simultaneous, draws=50)
    best, worst = true_ranks(table.mean(axis=1).round(9))
    assert np.all(np.array(found.lo) <= best)
    assert np.all(np.array(found.hi) >= worst)
    assert found.may_be_best


@given(tables)
def test_what_holds_for_all_together_is_never_narrower(table):
    each, together = (rank_sets(table, seed=1, simultaneous=flag, draws=50) for flag in (False, True))
    assert all(a >= b for a, b in zip(each.lo, together.lo, strict=True))
    assert all(a <= b for a, b in zip(each.hi, together.hi, strict=True))


def test_the_same_seed_gives_the_same_sets():
    table = np.random.default_rng(60).random((5, 40))
    assert rank_sets(table, seed=3) == rank_sets(table, seed=3)


def test_models_far_apart_have_one_rank_and_equal_ones_share_all():
    chance = np.random.default_rng(61)
    far = [chance.binomial(1, rate, 400) for rate in (0.9, 0.5, 0.1)]
    assert rank_sets(far, seed=1).lo == rank_sets(far, seed=1).hi == (1, 2, 3)
    assert rank_sets([far[1], far[1]], seed=1).hi == (2, 2)


def test_groups_make_sets_wider():
    chance = np.random.default_rng(62)
    table = [np.repeat(chance.binomial(1, rate, 20), 10) for rate in (0.8, 0.55)]
    groups = np.repeat(range(20), 10).tolist()
    assert rank_sets(table, seed=1).hi == (1, 2)
    assert rank_sets(table, seed=1, clusters=groups).hi == (2, 2)


@pytest.mark.parametrize("table", [[[1, 0, 1]], [[1], [0]], [[1, np.nan], [0, 1]]])
def test_it_wants_two_models_and_no_holes(table):
    with pytest.raises(ValueError, match="at least 2 x 2"):
        rank_sets(table, seed=1)


def test_one_group_says_nothing():
    with pytest.raises(ValueError, match="two groups"):
        rank_sets([[1, 0], [0, 0]], seed=1, clusters=["a", "a"])


@pytest.mark.parametrize("items", [10, 50, 500])
@pytest.mark.parametrize("simultaneous", [False, True])
def test_coverage_of_the_ranks_of_a_real_board(real_data, swe_table, items, simultaneous):
    board = swe_table(real_data("swebench_verified_bashonly_matrix.csv"))[0]
    best, worst = true_ranks(board.mean(axis=1))
    chance, hit, all_hit = np.random.default_rng(63), [], []
    for draw in range(100):
        found = rank_sets(board[:, chance.integers(0, 500, items)], seed=draw, simultaneous=simultaneous, draws=500)
        held = (np.array(found.lo) <= worst) & (np.array(found.hi) >= best)
        hit.append(held.mean())
        all_hit.append(held.all())
    assert np.mean(hit) >= 0.95
    assert np.mean(all_hit) >= 0.95


def test_the_first_ranks_of_a_real_board(real_data, swe_table):
    board = swe_table(real_data("swebench_verified_bashonly_matrix.csv"))[0]
    board = board[np.argsort(-board.mean(axis=1), kind="stable")]
    found = rank_sets(board, seed=1)
    assert list(zip(found.lo, found.hi, strict=True))[:3] == [(1, 3), (1, 3), (1, 6)]
    assert found.may_be_best == (0, 1, 2)
    assert np.mean(np.array(found.hi) - np.array(found.lo) + 1) == pytest.approx(6.5, abs=0.3)


def direct_sets(table, level, chance, draws):
    """The same sets written down step by step: multiplier draws over items, model after model."""
    models, items = table.shape
    means, apart = table.mean(axis=1), table - table.mean(axis=1, keepdims=True)
    shaken = np.array([apart @ chance.standard_normal(items) / items for _ in range(draws)])
    found = []
    for own in range(models):
        others = [other for other in range(models) if other != own]
        errors = {other: np.std(table[own] - table[other], ddof=1) / np.sqrt(items) for other in others}
        largest = [max(abs(draw[other] - draw[own]) / errors[other] for other in others) for draw in shaken]
        critical = np.quantile(largest, level)
        better = sum((means[other] - means[own]) / errors[other] > critical for other in others)
        worse = sum((means[own] - means[other]) / errors[other] > critical for other in others)
        found.append((1 + better, models - worse))
    return found


def test_sets_are_those_of_the_paper_step_by_step():
    chance = np.random.default_rng(64)
    easy = chance.normal(0, 1, 800)
    table = np.array([chance.binomial(1, 1 / (1 + np.exp(easy - skill))) for skill in (1.2, 1.1, 0.6, 0.5, -0.4, -1)])
    found = rank_sets(table, seed=1, draws=4_000)
    assert list(zip(found.lo, found.hi, strict=True)) == direct_sets(table.astype(float), 0.95, chance, 1_000)
