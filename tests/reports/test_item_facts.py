import pytest

from openassay.reports.item_facts import endpoint
from openassay.reports.summary import summarise_run
from openassay.schema.models import ModelSpec

MODELS = tuple(f"m{k}" for k in range(5))


def run_of(made, passes, took=lambda model, n: "", attempts=1):
    tasks = [made.task(f"sum-{n}") for n in range(12)]
    cells = [
        made.cell(model, f"sum-{n}", passes(k, n, a), took=took(k, n), attempt=a, tries=1 + (k == 0))
        for k, model in enumerate(MODELS)
        for n in range(12)
        for a in range(attempts)
    ]
    return summarise_run(made.facts(tasks, MODELS, attempts=attempts), cells)


def test_an_item_that_models_fail_with_one_answer_is_for_people_to_look_at(made):
    summary = run_of(made, lambda k, n, a: n > 0 and (n + k) % 4 > 0, lambda k, n: "41" if n == 0 else f"{k}")
    first, *others = summary.items
    assert first.signs == ("models agree on one wrong answer", "no model solves it")
    assert first.wrong_share == pytest.approx(1.0)
    assert all(item.signs == () for item in others)
    assert any("1 item should be looked at by people" in sentence for sentence in summary.limits)


def test_faulty_items_bound_the_rate_beside_its_sampling_error(made):
    summary = run_of(made, lambda k, n, a: n > 0 and (n + k) % 4 > 0)
    result = summary.results[0]
    assert result.items_with_signs == 1
    assert result.if_faulty == pytest.approx((result.pass_rate, result.pass_rate + 1 / 12))
    assert result.interval[0] < result.pass_rate < result.interval[1]


def test_difficulty_and_instability_come_from_whole_models(made):
    summary = run_of(made, lambda k, n, a: n < 6 or (k < 2 and a == 0), attempts=2)
    assert (summary.items[0].solved, summary.items[0].instability, summary.items[0].n_models) == (1.0, 0.0, 5)
    assert (summary.items[11].solved, summary.items[11].instability) == (pytest.approx(0.2), pytest.approx(0.4))


def test_each_item_says_where_its_text_was_sent(made):
    assert run_of(made, lambda k, n, a: True).items[0].sent == {"m0": 2, "m1": 1, "m2": 1, "m3": 1, "m4": 1}


@pytest.mark.parametrize(
    ("spec", "place"),
    [
        ({"endpoint": "openai", "base_url": "https://user:secret@api.example.org:8443/v1"}, "api.example.org"),
        ({"endpoint": "openai", "base_url": "http://127.0.0.1:8091/v1"}, "this machine"),
        ({"endpoint": "local"}, "this machine"),
        ({"endpoint": "manual"}, "a person, by hand"),
        ({"endpoint": "anthropic"}, "anthropic"),
        ({"endpoint": "any", "provider": "mistral"}, "mistral"),
    ],
)
def test_endpoints_are_named_without_keys_and_paths(spec, place):
    assert endpoint(ModelSpec(name="m", **spec)) == place


def test_a_saturated_category_says_why(made):
    summary = run_of(made, lambda k, n, a: True)
    (found,) = summary.saturation
    assert (found.solved_by_all, found.headroom) == (1.0, 0.0)
    assert found.reasons == ("the 5 best models do alike on 100 % of the items",)


def test_attempts_show_a_curve_with_intervals_words_and_shares(made):
    result = run_of(made, lambda k, n, a: n < 6 or a % 2 == 0, attempts=4).results[0]
    assert len(result.pass_hat_k_intervals) == len(result.pass_hat_k) == 4
    assert all(
        lo <= value <= hi for value, (lo, hi) in zip(result.pass_hat_k, result.pass_hat_k_intervals, strict=True)
    )
    assert result.reliability == "passes an item 75 % of the time, and 4 times in a row 50 %"
    assert result.variance.item + result.variance.attempt == pytest.approx(1)


def test_judgements_have_their_share_where_attempts_were_judged_twice(disputed):
    shares = [result.variance_judged for result in summarise_run(*disputed[:2]).results]
    assert shares[1] is None  # beta is not settled everywhere
    assert shares[0].judge > 0
    assert shares[0].item + shares[0].attempt + shares[0].judge == pytest.approx(1)
