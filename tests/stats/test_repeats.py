from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from openassay.stats import pass_all, pass_any, pass_k, reliability_curve, repeats, score_ci


@given(st.lists(st.booleans(), min_size=1, max_size=7), st.data())
def test_pass_all_is_the_share_of_subsets_that_pass(results, data):
    k = data.draw(st.integers(1, len(results)))
    subsets = list(combinations(results, k))
    assert pass_all(sum(results), len(results), k) == pytest.approx(sum(map(all, subsets)) / len(subsets))


@given(st.lists(st.booleans(), min_size=1, max_size=7), st.data())
def test_pass_any_is_the_share_of_subsets_that_hold_a_pass(results, data):
    k = data.draw(st.integers(1, len(results)))
    subsets = list(combinations(results, k))
    assert pass_any(sum(results), len(results), k) == pytest.approx(sum(map(any, subsets)) / len(subsets))


@pytest.mark.parametrize("k", [0, 5])
def test_never_more_attempts_than_were_made(k):
    with pytest.raises(ValueError, match="between 1 and 4"):
        pass_all(2, 4, k)


def test_consistency_leaves_out_items_tried_once():
    found = repeats(passes=[2, 0, 1, 1], tried=[2, 2, 2, 1])
    assert found is not None
    assert (found.n_items, found.attempts) == (3, 2)
    assert found.same == pytest.approx(2 / 3)
    assert found.pass_all == pytest.approx((0.5, 1 / 3))


def test_one_attempt_says_nothing_about_consistency():
    assert repeats([1, 0], [1, 1]) is None


counts = st.lists(st.integers(1, 5).flatmap(lambda tried: st.tuples(st.integers(0, tried), st.just(tried))), min_size=1)


@given(counts)
def test_passing_all_falls_with_every_attempt_and_passing_any_rises(rows):
    passes, tried = [good for good, _ in rows], [all_ for _, all_ in rows]
    falling = [estimate.value for estimate in reliability_curve(passes, tried)]
    rising = [estimate.value for estimate in reliability_curve(passes, tried, kind="any")]
    assert falling == sorted(falling, reverse=True)
    assert rising == sorted(rising)
    assert falling[0] == pytest.approx(rising[0])


def test_the_first_point_of_the_curve_is_the_score():
    first = reliability_curve([4, 2, 0], [4, 4, 4])[0]
    assert first == score_ci([1, 0.5, 0], attempts=[4, 4, 4])


def test_the_curve_ends_where_an_item_has_no_more_attempts():
    assert len(reliability_curve([4, 2], [4, 3])) == 3
    with pytest.raises(ValueError, match="between 1 and 3"):
        pass_k([4, 2], [4, 3], 4)
    with pytest.raises(ValueError, match="at least one item"):
        reliability_curve([], [])


@pytest.mark.parametrize("kind", ["all", "any"])
@pytest.mark.parametrize("items", [20, 50, 200])
def test_coverage_on_real_repeated_answers(real_data, items, kind):
    table = np.loadtxt(
        real_data("cruxeval_codellama7b_output_10samples.csv"), delimiter=",", skiprows=1, usecols=range(1, 11)
    )
    rates = table.mean(axis=1)
    truth = np.mean(rates**4 if kind == "all" else 1 - (1 - rates) ** 4)
    chance, hit, plug_in = np.random.default_rng(80), [], []
    for _ in range(1_000):
        passes = chance.binomial(5, rates[chance.integers(0, 800, items)])
        found = reliability_curve(passes.tolist(), [5] * items, kind=kind)[3]
        hit.append(found.lo <= truth <= found.hi)
        plug_in.append(np.mean((passes / 5) ** 4) - np.mean(rates**4))
    assert 0.935 <= np.mean(hit) <= 0.985
    assert np.mean(plug_in) > 0
