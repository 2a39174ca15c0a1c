import numpy as np
import pytest
from scipy import stats

from openassay.stats import exposure_gap, saturation


def halves(chance, inflated=0.0, models=6, items=300):
    """Results on public and private items; model 0 knows some of the public ones that it would have failed."""
    easy = chance.beta(2, 1, (2, items))
    seen, unseen = (chance.binomial(1, half, (models, items)).astype(float) for half in easy)
    seen[0] = np.maximum(seen[0], chance.binomial(1, inflated, items))
    return seen, unseen


@pytest.mark.parametrize(
    ("name", "informative", "shown"), [("zeroeval_gsm.csv", 0.067, 1), ("zeroeval_crux.csv", 0.6, 6)]
)
def test_real_benchmarks(real_data, score_table, name, informative, shown):
    found = saturation(score_table(real_data(name)))
    assert found.pairs == 10
    if name == "zeroeval_gsm.csv":
        assert found.informative == pytest.approx(informative, abs=0.02)
        assert found.solved_by_all == pytest.approx(0.92, abs=0.015)
    assert (bool(found.reasons), abs(found.pairs_shown - shown) <= 1) == (name == "zeroeval_gsm.csv", True)


def test_little_room_above_the_best_is_no_room_where_items_have_faults():
    table = np.random.default_rng(120).binomial(1, [[0.95], [0.8], [0.5], [0.3], [0.2]], (5, 300))
    assert saturation(table).reasons == ()
    assert "have a fault" in saturation(table, flaw_rate=0.04).reasons[0]


def test_few_items_are_not_called_worn_out_for_showing_no_difference():
    table = np.random.default_rng(121).binomial(1, 0.5, (5, 30))
    assert saturation(table).reasons == ()


def test_the_best_come_first_and_missing_results_are_left_out():
    table = np.array([[1.0, 0, 0, 0], [1, 1, 1, np.nan], [1, 1, 0, 0]])
    found = saturation(table)
    assert found.top == (1, 2, 0)
    assert (found.informative, found.solved_by_all) == pytest.approx((2 / 3, 1 / 3))


@pytest.mark.parametrize("table", [[[1, 0]], [[1, np.nan], [np.nan, 1]]])
def test_there_must_be_something_to_compare(table):
    with pytest.raises(ValueError, match="expected"):
        saturation(table)


def test_the_gap_is_welchs_of_scipy():
    seen, unseen = halves(np.random.default_rng(122), 0.1)
    leads = [table[0] - table[1:].mean(axis=0) for table in (seen, unseen)]
    test = stats.ttest_ind(*leads, equal_var=False, alternative="greater")
    interval = stats.ttest_ind(*leads, equal_var=False).confidence_interval()
    found = exposure_gap(seen, unseen, 0)
    assert (found.p, found.lo, found.hi) == pytest.approx((test.pvalue, interval.low, interval.high))


def test_a_gap_is_rarely_seen_where_there_is_none_and_mostly_where_there_is_one():
    chance = np.random.default_rng(123)
    clean, exposed = (
        [exposure_gap(*halves(chance, inflated), 0).p < 0.05 for _ in range(400)] for inflated in (0.0, 0.3)
    )
    assert np.mean(clean) <= 0.075
    assert np.mean(exposed) >= 0.7


def test_harder_private_items_are_no_gap():
    chance = np.random.default_rng(124)
    found = exposure_gap(chance.binomial(1, 0.9, (6, 400)), chance.binomial(1, 0.6, (6, 400)), 0)
    assert found.raw > 0.2
    assert found.lo < 0 < found.hi


@pytest.mark.parametrize(("seen", "unseen"), [((2, 9), (3, 9)), ((1, 9), (1, 9)), ((2, 1), (2, 9))])
def test_a_gap_wants_the_same_models_and_some_items(seen, unseen):
    with pytest.raises(ValueError, match="same models"):
        exposure_gap(np.ones(seen), np.ones(unseen), 0)


def test_a_category_that_nobody_solves_is_not_said_to_be_solved():
    (reason,) = saturation(np.zeros((2, 30))).reasons
    assert reason == "the 2 best models do alike on 100 % of the items, and fail most"
