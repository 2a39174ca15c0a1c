from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from statsmodels.stats.multitest import multipletests

from openassay.stats import all_pairs, benjamini_hochberg, holm, paired_diff

cells = st.sampled_from([0.0, 0.25, 0.5, 0.7, 1.0])
passes = st.sampled_from([0.0, 1.0])


def close(one, other):
    assert (one.wins, one.losses, one.ties, one.n_items, one.method) == (
        other.wins,
        other.losses,
        other.ties,
        other.n_items,
        other.method,
    )
    assert (one.diff, one.lo, one.hi, one.p, one.mdd80) == pytest.approx(
        (other.diff, other.lo, other.hi, other.p, other.mdd80), abs=1e-9
    )
    assert one.n_needed == other.n_needed or one.n_needed == pytest.approx(other.n_needed, abs=1, rel=1e-6)


@given(st.integers(1, 30).flatmap(lambda items: arrays(float, (4, items), elements=passes | cells)))
def test_all_at_once_is_pair_after_pair(table):
    found = all_pairs(table)
    for first, second in combinations(range(4), 2):
        close(found.pair(first, second), paired_diff(table[first], table[second]))


@given(arrays(float, (5, 12), elements=passes | st.just(np.nan)))
def test_all_at_once_is_pair_after_pair_where_results_are_missing(table):
    table[:, 0] = 1.0
    found = all_pairs(table)
    for first, second in combinations(range(5), 2):
        close(found.pair(first, second), paired_diff(table[first], table[second]))


@pytest.mark.parametrize("kind", ["passes", "means"])
def test_all_at_once_is_pair_after_pair_on_many_items(kind):
    chance = np.random.default_rng(50)
    table = (chance.binomial(4 if kind == "means" else 1, 0.7, (6, 400)) / (4 if kind == "means" else 1)).astype(float)
    found = all_pairs(table)
    for first, second in combinations(range(6), 2):
        close(found.pair(first, second), paired_diff(table[first], table[second]))


@pytest.mark.parametrize("size", [1, 2, 7, 40])
def test_corrections_are_what_statsmodels_says(size):
    values = np.random.default_rng(size).beta(0.3, 1, size).round(2)
    assert holm(values) == pytest.approx(multipletests(values, method="holm")[1])
    assert benjamini_hochberg(values) == pytest.approx(multipletests(values, method="fdr_bh")[1])


def test_a_verdict_holds_over_all_pairs():
    chance = np.random.default_rng(51)
    table = chance.binomial(1, 0.5, (12, 300)).astype(float)
    found = all_pairs(table)
    alone = [pair for pair in found.pairs if pair.p < 0.05]
    assert alone
    assert {pair.verdict for pair in found.pairs} == {"no difference shown"}


@pytest.mark.parametrize("tries", [1, 4])
@pytest.mark.parametrize("groups", [1, 7, 12, 240])
@pytest.mark.parametrize("missing", [False, True])
def test_groups_are_heeded_in_every_pair(tries, groups, missing):
    chance = np.random.default_rng(52)
    table = np.vstack([chance.binomial(tries, 0.5, (3, 240)) / tries, np.ones((2, 240))])
    table[0, :3] = np.nan if missing else 1
    clusters = [f"group {number % groups}" for number in range(240)]
    found = all_pairs(table, clusters=clusters)
    for first, second in combinations(range(5), 2):
        close(found.pair(first, second), paired_diff(table[first], table[second], clusters=clusters))
    assert found.pair(1, 2).n_units == groups


@pytest.mark.parametrize("table", [[[1, 0, 1]], [[1, np.nan], [np.nan, 1]]])
def test_there_must_be_two_models_with_something_in_common(table):
    with pytest.raises(ValueError, match="expected"):
        all_pairs(table)


def test_a_real_board_claims_what_the_note_of_its_analysis_says(real_data, swe_table):
    passed = swe_table(real_data("swebench_verified_bashonly_matrix.csv"))[0]
    board = passed[np.argsort(-passed.mean(axis=1), kind="stable")]
    found = all_pairs(board)
    neighbours = sum(found.pair(rank, rank + 1).p < 0.05 for rank in range(23))
    raw = sum(pair.p < 0.05 for pair in found.pairs)
    screened = all_pairs(board, adjust="benjamini-hochberg")
    counts = [sum((pair.p_adjusted or 0) < 0.05 for pair in some.pairs) for some in (screened, found)]
    assert (neighbours, raw, *counts) == (7, 235, 233, 199)
