import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm

from openassay.stats import Noise, Prices, noise_of_judgements, noise_of_passes, plan, score_ci, variance_components


def made_up(shape, chance, model=0.1, item=0.2, both=0.15, attempt=0.3, judge=0.1):
    """A table with these standard deviations."""
    models, items, attempts, _ = shape
    return (
        chance.normal(0, model, (models, 1, 1, 1))
        + chance.normal(0, item, (1, items, 1, 1))
        + chance.normal(0, both, (models, items, 1, 1))
        + chance.normal(0, attempt, (models, items, attempts, 1))
        + chance.normal(0, judge, shape)
    )


def test_components_are_found_again():
    found = variance_components(made_up((60, 300, 4, 3), np.random.default_rng(90)))
    assert (found.item, found.model_item, found.attempt, found.judge) == pytest.approx(
        (0.04, 0.0225, 0.09, 0.01), rel=0.1
    )
    assert found.model == pytest.approx(0.01, rel=0.4)


def test_mean_squares_are_what_statsmodels_says():
    import pandas as pd

    table = made_up((3, 5, 4, 1), np.random.default_rng(91))[..., 0]
    rows = [{"m": str(m), "i": str(i), "y": y} for (m, i, _), y in np.ndenumerate(table)]
    squares = anova_lm(ols("y ~ m + i + m:i", pd.DataFrame(rows)).fit())["mean_sq"]
    found = variance_components(table)
    assert found.attempt == pytest.approx(squares["Residual"])
    assert found.item == pytest.approx(max(0, squares["i"] - squares["m:i"]) / 12)
    assert found.model == pytest.approx(max(0, squares["m"] - squares["m:i"]) / 20)
    assert found.model_item == pytest.approx(max(0, squares["m:i"] - squares["Residual"]) / 4)


def test_one_model_has_items_and_attempts():
    passes = np.random.default_rng(92).binomial(1, 0.5, (1, 40, 4)) | (np.arange(40) % 2)[None, :, None]
    found = variance_components(passes)
    by_counts = noise_of_passes(passes.sum(axis=2)[0].tolist(), [4] * 40)
    assert (found.item, found.attempt) == pytest.approx((by_counts.item, by_counts.attempt))
    assert (found.model, found.model_item) == (0, 0)


def test_judgements_of_one_model_are_those_of_a_whole_table():
    table = made_up((1, 40, 3, 2), np.random.default_rng(94))
    found, whole = noise_of_judgements(table[0].tolist()), variance_components(table)
    assert (found.item, found.attempt, found.judge) == pytest.approx((whole.item, whole.attempt, whole.judge))


def test_components_are_found_again_where_only_some_were_judged_twice():
    chance = np.random.default_rng(95)
    table = made_up((1, 3_000, 3, 2), chance, both=0)[0]
    ragged = [
        [tries[: 1 + (n + k) % 2].tolist() for k, tries in enumerate(item[: 1 + n % 3])] for n, item in enumerate(table)
    ]
    found = noise_of_judgements(ragged)
    assert (found.item, found.attempt, found.judge) == pytest.approx((0.04, 0.09, 0.01), rel=0.12)


@pytest.mark.parametrize("scores", [[[[0.1, 0.2]]], [[[0.1]], [[0.3], [0.4]]]])
def test_judgements_made_once_say_nothing_of_the_judge(scores):
    assert noise_of_judgements(scores) is None


def test_with_one_attempt_its_noise_cannot_be_told_from_the_items():
    found = variance_components(np.random.default_rng(93).random((4, 20, 1)))
    assert (found.attempt, found.judge) == (None, None)


def test_what_comes_out_below_nothing_is_nothing_and_named():
    found = variance_components([[[1, 0], [0, 1], [1, 0]]])
    assert (found.item, found.clipped) == (0, ("item",))


@pytest.mark.parametrize("table", [np.ones((2, 3)), np.ones((2, 1, 4)), np.full((2, 3, 4), np.nan)])
def test_it_wants_a_whole_table(table):
    with pytest.raises(ValueError, match="models x items x attempts"):
        variance_components(table)


def test_items_tried_once_say_nothing_of_attempts():
    assert noise_of_passes([1, 0], [1, 1]) is None


shares = st.floats(0.001, 1)


@given(shares, shares, st.floats(0.01, 10), st.floats(0.01, 10))
def test_the_best_split_lies_at_the_optimum_of_the_textbook(item, attempt, item_price, attempt_price):
    best = plan(Noise(item, attempt), budget=1e6, prices=Prices(item_price, attempt_price), most_attempts=400)[0]
    optimum = np.sqrt(attempt / item * item_price / attempt_price)  # Cochran 1977, section 10.6
    assert abs(best.attempts - np.clip(optimum, 1, 400)) <= 1 + 0.1 * optimum


def test_while_there_are_fresh_items_one_attempt_each_is_best():
    splits = plan(Noise(0.1, 0.15), budget=200, prices=Prices())
    assert (splits[0].items, splits[0].attempts) == (200, 1)
    assert plan(Noise(0.1, 0.15), budget=200, prices=Prices(), most_items=50)[0].attempts == 4


def test_the_same_judge_again_is_bought_only_where_it_varies():
    prices = Prices(attempt=1, judgement=0.01)
    assert plan(Noise(0.1, 0.0, 0.2), budget=100, prices=prices, most_judgements=3)[0].judgements == 3
    assert plan(Noise(0.1, 0.1, 0.0), budget=100, prices=prices, most_judgements=3)[0].judgements == 1


def test_a_budget_pays_for_something():
    with pytest.raises(ValueError, match="at least one item"):
        plan(Noise(0.1, 0.1), budget=0.5, prices=Prices())


def test_real_components(real_data):
    rows = np.loadtxt(real_data("matharena_aimeII_19models_4attempts.csv"), delimiter=",", skiprows=1)
    found = variance_components(rows[:, 1:].reshape(15, 4, 19).transpose(2, 0, 1))
    measured = (found.model, found.item, found.model_item, found.attempt)
    assert measured == pytest.approx((0.063, 0.066, 0.042, 0.086), abs=0.001)


def test_real_attempts_are_a_small_share_and_the_plan_foretells_the_interval(real_data):
    table = np.loadtxt(
        real_data("cruxeval_codellama7b_output_10samples.csv"), delimiter=",", skiprows=1, usecols=range(1, 11)
    )
    noise = noise_of_passes(table.sum(axis=1).astype(int).tolist(), [10] * 800)
    assert noise.attempt_share == pytest.approx(0.13, abs=0.01)
    told = next(split for split in plan(noise, budget=800, prices=Prices()) if split.attempts == 4)
    seen = score_ci(table[::4, :4].mean(axis=1), attempts=4)
    assert told.half_width == pytest.approx(seen.half_width, rel=0.1)
