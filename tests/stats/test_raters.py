import csv
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openassay.stats.agreement import agreement
from openassay.stats.raters import krippendorff_alpha, rater_components

ratings = st.lists(st.lists(st.sampled_from([1, 2, 4, None]), min_size=3, max_size=3), min_size=1, max_size=25)

# Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", example C: four observers, twelve units.
_ = None
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
    [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
]
UNITS = [list(unit) for unit in zip(*OBSERVERS, strict=True)]


@pytest.mark.parametrize(("metric", "expected"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_alpha_of_krippendorff_s_example(metric, expected):
    found = krippendorff_alpha(UNITS, metric=metric)
    assert found.value == pytest.approx(expected, abs=6e-4)
    assert found.n_items == 11


def people(real_data):
    with real_data("pandalm_judge_human.csv").open(encoding="utf-8") as file:
        return [([row["h1"], row["h2"], row["h3"]], row["ins"]) for row in csv.DictReader(file)]


def test_alpha_of_three_real_people(real_data):
    rows = people(real_data)
    found = krippendorff_alpha([row for row, _ in rows])
    assert round(found.value, 3) == 0.864
    assert (found.lo, found.hi) == pytest.approx((0.842, 0.887), abs=0.001)
    grouped = krippendorff_alpha([row for row, _ in rows], clusters=[group for _, group in rows])
    assert (grouped.value, grouped.n_units) == (pytest.approx(found.value), 170)


def test_real_people_differ_in_items_not_in_severity(real_data):
    number = {"1": 1, "0": 0.5, "2": 0}
    found = rater_components([[number[label] for label in row] for row, _ in people(real_data)])
    assert [round(part, 3) for part in (found.item, found.rater, found.residual)] == [0.195, 0, 0.027]
    assert [round(found.reliability(raters), 3) for raters in (1, 3)] == [0.877, 0.955]


def by_hand(rows, far):
    """Alpha from its words: disagreement within items over disagreement between any two labels."""
    rows = [[label for label in row if label is not None] for row in rows]
    rows = [row for row in rows if len(row) > 1]
    everything = [label for row in rows for label in row]
    within = sum(far(a, b) / (len(row) - 1) for row in rows for a, b in permutations(row, 2)) / len(everything)
    between = sum(far(a, b) for a, b in permutations(everything, 2)) / len(everything) / (len(everything) - 1)
    return 1 - within / between


@given(ratings, st.sampled_from([("nominal", lambda a, b: a != b), ("interval", lambda a, b: (a - b) ** 2)]))
def test_alpha_is_disagreement_within_over_disagreement_between(rows, metric):
    found = krippendorff_alpha(rows, metric=metric[0])
    if found:
        assert found.value == pytest.approx(by_hand(rows, metric[1]))


@given(ratings, st.sampled_from(["nominal", "ordinal", "interval"]), st.randoms(use_true_random=False))
def test_neither_the_order_of_items_nor_of_raters_matters(rows, metric, chance):
    shuffled = [chance.sample(row, len(row)) for row in chance.sample(rows, len(rows))]
    first, second = (krippendorff_alpha(some, metric=metric) for some in (rows, shuffled))
    assert (first is None) == (second is None)
    if first:
        assert (first.value, first.lo, first.hi) == pytest.approx((second.value, second.lo, second.hi))


@given(ratings, st.sampled_from(["nominal", "ordinal", "interval"]), st.integers(1, 30))
def test_the_interval_holds_the_value_lies_in_bounds_and_is_never_nothing(rows, metric, groups):
    found = krippendorff_alpha(rows, metric=metric, clusters=[number % groups for number in range(len(rows))])
    if found:
        assert -1 <= found.lo <= found.value + 1e-9
        assert found.value - 1e-9 <= found.hi <= 1
        assert found.hi > found.lo


def test_perfect_agreement_on_a_few_items_is_not_certain():
    found = krippendorff_alpha([["a", "a"]] * 4 + [["b", "b"]] * 4)
    assert (found.value, found.hi) == (1, 1)
    assert found.lo < 0.5


@pytest.mark.parametrize("rows", [[], [["a", None]], [["a", "a"], ["a", "a"]], [["a", None], ["b", "b"]]])
def test_fewer_than_two_labels_show_nothing(rows):
    assert krippendorff_alpha(rows) is None


def test_two_raters_of_many_items_have_nearly_cohen_s_kappa():
    first, second = ["a", "a", "b", "b", "b"] * 100, ["a", "b", "b", "b", "a"] * 100
    alpha = krippendorff_alpha(list(zip(first, second, strict=True)))
    kappa = agreement(first, second).kappa
    assert (alpha.value, alpha.lo, alpha.hi) == pytest.approx((kappa.value, kappa.lo, kappa.hi), abs=0.01)


def test_components_of_shrout_and_fleiss_s_example():
    table = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    found = rater_components(table)
    assert found.reliability() == pytest.approx(0.29, abs=0.005)
    assert found.reliability(4) == pytest.approx(0.62, abs=0.005)


def test_ratings_that_never_vary_have_no_reliability():
    assert rater_components([[1, 1], [1, 1]]).reliability() is None


@pytest.mark.parametrize("table", [[[1, 2]], [[1], [2]], [1, 2], [[1, float("nan")], [2, 1]]])
def test_components_need_a_full_table(table):
    with pytest.raises(ValueError, match="full table"):
        rater_components(table)
