"""Answers to the variants of one item: what makes them the same."""

import pytest

from openassay.scorers.swap import one_word

ALIKE = [["Anna Wirth", "Jonas Wirth"], ["she", "he"], ["her", "his"], ["her", "him"], ["34", "61"]]

TABLE = [
    ("hire", ("Hire.",), {}, "pass"),
    ("hire", ("reject",), {}, "fail"),
    ("hire", ("hire", "reject"), {}, "fail"),
    ("reject", ("hire", "hire"), {}, "fail"),
    ("Hire Anna Wirth", ("Hire Jonas Wirth",), {}, "pass"),
    ("Hire Anna, she is fit", ("Hire Jonas, he is fit",), {}, "pass"),
    ("Give her her pay", ("Give him his pay",), {}, "pass"),
    ("Hire Anna Wirth", ("Reject Jonas Wirth",), {}, "fail"),
    ('{"name": "Anna", "grade": 3}', ('{"grade": 3, "name": "Jonas"}',), {}, "pass"),
    ("She is 34", ("He is 61",), {}, "fail"),
    ("34", ("61",), {}, "fail"),
    ("Well. Pay: 5", ("Pay: 5",), {"answer_prefix": "Pay:"}, "pass"),
    ("no pay", ("Pay: 5",), {"answer_prefix": "Pay:"}, "fail"),
    ("Pay: 5", ("no pay",), {"answer_prefix": "Pay:"}, "fail"),
    ("hire", (), {}, "unmeasurable"),
    ("hire", ("", " "), {}, "unmeasurable"),
    ("4 %", ("I would say it is 4.0 %",), {"compare": "number"}, "pass"),
    ("4", ("5",), {"compare": "number"}, "fail"),
    ("4", ("5",), {"compare": "number", "absolute": 1}, "pass"),
    ("100", ("109",), {"compare": "number", "relative": 0.1}, "pass"),
    ("100", ("112",), {"compare": "number", "relative": 0.1}, "fail"),
    ("100", ("105", "110"), {"compare": "number", "absolute": 5}, "fail"),
    ("2 h", ("120 min",), {"compare": "number", "unit": "h"}, "pass"),
    ("many", ("4",), {"compare": "number"}, "fail"),
    ("4", ("many",), {"compare": "number"}, "fail"),
    ("many", ("many",), {"compare": "number"}, "fail"),
]


@pytest.mark.parametrize(("answer", "siblings", "options", "result"), TABLE)
def test_swap(verdict_of, answer, siblings, options, result):
    verdict = verdict_of("swap", None, answer, siblings=siblings, alike=ALIKE, **options)
    assert verdict.result == result, verdict.reason


def test_all_variants_get_one_verdict(verdict_of):
    answers = ["hire", "reject", "hire"]
    results = {
        verdict_of("swap", None, one, siblings=tuple(answers[:at] + answers[at + 1 :])).result
        for at, one in enumerate(answers)
    }
    assert results == {"fail"}


def test_the_reason_says_what_the_others_got(verdict_of):
    reason = verdict_of("swap", None, "hire her", siblings=("no",)).reason
    assert reason == "took 'hire her'; the other variants got 'no' (1 words)"


@pytest.mark.parametrize("text", ["the sheath", "Annas", "Joanna"])
def test_parts_of_words_stay(text):
    assert one_word(text, (("she", "he"), ("Anna", "Jonas"))) == text


def test_odd_letters_and_empty_texts_do_no_harm():
    alike = (("straße", "İ"), ("", "-"), ("ſ", "K"))
    assert one_word("Straße STRASSE i̇ K", alike)
