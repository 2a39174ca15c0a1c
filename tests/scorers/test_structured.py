"""JSON, records, labels and codes: what counts, and what does not."""

import threading

import pytest

from openassay.schema.errors import ScorerError
from openassay.scorers.labels import cohens_kappa

PERSON = {"name": "Ada", "age": 36}


@pytest.mark.parametrize(
    ("reference", "answer", "result"),
    [
        (PERSON, '{"age": 36, "name": "Ada"}', "pass"),
        (PERSON, '{"age": 36.0, "name": "Ada"}', "pass"),
        (PERSON, 'Here it is:\n```json\n{"name": "Ada", "age": 36}\n```\nas in [1].', "pass"),
        (PERSON, 'It is {"name": "Ada", "age": 36}, see [1].', "pass"),
        (PERSON, '<think>{"name": "Eve"}</think>{"name": "Ada", "age": 36}', "pass"),
        (PERSON, '{"name": "Ada", "age": "36"}', "fail"),
        (PERSON, '{"name": "Ada", "age": 36, "x": 1}', "fail"),
        (PERSON, '{"name": "Ada"}', "fail"),
        (PERSON, '```\n{"name": "Ada", "age": 36}\n```\n```\n{"name": "Eve", "age": 36}\n```', "fail"),
        (PERSON, '{"name": "Ada", "age": 36} or {"name": "Eve", "age": 36}', "fail"),
        (PERSON, "[1, 2]", "fail"),
        ({"a": 1}, '{"a": true}', "fail"),
        ({"a": None}, "{}", "fail"),
        ([1, 2], "[2, 1]", "fail"),
        (True, "true", "pass"),
        (0.1, "0.1", "pass"),
        (PERSON, "Ada is 36.", "malformed"),
        (PERSON, '{"name": "Ada", "age": ', "malformed"),
        (PERSON, '{"name": "Ada", "name": "Ada", "age": 36}', "malformed"),
        ({"b": 1}, '{"a": {"b": 1}, "c": ', "malformed"),
        ({"b": 1}, '{"a": {"b": 1}, "a": 2}', "malformed"),
        ({"b": 1}, 'In {braces}: {"b": 1}', "pass"),
        (PERSON, '{"name": "Ada", "age": NaN}', "malformed"),
        (PERSON, '{"name": "Ada", "age": 1e999}', "malformed"),
        (PERSON, '{"name": "Ada", "age": ' + "9" * 5000 + "}", "malformed"),
        (PERSON, '{"a":' * 200 + "1" + "}" * 200, "malformed"),
    ],
)
def test_json(verdict_of, reference, answer, result):
    verdict = verdict_of("json", reference, answer)
    assert ("malformed" if verdict.malformed else verdict.result) == result, verdict.reason


def test_json_subset_allows_more_fields(verdict_of):
    answer = '{"a": {"b": 1, "c": 2}, "d": 3}'
    assert verdict_of("json", {"a": {"b": 1}}, answer, compare="subset").result == "pass"
    assert verdict_of("json", {"a": {"b": 2}}, answer, compare="subset").result == "fail"


SCHEMA = {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer", "maximum": 9}}}


@pytest.mark.parametrize(
    ("answer", "result"), [('{"n": 3}', "pass"), ('{"n": 10}', "fail"), ('{"n": "3"}', "fail"), ("{}", "fail")]
)
def test_json_schema(verdict_of, answer, result):
    assert verdict_of("json", None, answer, schema=SCHEMA).result == result


def test_a_schema_never_fetches(verdict_of):
    with pytest.raises(ScorerError, match="does not stand in it"):
        verdict_of("json", None, "{}", schema={"$ref": "http://127.0.0.1:9/x.json"})


def test_a_broken_schema_is_our_fault(verdict_of):
    with pytest.raises(ScorerError, match="JSON Schema"):
        verdict_of("json", None, "{}", schema={"type": 7})


SLOW = {"pattern": r"^(a+)+$"}


def test_a_catastrophic_pattern_is_unmeasurable(verdict_of):
    verdict = verdict_of("regex", None, "a" * 60 + "!", **SLOW)
    assert (verdict.result, "did not end" in verdict.reason) == ("unmeasurable", True)


def test_a_catastrophic_pattern_in_a_thread_is_unmeasurable_too(verdict_of):
    found = []
    thread = threading.Thread(target=lambda: found.append(verdict_of("regex", None, "a" * 60 + "!", **SLOW)))
    thread.start()
    thread.join(30)
    assert [verdict.result for verdict in found] == ["unmeasurable"]


def test_a_broken_pattern_is_our_fault(verdict_of):
    with pytest.raises(ScorerError, match="regular expression"):
        verdict_of("regex", None, "x", pattern="(")


TWO = [{"who": "Ada", "year": 1843, "field": "maths"}, {"who": "Max", "year": 1900, "field": "physics"}]


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        (
            '[{"who": "Max", "year": "1900", "field": "Physics"}, {"who": "ada", "year": 1843, "field": "maths"}]',
            1_000_000,
        ),
        ('{"records": [{"who": "Ada", "year": 1843, "field": "maths"}]}', 666_667),
        ('{"who": "Ada", "year": 1843, "field": "maths"}\n{"who": "Max", "year": 1900, "field": "x"}', 750_000),
        ('[{"who": "Ada", "year": null, "field": "maths"}]', 400_000),
        ('[{"who": "Eve", "year": 1843, "field": "maths"}]', 0),
    ],
)
def test_records_measure_f1(verdict_of, answer, value):
    verdict = verdict_of("records", TWO, answer, key=["who"])
    assert verdict.value == value, verdict.reason
    assert verdict.result == ("pass" if value == 1_000_000 else "fail")


def test_a_record_given_twice_costs_precision(verdict_of):
    row = '{"who": "Ada", "year": 1843, "field": "maths"}'
    verdict = verdict_of("records", TWO[:1], f"[{row}, {row}]", key=["who"], min_f1=0.6)
    assert (verdict.result, verdict.value) == ("pass", 666_667)


@pytest.mark.parametrize("answer", ["Ada, 1843", "[1, 2]", '["Ada"]'])
def test_records_that_are_none_are_malformed(verdict_of, answer):
    assert verdict_of("records", TWO, answer, key=["who"]).malformed


MOODS = {"1": "calm", "2": "angry", "3": "calm", "4": "angry"}


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ('{"1": "calm", "2": "Angry", "3": "calm", "4": "angry"}', 1_000_000),
        ('{"labels": {"1": "calm", "2": "angry", "3": "calm", "4": "calm"}}', 750_000),
        ('[{"id": "1", "label": "calm"}, {"id": 2, "label": "angry"}]', 500_000),
        ("1: calm\n2: angry\n3: calm\n4: angry", 1_000_000),
        ("- **1**: calm\n- **2**: angry", 500_000),
        ("1: calm\n1: angry", 0),
    ],
)
def test_labels_measure_agreement(verdict_of, answer, value):
    assert verdict_of("labels", MOODS, answer, min_agreement=0.5).value == value


def test_labels_pass_at_the_bound_by_kappa(verdict_of):
    answer = '{"1": "calm", "2": "angry", "3": "calm", "4": "calm"}'
    assert verdict_of("labels", MOODS, answer, min_kappa=0.5).result == "pass"
    assert verdict_of("labels", MOODS, answer, min_kappa=0.51).result == "fail"
    assert verdict_of("labels", MOODS, answer).result == "fail"


def test_labels_without_any_id_are_malformed(verdict_of):
    assert verdict_of("labels", MOODS, "all calm").malformed


def test_kappa_is_1_for_agreement_on_one_label():
    assert cohens_kappa(["a", "a"], ["a", "a"]) == 1


CODERS = {"R1": {"s1": ["work"], "s2": ["family", "money"]}, "R2": {"s1": ["work"], "s2": ["family"]}}
BOOK = {"work": "", "family": "", "money": ""}


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ('{"s1": ["work"], "s2": ["family", "money"]}', 875_000),
        ("s1: work\ns2: family and money", 875_000),
        ('[{"span": "s1", "codes": ["work"]}, {"span": "s2", "codes": ["family"]}]', 875_000),
        ('{"s1": [], "s2": ["family"]}', 375_000),
        ('{"s1": ["work"]}', 500_000),
    ],
)
def test_codes_measure_agreement_with_every_coder(verdict_of, answer, value):
    verdict = verdict_of("codes", CODERS, answer, codebook=BOOK)
    assert verdict.value == value, verdict.reason
    assert "the coders among themselves 0.750" in verdict.reason


def test_a_code_outside_the_book_fails(verdict_of):
    verdict = verdict_of("codes", CODERS, '{"s1": ["weather"]}', codebook=BOOK, min_agreement=0)
    assert (verdict.result, "weather" in verdict.reason) == ("fail", True)
