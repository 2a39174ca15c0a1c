import csv

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from openassay.stats import score_ci, wilson

flags = st.lists(st.integers(0, 1), min_size=1, max_size=60)
shares = st.lists(st.floats(0, 1), min_size=1, max_size=60)


@pytest.mark.parametrize("n", [1, 5, 20, 333])
@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_wilson_is_what_statsmodels_says(n, level):
    for passed in {0, 1, n // 2, n}:
        expected = proportion_confint(passed, n, alpha=1 - level, method="wilson")
        assert wilson(passed / n, n, level) == pytest.approx(expected, abs=1e-12)


@given(flags)
def test_one_attempt_an_item_is_plain_wilson(results):
    estimate = score_ci(results)
    assert estimate.n_eff == len(results)
    assert (estimate.lo, estimate.hi) == pytest.approx(wilson(np.mean(results), len(results)))


@given(flags)
def test_yes_or_no_results_have_the_same_interval_as_fractional_scores(results):
    plain, fractional = score_ci(results), score_ci(results, fractional=True)
    assert (plain.lo, plain.hi) == pytest.approx((fractional.lo, fractional.hi))


@given(shares, st.randoms(use_true_random=False), st.booleans(), st.booleans())
def test_the_order_of_items_does_not_matter(means, chance, fractional, grouped):
    rows = [(mean, number % 4 if grouped else number) for number, mean in enumerate(means)]
    shuffled = chance.sample(rows, len(rows))
    first, second = (
        score_ci([mean for mean, _ in some], attempts=3, clusters=[group for _, group in some], fractional=fractional)
        for some in (rows, shuffled)
    )
    assert (first.value, first.lo, first.hi) == pytest.approx((second.value, second.lo, second.hi), abs=1e-9)


@given(shares, st.integers(1, 10), st.integers(1, 60), st.booleans())
def test_the_interval_lies_inside_0_and_1_holds_the_value_and_is_never_nothing(means, attempts, groups, fractional):
    clusters = [number % groups for number in range(len(means))]
    estimate = score_ci(means, attempts=attempts, clusters=clusters, fractional=fractional)
    assert 0 <= estimate.lo <= estimate.value + 1e-9
    assert estimate.value - 1e-9 <= estimate.hi <= 1
    assert estimate.hi > estimate.lo
    assert estimate.n_eff >= estimate.n_units


@given(st.lists(st.floats(0, 1), min_size=2, max_size=20), st.booleans())
def test_twice_the_same_items_make_it_narrower(means, fractional):
    once, twice = (score_ci(some, fractional=fractional) for some in (means, means * 2))
    assert twice.half_width < once.half_width


def test_attempts_that_always_agree_are_worth_no_more_than_one():
    once, ten = score_ci([1, 0, 1, 1, 0]), score_ci([1, 0, 1, 1, 0], attempts=10)
    assert (once.lo, once.hi) == (ten.lo, ten.hi)


def test_attempts_that_vary_are_worth_more_than_one():
    assert score_ci([0.4, 0.5, 0.6, 0.5], attempts=10).n_eff == 40


def test_items_that_rise_and_fall_together_count_as_their_groups():
    results = [1] * 10 + [0] * 10 + [1] * 10 + [0] * 10
    grouped = score_ci(results, clusters=[number // 10 for number in range(40)])
    assert (grouped.n_units, grouped.n_eff) == (4, 4)
    assert grouped.half_width > 2 * score_ci(results).half_width


def test_no_items_is_an_error():
    with pytest.raises(ValueError, match="at least one item"):
        score_ci([])


COVERAGE = [
    # (items, attempts, groups or None, lowest coverage of 2,000 draws with a nominal .95)
    (10, 1, None, 0.93),
    (10, 4, None, 0.93),
    (50, 10, None, 0.935),
    (40, 1, 8, 0.935),
    (100, 1, 5, 0.935),
]


@pytest.mark.parametrize(("items", "attempts", "groups", "lowest"), COVERAGE)
def test_coverage_on_made_up_items(items, attempts, groups, lowest):
    chance = np.random.default_rng(20)
    hit = 0
    for _ in range(2_000):
        units = chance.beta(2, 1, groups or items)
        chances = np.repeat(units, items // groups) if groups else units
        means = chance.binomial(attempts, chances) / attempts
        clusters = np.repeat(np.arange(groups), items // groups).tolist() if groups else None
        estimate = score_ci(means, attempts=attempts, clusters=clusters)
        hit += estimate.lo <= 2 / 3 <= estimate.hi
    assert hit / 2_000 >= lowest


@pytest.mark.parametrize("items", [5, 20, 100])
def test_coverage_of_fractional_scores_behind_a_gate(items):
    chance = np.random.default_rng(21)
    draws = chance.binomial(1, 0.7, (2_000, items)) * chance.beta(8, 2, (2_000, items))
    found = [score_ci(draw, fractional=True) for draw in draws]
    assert np.mean([estimate.lo <= 0.56 <= estimate.hi for estimate in found]) >= 0.94


@pytest.mark.parametrize("items", [10, 50, 200])
def test_coverage_on_real_repeated_answers(real_data, items):
    table = np.loadtxt(
        real_data("cruxeval_codellama7b_output_10samples.csv"), delimiter=",", skiprows=1, usecols=range(1, 11)
    )
    chance, truth, hit, naive = np.random.default_rng(22), table.mean(), 0, 0
    for _ in range(1_000):
        means = table[chance.integers(0, len(table), items)].mean(axis=1)
        estimate = score_ci(means, attempts=10)
        hit += estimate.lo <= truth <= estimate.hi
        low, high = wilson(means.mean(), items * 10)
        naive += low <= truth <= high
    assert hit / 1_000 >= 0.93
    assert naive / 1_000 < 0.65


@pytest.mark.parametrize("items", [10, 30, 100])
def test_coverage_on_real_model_accuracies(real_data, items):
    with real_data("zeroeval_gsm.csv").open(newline="") as file:
        rows = np.array([[float(cell or "nan") for cell in row[1:]] for row in list(csv.reader(file))[1:]])
    chance, covered = np.random.default_rng(23), []
    for model in (column[~np.isnan(column)] for column in rows.T):
        passed = chance.binomial(items, model.mean(), 200)
        covered += [low <= model.mean() <= high for low, high in (wilson(good / items, items) for good in passed)]
    assert np.mean(covered) >= 0.94
