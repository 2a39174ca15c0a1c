import numpy as np
import pytest

from openassay.stats.paired import mean_difference


def test_no_difference_at_all_is_none():
    found = mean_difference([0, 0, 0])
    assert (found.diff, found.lo, found.hi, found.p) == (0, 0, 0, 1)


def test_equal_differences_feign_no_certainty():
    found = mean_difference([3.0] * 10)
    assert found.lo < 3 < found.hi


def test_turned_round_it_is_the_same():
    values = np.array([1.0, 5.0, -2.0, 8.0])
    one, other = mean_difference(values), mean_difference(-values)
    assert (one.diff, one.lo, one.p) == pytest.approx((-other.diff, -other.hi, other.p))


@pytest.mark.parametrize("count", [10, 30])
@pytest.mark.parametrize("shift", [0.0, 2.0])
def test_the_interval_covers_what_it_says_for_lengths_of_long_tail(count, shift):
    """Differences of two log-normal lengths, as answers have them."""
    chance = np.random.default_rng(count)
    drawn = chance.lognormal(3, 0.6, (1500, count)) - chance.lognormal(3, 0.6, (1500, count)) + shift
    hits = [found.lo <= shift <= found.hi for found in map(mean_difference, drawn)]
    assert np.mean(hits) >= 0.94


def test_one_difference_is_too_few():
    with pytest.raises(ValueError, match="at least two"):
        mean_difference([1.0])
