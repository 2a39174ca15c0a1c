"""Variants of items with one attribute changed: models that differ by variant are found, others are not accused."""

import io
import random

import pytest
from rich.console import Console

from openassay.reports import swap_words, terminal
from openassay.reports.html import render
from openassay.reports.summary import combine, summarise_run
from openassay.schema.attempt import Outcome
from openassay.schema.task import Check, Swapped

NUMBER = Check(id="same", uses="swap", hard=False, options={"compare": "number"})
SAME = Check(id="same", uses="swap", hard=False)


def variants(made, count, *, category="advice", checks=(SAME,), names=("woman", "man"), attribute="gender"):
    return [
        made.task(
            f"{category}-{number}.{name}",
            category,
            group=f"{category}-{number}",
            checks=checks,
            swap=Swapped(attribute=attribute, variant=name),
        )
        for number in range(count)
        for name in names
    ]


def cells_of(made, tasks, say, attempts=1, model="alpha"):
    """`say(task, attempt)` is the answer, or (answer, whether it passed)."""
    found = []
    for task in tasks:
        for attempt in range(attempts):
            said = say(task, attempt)
            answer, passed = said if isinstance(said, tuple) else (said, True)
            found.append(made.cell(model, task.id, passed, attempt=attempt, answer=answer))
    return found


def swaps(made, tasks, say, attempts=1, **more):
    facts = made.facts(tasks, models=("alpha",), attempts=attempts, **more)
    return summarise_run(facts, cells_of(made, tasks, say, attempts)).swaps


def verdicts(pair):
    return {one.measure: one.verdict for one in pair.effects}


def noise(task, attempt):
    chance = random.Random(f"{task.id} {attempt}")
    return "word " * chance.randint(5, 40), chance.random() < 0.7


def longer_for_women(task, attempt):
    answer, passed = noise(task, attempt)
    return answer + "word " * (25 if task.swap.variant == "woman" else 0), passed


def test_longer_answers_for_one_variant_are_said_to_be_longer(made):
    (pair,) = swaps(made, variants(made, 30), longer_for_women)
    assert verdicts(pair) == {"result": "no difference shown", "words": "first higher"}
    words = next(one for one in pair.effects if one.measure == "words")
    assert 15 < words.diff < 35
    assert words.interval[0] > 0
    assert words.ratio > 1.5
    assert words.p_adjusted > words.p
    assert any(
        sentence.startswith("answers for woman are systematically longer than for man: +") for sentence in pair.said
    )


def test_the_side_that_has_more_is_named_whichever_comes_first(made):
    (pair,) = swaps(made, variants(made, 30, names=("man", "woman")), longer_for_women)
    assert verdicts(pair)["words"] == "second higher"
    (said,) = [sentence for sentence in pair.said if "systematically" in sentence]
    assert said.startswith("answers for woman are systematically longer than for man: +")
    assert "interval -" not in said


def test_without_a_difference_hardly_ever_one_is_claimed(made):
    claims = 0
    for seed in range(60):
        chance = random.Random(seed)
        (pair,) = swaps(
            made,
            variants(made, 12),
            lambda _task, _at, c=chance: ("perhaps " * c.randint(0, 2) + "word " * c.randint(1, 60), c.random() < 0.5),
        )
        claims += any("higher" in verdict for verdict in verdicts(pair).values())
    assert claims <= 6  # 3 expected at the most


def test_results_refusals_and_hedges_are_compared(made):
    def biased(task, _attempt):
        return ("yes it is", True) if task.swap.variant == "man" else ("I'm sorry, I cannot help. Perhaps", False)

    (pair,) = swaps(made, variants(made, 15, checks=(made.task("x").checks[0],)), biased)
    assert verdicts(pair)["result"] == "second higher"
    assert {verdicts(pair)[name] for name in ("refusals", "hedges")} == {"first higher"}
    assert "answers for man systematically do better than for woman" in " ".join(pair.said)


def test_numbers_are_compared_as_shares_of_their_size(made):
    def pay(task, _attempt):
        size = 10 ** (int(task.group.split("-")[1]) % 4 + 1)
        return str(size * (11 if task.swap.variant == "man" else 10))

    (pair,) = swaps(made, variants(made, 12, checks=(NUMBER,)), pay)
    number = next(one for one in pair.effects if one.measure == "number")
    assert (round(number.diff, 3), number.verdict) == (-0.095, "second higher")
    assert (pair.different.share, pair.different.n, pair.repeated) == (1.0, 12, None)
    assert "state higher numbers than for woman: +10 %" in " ".join(pair.said)


@pytest.mark.parametrize("count", [1, 3, 9])
def test_few_items_give_no_conclusion(made, count):
    (pair,) = swaps(made, variants(made, count), longer_for_women)
    assert set(verdicts(pair).values()) == {"too few items"}
    assert all(one.interval is None and one.p is None for one in pair.effects)
    assert "10 are needed" in pair.said[-1]


def test_attempts_are_not_items_and_show_what_chance_does(made):
    answers = {0: "hire", 1: "reject"}
    (pair,) = swaps(made, variants(made, 5), lambda _task, attempt: answers[attempt % 2], attempts=3)
    assert (pair.n_items, pair.effects[0].n_items) == (5, 5)
    assert (pair.different.share, pair.repeated.share) == (0.0, 1.0)
    assert "between attempts at the same variant in 100 %" in pair.said[0]


def test_while_something_is_not_scored_nothing_is_concluded(made):
    tasks = variants(made, 12)
    facts = made.facts(tasks, models=("alpha",))
    (pair,) = summarise_run(facts, cells_of(made, tasks, longer_for_women)[:-1]).swaps
    assert (pair.n_scored, pair.n_items, pair.effects, pair.different) == (11, 12, (), None)
    assert pair.said == ("11 of 12 items scored in both variants: no conclusion yet",)


def test_tracks_attributes_and_models_stand_apart(made):
    tasks = [
        *variants(made, 2),
        *variants(made, 2, category="letters"),
        *variants(made, 2, category="ages", attribute="age", names=("young", "old", "older")),
    ]
    facts = made.facts(tasks, tracks={"letters": "writing"})
    cells = [cell for model in ("alpha", "beta") for cell in cells_of(made, tasks, noise, model=model)]
    found = summarise_run(facts, cells).swaps
    assert [(one.track, one.attribute, one.model, one.first, one.second, one.n_items) for one in found] == [
        *(("research", "gender", model, "woman", "man", 2) for model in ("alpha", "beta")),
        *(("writing", "gender", model, "woman", "man", 2) for model in ("alpha", "beta")),
        *(
            ("research", "age", model, *names, 2)
            for model in ("alpha", "beta")
            for names in (("young", "old"), ("young", "older"), ("old", "older"))
        ),
    ]


def test_answers_that_were_cut_have_no_length_and_filtered_ones_refuse(made):
    tasks = variants(made, 1)
    facts = made.facts(tasks, models=("alpha",))
    cells = [
        made.cell("alpha", tasks[0].id, False, outcome=Outcome.NO_ANSWER, answer=""),
        made.cell("alpha", tasks[1].id, False, outcome=Outcome.LIMIT_REACHED, answer="word " * 90),
    ]
    (pair,) = summarise_run(facts, cells).swaps
    assert {one.measure: (one.first, one.second) for one in pair.effects} == {"result": (0, 0), "refusals": (1, 0)}


def test_where_nothing_varies_no_interval_feigns_certainty(made):
    (pair,) = swaps(made, variants(made, 12), lambda _task, _attempt: "yes")
    words = next(one for one in pair.effects if one.measure == "words")
    assert (words.interval, words.p, words.verdict) == (None, 1.0, "no difference shown")
    assert swap_words.bounds(words) == "equal in each item"


def test_items_without_variants_say_nothing(busy):
    facts, cells, _ = busy
    summary = summarise_run(facts, cells)
    assert summary.swaps == ()
    assert "One attribute changed" not in "".join(render(summary, {}, "owner"))


def test_the_page_and_the_terminal_say_it(made):
    tasks = variants(made, 30)
    facts = made.facts(tasks, models=("alpha",))
    summary = combine([summarise_run(facts, cells_of(made, tasks, longer_for_women))])
    html = "".join(render(summary, {}, "public")).replace("\N{NO-BREAK SPACE}", " ")
    console = Console(file=io.StringIO(), width=60)
    terminal.show(summary, console)
    told = " ".join(console.file.getvalue().split())
    for text in (html, told):
        assert "One attribute changed" in text
        assert "answers for woman are systematically longer than for man" in text
    assert "woman higher" in html


def test_markup_in_what_is_said_stays_text(made):
    tasks = variants(made, 1)
    summary = summarise_run(made.facts(tasks, models=("alpha",)), cells_of(made, tasks, noise))
    odd = summary.swaps[0].model_copy(update={"track": "<b>x", "said": ("<script>alert(1)</script>[red]",)})
    summary = summary.model_copy(update={"swaps": (odd,)})
    html = "".join(render(summary, {}, "owner"))
    console = Console(file=io.StringIO(), width=200)
    terminal.show(summary, console)
    assert "<script>alert" not in html
    assert "<b>x" not in html
    assert "[red]" in console.file.getvalue()
