"""The gold set that ships: enough items, enough that fail, every starter category, grounds, and honest words on it."""

import re
from collections import Counter

import pytest

from openassay.scorers import twins
from openassay.scorers.quotes import quotations
from openassay.tasks import gold, load, starter

GOLD = gold.read_gold(gold.starter_gold())
TEXTS = load.load(starter.starter_path())
CODING = load.load(starter.starter_path("coding"))


def test_at_least_72_items_on_26_outputs_and_two_fifths_fail():
    verdicts = Counter(item.verdict for item in GOLD.items)
    assert verdicts.total() >= 72
    assert verdicts["fail"] >= 0.4 * verdicts.total()
    assert len(GOLD.outputs()) >= 26
    assert GOLD.remarks == ()


def test_every_text_category_of_the_starter_and_only_starter_categories():
    found = {item.category for item in GOLD.items}
    assert {category.id for category in TEXTS.info.category} <= found
    assert found <= {category.id for bench in (TEXTS, CODING) for category in bench.info.category}


@pytest.mark.parametrize("by", ["category", "kind"])
def test_both_verdicts_in_every_category_and_kind(by):
    found = {(getattr(item, by), item.verdict) for item in GOLD.items}
    assert {(name, verdict) for name, _ in found for verdict in ("pass", "fail")} == found


def test_most_outputs_meet_one_criterion_and_fail_another():
    mixed = [items for items in GOLD.outputs() if len({item.verdict for item in items}) == 2]
    assert len(mixed) > len(GOLD.outputs()) / 2


@pytest.mark.parametrize("items", GOLD.outputs(), ids=lambda items: items[0].id.rpartition(".")[0])
def test_an_output_is_short_and_has_two_to_four_criteria(items):
    assert 2 <= len(items) <= 4
    first = items[0]
    shown = [first.instruction, first.material, first.output, *(item.criterion for item in items)]
    assert sum(len(text.split()) for text in shown) < 250


@pytest.mark.parametrize("item", GOLD.items, ids=lambda item: item.id)
def test_a_ground_is_one_sentence_and_says_where_the_item_is_from(item):
    assert item.ground.endswith(".")
    assert len(item.ground.split()) >= 2
    assert (item.source, item.licence) == ("written for this gold set", "CC-BY-4.0")


@pytest.mark.parametrize("items", GOLD.outputs(), ids=lambda items: items[0].id.rpartition(".")[0])
def test_ids_count_the_criteria_and_give_no_verdict_away(items):
    output = items[0].id.rpartition(".")[0]
    assert re.fullmatch(r"(ex|ev|co|do|pe|fn|bug)-[a-z]+-[a-h]", output)
    assert [item.id for item in items] == [f"{output}.{number}" for number in range(1, len(items) + 1)]


def word_for_word():
    """Items whose verdict a program can check too."""
    for item in GOLD.items:
        if "stands in quotation marks stands word for word" in item.criterion:
            yield pytest.param(item, id=item.id)


@pytest.mark.parametrize("item", list(word_for_word()))
def test_verdicts_on_quotations_are_right(item):
    stands = all(quote in item.material for quote in quotations(item.output))
    assert stands == (item.verdict == "pass")


@pytest.mark.parametrize("item", [item for item in GOLD.items if item.criterion == "Has at most 30 words"])
def test_verdicts_on_numbers_of_words_are_right(item):
    assert (len(item.output.split()) <= 30) == (item.verdict == "pass")
    assert str(len(item.output.split())) in item.ground


def test_criteria_on_form_are_marked():
    form = [
        item for item in GOLD.items if any(word in item.criterion for word in ("sentence", "words", "JSON", "frase"))
    ]
    assert len(form) >= 6
    assert [item.id for item in form if item.style_free] == []


def test_most_outputs_have_a_reformatted_twin():
    same = [items[0].id for items in GOLD.outputs() if twins.reformatted(items[0].output) == items[0].output]
    assert len(same) < len(GOLD.outputs()) / 4


def test_the_digest_is_stable():
    assert gold.read_gold(gold.starter_gold()).digest == GOLD.digest


def test_the_note_beside_it_says_who_set_the_verdicts():
    note = (gold.starter_gold().parent / "README.md").read_text(encoding="utf-8")
    assert "not by independent\n  raters" in note
    assert "CC-BY-4.0" in note
