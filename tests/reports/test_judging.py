"""What a report says of judges: tables of made verdicts, and the figures that follow."""

import dataclasses

import pytest

from openassay.reports import judge_words
from openassay.reports.summary import summarise_run
from openassay.runs.judge_calls import JudgeCalls
from openassay.runs.reviews import Reviews, criterion_digest, overlay
from openassay.schema.judging import Standing
from openassay.schema.review import Review
from openassay.stats import krippendorff_alpha, wilson

ZERO = "0" * 64


def judging(facts, cells):
    (found,) = summarise_run(facts, cells).judging
    return found


def hits(rate):
    return None if rate is None else (rate.hits, rate.n)


def test_each_judge_is_told_by_its_requests_and_not_by_its_verdicts(disputed):
    kin, stranger = judging(*disputed[:2]).judges
    assert [hits(one) for one in (kin.usable, kin.missed, kin.unreadable)] == [(37, 40), (3, 40), (0, 40)]
    assert [hits(one) for one in (stranger.usable, stranger.missed, stranger.unreadable)] == [
        (25, 26),
        (0, 26),
        (1, 26),
    ]
    assert (kin.requests, kin.deciding, kin.beside) == (40, 7, 33)
    assert kin.relations == {"alpha": "own", "beta": "other"}


def test_consistency_counts_only_checks_measured_in_every_pass(disputed):
    kin, stranger = judging(*disputed[:2]).judges
    assert (hits(kin.same_over_order), hits(stranger.same_over_order)) == ((17, 18), (12, 12))
    assert (hits(kin.unquoted), kin.unquoted.n_units) == ((9, 37), 10)


def test_one_request_on_several_checks_is_one_request(made):
    task = made.essay("essay-1")
    check = task.checks[0].model_copy(update={"id": "kind"})
    task = task.model_copy(update={"checks": (*task.checks, check)})
    cell = made.judged("beta", made.essay("essay-1"), ("kin", True, ("pass", "missed")))
    verdicts = cell.scoring.verdicts
    twice = (*verdicts, *(one.model_copy(update={"check": "kind"}) for one in verdicts))
    cell = cell._replace(scoring=cell.scoring.model_copy(update={"verdicts": twice}))
    (kin,) = judging(made.facts([task], judges=(made.judge("kin"),)), [cell]).judges
    assert (hits(kin.usable), hits(kin.missed)) == ((1, 2), (1, 2))


def test_disputes_are_told_by_cause_by_who_decided_and_by_what_is_open(disputed):
    found = judging(*disputed[:2])
    assert {one.cause: (one.checks, one.decided) for one in found.disputes} == {
        "order": (1, {"second": 1}),
        "canary": (2, {"second": 1, "nobody": 1}),
        "lineage": (10, {"second": 10}),
    }
    assert [(one.model, one.disputed, one.open) for one in found.by_model] == [("alpha", 10, 0), ("beta", 3, 1)]
    assert (found.checks, found.disputed, found.open) == (20, 13, 1)


def test_relatives_of_the_first_judge_stand_apart_from_others(disputed):
    (pair,) = judging(*disputed[:2]).pairs
    groups = {one.candidates: one for one in pair.groups}
    own = groups["own"]
    assert (hits(own.first_passed), hits(own.second_passed), hits(own.agreement)) == ((9, 10), (5, 10), (6, 10))
    assert (own.first_only, own.second_only, own.difference) == (4, 0, pytest.approx(0.4))
    assert own.first_passed.interval == pytest.approx(wilson(0.9, 10))
    assert own.difference_interval[0] < 0.4 < own.difference_interval[1]
    assert own.kappa.interval[0] <= own.kappa.value <= own.kappa.interval[1]
    assert (groups["other"].n, groups["other"].judged, groups["all"].n) == (1, 8, 11)


def test_the_gap_on_relatives_is_said_in_plain_words(disputed):
    summary = summarise_run(*disputed[:2])
    (said,) = [sentence for sentence in summary.limits if sentence.startswith("On its own relatives")]
    assert "judge kin passed 9 of 10 (60 to 98 %), judge stranger 5 of 10 (24 to 76 %) of the same checks" in said
    assert any("stranger is asked only about disputed ones" in one for one in judge_words.sentences(summary.judging[0]))


def test_groups_share_a_source_and_rates_say_so(made):
    essays = [made.essay(f"essay-{n}", group="one") for n in range(4)]
    cells = [made.judged("beta", task, ("kin", True, ("pass", "fail"))) for task in essays]
    (kin,) = judging(made.facts(essays, judges=(made.judge("kin"),)), cells).judges
    assert (hits(kin.same_over_order), kin.same_over_order.n_units) == ((0, 4), 1)
    assert "0 of 4 (0 to 79 %, only 1 source)" in judge_words.of(kin.same_over_order)


def test_a_verdict_of_an_earlier_version_gives_no_canary_rate(made):
    essay = made.essay("essay-1")
    cell = made.judged("beta", essay, ("kin", True, ("pass",)))
    old = tuple(one.model_copy(update={"control": "", "order": 0}) for one in cell.scoring.verdicts)
    cell = cell._replace(scoring=cell.scoring.model_copy(update={"verdicts": old}))
    (kin,) = judging(made.facts([essay], judges=(made.judge("kin"),)), [cell]).judges
    assert (kin.requests, kin.usable, kin.deciding) == (0, None, 1)


def below(made, essays, **more):
    why = "the judge kin is below the benchmark's bar on the gold set starter (60 of 60 items measured): kappa 0.10"
    facts = made.facts(essays, ("beta",), judges=(made.judge("kin"),))
    return dataclasses.replace(facts, standings=(Standing(judge="kin", counts=False, why=why),), **more), why


def test_soft_checks_of_a_judge_below_the_bar_are_shown_and_not_counted(made):
    essays = [made.essay(f"essay-{n}") for n in range(3)]
    facts, why = below(made, essays, judge_calls={"kin": JudgeCalls(6, 1_234)})
    cells = [made.judged("beta", task, ("kin", True, ("pass", "pass")), counts=False) for task in essays]
    summary = summarise_run(facts, cells)
    (kin,) = summary.judging[0].judges
    assert (summary.results[0].uncounted, summary.results[0].unmeasured, kin.uncounted) == (3, 0, 3)
    assert (kin.counts, kin.standing, kin.calls, kin.cost_usd) == (False, why, 6, 0.001234)
    assert f"Shown and not counted: 3 soft checks, so the scores cover the rest: {why}." in summary.limits


def test_without_a_bar_it_is_said_that_nobody_measured_the_judge(disputed):
    summary = summarise_run(*disputed[:2])
    assert any(sentence.startswith("Nobody measured the judge kin:") for sentence in summary.limits)


def test_a_run_without_judged_checks_says_nothing_of_judges(made):
    task = made.task("sum-1")
    assert summarise_run(made.facts([task], ("alpha",)), [made.cell("alpha", "sum-1", True)]).judging == ()


AGAIN = [
    # before, after of four checks -> same, (pass to fail, fail to pass), (lost, gained)
    ("pass pass fail fail", "pass pass fail fail", (4, 4), (0, 0), (0, 0)),
    ("pass pass fail fail", "fail pass pass pass", (1, 4), (1, 2), (0, 0)),
    ("pass pass unread fail", "pass missed fail fail", (2, 2), (0, 0), (1, 1)),
    ("unread unread unread unread", "pass pass pass pass", None, (0, 0), (0, 4)),
]


@pytest.mark.parametrize(("before", "after", "same", "moved", "measured"), AGAIN)
def test_two_scorings_are_compared_check_by_check(made, before, after, same, moved, measured):
    essays = [made.essay(f"essay-{n}") for n in range(4)]
    facts = made.facts(essays, ("beta",), judges=(made.judge("old"),))
    facts = dataclasses.replace(facts, rejudged=(made.judge("new"),), judges_before=("old",))
    cells = []
    for task, then, now in zip(essays, before.split(), after.split(), strict=True):
        first = made.judged("beta", task, ("old", True, (then, then))).scoring
        cells.append(made.judged("beta", task, ("new", True, (now, now)), number=1, earlier=(first,)))
    found = judging(facts, cells).rescored
    assert (found.judges_before, found.judges_after, (found.lost, found.gained)) == (("old",), ("new",), measured)
    assert hits(found.compared and found.compared.agreement) == same
    assert same is None or (found.compared.first_only, found.compared.second_only) == moved


def audited(made, essays, truths, *, probability=500_000, raters=("ann",), rest=()):
    """A run in which people decided the first essays as in `truths`; the judge passes every one but each fourth."""
    said = [("pass", "pass") if n % 4 else ("fail", "fail") for n in range(len(essays))]
    cells = [made.judged("beta", task, ("kin", True, words)) for task, words in zip(essays, said, strict=True)]
    reviews = Reviews(
        review(essays[n], rater, truth, probability) for n, truth in enumerate(truths) for rater in raters
    )
    for one in rest:
        reviews.add(one)
    people = [
        cell._replace(
            scoring=overlay(cell.scoring, cell.attempt, task, list(reviews.of(place(cell)))), machine=cell.scoring
        )
        for cell, task in zip(cells, essays, strict=True)
    ]
    facts = made.facts(essays, ("beta",), judges=(made.judge("kin"),))
    return dataclasses.replace(facts, reviews=reviews), people


def review(task, rater, result, probability):
    return Review(
        model="beta",
        task=task.id,
        draw=0,
        attempt=0,
        check="clear",
        criterion=criterion_digest(task.checks[0]),
        evidence=ZERO,
        rater=rater,
        result=result,
        probability=probability,
        at_ms=0,
    )


def place(cell):
    one = cell.attempt
    return one.model, one.task, one.draw, one.attempt


def test_few_labels_correct_nothing_and_say_so(made):
    essays = [made.essay(f"essay-{n}") for n in range(10)]
    people = judging(*audited(made, essays, ["pass", "pass", "fail"])).people
    (rate,) = people.corrected
    assert (rate.labels, rate.judged, rate.value, rate.interval) == (3, 10, None, None)
    assert rate.method == "too few people's verdicts to correct (3 of 20 wanted)"
    assert (people.audited, people.disputed, hits(people.audit[0].agreement)) == (3, 0, (1, 3))


def test_a_random_audit_corrects_the_pass_rate_of_judged_checks(made):
    essays = [made.essay(f"essay-{n}") for n in range(80)]
    truths = ["pass" if n % 4 and n % 8 != 1 else "fail" for n in range(40)]
    people = judging(*audited(made, essays, truths)).people
    (rate,) = people.corrected
    assert (rate.labels, rate.judged, hits(rate.judge_only)) == (40, 80, (60, 80))
    assert rate.interval[0] < rate.value < rate.interval[1] < 1
    assert rate.value == pytest.approx(0.625, abs=0.02)
    assert hits(people.audit[0].failed_of_failing) == (10, 15)


def test_what_people_decided_without_a_draw_stands_apart(made):
    essays = [made.essay(f"essay-{n}") for n in range(10)]
    people = judging(*audited(made, essays, ["pass"] * 4, probability=None)).people
    assert (people.audited, people.audit, people.disputed, people.disputed_passed) == (0, (), 4, 4)
    assert people.corrected[0].labels == 0


def test_raters_are_held_against_each_other(made):
    essays = [made.essay(f"essay-{n}") for n in range(6)]
    second = [review(task, "bob", "fail" if n < 2 else "pass", None) for n, task in enumerate(essays)]
    people = judging(*audited(made, essays, ["fail", "pass", "pass", "pass"], rest=second)).people
    pairs = [["fail", "fail"], ["pass", "fail"], ["pass", "pass"], ["pass", "pass"]]
    assert (people.raters, people.rated_twice) == (2, 4)
    assert people.alpha.value == pytest.approx(krippendorff_alpha(pairs).value)


def test_a_superseded_verdict_is_beside_and_a_dispute_that_people_decided_is_theirs(made):
    essays = [made.essay("essay-0")]
    cell = made.judged("beta", essays[0], ("kin", True, ("pass", "fail")))
    reviews = Reviews([review(essays[0], "ann", "pass", None)])
    cell = cell._replace(scoring=overlay(cell.scoring, cell.attempt, essays[0], list(reviews)), machine=cell.scoring)
    facts = dataclasses.replace(made.facts(essays, ("beta",), judges=(made.judge("kin"),)), reviews=reviews)
    found = judging(facts, [cell])
    assert [(one.cause, one.decided) for one in found.disputes] == [("order", {"people": 1})]
    assert (found.open, found.judges[0].deciding, found.judges[0].beside) == (0, 0, 2)
