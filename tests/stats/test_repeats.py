from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openassay.stats import pass_all, repeats


@given(st.lists(st.booleans(), min_size=1, max_size=7), st.data())
def test_pass_all_is_the_share_of_subsets_that_pass(results, data):
    k = data.draw(st.integers(1, len(results)))
    subsets = list(combinations(results, k))
    assert pass_all(sum(results), len(results), k) == pytest.approx(sum(map(all, subsets)) / len(subsets))


@pytest.mark.parametrize("k", [0, 5])
def test_never_more_attempts_than_were_made(k):
    with pytest.raises(ValueError, match="between 1 and 4"):
        pass_all(2, 4, k)


def test_consistency_leaves_out_items_tried_once():
    found = repeats(passes=[2, 0, 1, 1], tried=[2, 2, 2, 1])
    assert found is not None
    assert (found.n_items, found.attempts) == (3, 2)
    assert found.same == pytest.approx(2 / 3)
    assert found.pass_all == pytest.approx((0.5, 1 / 3))


def test_one_attempt_says_nothing_about_consistency():
    assert repeats([1, 0], [1, 1]) is None
