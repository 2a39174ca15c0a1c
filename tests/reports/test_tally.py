import pytest

from openassay.reports.tally import judge_unsure, read, tally, words_of
from openassay.schema.attempt import Outcome, Verdict

ONE = 1_000_000
READINGS = [
    # (outcome, passed, counted, hard) of a cell, and how it counts: (mark, passed, counted, scored)
    ((Outcome.ANSWERED, True, ONE, True), ("pass", True, ONE, True)),
    ((Outcome.ANSWERED, False, 0, True), ("fail", False, 0, True)),
    ((Outcome.ANSWERED, None, None, True), ("undecided", None, None, False)),
    ((Outcome.ANSWERED, None, 600_000, True), ("undecided", None, 600_000, False)),
    ((Outcome.ANSWERED, None, 600_000, False), ("quality", None, 600_000, True)),
    ((Outcome.ANSWERED, None, None, False), ("undecided", None, None, False)),
    ((Outcome.LIMIT_REACHED, False, 0, True), ("cut", False, 0, True)),
    ((Outcome.LIMIT_REACHED, None, None, False), ("cut", None, 0, True)),
    ((Outcome.NO_ANSWER, None, None, True), ("empty", False, 0, True)),
    ((Outcome.FORMAT_ERROR, False, 0, True), ("malformed", False, 0, True)),
    ((Outcome.SCORER_ERROR, None, None, True), ("scorer", None, None, False)),
    ((Outcome.INFRASTRUCTURE_ERROR, None, None, True), ("endpoint", None, None, False)),
]


@pytest.mark.parametrize(("given", "expected"), READINGS)
def test_how_a_cell_counts(made, given, expected):
    outcome, passed, counted, hard = given
    cell = made.cell("alpha", "sum-1", passed, outcome=outcome, counted=counted)
    reading = read(cell.attempt, cell.scoring, hard=hard)
    assert (reading.mark, reading.passed, reading.counted, reading.scored) == expected


def test_an_answer_without_verdicts_waits(made):
    cell = made.cell("alpha", "sum-1", scored=False)
    assert not read(cell.attempt, cell.scoring, hard=True).scored


def test_marks_stand_in_the_order_of_draws_and_attempts_however_cells_come(made):
    task = made.task("sum-1")
    cells = [
        made.cell("alpha", "sum-1", draw == attempt, draw=draw, attempt=attempt)
        for draw in (1, 0)
        for attempt in (1, 0)
    ]
    item = tally(cells, {"sum-1": task}, attempts=2, limit_of=lambda model, task: 64).items["alpha", "sum-1"]
    assert words_of(item.marks) == ("pass", "fail", "fail", "pass")


JUDGES = [
    ([("judge", "a", "pass"), ("judge", "b", "pass")], False),
    ([("judge", "a", "pass"), ("judge", "b", "fail")], True),
    ([("judge", "a", "unmeasurable")], True),
    ([("judge", "nobody", "unmeasurable")], False),
    ([("script", "exact/1", "fail"), ("judge", "a", "pass")], False),
]


@pytest.mark.parametrize(("given", "unsure"), JUDGES)
def test_a_judge_is_unsure_where_it_gives_nothing_or_two_differ(made, given, unsure):
    scoring = made.cell("alpha", "sum-1", True).scoring
    verdicts = tuple(
        Verdict(check="clear", result=result, reason="", by=by, who=who, evidence="0" * 64) for by, who, result in given
    )
    assert judge_unsure(scoring.model_copy(update={"verdicts": verdicts})) is unsure
