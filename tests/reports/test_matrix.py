import pytest

from openassay.reports import matrix
from openassay.reports.contract import Item, ItemResult


def result(*marks, score=None, unsure=False):
    passed = sum(mark == "pass" for mark in marks)
    return ItemResult(
        planned=len(marks), scored=len(marks), passed=passed, score=score, unstable=False, unsure=unsure, marks=marks
    )


def item(task="sum-1", *, different=False, signs=(), **models):
    return Item(
        run="run-1", task=task, category="sums", track="t", hard=True, different=different, models=models, signs=signs
    )


@pytest.mark.parametrize(
    ("found", "flags"),
    [
        (item(a=result("pass")), ""),
        (item(a=result("fail"), b=result("pass"), different=True), "different failed"),
        (item(a=result("timeout")), "failed"),
        (item(a=result("cut")), "failed cut"),
        (item(a=result("pass", unsure=True)), "unsure"),
        (item(a=result("undecided")), "unsure"),
        (item(a=result("pass"), signs=("nobody solves it",)), "flagged"),
    ],
)
def test_filters_find_what_they_say(found, flags):
    assert matrix.flags(found) == flags


@pytest.mark.parametrize(
    ("models", "items", "beside"), [(2, 1_000, True), (6, 10, True), (7, 10, False), (2, 1_001, False)]
)
def test_few_models_stand_side_by_side(models, items, beside):
    assert matrix.beside(models, items) is beside


@pytest.mark.parametrize(
    ("found", "cell"),
    [
        (result("pass"), "<td class=p>✓</td>"),
        (result("fail", "timeout"), "<td class=f>✗T</td>"),
        (result("pass", "fail"), "<td class=s>✓✗</td>"),
        (result("cut"), "<td class=o>…</td>"),
        (result("pass", "pass", "fail", "pass", "pass"), "<td class=s>4/5</td>"),
        (result("quality", score=0.25), "<td class=q>0.25</td>"),
        (result(), "<td class=n></td>"),
    ],
)
def test_a_cell_is_one_element(found, cell):
    assert cell in matrix.row(item(a=found), ["a"], ())


def test_a_cell_with_something_to_see_is_a_link_to_it():
    row = matrix.row(item(a=result("pass"), b=result("fail")), ["a", "b"], {"sum-1"})
    assert '<a href="#item--run-1--sum-1--b">✗</a>' in row
    assert 'id="item--run-1--sum-1"' not in row


def test_where_not_all_fit_those_that_differ_come_first():
    items = [item(f"sum-{n}", a=result("pass"), different=n % 2 == 1) for n in range(10)]
    shown = matrix.fitting(items, 3, most=21)
    assert [one.task for one in shown] == ["sum-0", "sum-1", "sum-2", "sum-3", "sum-5", "sum-7", "sum-9"]
