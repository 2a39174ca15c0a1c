import csv
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from openassay.stats import score_ci
from openassay.stats.correction import ppi_mean

flags = st.integers(0, 1)
labelled = st.lists(st.tuples(flags, flags), min_size=1, max_size=60)


def audit(chance, answers, labels, *, right=0.9, passing=0.6):
    """Verdicts of people on the labelled, of a judge that is so often right on these, and on the others."""
    truth = (chance.random(answers) < passing).astype(float)
    judge = np.where(chance.random(answers) < right, truth, 1 - truth)
    return truth[:labels], judge[:labels], judge[labels:]


def bounds(found):
    return found.value, found.lo, found.hi


@pytest.fixture
def pandalm(real_data):
    """Worth of the first answer (a tie is one half) to most of three people, to gpt-3.5, and the instruction."""
    with real_data("pandalm_judge_human.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    worth = {"1": 1.0, "2": 0.0, "0": 0.5, "Tie": 0.5, "garbage": 0.5}
    people = [worth[Counter((row["h1"], row["h2"], row["h3"])).most_common(1)[0][0]] for row in rows]
    return np.array(people), np.array([worth[row["gpt35"]] for row in rows]), np.array([row["ins"] for row in rows])


def test_50_real_labels_correct_a_judge_that_alone_is_narrow_and_wrong(pandalm):
    people, judge, _ = pandalm
    chance, draws = np.random.default_rng(20), 300
    hits, widths = np.zeros(3), np.zeros(3)
    for _ in range(draws):
        these = chance.integers(0, people.size, people.size)
        y, f = people[these], judge[these]
        found = ppi_mean(y[:50], f[:50], f[50:])
        for place, one in enumerate((found, found.human_only, score_ci(f, fractional=True))):
            hits[place] += one.lo <= people.mean() <= one.hi
            widths[place] += one.hi - one.lo
    corrected, labels_alone, judge_alone = hits / draws
    assert 0.92 <= corrected <= 0.98
    assert 0.92 <= labels_alone <= 0.98
    assert judge_alone < 0.85
    assert widths[2] < widths[0] < 0.93 * widths[1]


@pytest.mark.parametrize("labels", [50, 200])
def test_coverage_of_the_judged_answers_alone(pandalm, labels):
    people, judge, _ = pandalm
    chance, hits = np.random.default_rng(labels), 0
    for _ in range(300):
        order = chance.permutation(people.size)
        drawn, rest = order[:labels], order[labels:]
        found = ppi_mean(people[drawn], judge[drawn], judge[rest], target="pool")
        hits += found.lo <= people.mean() <= found.hi
    assert 0.92 <= hits / 300 <= 0.985


def test_coverage_where_answers_share_an_instruction(pandalm):
    people, judge, instruction = pandalm
    of_group = [np.flatnonzero(instruction == name) for name in np.unique(instruction)]
    chance, hits = np.random.default_rng(5), 0
    for _ in range(300):
        groups = [of_group[number] for number in chance.integers(0, len(of_group), 60)]
        these, names = np.concatenate(groups), np.repeat(np.arange(60), [len(group) for group in groups])
        order = chance.permutation(these.size)
        y, f = people[these][order], judge[these][order]
        found = ppi_mean(y[:100], f[:100], f[100:], clusters=names[order].tolist())
        hits += found.lo <= people.mean() <= found.hi
    assert 0.92 <= hits / 300 <= 0.98


@pytest.mark.parametrize("target", ["pool", "task_kind"])
def test_coverage_where_disputed_answers_are_drawn_more_often(pandalm, target):
    people, judge, _ = pandalm
    chances = np.where(judge == 1, 0.2, 0.05)
    chance, hits, naive = np.random.default_rng(6), 0, 0
    for _ in range(300):
        drawn = chance.random(people.size) < chances
        rows = people[drawn], judge[drawn], judge[~drawn]
        found = ppi_mean(*rows, weights=1 / chances[drawn], target=target)
        hits += found.lo <= people.mean() <= found.hi
        alone = score_ci(people[drawn], fractional=True)
        naive += alone.lo <= people.mean() <= alone.hi
    assert 0.92 <= hits / 300 <= 0.985
    assert naive / 300 < 0.5


@pytest.mark.parametrize(("right", "labels"), [(0.99, 20), (0.99, 50), (0.95, 20), (0.95, 100), (0.6, 50)])
def test_a_good_judge_that_errs_on_no_label_does_not_seem_never_to_err(right, labels):
    chance, hits = np.random.default_rng(7), 0
    for _ in range(300):
        y, f, rest = audit(chance, 400, labels, right=right)
        found = ppi_mean(y, f, rest)
        hits += found.lo <= 0.6 <= found.hi
    assert hits / 300 >= 0.92


def test_the_value_is_ppi_plus_plus():
    y, f, rest = audit(np.random.default_rng(1), 500, 80)
    found = ppi_mean(y, f, rest)
    lam = np.cov(y, f, ddof=0)[0, 1] / ((1 + 80 / 420) * np.concatenate([f, rest]).var())
    assert found.lam == pytest.approx(lam)
    assert found.value == pytest.approx(lam * rest.mean() + (y - lam * f).mean())
    assert found.rho == pytest.approx(np.corrcoef(y, f)[0, 1])


@pytest.mark.parametrize(("answers", "labels"), [(4000, 400), (1000, 500), (1200, 1100)])
def test_many_labels_are_worth_what_the_formula_says(answers, labels):
    y, f, rest = audit(np.random.default_rng(2), answers, labels)
    found, pool = ppi_mean(y, f, rest), ppi_mean(y, f, rest, target="pool")
    error = (y.var() / labels * (1 - found.rho**2 * (1 - labels / answers))) ** 0.5
    assert (found.hi - found.lo) / 2 == pytest.approx(1.96 * error, rel=0.06)
    error = ((1 - labels / answers) * y.var() * (1 - found.rho**2) / labels) ** 0.5
    assert (pool.hi - pool.lo) / 2 == pytest.approx(1.96 * error, rel=0.06)
    assert found.gain == pytest.approx(1 / (1 - found.rho**2 * (1 - labels / answers)), rel=0.15)


def test_a_better_judge_makes_a_label_worth_more():
    gains = [ppi_mean(*audit(np.random.default_rng(3), 2000, 100, right=right)).gain for right in (0.7, 0.85, 0.97)]
    assert gains == sorted(gains)
    assert 1 < gains[0] < 1.5
    assert gains[2] > 2


def test_once_all_are_labelled_people_alone_count():
    y, f, _ = audit(np.random.default_rng(4), 60, 60)
    found, pool = ppi_mean(y, f, []), ppi_mean(y, f, [], target="pool")
    assert bounds(found) == bounds(score_ci(y))
    assert bounds(pool) == (y.mean(), y.mean(), y.mean())
    assert found.notes == pool.notes == ("people labelled every answer, so the judge is not needed",)


@pytest.mark.parametrize(
    ("truth", "judge", "note"),
    [
        ([1, 0] * 9, [1, 0] * 9, "18 labels, fewer than 20"),
        ([1] * 30, [1, 0] * 15, "all alike"),
        ([1, 0] * 15, [1] * 30, "all alike"),
        ([1] * 30, [1] * 30, "all alike"),
        ([1, 0] * 15, [0, 1] * 15, "do not rise"),
    ],
)
def test_where_the_judge_cannot_help_the_labels_stand_alone(truth, judge, note):
    found = ppi_mean(truth, judge, [1, 0, 1] * 20)
    assert bounds(found) == bounds(score_ci(truth)) == bounds(found.human_only)
    assert found.hi > found.lo
    assert (found.lam, found.gain, found.n_labelled) == (0, 1, len(truth))
    assert note in found.notes[0]


def test_labels_of_few_groups_stand_alone():
    y, f, rest = audit(np.random.default_rng(4), 200, 60)
    found = ppi_mean(y, f, rest, clusters=[number % 5 for number in range(200)])
    assert found.notes == ("the judge is not used: labels of 5 groups, fewer than 8",)
    assert found.human_only.few_groups


def test_equal_chances_given_as_weights_change_nothing():
    y, f, rest = audit(np.random.default_rng(5), 500, 100)
    assert bounds(ppi_mean(y, f, rest, weights=[5] * 100)) == pytest.approx(bounds(ppi_mean(y, f, rest)))


def test_disputed_answers_that_people_always_see_stand_for_themselves_only():
    """Ten disputed answers, which all fail, and 30 of 90 others drawn, a third of which fail."""
    truth = [0] * 10 + [1, 1, 0] * 10
    found = ppi_mean(truth, [1, 0] * 20, [1, 0] * 30, weights=[1] * 10 + [3] * 30)
    assert found.human_only.value == pytest.approx((10 * 0 + 90 * 2 / 3) / 100)
    assert found.human_only.lo < 0.6 < found.human_only.hi


@pytest.mark.parametrize(("weight", "odd"), [(2, True), (5, False), (9, True)])
def test_weights_that_cannot_be_those_of_all_answers_are_told(weight, odd):
    y, f, rest = audit(np.random.default_rng(5), 500, 100)
    assert ["stand for" in note for note in ppi_mean(y, f, rest, weights=[weight] * 100).notes] == [True] * odd


@given(labelled, st.lists(flags, max_size=60), st.sampled_from(["pool", "task_kind"]), st.booleans())
def test_the_interval_lies_inside_0_and_1_and_is_nothing_only_where_nothing_is_unknown(rows, rest, target, weighted):
    y, f = zip(*rows, strict=True)
    weights = [1.5 + number % 3 for number in range(len(y))] if weighted and rest else None
    found = ppi_mean(y, f, rest, weights=weights, target=target)
    assert 0 <= found.lo <= found.value + 1e-9
    assert found.value - 1e-9 <= found.hi <= 1
    assert (found.hi > found.lo) == (bool(rest) or target == "task_kind")
    assert 0 <= found.lam <= 1


@given(labelled, st.lists(flags, max_size=60), st.sampled_from(["pool", "task_kind"]), st.randoms())
def test_the_order_of_answers_does_not_matter_and_fails_mirror_passes(rows, rest, target, chance):
    y, f = map(np.array, zip(*rows, strict=True))
    found = ppi_mean(y, f, rest, target=target)
    order = np.array(chance.sample(range(len(y)), len(y)))
    shuffled = ppi_mean(y[order], f[order], chance.sample(rest, len(rest)), target=target)
    assert bounds(shuffled) == pytest.approx(bounds(found), abs=1e-9)
    mirrored = ppi_mean(1 - y, 1 - f, 1 - np.array(rest, dtype=float), target=target)
    assert (1 - mirrored.value, 1 - mirrored.hi, 1 - mirrored.lo) == pytest.approx(bounds(found), abs=1e-9)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([], [], [1]), {}, "at least one label"),
        (([1, 0], [1], [1]), {}, "found 1 for 2"),
        (([1, 2], [1, 0], [1]), {}, "between 0 and 1"),
        (([1, 0], [1, 0], [float("nan")]), {}, "between 0 and 1"),
        (([1, 0], [1, 0], [1]), {"weights": [1, 0.5]}, "weight of at least 1"),
        (([1, 0], [1, 0], [1]), {"weights": [1, 1]}, "found 2 sure ones, and 1 answers never drawn"),
        (([1, 0], [1, 0], [1]), {"weights": [1]}, "weight of at least 1"),
        (([1, 0], [1, 0], [1]), {"clusters": ["a", "b"]}, "group for each of 3 answers"),
    ],
)
def test_broken_audits_are_errors(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        ppi_mean(*arguments, **options)
