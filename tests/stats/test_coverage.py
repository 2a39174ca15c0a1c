"""Coverage of the default intervals on real results, with enough draws to trust the second decimal.

Each figure is the share of draws whose 95 % interval holds the truth of the whole set it was drawn from, averaged over
the models. Two Monte Carlo standard errors are allowed for.
"""

import numpy as np
import pytest

from openassay.stats import (
    Strata,
    mcnemar_midp,
    paired_diff,
    rank_sets,
    reliability_curve,
    score_ci,
    settled_at,
    wilson,
)
from openassay.stats.differences import Spread, intervals

pytestmark = pytest.mark.slow
DRAWS = 2_000
ITEMS = [10, 20, 30, 50, 100, 200, 500]


def between(hits, low=0.93, high=0.985):
    share = np.mean(hits)
    slack = 2 * np.sqrt(share * (1 - share) / len(hits))
    assert low - slack <= share <= high + slack


@pytest.fixture
def repeated(real_data):
    """Items x ten attempts."""
    path = real_data("cruxeval_codellama7b_output_10samples.csv")
    return np.loadtxt(path, delimiter=",", skiprows=1, usecols=range(1, 11))


@pytest.fixture
def olympiad(real_data):
    """Pass rates of 19 models x 15 items."""
    rows = np.loadtxt(real_data("matharena_aimeII_19models_4attempts.csv"), delimiter=",", skiprows=1)
    return rows[:, 1:].reshape(15, 4, 19).transpose(2, 0, 1).mean(axis=2)


@pytest.mark.parametrize("n", ITEMS)
@pytest.mark.parametrize("name", ["zeroeval_crux.csv", "zeroeval_gsm.csv"])
def test_one_attempt(real_data, score_table, name, n):
    models, chance, hits = score_table(real_data(name)), np.random.default_rng(150), []
    for _ in range(DRAWS):
        model = models[chance.integers(len(models))]
        found = score_ci(model[chance.integers(0, model.size, n)])
        hits.append(found.lo <= model.mean() <= found.hi)
    between(hits)


@pytest.mark.parametrize("n", ITEMS)
@pytest.mark.parametrize("k", [1, 4, 10])
def test_attempts(repeated, n, k):
    rates, chance, hits = repeated.mean(axis=1), np.random.default_rng(151), []
    for _ in range(DRAWS):
        found = score_ci(chance.binomial(k, rates[chance.integers(0, 800, n)]) / k, attempts=k)
        hits.append(found.lo <= rates.mean() <= found.hi)
    between(hits)


@pytest.mark.parametrize(("k", "covered"), [(1, 0.95), (4, 0.70), (10, 0.49)])
def test_attempts_counted_as_items_do_not_cover(repeated, k, covered):
    rates, chance, hits = repeated.mean(axis=1), np.random.default_rng(159), []
    for _ in range(DRAWS):
        means = chance.binomial(k, rates[chance.integers(0, 800, 100)]) / k
        low, high = wilson(means.mean(), 100 * k)
        hits.append(low <= rates.mean() <= high)
    assert np.mean(hits) == pytest.approx(covered, abs=0.05)


@pytest.mark.parametrize("n", [50, 100, 200, 500])
@pytest.mark.parametrize("name", ["zeroeval_crux.csv", "zeroeval_gsm.csv"])
def test_strata(real_data, score_table, name, n):
    models, chance, hits = score_table(real_data(name)), np.random.default_rng(152), []
    for _ in range(DRAWS):
        model = int(chance.integers(len(models)))
        parts = np.array_split(np.argsort(np.delete(models, model, axis=0).mean(axis=0), kind="stable"), 5)
        drawn = np.concatenate([chance.choice(part, n // 5) for part in parts])
        strata = Strata(np.repeat(range(5), n // 5).tolist(), {label: len(part) for label, part in enumerate(parts)})
        found = score_ci(models[model][drawn], strata=strata)
        hits.append(found.lo <= models[model].mean() <= found.hi)
    between(hits)


@pytest.mark.parametrize("n", [10, 50, 200, 400, 480])
@pytest.mark.parametrize("k", [1, 4])
def test_a_frozen_pool(repeated, n, k):
    rates, chance, hits = repeated.mean(axis=1)[:500], np.random.default_rng(153), []
    for _ in range(DRAWS):
        pool = chance.binomial(k, rates) / k
        found = score_ci(chance.permutation(pool)[:n], attempts=k, pool_size=500)
        truth = pool.mean() if k == 1 else rates.mean()  # with one attempt the claim is about the answers given
        hits.append(found.lo <= truth <= found.hi)
    between(hits)


@pytest.mark.parametrize("n", [20, 50, 200, 500])  # at 10 Wilson's interval of a single rate may cover .91
@pytest.mark.parametrize("kind", ["all", "any"])
def test_consistency(repeated, n, kind):
    rates, chance = repeated.mean(axis=1), np.random.default_rng(154)
    truth = [np.mean(rates**k if kind == "all" else 1 - (1 - rates) ** k) for k in (1, 2, 3, 4)]
    hits = []
    for _ in range(DRAWS):
        passes = chance.binomial(4, rates[chance.integers(0, 800, n)]).tolist()
        curve = reliability_curve(passes, [4] * n, kind=kind)
        hits.append([point.lo <= true <= point.hi for point, true in zip(curve, truth, strict=True)])
    for column in np.array(hits).T:
        between(column)


@pytest.mark.parametrize("n", [10, 30, 100])
def test_consistency_of_many_models(olympiad, n):
    chance, hits = np.random.default_rng(164), []
    for _ in range(DRAWS):
        rates = olympiad[chance.integers(19)]
        passes = chance.binomial(4, rates[chance.integers(0, 15, n)]).tolist()
        curve = reliability_curve(passes, [4] * n)
        hits.append([point.lo <= np.mean(rates**k) <= point.hi for k, point in enumerate(curve, 1)])
    for column in np.array(hits).T:
        between(column)


@pytest.mark.parametrize("n", ITEMS)
@pytest.mark.parametrize("name", ["zeroeval_crux.csv", "zeroeval_gsm.csv"])
def test_pairs(real_data, score_table, name, n):
    models, chance, hits = score_table(real_data(name)), np.random.default_rng(155), []
    for _ in range(DRAWS):
        a, b = models[chance.choice(len(models), 2, replace=False)]
        at = chance.integers(0, a.size, n)
        found = paired_diff(a[at], b[at])
        hits.append(found.lo <= a.mean() - b.mean() <= found.hi)
    between(hits, high=1.0)


@pytest.mark.parametrize("n", [10, 30, 100])
@pytest.mark.parametrize("name", ["zeroeval_crux.csv", "zeroeval_gsm.csv"])
def test_the_worst_of_two_hundred_pairs(real_data, score_table, name, n):
    models, chance, shares = score_table(real_data(name)), np.random.default_rng(160), []
    for _ in range(200):
        a, b = models[chance.choice(len(models), 2, replace=False)]
        drawn = (a - b)[chance.integers(0, a.size, (DRAWS, n))]
        wins, losses = np.sum(drawn > 0, axis=1), np.sum(drawn < 0, axis=1)
        all_of = np.ones(DRAWS)
        found = intervals(Spread(n * all_of, drawn.sum(axis=1), wins + losses, wins, losses, all_of), 0.95)
        shares.append(np.mean((found.lo <= a.mean() - b.mean()) & (a.mean() - b.mean() <= found.hi)))
    worst = min(shares)
    assert worst + 2 * np.sqrt(worst * (1 - worst) / DRAWS) >= 0.93


@pytest.mark.parametrize("n", [10, 15, 40, 100, 300])
@pytest.mark.parametrize("k", [1, 4])
def test_pairs_over_attempts(olympiad, n, k):
    chance, hits = np.random.default_rng(156), []
    for _ in range(DRAWS):
        a, b = olympiad[chance.choice(19, 2, replace=False)]
        at = chance.integers(0, 15, n)
        found = paired_diff(chance.binomial(k, a[at]) / k, chance.binomial(k, b[at]) / k)
        hits.append(found.lo <= a.mean() - b.mean() <= found.hi)
    between(hits, high=1.0)


@pytest.mark.parametrize("groups", [8, 15, 40])
def test_pairs_over_subjects(real_data, groups):
    path = real_data("mmlu_redux_14models.csv")
    models = np.genfromtxt(path, delimiter=",", skip_header=1, usecols=range(3, 17)).T.reshape(14, 57, 100)
    chance, hits = np.random.default_rng(157), []
    for _ in range(DRAWS):
        picked = chance.choice(14, 2, replace=False)
        items = chance.permuted(np.tile(np.arange(100), (groups, 1)), axis=1)[:, :10]
        a, b = models[picked][:, chance.integers(0, 57, groups)[:, None], items]
        found = paired_diff(a.ravel(), b.ravel(), clusters=np.repeat(range(groups), 10).tolist())
        hits.append(found.lo <= models[picked[0]].mean() - models[picked[1]].mean() <= found.hi)
    between(hits, high=1.0)


@pytest.mark.parametrize("n", [20, 100, 500])
@pytest.mark.parametrize("simultaneous", [False, True])
def test_rank_sets(real_data, swe_table, n, simultaneous):
    board = swe_table(real_data("swebench_verified_bashonly_matrix.csv"))[0]
    means, chance, hits = board.mean(axis=1), np.random.default_rng(158), []
    best, worst = ([int(np.sum(op(means, own))) for own in means] for op in (np.greater, np.greater_equal))
    for draw in range(DRAWS):
        at = chance.integers(0, 500, n)
        found = rank_sets(board[:, at], seed=draw, simultaneous=simultaneous, draws=300)
        held = (np.array(found.lo) <= worst) & (np.array(found.hi) >= np.array(best) + 1)
        hits.append(held.all() if simultaneous else held.mean())
    between(hits, low=0.95, high=1.0)


def equal_pairs(models, items, chance):
    """Item differences of real pairs, the two swapped by a coin at each item: equal models, as discordant as real."""
    for _ in range(DRAWS):
        a, b = models[chance.choice(len(models), 2, replace=False)]
        at = chance.integers(0, a.size, items)
        yield (a - b)[at] * chance.choice([-1, 1], items)


@pytest.mark.parametrize("name", ["zeroeval_crux.csv", "zeroeval_gsm.csv"])
def test_looking_after_every_item(real_data, score_table, name):
    pairs = equal_pairs(score_table(real_data(name)), 500, np.random.default_rng(161))
    alarms = [settled_at(one[one != 0]) is not None for one in pairs]  # items on which both do the same say nothing
    between(alarms, low=0.0, high=0.05)


def test_looking_after_every_item_at_means_of_attempts(repeated):
    rates, chance, alarms = repeated.mean(axis=1), np.random.default_rng(162), []
    for _ in range(DRAWS):
        easy = rates[chance.integers(0, 800, 200)]
        alarms.append(settled_at((chance.binomial(4, easy) - chance.binomial(4, easy)) / 4) is not None)
    between(alarms, low=0.0, high=0.05)


def test_looking_every_ten_items_at_a_test_made_for_one_look(real_data, score_table):
    pairs = equal_pairs(score_table(real_data("zeroeval_crux.csv")), 500, np.random.default_rng(163))
    won = np.array([np.cumsum([differences > 0, differences < 0], axis=1)[:, 9::10] for differences in pairs])
    p = mcnemar_midp(won[:, 0], won[:, 1])
    assert np.mean(p.min(axis=1) < 0.05) == pytest.approx(0.275, abs=0.04)
    between(p[:, -1] < 0.05, low=0.0, high=0.05)
