import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from openassay.stats import evalue_paired, evalues, mcnemar_midp, settled_at, threshold

LOOKS = range(10, 501, 10)


def equal_models(chance, models):
    """Differences of 500 items between two models of the same chances, a quarter of them discordant."""
    return chance.choice([-1, 0, 1], size=(models, 500), p=[0.125, 0.75, 0.125])


@pytest.mark.parametrize(("wins", "losses"), [(0, 0), (5, 2), (40, 12)])
def test_it_is_the_likelihood_over_all_win_rates_against_one_half(wins, losses):
    expected = quad(lambda rate: rate**wins * (1 - rate) ** losses, 0, 1)[0] * 2 ** (wins + losses)
    assert evalue_paired(wins, losses) == pytest.approx(expected, rel=1e-6)


@given(st.lists(st.sampled_from([-1, 0, 1]), max_size=60))
def test_differences_of_passes_are_wins_and_losses(differences):
    expected = evalue_paired(differences.count(1), differences.count(-1))
    assert np.append(1.0, evalues(differences))[-1] == pytest.approx(expected, rel=0.01)


@given(st.lists(st.floats(-1, 1), max_size=30))
def test_which_model_is_named_first_does_not_matter(differences):
    assert evalues(differences) == pytest.approx(evalues([-value for value in differences]))


def test_without_items_that_differ_nothing_is_known():
    assert evalue_paired(0, 0) == 1
    assert settled_at([0] * 50) is None


def test_much_evidence_does_not_overflow():
    assert evalue_paired(20_000, 0) == float("inf")
    assert np.isfinite(evalues([1.0] * 3_000)).all()


@pytest.mark.parametrize(("alpha", "pairs"), [(0, 1), (1, 1), (0.05, 0)])
def test_a_rule_must_make_sense(alpha, pairs):
    with pytest.raises(ValueError, match="expected alpha"):
        threshold(alpha, pairs)


def test_differences_are_shares():
    with pytest.raises(ValueError, match="from -1 to 1"):
        evalues([0.5, 3.0])


def test_every_more_pair_watched_asks_for_more_evidence():
    lead = [1] * 20
    assert settled_at(lead) < settled_at(lead, pairs=10)


def test_only_items_before_the_first_open_one_count():
    assert settled_at([1] * 20) == settled_at([1] * 12 + [np.nan] + [1] * 7) == 8
    assert settled_at([np.nan] + [1] * 20) is None


def test_looking_after_every_item_rarely_cries_wolf():
    differences = equal_models(np.random.default_rng(70), 2_000)
    wins, losses = np.cumsum(differences > 0, axis=1), np.cumsum(differences < 0, axis=1)
    alarms = [
        any(evalue_paired(*pair) >= 20 for pair in set(zip(*both, strict=True)))
        for both in zip(wins, losses, strict=True)
    ]
    assert np.mean(alarms) <= 0.05


def test_looking_again_and_again_at_a_test_made_for_one_look_cries_wolf_in_a_quarter():
    differences = equal_models(np.random.default_rng(71), 2_000)
    at = np.array(LOOKS) - 1
    wins, losses = np.cumsum(differences > 0, axis=1)[:, at], np.cumsum(differences < 0, axis=1)[:, at]
    p = mcnemar_midp(wins, losses)
    assert np.mean(p.min(axis=1) < 0.05) == pytest.approx(0.275, abs=0.04)
    assert np.mean(p[:, -1] < 0.05) <= 0.055


def test_means_of_attempts_rarely_cry_wolf():
    chance = np.random.default_rng(72)
    alarms = []
    for _ in range(300):
        easy = chance.beta(2, 1, 200)
        alarms.append(settled_at((chance.binomial(4, easy) - chance.binomial(4, easy)) / 4) is not None)
    assert np.mean(alarms) <= 0.05


def test_a_real_difference_is_settled_with_a_part_of_the_items():
    chance = np.random.default_rng(73)
    stopped = [settled_at(differences) for differences in chance.choice([-1, 0, 1], (200, 500), p=[0.07, 0.75, 0.18])]
    found = [items for items in stopped if items]
    assert len(found) / 200 > 0.9
    assert np.median(found) < 250
