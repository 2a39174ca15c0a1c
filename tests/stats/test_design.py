import csv

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from openassay.stats import Strata, score_ci, wilson

flags = st.lists(st.integers(0, 1), min_size=1, max_size=60)


@given(flags)
def test_nothing_is_unknown_of_a_pool_that_was_tried_whole(results):
    estimate = score_ci(results, pool_size=len(results))
    assert (estimate.lo, estimate.hi) == (estimate.value, estimate.value)
    assert estimate.target == "pool"


@given(flags, st.integers(1, 1_000))
def test_a_claim_about_the_pool_is_never_wider_than_one_about_the_kind_of_task(results, more):
    pool = score_ci(results, pool_size=len(results) + more)
    assert pool.half_width <= score_ci(results).half_width + 1e-12


def test_of_a_pool_n_eff_is_the_textbook_one():
    estimate = score_ci([1, 0, 1, 1] * 50, pool_size=500)
    assert estimate.n_eff == pytest.approx(200 * 499 / 300)


def test_attempts_that_vary_leave_doubt_about_a_whole_pool():
    assert score_ci([0.5, 0.25, 1.0], attempts=4, pool_size=3).half_width > 0.1


def test_a_pool_is_not_smaller_than_what_was_drawn_from_it():
    with pytest.raises(ValueError, match="at least the 3 items"):
        score_ci([1, 0, 1], pool_size=2)


@given(flags)
def test_one_stratum_moves_nothing_but_the_smoothing(results):
    one = score_ci(results, strata=Strata(["all"] * len(results), {"all": 1.0}))
    assert one.value == pytest.approx(np.mean(results))
    assert (one.lo, one.hi) == pytest.approx(wilson(np.mean(results), len(results)), abs=0.1)


def test_strata_are_weighted_by_their_share_of_the_pool():
    strata = Strata(["easy", "easy", "easy", "hard"], {"easy": 0.5, "hard": 0.5})
    assert score_ci([1, 1, 1, 0], strata=strata).value == 0.5


def test_strata_of_unlike_difficulty_make_it_narrower():
    results, labels = [1] * 19 + [0] + [0] * 19 + [1], ["easy"] * 20 + ["hard"] * 20
    by_strata = score_ci(results, strata=Strata(labels, {"easy": 0.5, "hard": 0.5}))
    assert by_strata.half_width < 0.65 * score_ci(results).half_width


@given(
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 3), st.integers(0, 9)), min_size=1, max_size=40),
    st.integers(0, 50),
    st.integers(1, 5),
    st.booleans(),
)
def test_the_interval_holds_the_value_whatever_the_design(rows, more, attempts, fractional):
    means, labels, clusters = zip(*rows, strict=True)
    strata = Strata(labels, dict.fromkeys(labels, 1.0))
    found = score_ci(
        means,
        attempts=attempts,
        clusters=clusters,
        strata=strata,
        pool_size=len(rows) + more,
        fractional=fractional,
    )
    assert 0 <= found.lo <= found.value + 1e-9
    assert found.value - 1e-9 <= found.hi <= 1


@pytest.mark.parametrize(("labels", "message"), [(["a", "a"], "found none of"), (["a"], "each of 2 items")])
def test_every_stratum_has_items_and_every_item_a_stratum(labels, message):
    with pytest.raises(ValueError, match=message):
        score_ci([1, 0], strata=Strata(labels, {"a": 0.5, "b": 0.5}))


@pytest.mark.parametrize(("groups", "few"), [(5, True), (7, True), (8, False), (40, False)])
def test_few_groups_are_said_to_be_few(groups, few):
    assert score_ci([1, 0] * 20, clusters=[number % groups for number in range(40)]).few_groups is few


def test_three_items_that_share_nothing_are_not_few_groups():
    assert not score_ci([1, 0, 1]).few_groups


@pytest.mark.parametrize("name", ["zeroeval_crux.csv", "zeroeval_gsm.csv"])
@pytest.mark.parametrize("n", [50, 100])
def test_coverage_of_draws_by_strata_of_difficulty(real_data, score_table, name, n):
    models, chance, hit, widths, plain = score_table(real_data(name)), np.random.default_rng(30), [], [], []
    for _ in range(1_000):
        model = int(chance.integers(len(models)))
        truth = models[model].mean()
        easy_first = np.argsort(-np.delete(models, model, axis=0).mean(axis=0), kind="stable")
        parts = np.array_split(easy_first, 5)
        drawn = np.concatenate([chance.choice(part, n // 5) for part in parts])
        strata = Strata(np.repeat(range(5), n // 5).tolist(), {h: len(part) for h, part in enumerate(parts)})
        estimate = score_ci(models[model][drawn], strata=strata)
        hit.append(estimate.lo <= truth <= estimate.hi)
        widths.append(estimate.half_width)
        plain.append(score_ci(models[model][chance.integers(0, len(easy_first), n)]).half_width)
    assert 0.935 <= np.mean(hit) <= 0.99
    assert np.mean(widths) < 0.97 * np.mean(plain)


@pytest.mark.parametrize("n", [10, 100, 400])
def test_coverage_of_draws_from_a_frozen_pool(real_data, score_table, n):
    models, chance, hit = score_table(real_data("zeroeval_crux.csv"))[:, :500], np.random.default_rng(31), []
    for _ in range(1_000):
        model = models[chance.integers(len(models))]
        estimate = score_ci(chance.permutation(model)[:n], pool_size=500)
        hit.append(estimate.lo <= model.mean() <= estimate.hi)
    assert 0.935 <= np.mean(hit) <= 0.985


@pytest.mark.parametrize(("groups", "size"), [(5, 20), (10, 10), (30, 10)])
def test_coverage_of_items_of_the_same_subjects(real_data, groups, size):
    with real_data("mmlu_redux_14models.csv").open(newline="") as file:
        rows = list(csv.reader(file))[1:]
    models, subject = np.array([row[3:] for row in rows], dtype=float).T, np.array([row[2] for row in rows])
    of_subject = [np.flatnonzero(subject == name) for name in np.unique(subject)]
    chance, hit, naive = np.random.default_rng(32), [], []
    for _ in range(1_000):
        model = models[chance.integers(len(models))]
        picked = [of_subject[number] for number in chance.integers(0, len(of_subject), groups)]
        results = model[np.concatenate([chance.choice(items, size, replace=False) for items in picked])]
        estimate = score_ci(results, clusters=np.repeat(range(groups), size).tolist())
        hit.append(estimate.lo <= model.mean() <= estimate.hi)
        low, high = wilson(results.mean(), results.size)
        naive.append(low <= model.mean() <= high)
    assert np.mean(hit) >= 0.93
    assert np.mean(naive) < 0.9
