import csv
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import cohens_kappa

from openassay.stats.agreement import agreement, judge_report, pair_consistency
from openassay.stats.intervals import student

pairs = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=40)


def table(*counts):
    """Items of a square table: rows the first rater, columns the second."""
    cells = [(a, b) for a, row in enumerate(counts) for b, count in enumerate(row) for _ in range(count)]
    return [a for a, _ in cells], [b for _, b in cells]


def figures(found):
    return [(one.value, one.lo, one.hi) if one else None for one in (found.raw, found.kappa, found.ac1)]


@pytest.fixture
def pandalm(real_data):
    """Majority of three people, each person, each model judge, instruction; no verdict of gpt-3.5 is None."""
    with real_data("pandalm_judge_human.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    words = {"Tie": "0", "garbage": None}
    return {
        "people": [Counter((row["h1"], row["h2"], row["h3"])).most_common(1)[0][0] for row in rows],
        "gpt35": [words.get(row["gpt35"], row["gpt35"]) for row in rows],
        "ins": [row["ins"] for row in rows],
    }


def test_real_judge_against_people_where_no_verdict_is_a_tie(pandalm):
    found = agreement(pandalm["people"], [verdict or "0" for verdict in pandalm["gpt35"]])
    assert found.raw.n_items == 999
    assert [round(value, 3) for value, _, _ in figures(found)] == [0.711, 0.496, 0.595]
    assert (found.kappa.lo, found.kappa.hi) == pytest.approx((0.451, 0.545), abs=0.004)


def test_real_judge_against_people_where_no_verdict_is_left_out(pandalm):
    found = agreement(pandalm["people"], pandalm["gpt35"])
    assert found.raw.n_items == 974
    assert [round(value, 3) for value, _, _ in figures(found)] == [0.716, 0.493, 0.605]


def test_items_of_one_instruction_are_not_independent(pandalm):
    plain = agreement(pandalm["people"], pandalm["gpt35"])
    grouped = agreement(pandalm["people"], pandalm["gpt35"], clusters=pandalm["ins"])
    assert grouped.kappa.n_units == 169  # of 170: one has no verdict at all
    assert grouped.kappa.value == plain.kappa.value
    assert grouped.kappa.hi - grouped.kappa.lo > 1.3 * (plain.kappa.hi - plain.kappa.lo)


@pytest.mark.parametrize(
    "counts",
    [((20, 5), (10, 15)), ((45, 15), (25, 15)), ((25, 35), (5, 35)), ((44, 5, 1), (7, 20, 3), (9, 5, 6))],
)
def test_kappa_and_its_error_are_what_statsmodels_says(counts):
    found, expected = agreement(*table(*counts)).kappa, cohens_kappa(counts)
    assert found.value == pytest.approx(expected.kappa)
    n, raw = found.n_items, agreement(*table(*counts)).raw
    half = student(0.95, n - 1) * expected.std_kappa * (n / (n - 1)) ** 0.5
    assert (found.lo, found.hi) == pytest.approx(reach(raw, found.value, half))


def reach(raw, value, half):
    """The large-sample interval; with few disagreements also the bounds of raw agreement put into the formula."""
    low, high = value - half, value + half
    if half < 1e-9 or min(raw.value, 1 - raw.value) * raw.n_items < 20:
        scale = (1 - value) / (1 - raw.value)
        low, high = min(low, 1 - scale * (1 - raw.lo)), max(high, 1 - scale * (1 - raw.hi))
    return max(-1, low), min(1, high)


@pytest.mark.parametrize(
    ("counts", "raw", "kappa", "ac1"),
    [
        (((118, 5), (2, 0)), 0.944, -0.023, 0.941),  # Gwet 2002: nearly all agree, and kappa is below 0
        (((20, 5), (10, 15)), 0.7, 0.4, 0.406),
        (((94, 3), (3, 1)), 0.941, 0.219, 0.936),  # nearly all pass
        (((0, 10), (10, 0)), 0.0, -1.0, -1.0),
    ],
)
def test_known_tables(counts, raw, kappa, ac1):
    found = figures(agreement(*table(*counts)))
    assert [value for value, _, _ in found] == pytest.approx([raw, kappa, ac1], abs=6e-4)


@given(pairs)
def test_ac1_s_interval_is_gwet_s_sum_over_items(rows):
    found, n = agreement(*zip(*rows, strict=True), labels="abc"), len(rows)
    if found.raw.value == 1 or n == 1:
        return
    value, share = found.ac1.value, {label: sum(row.count(label) for row in rows) / 2 / n for label in "abc"}
    chance = sum(p * (1 - p) for p in share.values()) / 2
    terms = [
        ((a == b) - chance - 2 * (1 - value) * ((2 - share[a] - share[b]) / 4 - chance)) / (1 - chance) for a, b in rows
    ]
    error = (sum((term - value) ** 2 for term in terms) / n / (n - 1)) ** 0.5
    assert (found.ac1.lo, found.ac1.hi) == pytest.approx(reach(found.raw, value, student(0.95, n - 1) * error))


@pytest.mark.parametrize(("items", "right"), [(20, 0.9), (50, 0.95), (300, 0.99)])
def test_coverage_where_disagreements_are_few(items, right):
    chance, truth = np.random.default_rng(items), 2 * right - 1
    hits = np.zeros(2)
    for _ in range(300):
        first = chance.integers(0, 2, items)
        found = agreement(first, np.where(chance.random(items) < right, first, 1 - first), labels=(0, 1))
        hits += [one is None or one.lo <= truth <= one.hi for one in (found.kappa, found.ac1)]
    assert (hits / 300 >= 0.92).all()


@given(pairs)
def test_neither_the_order_of_raters_nor_the_names_of_labels_matter(rows):
    first, second = zip(*rows, strict=True)
    names = {"a": 7, "b": ("x",), "c": "a"}
    renamed = [[names[label] for label in side] for side in (first, second)]
    expected = figures(agreement(first, second))
    for found in (agreement(second, first), agreement(*renamed), agreement(first[::-1], second[::-1])):
        for one, other in zip(figures(found), expected, strict=True):
            assert (one is None and other is None) or one == pytest.approx(other, abs=1e-9)


@given(pairs, st.booleans())
def test_intervals_hold_the_value_lie_in_bounds_and_are_never_nothing(rows, grouped):
    clusters = [number % 5 for number in range(len(rows))] if grouped else None
    found = agreement(*zip(*rows, strict=True), clusters=clusters)
    for value, lo, hi in filter(None, figures(found)):
        assert -1 <= lo <= value + 1e-9
        assert value - 1e-9 <= hi <= 1
        assert hi > lo


@given(pairs)
def test_every_item_stands_in_the_confusion_once(rows):
    found = agreement(*zip(*rows, strict=True))
    assert Counter({(a, b): count for a, b, count in found.confusion if count}) == Counter(rows)


def test_a_rater_who_always_says_the_same_agrees_by_chance_alone():
    found = agreement(["fail"] * 5 + ["pass"] * 10, ["pass"] * 15)
    assert found.kappa.value == pytest.approx(0, abs=1e-9)
    assert found.kappa.lo < -0.5 < 0.5 < found.kappa.hi


def test_one_label_only_shows_nothing_beyond_chance():
    found = agreement(["pass"] * 9, ["pass"] * 9)
    assert (found.kappa, found.ac1) == (None, None)
    assert agreement(["pass"] * 9, ["pass"] * 9, labels=("pass", "fail")).ac1.value == 1


@pytest.mark.parametrize("rows", [([], []), (["a"], [None])])
def test_nothing_measured_by_both_is_an_error(rows):
    with pytest.raises(ValueError, match="at least one item with two labels"):
        agreement(*rows)


def test_no_verdict_is_neither_right_nor_wrong():
    truth = ["pass"] * 6 + ["fail"] * 4
    found = judge_report(truth, [*["pass"] * 4, "fail", None, "pass", None, "fail", "fail"])
    assert found.coverage.value == 0.8
    assert found.agreement.raw.value == 6 / 8
    assert found.strict.value == 0.6
    assert (found.sensitivity.value, found.sensitivity.n_items) == (0.8, 5)
    assert (found.specificity.value, found.specificity.n_items) == (pytest.approx(2 / 3), 3)
    assert [count for *_, count in found.confusion] == [4, 1, 1, 1, 2, 1]


def test_a_judge_that_passes_everything_is_seen_by_class():
    found = judge_report(["pass"] * 90 + ["fail"] * 10, ["pass"] * 100)
    assert (found.agreement.raw.value, found.sensitivity.value, found.specificity.value) == (0.9, 1, 0)
    assert found.agreement.kappa.value == pytest.approx(0, abs=1e-9)
    assert found.specificity.hi < 0.3


def test_a_judge_without_any_verdict():
    found = judge_report(["pass", "fail"], [None, None])
    assert (found.agreement, found.sensitivity, found.specificity) == (None, None, None)
    assert (found.coverage.value, found.strict.value) == (0, 0)


@given(st.lists(st.tuples(st.sampled_from(["pass", "fail"]), st.sampled_from(["pass", "fail", None])), min_size=1))
def test_strict_is_never_kinder(rows):
    found = judge_report(*zip(*rows, strict=True))
    assert found.strict.value <= (found.agreement.raw.value if found.agreement else 0) + 1e-9
    assert sum(count for *_, count in found.confusion) == len(rows) == found.n_items


@pytest.mark.parametrize(
    ("truth", "judged", "message"),
    [
        (["maybe"], ["pass"], "found 'maybe'"),
        (["pass"], ["PASS"], "found 'PASS'"),
        ([None], ["pass"], "found None"),
        ([], [], "at least one item"),
        (["pass"], [], "shorter"),
    ],
)
def test_only_verdicts_are_taken(truth, judged, message):
    with pytest.raises(ValueError, match=message):
        judge_report(truth, judged)


def test_passes_are_compared_where_both_were_measured():
    found = pair_consistency(["pass", "fail", None, "pass"], ["pass", "pass", "fail", None])
    assert (found.value, found.n_items) == (0.5, 2)
    assert pair_consistency(["pass"], [None]) is None
