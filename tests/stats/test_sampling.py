from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from openassay.stats import sample_stratified, score_ci

pools = st.dictionaries(st.text("abcdef", min_size=1, max_size=4), st.sampled_from([0.0, 0.3, 0.7, 1.0]), min_size=1)


@given(pools, st.data())
def test_a_draw_holds_n_items_of_the_pool_once_each_and_weighs_them_to_the_pool(pool, data):
    n = data.draw(st.integers(1, len(pool)))
    drawn = sample_stratified(pool, n, seed=1)
    assert len(set(drawn.ids)) == len(drawn.ids) == len(drawn.labels) == n
    assert set(drawn.ids) <= set(pool)
    assert sum(drawn.weights) == pytest.approx(1)
    assert sum(drawn.shares.values()) == pytest.approx(1)


@given(pools, st.randoms(use_true_random=False))
def test_the_order_of_the_pool_does_not_matter(pool, chance):
    shuffled = dict(chance.sample(list(pool.items()), len(pool)))
    n = 1 + len(pool) // 2
    assert sample_stratified(shuffled, n, seed=4) == sample_stratified(pool, n, seed=4)


@pytest.mark.parametrize(("n", "counts"), [(100, [20] * 5), (52, [10, 10, 10, 11, 11]), (25, [12, 13]), (9, [9])])
def test_strata_are_drawn_alike_and_none_too_small(n, counts):
    pool = {str(item): item / 500 for item in range(500)}
    assert sorted(Counter(sample_stratified(pool, n, seed=2).labels).values()) == counts


def test_another_seed_draws_other_items():
    pool = {str(item): 0.5 for item in range(100)}
    assert set(sample_stratified(pool, 30, seed=1).ids) != set(sample_stratified(pool, 30, seed=2).ids)


def test_the_mean_by_weights_is_the_score():
    pool = {str(item): item / 97 for item in range(97)}
    drawn = sample_stratified(pool, 33, seed=3)
    results = [int(float(item) > 40) for item in drawn.ids]
    assert score_ci(results, strata=drawn.strata).value == pytest.approx(np.dot(drawn.weights, results))


@pytest.mark.parametrize("n", [0, 4])
def test_no_more_than_there_are(n):
    with pytest.raises(ValueError, match="1 to 3 items"):
        sample_stratified({"a": 0, "b": 0, "c": 1}, n, seed=1)


def test_it_covers_the_pool_with_narrower_intervals(real_data, score_table):
    models, chance, hit, narrower = score_table(real_data("zeroeval_crux.csv")), np.random.default_rng(130), [], []
    for seed in range(400):
        model = int(chance.integers(len(models)))
        earlier = np.delete(models, model, axis=0).mean(axis=0)
        drawn = sample_stratified({str(item): share for item, share in enumerate(earlier)}, 100, seed=seed)
        results = models[model][[int(item) for item in drawn.ids]]
        found = score_ci(results, strata=drawn.strata)
        hit.append(found.lo <= models[model].mean() <= found.hi)
        narrower.append(found.half_width / score_ci(results).half_width)
    assert np.mean(hit) >= 0.94
    assert np.mean(narrower) < 0.85
