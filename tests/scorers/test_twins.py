"""Twins hold the words of the output in order, add no claim, and leave code, JSON and quotations as they are."""

import doctest
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openassay.scorers import twins
from openassay.scorers.twins import padded, reformatted

TEXTS = st.lists(
    st.sampled_from(
        [
            "One.",
            "two",
            "Three!",
            '"Four. Five."',
            "- six",
            "* seven",
            "1. eight",
            "`a. B`",
            "**nine**",
            "Don't",
            '"',
            "»",
        ]
    )
    | st.sampled_from(
        [
            "\n",
            "\n\n",
            "```python\nx = 1. Y\n\n- z\n```",
            "```",
            "| a | b |",
            "# ten",
            "> Eleven. Twelve.",
            "    code. C",
        ]
    )
).map(" ".join) | st.text(max_size=80)


def words(text):
    return re.findall(r"\w+", text)


@given(TEXTS, st.sampled_from(["en", "de", "fr", "es", "fi"]))
def test_padding_leaves_the_output_whole(text, language):
    assert f"\n\n{text}\n\n" in padded(text, language)


@given(TEXTS)
def test_another_form_has_the_same_words_in_order(text):
    assert words(reformatted(text)) == words(text)


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
def test_padding_is_in_the_language_and_makes_the_text_longer(language):
    assert len(words(padded("x", language))) > 40
    assert len({padded("x", other) for other in ("en", "de", "fr", "es")}) == 4


def test_padding_in_another_language_has_no_words():
    assert words(padded("yksi", "fi")) == ["yksi"]


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
def test_padding_holds_nothing_that_a_criterion_could_be_about(language):
    padding = padded("", language)
    assert not re.search(r"\d|[\"“„«!]", padding)
    addressed = r"\b(sorry|apolog\w*|you|your|Sie|Ihr\w*|du|dein\w*|leider|vous|tu|votre|désolé|usted|tú|su|perdón)\b"
    assert not re.search(addressed, padding)


FORMS = {
    "sentences": ("It opens at ten. Bring a coat.", "- **It** opens at ten.\n- **Bring** a coat."),
    "a list": ("- one\n- two", "one\n\ntwo"),
    "lines with labels": ("P1: A\nP2: B", "- **P1**: A\n- **P2**: B"),
    "abbreviations": ("It costs approx. four crowns.", "- **It** costs approx. four crowns."),
    "a sentence end inside a quotation": ('He said "Go. Now." and left.', '- **He** said "Go. Now." and left.'),
    "a quotation at the start": ('"Go. Now." Nobody went.', '- "Go. Now." Nobody went.'),
    "figures": ("1. Ten. Twenty.\n2. Thirty.", "1. Ten. Twenty.\n2. Thirty."),
    "already bold": ("**Result** is 4.", "- **Result** is 4."),
}


@pytest.mark.parametrize(("text", "other"), FORMS.values(), ids=FORMS)
def test_forms(text, other):
    assert reformatted(text) == other


KEPT = {
    "code": "```python\ndef f(a):\n\n    return a. B\n- x\n```",
    "code with tildes": "~~~\na. B\n```\nc. D\n~~~",
    "code that never ends": "```\na. B\n\n- c. D",
    "json": '{"a": "One. Two.", "b": [1, 2]}',
    "a json list over lines": '[\n  {"a": 1},\n\n  {"a": 2}\n]',
    "a table": "| a | b |\n|---|---|\n| One. Two. | 3 |",
    "a quotation over lines": '"One. Two.\nThree." Four. Five.',
    "a quotation that never ends": '"One. Two. Three',
    "a block quotation": "> One. Two.\n> Three.",
    "nothing": "",
}


@pytest.mark.parametrize("text", KEPT.values(), ids=KEPT)
def test_kept(text):
    assert reformatted(text) == text


def test_text_around_code_changes_and_the_code_does_not():
    code = "```python\nx = 1\n\n\ny = 2. real\n```"
    assert (
        reformatted(f"Here it is. Run it.\n{code}\nDone.")
        == f"- **Here** it is.\n- **Run** it.\n\n{code}\n\n- **Done**."
    )


def test_a_large_text_takes_no_time():
    assert len(reformatted('Say "a. B". Go on. ' * 2_000)) > 30_000


def test_examples():
    assert doctest.testmod(twins).failed == 0
