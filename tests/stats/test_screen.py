import csv

import numpy as np
import pytest

from openassay.stats import item_screen, review_queue


def wide_models(chance, models=30, items=200):
    """Models of ability .2 to .9 on items of all difficulties."""
    logit = np.linspace(-1.5, 2.5, models)[:, None] - chance.normal(0, 1.5, items)[None, :]
    return chance.binomial(1, 1 / (1 + np.exp(-logit))).astype(float)


REASONS = [
    # passes of four models, answers, reasons
    ([0, 0, 0, 1], "BBBA", ("models agree on one wrong answer",)),
    ([0, 0, 0, 0], "BBBB", ("models agree on one wrong answer", "no model solves it")),
    ([0, 0, 0, 0], "BCDE", ("no model solves it",)),
    ([0, 0, 0, 1], "BCDA", ()),
    ([1, 1, 1, 0], "AAAB", ()),
    ([0, 0, np.nan, np.nan], "BB  ", ()),
]


@pytest.mark.parametrize(("passes", "answers", "reasons"), REASONS)
def test_why_people_should_look(passes, answers, reasons):
    table = np.column_stack([passes, [1, 1, 1, 1]])  # the second item gives every model some weight
    given = [[answer.strip() or None, "A"] for answer in answers]
    first, second = item_screen(table, answers=given)
    assert (first.reasons, second.reasons) == (reasons, ())


def test_without_answers_agreement_is_not_known():
    found = item_screen([[0, 1], [0, 1], [0, 0]])
    assert [(item.wrong_share, item.reasons) for item in found] == [(None, ("no model solves it",)), (None, ())]


def test_a_good_models_answer_weighs_more():
    passed = [[0, 1, 1, 1], [0, 0, 0, 0], [0, 0, 0, 1]]
    first = item_screen(passed, answers=[["B", "A", "A", "A"], ["C", "B", "B", "B"], ["C", "B", "B", "A"]])[0]
    assert (first.wrong_answer, first.wrong_share) == ("B", 0.75)


def test_the_queue_has_shared_wrong_answers_first_and_nothing_else_than_flagged_items():
    passed = [[0, 0, 1], [0, 0, 1], [0, 0, 1], [0, 1, 1]]
    answers = [["B", "C", "A"], ["C", "C", "A"], ["D", "C", "A"], ["E", "A", "A"]]
    assert [item.item for item in review_queue(item_screen(passed, answers=answers))] == [1, 0]


def test_answers_have_the_shape_of_the_results():
    with pytest.raises(ValueError, match="of 2 models to 2 items"):
        item_screen([[1, 0], [0, 1]], answers=[["A"], ["B"]])


def test_correlation_is_that_of_numpy_and_finds_reversed_items():
    chance = np.random.default_rng(110)
    table = wide_models(chance)
    table[:, :10] = 1 - table[:, :10]
    found = item_screen(table)
    rest = (table.sum(axis=1) - table[:, 3]) / 199
    assert found[3].item_rest == pytest.approx(np.corrcoef(table[:, 3], rest)[0, 1])
    worst = sorted((item for item in found if item.item_rest is not None), key=lambda item: item.item_rest)[:10]
    assert sum(item.item < 10 for item in worst) >= 8


def test_few_or_similar_models_have_no_correlation():
    chance = np.random.default_rng(111)
    few, alike = wide_models(chance, models=14), chance.binomial(1, 0.8, (30, 200)).astype(float)
    assert all(item.item_rest is None for table in (few, alike) for item in item_screen(table))


def test_missing_results_leave_the_other_models_to_say():
    table = wide_models(np.random.default_rng(112))
    table[0, 5] = np.nan
    found = item_screen(table)
    rest = np.array([(np.nansum(row) - row[5]) / 199 for row in table])[1:]
    assert found[5].n_models == 29
    assert found[5].item_rest == pytest.approx(np.corrcoef(table[1:, 5], rest)[0, 1])


def test_real_items_with_a_wrong_key_come_first(real_data):
    with real_data("mmlu_redux_14models.csv").open(newline="") as file:
        rows = list(csv.reader(file))[1:]
    with real_data("mmlu_redux_14models_letters.csv").open(newline="") as file:
        letters = [[letter or None for letter in row] for row in list(csv.reader(file))[1:]]
    passed = np.array([row[3:] for row in rows], dtype=float).T
    queue = review_queue(item_screen(passed, answers=list(zip(*letters, strict=True))))
    wrong_key = [rows[item.item][1] == "wrong_groundtruth" for item in queue]
    assert (sum(wrong_key[:50]) / 50, sum(wrong_key[:100]) / 100) == pytest.approx((0.44, 0.44), abs=0.05)
    assert sum(wrong_key[:300]) / 107 > 0.55
