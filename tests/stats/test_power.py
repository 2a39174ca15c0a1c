from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.power import NormalIndPower

from openassay.stats import (
    Noise,
    assumed_noise,
    chance_to_show,
    designs,
    items_needed,
    noise_of_difference,
    paired_diff,
)

gaps = st.floats(0.005, 0.3)
variances = st.floats(0.01, 0.5)


@pytest.mark.parametrize(("gap", "items"), [(0.03, 1_000), (0.05, 200), (0.1, 80)])
def test_power_is_what_statsmodels_says(gap, items):
    expected = NormalIndPower(ddof=0).power(gap / 0.4, items, 0.05, ratio=0, alternative="two-sided")
    assert chance_to_show(gap, 0.16 / items) == pytest.approx(expected, abs=0.001)


@given(gaps, variances, st.floats(0.55, 0.95))
def test_the_items_needed_give_the_power_asked_for(gap, variance, chance):
    items = items_needed(variance, gap, chance)
    assert chance_to_show(gap, variance / items) >= chance - 1e-9
    assert items == 1 or chance_to_show(gap, variance / (items - 1)) < chance


@given(gaps, variances, variances)
def test_more_attempts_want_fewer_items_and_more_answers(gap, item, attempt):
    found = sorted(designs(gap, Noise(item, attempt)), key=lambda design: design.attempts)
    assert [d.items for d in found] == sorted((d.items for d in found), reverse=True)
    assert all(a.answers <= b.answers + 2 * b.attempts for a, b in pairwise(found))


def test_82_against_79_by_assumption():
    paired, unpaired = (assumed_noise(0.82, 0.03, correlation=rho) for rho in (0.5, 0.0))
    p_5_percent = (1.96 / 0.03) ** 2
    assert p_5_percent * paired.of_mean(1) == pytest.approx(670, abs=5)
    assert p_5_percent * unpaired.of_mean(1) == pytest.approx(1_340, abs=10)


@pytest.mark.parametrize("correlation", [0.95, 1.0])
def test_models_of_different_rates_are_never_taken_for_wholly_alike(correlation):
    assert assumed_noise(0.8, 0.03, correlation=correlation).of_mean(1) == pytest.approx(0.03 - 0.03**2)


def test_a_small_pool_asks_for_attempts():
    found = designs(0.05, Noise(0.05, 0.15), pool=300, per_draw=100, price=0.01)
    assert (found[0].attempts, found[0].possible) == (4, True)
    assert found[0].draws == 3
    assert found[0].cost == pytest.approx(found[0].answers * 0.01)
    assert not found[-1].possible


def test_attempts_measured_in_an_earlier_run():
    chance = np.random.default_rng(100)
    easy, swing = chance.beta(2, 1, 4_000), chance.normal(0, 0.1, 4_000)
    rates = [np.clip(easy + sign * swing, 0, 1) for sign in (1, -1)]
    a, b = (chance.binomial(4, rate) / 4 for rate in rates)
    found = noise_of_difference(a, b, attempts=4)
    assert found.item == pytest.approx(np.var(rates[0] - rates[1]), rel=0.15)
    assert found.attempt == pytest.approx(sum(np.mean(rate * (1 - rate)) for rate in rates), rel=0.05)


def test_with_one_attempt_the_share_of_attempts_is_taken_as_told():
    told, untold = (noise_of_difference([1, 0, 1, 1], [0, 0, 1, 0], attempt_share=share) for share in (0.4, None))
    assert told.attempt_share == pytest.approx(0.4)
    assert (untold.attempt, untold.item) == (0, told.item + told.attempt)


@pytest.mark.parametrize("act", [lambda: assumed_noise(0.02, 0.03), lambda: noise_of_difference([1], [0])])
def test_impossible_questions(act):
    with pytest.raises(ValueError, match="expected"):
        act()


@pytest.mark.parametrize(("items", "shown"), [(100, 0.10), (500, 0.33)])
def test_power_on_real_near_rivals(real_data, score_table, items, shown):
    models, found = score_table(real_data("zeroeval_crux.csv")), []
    for number, a in enumerate(models):
        for b in models[:number]:
            gap = a.mean() - b.mean()
            if 0.02 <= abs(gap) <= 0.04:
                found.append(chance_to_show(gap, noise_of_difference(a, b).of_mean(items)))
    assert np.mean(found) == pytest.approx(shown, abs=0.03)


def test_promised_power_is_kept_on_draws_from_a_real_pair(real_data, score_table):
    models = score_table(real_data("zeroeval_crux.csv"))
    a, b = (models[number] for number in np.argsort(-models.mean(axis=1), kind="stable")[[0, 6]])
    design = designs(a.mean() - b.mean(), noise_of_difference(a, b), attempts=(1,))[0]
    chance, shown = np.random.default_rng(101), 0
    for _ in range(500):
        at = chance.integers(0, len(a), design.items)
        shown += paired_diff(a[at], b[at]).verdict == "A better"
    assert shown / 500 == pytest.approx(0.8, abs=0.06)
