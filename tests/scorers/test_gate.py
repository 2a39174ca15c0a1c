"""Laws of the gate: order does not matter, a pass never costs, a failed hard check counts as nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openassay.schema.attempt import Outcome, Verdict
from openassay.schema.errors import ScorerError
from openassay.schema.evidence import Evidence
from openassay.schema.task import Check, Task
from openassay.scorers.gate import aggregate, failed_verdicts, seed_form

DIGEST = "0" * 64
RESULTS = ("pass", "fail", "unmeasurable")


def check(number, *, hard=True, weight=1, dimension="content", text=""):
    return Check(id=f"c{number}", hard=hard, weight=weight, dimension=dimension, text=text)


def verdict(number, result, value=None, **more):
    return Verdict(check=f"c{number}", result=result, value=value, reason="r", who="exact/1", evidence=DIGEST, **more)


@st.composite
def scored(draw):
    count = draw(st.integers(1, 6))
    checks = [
        check(n, hard=draw(st.booleans()), weight=draw(st.integers(0, 5)), dimension=draw(st.sampled_from("ab")))
        for n in range(count)
    ]
    value = st.none() | st.integers(0, 1_000_000)
    return checks, [verdict(n, draw(st.sampled_from(RESULTS)), draw(value)) for n in range(count)]


@given(scored(), st.randoms(use_true_random=False))
def test_the_order_of_verdicts_does_not_matter(case, random):
    checks, verdicts = case
    shuffled = random.sample(verdicts, len(verdicts))
    assert aggregate(checks, verdicts, Outcome.ANSWERED) == aggregate(checks, shuffled, Outcome.ANSWERED)


@given(scored(), st.integers(0, 5))
def test_turning_a_fail_into_a_pass_never_costs(case, place):
    checks, verdicts = case
    place %= len(verdicts)
    verdicts[place] = verdicts[place].model_copy(update={"result": "fail"})
    before = aggregate(checks, verdicts, Outcome.ANSWERED)
    verdicts[place] = verdicts[place].model_copy(update={"result": "pass"})
    after = aggregate(checks, verdicts, Outcome.ANSWERED)
    assert (after.score or 0) >= (before.score or 0)
    assert (after.counted or 0) >= (before.counted or 0)
    assert not (before.passed and after.passed is False)


@given(scored())
def test_a_score_lies_between_0_and_1_and_counts_no_more_than_itself(case):
    score = aggregate(*case, Outcome.ANSWERED)
    assert score.score is None or 0 <= (score.counted or 0) <= score.score <= 1_000_000


@pytest.mark.parametrize(
    ("hard", "passed", "counted"),
    [
        (["pass", "pass"], True, 1_000_000),
        (["pass", "fail"], False, 0),
        (["pass", "unmeasurable"], None, 1_000_000),
        (["fail", "unmeasurable"], False, 0),
        (["unmeasurable", "unmeasurable"], None, None),
        ([], None, None),
    ],
)
def test_hard_checks_decide(hard, passed, counted):
    checks = [check(n) for n in range(len(hard))]
    score = aggregate(checks, [verdict(n, result) for n, result in enumerate(hard)], Outcome.ANSWERED)
    assert (score.passed, score.counted) == (passed, counted)


def test_a_failed_hard_check_keeps_the_score_beside():
    checks = [check(0), check(1, hard=False, weight=3)]
    score = aggregate(checks, [verdict(0, "fail"), verdict(1, "pass")], Outcome.ANSWERED)
    assert (score.passed, score.score, score.counted) == (False, 750_000, 0)


def test_soft_checks_alone_give_a_score_and_no_pass():
    score = aggregate([check(0, hard=False)], [verdict(0, "fail", 400_000)], Outcome.ANSWERED)
    assert (score.passed, score.score, score.counted) == (None, 400_000, 400_000)


def test_a_check_without_verdict_is_unmeasured():
    assert aggregate([check(0), check(1)], [verdict(0, "pass")], Outcome.ANSWERED).unmeasured == ("c1",)


@pytest.mark.parametrize("outcome", [Outcome.NO_ANSWER, Outcome.LIMIT_REACHED, Outcome.FORMAT_ERROR])
def test_outcomes_without_an_answer_count_as_nothing(outcome):
    score = aggregate([check(0, hard=False)], [verdict(0, "pass")], outcome)
    assert (score.outcome, score.passed, score.score, score.counted) == (outcome, False, 0, 0)


@pytest.mark.parametrize("outcome", [Outcome.INFRASTRUCTURE_ERROR, Outcome.SCORER_ERROR])
def test_outcomes_of_ours_say_nothing(outcome):
    score = aggregate([check(0)], [verdict(0, "fail")], outcome)
    assert (score.passed, score.score, score.counted) == (None, None, None)


@pytest.mark.parametrize(("hard", "outcome"), [(True, Outcome.FORMAT_ERROR), (False, Outcome.ANSWERED)])
def test_a_hard_check_that_finds_no_form_makes_a_format_error(hard, outcome):
    assert aggregate([check(0, hard=hard)], [verdict(0, "fail", malformed=True)], Outcome.ANSWERED).outcome is outcome


def test_verdicts_beside_the_deciding_one_do_not_count():
    score = aggregate([check(0)], [verdict(0, "fail", decides=False), verdict(0, "pass")], Outcome.ANSWERED)
    assert score.passed


@pytest.mark.parametrize("verdicts", [[verdict(0, "pass"), verdict(0, "fail")], [verdict(7, "pass")]])
def test_verdicts_that_do_not_fit_are_our_fault(verdicts):
    with pytest.raises(ScorerError, match="one verdict a check"):
        aggregate([check(0)], verdicts, Outcome.ANSWERED)


def task(*checks):
    return Task(id="backend-001", category="c", instruction="i", checks=checks, identity=DIGEST)


def test_the_seed_form():
    checks = (check(0, text="Reproduction path works"), check(1, weight=2), check(2, hard=False), check(3, hard=False))
    verdicts = [verdict(0, "pass"), verdict(1, "pass"), verdict(2, "unmeasurable"), verdict(3, "fail", 250_000)]
    form = seed_form(task(*checks), verdicts, aggregate(checks, verdicts, Outcome.ANSWERED))
    assert (form["task_id"], form["score"], form["total"]) == ("backend-001", 3.25, 4)
    assert form["items"][0] == {
        "check": "Reproduction path works",
        "pass": True,
        "reason": "r",
        "id": "c0",
        "hard": True,
        "by": "script",
        "dimension": "content",
        "value": None,
    }
    assert [item["pass"] for item in form["items"]] == [True, True, None, False]
    assert form["unmeasured"] == [{"id": "c2", "check": "c2", "reason": "r"}]
    assert (form["passed"], form["outcome"]) == (True, "answered")


def test_whole_numbers_are_whole_in_the_seed_form():
    form = seed_form(
        task(check(0)), [verdict(0, "pass")], aggregate([check(0)], [verdict(0, "pass")], Outcome.ANSWERED)
    )
    assert (repr(form["score"]), repr(form["total"])) == ("1", "1")


def test_a_cut_off_answer_fails_every_check_and_says_why():
    checks = (check(0), check(1, hard=False))
    found = failed_verdicts(checks, Outcome.LIMIT_REACHED, "48 tokens", Evidence(answer="The"))
    assert [one.reason for one in found] == ["the answer was cut off: 48 tokens"] * 2
    assert aggregate(checks, found, Outcome.LIMIT_REACHED).counted == 0


def test_the_seed_form_says_in_what_sandbox_code_ran_and_what_stood_out():
    ran = {"sandbox": "bubblewrap 0.8.0; at most 10 s", "flags": ("calls os._exit",), "ended": "timed_out"}
    found = verdict(0, "fail", **ran)
    form = seed_form(task(check(0)), [found], aggregate([check(0)], [found], Outcome.ANSWERED))
    assert {name: form["items"][0][name] for name in ran} == {**ran, "flags": ["calls os._exit"]}
