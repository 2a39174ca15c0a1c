from dataclasses import replace
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar

from openassay.stats import items_needed, mcnemar_midp, mdd, paired_diff

pairs_of_flags = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=60)
pairs_of_shares = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=60)


def sides(rows):
    return [a for a, _ in rows], [b for _, b in rows]


def outcomes(wins, losses, passed, failed):
    """Two models with this table of outcomes."""
    return [1] * wins + [0] * losses + [1] * passed + [0] * failed, [0] * wins + [1] * losses + [1] * passed + [
        0
    ] * failed


@pytest.mark.parametrize(("wins", "losses"), list(product([0, 1, 4, 9], [0, 3, 9, 25])))
def test_mid_p_by_counting_every_split(wins, losses):
    total, fewer = wins + losses, min(wins, losses)
    chances = [comb(total, won) / 2**total for won in range(total + 1)]
    expected = min(1.0, 2 * sum(chances[:fewer]) + chances[fewer])
    assert mcnemar_midp(wins, losses) == pytest.approx(expected)


@pytest.mark.parametrize(("wins", "losses"), [(9, 2), (54, 20), (300, 250)])
def test_mid_p_is_the_exact_p_of_statsmodels_less_the_chance_of_just_this_split(wins, losses):
    exact = mcnemar([[0, wins], [losses, 0]], exact=True).pvalue
    just = comb(wins + losses, losses) / 2 ** (wins + losses)
    assert mcnemar_midp(wins, losses) == pytest.approx(exact - just)


def test_the_interval_is_bonett_and_prices():
    found = paired_diff(*outcomes(9, 6, 73, 12))
    p1, p2 = 10 / 102, 7 / 102
    half = 1.959964 * np.sqrt((p1 + p2 - (p1 - p2) ** 2) / 102)
    assert (found.lo, found.hi) == pytest.approx((3 / 102 - half, 3 / 102 + half))


@given(st.one_of(pairs_of_flags, pairs_of_shares), st.booleans())
def test_the_other_way_round_is_the_same_with_the_sign_turned(rows, grouped):
    clusters = [number // 3 for number in range(len(rows))] if grouped else None
    a, b = sides(rows)
    forth, back = paired_diff(a, b, clusters=clusters), paired_diff(b, a, clusters=clusters)
    assert (forth.diff, forth.lo, forth.hi) == pytest.approx((-back.diff, -back.hi, -back.lo))
    assert (forth.wins, forth.losses, forth.ties) == (back.losses, back.wins, back.ties)
    assert (forth.p, forth.n_needed) == (pytest.approx(back.p), back.n_needed)
    assert forth.verdict == back.verdict.translate(str.maketrans("AB", "BA"))


@given(pairs_of_shares, st.randoms(use_true_random=False))
def test_the_order_of_items_does_not_matter(rows, chance):
    shuffled = chance.sample(rows, len(rows))
    first, second = paired_diff(*sides(rows)), paired_diff(*sides(shuffled))
    assert (first.lo, first.hi, first.p) == pytest.approx((second.lo, second.hi, second.p), abs=1e-9)


@given(st.one_of(pairs_of_flags, pairs_of_shares))
def test_the_interval_holds_the_difference_and_is_never_nothing(rows):
    found = paired_diff(*sides(rows))
    assert -1 <= found.lo <= found.diff <= found.hi <= 1
    assert found.lo < found.hi
    assert found.mdd80 > 0
    assert found.wins + found.losses + found.ties == found.n_items == len(rows)


@given(pairs_of_shares)
def test_items_of_shared_groups_never_say_more_than_free_ones(rows):
    free = paired_diff(*sides(rows))
    grouped = paired_diff(*sides(rows), clusters=[number // 2 for number in range(len(rows))])
    assert grouped.hi - grouped.lo >= free.hi - free.lo - 1e-12


@given(pairs_of_shares)
def test_groups_of_one_are_no_groups(rows):
    a, b = sides(rows)
    assert paired_diff(a, b, clusters=list(range(len(rows)))) == paired_diff(a, b)


@pytest.mark.parametrize("gap", [0.0, 0.1])
def test_many_equal_differences_do_not_feign_certainty(gap):
    found = paired_diff([0.5 + gap] * 300, [0.5] * 300)
    assert found.hi - found.lo > 0.01
    assert found.mdd80 > 0.01


def test_items_that_one_of_them_did_not_answer_are_left_out():
    whole = paired_diff([1, 0, 1, 1], [0, 0, 1, 0])
    holes = paired_diff([1, 0, np.nan, 1, 1, 1], [0, 0, 1, 1, 0, np.nan], clusters=list("abcdef"))
    assert replace(holes, method=whole.method) == whole


VERDICTS = [
    # outcomes: (A only, B only, both, neither), margin, verdict
    ((9, 6, 73, 12), None, "no difference shown"),
    ((30, 8, 50, 12), None, "A better"),
    ((8, 30, 50, 12), None, "B better"),
    ((9, 0, 0, 0), None, "too few items"),
    ((30, 8, 50, 12), 0.5, "practically equal"),
    ((9, 6, 73, 12), 0.02, "no difference shown"),
    ((40, 38, 9_000, 922), 0.02, "practically equal"),
    ((40, 38, 9_000, 922), None, "no difference shown"),
]


@pytest.mark.parametrize(("table", "margin", "verdict"), VERDICTS)
def test_verdicts(table, margin, verdict):
    assert paired_diff(*outcomes(*table), margin=margin).verdict == verdict


def test_many_items_of_few_sources_are_too_few():
    a, b = outcomes(30, 8, 50, 12)
    assert paired_diff(a, b, clusters=[number % 7 for number in range(100)]).verdict == "too few items"
    assert paired_diff(a, b, clusters=[number % 20 for number in range(100)]).verdict == "A better"


def test_82_against_79_of_100_shows_no_difference():
    found = paired_diff(*outcomes(9, 6, 73, 12))
    assert found.p == pytest.approx(0.45, abs=0.02)
    assert found.verdict == "no difference shown"
    assert found.mdd80 == pytest.approx(0.113, abs=0.005)
    assert found.n_needed is not None
    assert 1_200 < found.n_needed < 1_500


def test_real_neighbours_as_another_program_found_them():
    found = paired_diff(*outcomes(54, 20, 300, 126))
    assert (found.diff, found.lo, found.hi) == pytest.approx((0.068, 0.034, 0.102), abs=0.001)
    assert found.p == pytest.approx(1e-4, abs=0.5e-4)


def test_what_can_be_shown_and_what_it_takes_are_each_others_inverse():
    assert mdd(0.15, items_needed(0.15, 0.03)) == pytest.approx(0.03, abs=1e-4)
    with pytest.raises(ValueError, match="other than 0"):
        items_needed(0.15, 0)


@pytest.mark.parametrize(("a", "b"), [([1, 0], [1]), ([np.nan, 1], [1, np.nan]), ([], [])])
def test_no_common_items_is_an_error(a, b):
    with pytest.raises(ValueError, match="expected"):
        paired_diff(a, b)


@pytest.mark.parametrize("items", [10, 30, 100])
@pytest.mark.parametrize("name", ["zeroeval_crux.csv", "zeroeval_gsm.csv"])
def test_coverage_of_real_differences(real_data, score_table, name, items):
    models, chance, worst = score_table(real_data(name)), np.random.default_rng(40), 1.0
    for _ in range(25):
        first, second = models[chance.choice(len(models), 2, replace=False)]
        truth, hit = first.mean() - second.mean(), []
        for _ in range(60):
            at = chance.integers(0, len(first), items)
            found = paired_diff(first[at], second[at])
            hit.append(found.lo <= truth <= found.hi)
        worst = min(worst, np.mean(hit) + 3 * np.sqrt(0.05 * 0.95 / 60))
    assert worst >= 0.93


@pytest.mark.parametrize("items", [10, 15, 40])
def test_coverage_of_real_differences_over_attempts(real_data, items):
    rows = np.loadtxt(real_data("matharena_aimeII_19models_4attempts.csv"), delimiter=",", skiprows=1)
    results = rows[:, 1:].reshape(15, 4, 19).transpose(2, 0, 1)
    chance, hit = np.random.default_rng(41), []
    for _ in range(1_500):
        first, second = results[chance.choice(19, 2, replace=False)]
        at = chance.integers(0, 15, items)
        found = paired_diff(first[at].mean(axis=1), second[at].mean(axis=1))
        hit.append(found.lo <= first.mean() - second.mean() <= found.hi)
    assert np.mean(hit) >= 0.94


@pytest.mark.parametrize(
    ("items", "kind"), [(20, "passes"), (100, "passes"), (30, "means"), (300, "means"), (40, "groups")]
)
def test_equal_models_are_rarely_called_different(items, kind):
    chance, wrong = np.random.default_rng(42), []
    for _ in range(1_500):
        easy = np.repeat(chance.beta(2, 1, items // 4), 4) if kind == "groups" else chance.beta(2, 1, items)
        swing = np.repeat(chance.normal(0, 0.2, items // 4), 4) if kind == "groups" else 0
        tries = 4 if kind == "means" else 1
        a, b = (chance.binomial(tries, np.clip(easy + sign * swing, 0, 1)) / tries for sign in (1, -1))
        found = paired_diff(a, b, clusters=[number // 4 for number in range(items)] if kind == "groups" else None)
        wrong.append(found.verdict != "no difference shown")
    assert np.mean(wrong) <= 0.06
