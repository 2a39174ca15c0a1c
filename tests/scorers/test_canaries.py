"""Canary items: surely true and surely false, and worded so that nothing but the output tells which."""

import runpy
import time
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openassay.scorers.canaries import canaries, holds
from openassay.scorers.fold import key

truth = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("canary_truth.py"))))

AROUND = "What is the capital of France? Say why Napoleon kept it there. The Seine flows through Normandy to the sea."
CRITERIA = {
    "en": ["The output names Paris", "The output gives the reason for it"],
    "de": ["Die Antwort nennt die Stadt.", "Der Grund ist mit einem Satz belegt."],
    "fr": ["La réponse est polie et donne le motif", "Elle ne contient pas de faute"],
    "es": ["La respuesta es cortés y da el motivo", "El tono no es de los peores"],
    "it": ["La risposta è cortese e non ha errori", "Il motivo della scelta è dato"],
    "pt": ["A resposta é educada e não tem erros", "O motivo da escolha está na carta"],
    "nl": ["Het antwoord is beleefd en niet te lang", "De reden van de keuze wordt gegeven"],
    "verbs": ["Names the city", "Gives the reason", "Keeps to one sentence"],
    "none": [],
}
OUTPUTS = {
    "one token": "42",
    "one word": "Paris",
    "prose": "The capital of France is Paris, because the kings of old lived there in the Louvre. "
    "It is a large and grey city.",
    "punctuation": "!!! ... ???",
    "code": "```python\ndef add(one, other):\n    return one + other\n```",
    "JSON": '{"capital": "Paris", "why": ["kings", "river"], "people": 2102650}',
    "tiny JSON": '{"a": 1}',
    "Chinese": "法国的首都是巴黎，因为国王住在那里。它又大又灰。",
    "Thai": "เมืองหลวงของฝรั่งเศสคือปารีส เพราะกษัตริย์ประทับอยู่ที่นั่น",
    "Hindi": "फ्रांस की राजधानी पेरिस है।",
    "Arabic": "عاصمة فرنسا هي باريس لأن الملوك عاشوا هناك.",
    "emoji": "🎉🎉",
    "lookalikes": "Pаris is the cаpital, and the kings lived in the Lоuvre.",  # Cyrillic letters
    "a template": "The output mentions “harbour”. The output does not mention “Lisbon” before “Hungary”.",
    "quotes": "\"Paris\" \\ 'Paris' “Paris” «Paris»",
    "markdown": "# Paris\n\n- **the capital** of France\n- the kings lived there\n\n*Louvre*",
    "long": "Paris is old, and the river is wide. " * 200,
    "cut at both ends": "[... 9 characters are left out here ...] kings [... 9 characters are left out here ...]",
    "cut": "The kings lived there. " * 40 + "\n[... 80,000 characters are left out here ...]\n" + "It is large. " * 40,
}
WORDS = ["Paris", "the", "capital", "of", "France", "is", "kings", "Louvre", "42", "1682", "was", "grey,", "lived."]
SEEDS = [str(number) for number in range(12)]


def pair(output, criteria=CRITERIA["en"], seed="s", around=AROUND):
    return canaries(output, around=around, criteria=criteria, seed=seed)


def check(items, output):
    assert sorted(item.truth for item in items) == [False, True]
    for item in items:
        assert truth.surely(item.text, output) is item.truth
        assert holds(item.text, output) is item.truth


@pytest.mark.parametrize("name", OUTPUTS)
@pytest.mark.parametrize("criteria", CRITERIA)
def test_one_is_true_and_one_is_false_of_any_output_in_any_language(name, criteria):
    for seed in SEEDS[:4]:
        check(pair(OUTPUTS[name], CRITERIA[criteria], seed), OUTPUTS[name])


words = st.lists(
    st.sampled_from(WORDS),
    max_size=60,
).map(" ".join)
texts = st.one_of(st.text(max_size=200), words, st.sampled_from([one for one in OUTPUTS.values() if len(one) < 1000]))


@settings(deadline=None)
@given(texts, texts, st.sampled_from(list(CRITERIA)), st.text(max_size=5))
def test_truth_holds_for_any_text(output, around, criteria, seed):
    check(pair(output, CRITERIA[criteria], seed, around), output)


@settings(deadline=None)
@given(texts, st.text(max_size=5))
def test_they_are_two_short_lines_with_plain_words(output, seed):
    items = pair(output, seed=seed)
    assert [(item.id, item.check) for item in items] == [("canary#1", ""), ("canary#2", "")]
    for item in items:
        assert len(item.text) <= 140
        assert item.text.isprintable() or "\u00a0" in item.text
        assert all(len(value) <= 40 and not set(value) & set("\"'\\`\n“”«»") for value in truth.values(item.text))


@settings(deadline=None)
@given(texts, st.text(max_size=5))
def test_the_same_seed_gives_the_same_items(output, seed):
    assert pair(output, seed=seed) == pair(output, seed=seed)


@pytest.mark.parametrize("name", OUTPUTS)
def test_other_seeds_give_other_items(name):
    assert len({tuple(item.text for item in pair(OUTPUTS[name], seed=seed)) for seed in SEEDS}) > 4


@pytest.mark.parametrize("name", OUTPUTS)
def test_the_two_have_two_wordings(name):
    for seed in SEEDS:
        one, two = pair(OUTPUTS[name], seed=seed)
        frames = [truth._QUOTED.sub("X", item.text) for item in (one, two)]
        assert frames[0] != frames[1]


def test_neither_wording_nor_negation_nor_place_tells_the_truth():
    seen, places = Counter(), Counter()
    for seed in range(500):
        items = pair(OUTPUTS["prose"], seed=str(seed))
        places[items[0].truth] += 1
        seen.update((*truth.kind(item.text), item.truth) for item in items)
    assert 0.4 < places[True] / places.total() < 0.6
    frames = {(family, negated) for family, negated, _ in seen}
    assert len(frames) == 12
    for frame in frames:
        true, false = seen[*frame, True], seen[*frame, False]
        assert 0.25 < true / (true + false) < 0.75, frame


@pytest.mark.parametrize(
    ("criteria", "begins"),
    [
        ("en", "The output "),
        ("de", "Die Antwort "),
        ("fr", "La réponse "),
        ("es", "La respuesta "),
        ("it", "La risposta "),
        ("pt", "A resposta "),
        ("nl", "Het antwoord "),
        ("none", "The output "),
    ],
)
def test_they_are_in_the_language_of_the_criteria_and_in_their_words(criteria, begins):
    assert all(item.text.startswith(begins) for item in pair(OUTPUTS["prose"], CRITERIA[criteria]))


def test_they_take_the_form_of_the_criteria():
    assert not any(item.text.startswith("The") for item in pair(OUTPUTS["prose"], CRITERIA["verbs"]))
    assert all(item.text.endswith(".") for item in pair(OUTPUTS["prose"], CRITERIA["de"]))
    assert all(item.text.startswith("The text ") for item in pair(OUTPUTS["prose"], ["The text is a letter"]))


def test_none_is_a_criterion_of_the_task():
    for seed in SEEDS:
        first = [item.text for item in pair("42", seed=seed)]
        again = canaries("42", around=AROUND, criteria=[*CRITERIA["en"], first[0].upper()], seed=seed)
        assert key(first[0]) not in {key(item.text) for item in again}


def absent(output, around=AROUND):
    """Words of items that are about what the output does not hold."""
    for seed in range(60):
        for item in pair(output, seed=str(seed), around=around):
            family, negated = truth.kind(item.text)
            if family not in ("length", "order") and item.truth is negated:
                yield from truth.values(item.text)


def test_what_is_not_in_the_output_comes_from_the_task():
    assert {"Napoleon", "Normandy", "Seine", "flows"} <= set(absent(OUTPUTS["one word"]))


@pytest.mark.parametrize(
    ("output", "around", "never"),
    [
        ("The harbours were full", "A harbour, a harbourmaster and a violin", "harbour"),
        ("Nаpоleon", "Napoleon and the violin", "napoleon"),  # Cyrillic letters
        ("N a p o l e o n", "Napoleon and the violin", "napoleon"),
        ("Nap&#111;leon", "Napoleon and the violin", "napoleon"),
        ("Napoléon", "Napoleon and the violin", "napoleon"),
        ("ＮＡＰＯＬＥＯＮ", "Napoleon and the violin", "napoleon"),
        ("Die Hauptstadt ist es", "Die Stadt ist alt", "stadt"),
        ("法国的首都是巴黎。", "What is the capital of France?", "france"),
        ("Die Hauptstadt von Frankreich ist es", "What is the capital of France?", "france"),
    ],
)
def test_a_word_that_is_there_in_another_form_is_not_said_to_be_absent(output, around, never):
    found = [word.casefold() for word in absent(output, around)]
    assert found
    assert not any(never in word for word in found)


@pytest.mark.parametrize(
    "criterion",
    [
        "The output names Paris",
        "The tone is polite",
        "says please",
        "The output mentions tea",
        "Is it short?",
        "",
        "{x}",
    ],
)
def test_other_criteria_are_not_taken_for_canaries(criterion):
    assert holds(criterion, "Paris") is None


@pytest.mark.parametrize("output", ["a" * 20_000, "ab " * 6_600, "'" * 20_000, "字" * 20_000, "“" * 20_000])
def test_long_outputs_take_no_time(output):
    begun = time.process_time()
    check(pair(output, around="ab" * 20_000 + " violin" * 6_000), output)
    assert time.process_time() - begun < 1.5
