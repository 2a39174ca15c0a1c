import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from openassay.stats import wilson
from openassay.stats.weighing import sureness, weighted_sum

shares = st.floats(0, 1)


@given(shares, st.integers(1, 500))
def test_one_part_of_weight_one_keeps_its_interval(p, n):
    assert weighted_sum([p], [wilson(p, n)], [1.0]) == pytest.approx(wilson(p, n), abs=1e-12)


@given(st.lists(st.tuples(shares, st.integers(1, 500), st.floats(0, 5)), min_size=1, max_size=6), st.floats(0.1, 9))
def test_the_sum_lies_in_its_interval_and_scales_with_its_weights(parts, factor):
    values, intervals = [p for p, _, _ in parts], [wilson(p, n) for p, n, _ in parts]
    weights = [w for _, _, w in parts]
    lo, hi = weighted_sum(values, intervals, weights)
    assert lo - 1e-9 <= sum(v * w for v, w in zip(values, weights, strict=True)) <= hi + 1e-9
    scaled = weighted_sum(values, intervals, [factor * w for w in weights])
    assert scaled == pytest.approx((factor * lo, factor * hi), abs=1e-9)


def test_an_unbounded_part_leaves_the_sum_unbounded_unless_it_does_not_count():
    parts = [0.5, 1.0], [(0.4, 0.6), (0.5, float("inf"))]
    assert weighted_sum(*parts, [1.0, 1.0])[1] == float("inf")
    assert weighted_sum(*parts, [1.0, 0.0]) == pytest.approx((0.4, 0.6))


def test_a_negative_weight_is_refused():
    with pytest.raises(ValueError, match="weights of 0 or more"):
        weighted_sum([0.5], [(0.4, 0.6)], [-1.0])


@pytest.mark.parametrize("true", [(0.5, 0.7), (0.8, 0.95), (0.99, 0.3)])
def test_the_weighted_sum_covers_its_true_value(true):
    chance, n, weights = np.random.default_rng(5), (20, 60), (0.3, 0.7)
    hits = 0
    for _ in range(2_000):
        seen = [chance.binomial(many, p) / many for many, p in zip(n, true, strict=True)]
        lo, hi = weighted_sum(seen, [wilson(p, many) for p, many in zip(seen, n, strict=True)], weights)
        hits += lo <= np.dot(weights, true) <= hi
    assert 0.925 <= hits / 2_000 <= 0.99


@given(st.floats(0.01, 0.99), st.integers(2, 500))
def test_sureness_says_what_the_interval_says_at_its_ends(p, n):
    lo, hi = wilson(p, n)
    assert sureness(p, (lo, hi), lo) == pytest.approx(0.975)
    assert sureness(p, (lo, hi), hi) == pytest.approx(0.025)
    assert sureness(p, (lo, hi), p) == pytest.approx(0.5)


@given(st.floats(0.01, 0.99), st.integers(2, 500), shares, shares)
def test_a_higher_bound_is_never_surer(p, n, one, other):
    low, high = sorted((one, other))
    interval = wilson(p, n)
    assert sureness(p, interval, low) >= sureness(p, interval, high)


@pytest.mark.parametrize(("bound", "sure"), [(0.0, 1.0), (0.1, 0.0)])
def test_a_value_without_uncertainty_is_sure(bound, sure):
    assert sureness(0.0, (0.0, 0.0), bound) == sure
