"""A reason rests on the output only where it quotes words that stand there."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openassay.scorers.quoting import quotes_output

OUTPUT = "Dear all,\nthe **capital** of France is Paris, because the kings' court didn't leave the Louvre in 1682."

QUOTED = [
    'It says "the capital of France".',
    "It says “the Capital of  France”.",
    "Es steht dort: „is Paris“.",
    "Il dit «\u00a0because the kings\u00a0».",
    "Il dit » is Paris «.",
    "It says 'is Paris', which is right.",
    "It says ‘didn’t leave the Louvre’ at the end.",
    "It doesn't lie: 'didn't leave'.",
    "It says 'the kings' court didn't leave'.",
    "It names `Paris`.",
    "It names `**capital** of`.",
    "It says 'the capital ... is Paris'.",
    "It says “Dear all […] the Louvre”.",
    "It says 'Dear all, [...] Louvre in 1682.'",
    "It says 'capital of France is Paris,'",
    "'no such words', but 'of France'",
    "It says 'Dear all, the capital'",
]

UNQUOTED = [
    "",
    "It names Paris and the reason.",
    "It says 'the capital of Spain'.",
    "It says 'a'.",
    "It says 'of'.",
    "It's what the kings' court didn't do.",
    "It says 'is Paris ... of France'.",
    "It says 'Pari'.",
    "It says 'apital of'.",
    "It says '...'.",
    'It says "".',
    "It says '  '.",
    "It says 'a ... a'.",
    "It says 'the capital of France",
    "It says ** ** and `**`.",
]


@pytest.mark.parametrize("reason", QUOTED)
def test_a_quotation_that_stands_in_the_output_is_found(reason):
    assert quotes_output(reason, OUTPUT)


@pytest.mark.parametrize("reason", UNQUOTED)
def test_other_reasons_quote_nothing(reason):
    assert not quotes_output(reason, OUTPUT)


@pytest.mark.parametrize(
    ("reason", "output", "quotes"),
    [
        ("It says '42'.", "42", True),
        ("It says '42'.", "42.", True),
        ("It says '4'.", "42", False),
        ("It says '42'.", "It is 42 of them", False),
        ("It says “巴黎”。", "首都是巴黎。", True),
        ("It says “北京”。", "首都是巴黎。", False),
        ("It says 'ﬁne words'.", "fine words", True),
        ("""It says '"capital": "Paris"'.""", '{"capital": "Paris"}', True),
        ("It says 'x'.", "", False),
        ("It says ''.", "", False),
    ],
)
def test_short_outputs_other_scripts_and_json(reason, output, quotes):
    assert quotes_output(reason, output) is quotes


@given(st.lists(st.from_regex(r"[a-z]{4,8}", fullmatch=True), min_size=1, max_size=20), st.data())
def test_any_run_of_words_is_found_in_any_marks(words, data):
    start = data.draw(st.integers(0, len(words) - 1))
    span = " ".join(words[start : start + 3])
    marks = data.draw(st.sampled_from(['""', "''", "“”", "„“", "«»", "``", "‘’"]))
    assert quotes_output(f"It says {marks[0]}{span}{marks[1]}.", " ".join(words))


@given(st.text(max_size=300), st.text(max_size=300))
def test_no_text_breaks_it(reason, output):
    assert quotes_output(reason, output) in (True, False)


@pytest.mark.parametrize("reason", ["'" * 20_000, "'a " * 10_000, '"' * 20_000, "“a" * 10_000, "'a' " * 9000])
@pytest.mark.parametrize("output", ["a" * 20_000, "a " * 10_000, "'" * 20_000])
def test_hostile_texts_take_no_time(reason, output):
    begun = time.process_time()
    quotes_output(reason, output)
    assert time.process_time() - begun < 1
