"""Coverage of the default intervals on real results, with enough draws to trust the second decimal.

Each figure is the share of draws whose 95 % interval holds the truth of the whole set it was drawn from, averaged over
the models. Two Monte Carlo standard errors are allowed for.
"""

import numpy as np
import pytest

from openassay.stats import Strata, paired_diff, rank_sets, reliability_curve, score_ci, wilson

pytestmark = pytest.mark.slow
DRAWS = 2_000
ITEMS = [10, 20, 30, 50, 100, 200, 500]


def between(hits, low=0.93, high=0.985):
    share = np.mean(hits)
    slack = 2 * np.sqrt(share * (1 - share) / len(hits))
    assert low - slack <= share <= high + slack


@pytest.fixture
def crux(real_data, score_table):
    return score_table(real_data("zeroeval_crux.csv"))


@pytest.fixture
def repeated(real_data):
    """Items x ten attempts."""
    path = real_data("cruxeval_codellama7b_output_10samples.csv")
    return np.loadtxt(path, delimiter=",", skiprows=1, usecols=range(1, 11))


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
def test_strata(crux, n):
    chance, hits = np.random.default_rng(152), []
    for _ in range(DRAWS):
        model = int(chance.integers(len(crux)))
        parts = np.array_split(np.argsort(np.delete(crux, model, axis=0).mean(axis=0), kind="stable"), 5)
        drawn = np.concatenate([chance.choice(part, n // 5) for part in parts])
        strata = Strata(np.repeat(range(5), n // 5).tolist(), {label: len(part) for label, part in enumerate(parts)})
        found = score_ci(crux[model][drawn], strata=strata)
        hits.append(found.lo <= crux[model].mean() <= found.hi)
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


@pytest.mark.parametrize("n", [20, 50, 200])
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


@pytest.mark.parametrize("n", [10, 15, 40, 100, 300])
@pytest.mark.parametrize("k", [1, 4])
def test_pairs_over_attempts(real_data, n, k):
    rows = np.loadtxt(real_data("matharena_aimeII_19models_4attempts.csv"), delimiter=",", skiprows=1)
    results = rows[:, 1:].reshape(15, 4, 19).transpose(2, 0, 1).mean(axis=2)
    chance, hits = np.random.default_rng(156), []
    for _ in range(DRAWS):
        a, b = results[chance.choice(19, 2, replace=False)]
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
