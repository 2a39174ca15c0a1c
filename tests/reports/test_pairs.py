import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from openassay.reports import compared_terminal, pair_words, terminal
from openassay.reports.beside import beside
from openassay.reports.html import render
from openassay.reports.pairs import flipped
from openassay.reports.summary import combine, summarise_run

OUTCOMES = [True] * 70 + [True] * 12 + [False] * 9 + [False] * 9, [True] * 70 + [False] * 12 + [True] * 9 + [False] * 9
"""Of two models on 100 items: 82 and 79 pass, 12 only the first, 9 only the second."""


def run_of(made, passes, *, group=lambda _: "", attempts=1, **facts):
    """A run in which each model passes as told: model -> one truth value an item, or one list an attempt."""
    number = len(next(iter(passes.values())))
    tasks = [made.task(f"sum-{n}", group=group(n)) for n in range(number)]
    cells = [
        made.cell(model, f"sum-{n}", each[n] if attempts == 1 else each[n][k], attempt=k)
        for model, each in passes.items()
        for n in range(number)
        for k in range(attempts)
    ]
    return made.facts(tasks, tuple(passes), attempts=attempts, **facts), cells


def printed(summary, a, b):
    console = Console(file=io.StringIO(), width=140)
    compared_terminal.show(beside(summary, a, b), "report.html", console)
    return console.file.getvalue()


@pytest.fixture(scope="module")
def hundred(made):
    return summarise_run(*run_of(made, dict(zip(("alpha", "beta"), OUTCOMES, strict=True))))


def test_82_against_79_of_100_shows_no_difference_and_says_what_would(hundred):
    (pair,) = hundred.pairs
    assert (pair.passed_a, pair.passed_b, pair.tried) == (82, 79, 100)
    assert (pair.verdict, pair.better) == ("no difference shown", None)
    assert (pair.wins, pair.losses, pair.ties) == (12, 9, 79)
    assert pair.sentence == (
        "82 of 100 against 79 of 100: no difference shown. This comparison could have shown a gap of 13 points; to "
        "settle a gap of 3 points about 2,000 items are needed."
    )


def test_gaps_and_items_count_on_the_correction_for_all_pairs(made, hundred):
    twelve = {f"m{n}": OUTCOMES[n % 2] for n in range(12)}
    many = summarise_run(*run_of(made, twelve)).pairs[0]
    (alone,) = hundred.pairs
    assert (many.n_pairs, many.diff, many.p) == (66, alone.diff, alone.p)
    assert many.gap_shown == pytest.approx(alone.gap_shown * 1.499, rel=0.01)
    assert many.items_needed == pytest.approx(alone.items_needed * 1.499**2, rel=0.01)


def test_the_answer_comes_first_then_the_table_and_the_items(hundred):
    text = printed(hundred, "alpha", "beta")
    places = [text.index(part) for part in ("no difference shown. This", "model A", "alpha did better on 12 items")]
    assert places == sorted(places)
    assert "report.html#item--run-1--sum-70" in text


def test_ranks_are_sets_only(hundred):
    (ranks,) = hundred.ranks
    assert [(one.alone, one.together) for one in ranks.models] == [((1, 2), (1, 2))] * 2
    assert ranks.may_be_best == ("alpha", "beta")


def test_a_clear_difference_names_the_better_model(made):
    summary = summarise_run(*run_of(made, {"beta": [n < 10 for n in range(40)], "alpha": [n < 32 for n in range(40)]}))
    (pair,) = summary.pairs
    assert (pair.verdict, pair.better) == ("B better", "alpha")
    assert "10 of 40 against 32 of 40: alpha better. The difference lies from" in pair.sentence
    assert [one.together for one in summary.ranks[0].models] == [(2, 2), (1, 1)]


def test_items_of_few_sources_give_counts_and_no_interval(made):
    passes = {"alpha": [True] * 40, "beta": [n % 2 == 0 for n in range(40)]}
    summary = summarise_run(*run_of(made, passes, group=lambda n: f"case-{n % 5}"))
    (pair,) = summary.pairs
    assert (pair.verdict, pair.n_units, pair.interval, pair.p, summary.ranks) == ("too few items", 5, None, None, ())
    assert "The 40 items come from 5 sources" in pair.sentence
    assert [one.interval for one in summary.results] == [None, None]
    assert [one.few_sources for one in summary.results] == [True, True]


def test_attempts_are_no_items(made):
    passes = {"alpha": [[n < 6] * 10 for n in range(12)], "beta": [[n < 4] * 10 for n in range(12)]}
    (pair,) = summarise_run(*run_of(made, passes, attempts=10)).pairs
    assert (pair.n_items, pair.tried, pair.verdict) == (12, 120, "no difference shown")
    assert pair.sentence.startswith("60 of 120 against 40 of 120 attempts at 12 items: no difference shown")


def test_p_is_corrected_for_all_pairs_of_the_category(made):
    base = [n < 30 for n in range(60)]
    passes = {f"m{k}": [not one if n < k else one for n, one in enumerate(base)] for k in range(7)}
    pairs = summarise_run(*run_of(made, passes)).pairs
    assert {pair.n_pairs for pair in pairs} == {21}
    assert all(pair.p_adjusted >= pair.p for pair in pairs)
    (widest,) = (pair for pair in pairs if {pair.a, pair.b} == {"m0", "m6"})
    assert (widest.p < 0.05 < widest.p_adjusted, widest.verdict) == (True, "no difference shown")
    assert "among 21 pairs" in widest.sentence


def test_practically_equal_takes_a_declared_margin(made):
    passes = {"alpha": [True] * 390 + [False] * 10, "beta": [True] * 390 + [False] * 10}
    facts, cells = run_of(made, passes)
    assert summarise_run(facts, cells).pairs[0].verdict == "no difference shown"
    (pair,) = summarise_run(facts, cells, margin=0.02).pairs
    assert (pair.verdict, "within the 2 points that were declared" in pair.sentence) == ("practically equal", True)


def test_an_incomplete_model_shows_nothing_but_counts(made):
    facts, cells = run_of(made, dict(zip(("alpha", "beta"), OUTCOMES, strict=True)))
    summary = summarise_run(facts, cells[:-1])
    assert (summary.pairs, summary.ranks, summary.saturation, summary.steadiness) == ((), (), (), ())
    text = printed(summary, "alpha", "beta")
    assert "No comparison yet: alpha 100 scored of 100 planned and beta 99 scored of 100 planned" in text
    assert "did better" not in text


def test_scores_are_compared_where_no_hard_check_decides(made):
    tasks = [made.task(f"essay-{n}", "essays", hard=False) for n in range(20)]
    cells = [
        made.cell(model, task.id, counted=lead + 20_000 * n)
        for model, lead in (("alpha", 500_000), ("beta", 100_000))
        for n, task in enumerate(tasks)
    ]
    (pair,) = summarise_run(made.facts(tasks), cells).pairs
    assert (pair.measure, pair.passed_a, pair.better) == ("score", None, "alpha")
    assert pair.sentence.startswith("score 0.69 against 0.29 over 20 items: alpha better")


@settings(max_examples=50)
@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=60))
def test_the_other_order_is_the_same_pair_turned_round(made, results):
    passes = {"alpha": [a for a, _ in results], "beta": [b for _, b in results]}
    (pair,) = summarise_run(*run_of(made, passes)).pairs
    turned = dict(reversed(passes.items()))
    (other,) = summarise_run(*run_of(made, turned)).pairs
    assert flipped(flipped(pair)) == pair
    assert (flipped(pair).sentence, flipped(pair).verdict) == (other.sentence, other.verdict)


def test_categories_are_never_compared_together(busy):
    facts, cells, _ = busy
    summary = summarise_run(facts, cells)
    assert [(pair.category, pair.measure) for pair in summary.pairs][:2] == [
        ("sums", "pass rate"),
        ("letters", "pass rate"),
    ]
    assert combine([summary, summary]).pairs == summary.pairs * 2


def test_hostile_model_names_stay_text(made):
    passes = dict(zip(("alpha", "beta"), OUTCOMES, strict=True))
    facts, cells = run_of(made, passes, title="[red]Letters[/red]<kbd>")
    summary = summarise_run(facts, cells)
    assert "<kbd>" not in "".join(render(summary, {}, "public"))
    console = Console(file=io.StringIO(), width=100)
    terminal.show(summary, console)
    assert "[red]Letters[/red]" in console.file.getvalue()


@pytest.mark.parametrize(
    ("span", "said"), [((1, 3), "1 to 3"), ((2, 2), "only 2"), ((1, 5), "any of 5"), ((4, 5), "4 to 5")]
)
def test_rank_sets_in_words(span, said):
    assert pair_words.ranks(span, 5) == said
