"""References as answers."""

import json

import pytest

from openassay.tasks.oracle import MISSING, oracle_answer

CODES = {"A": {"s1": ["x"], "s2": ["y"]}, "B": {"s1": ["x"], "s2": ["y", "z"]}}
CASES = [
    ({"scorer": "exact", "reference": ["Lisbon", "Lisboa"]}, "Lisbon"),
    ({"scorer": "choice", "reference": "B", "options": {"choices": {"A": "x", "B": "y"}}}, "B"),
    ({"scorer": "numeric", "reference": 1250}, "1250"),
    ({"scorer": "numeric", "reference": 0.05, "options": {"unit": "km"}}, "0.05 km"),
    ({"scorer": "numeric", "reference": 1.5, "options": {"decimal_comma": True}}, "1,5"),
    ({"scorer": "numeric", "reference": 3, "options": {"answer_prefix": "Total:"}}, "Total: 3"),
    ({"scorer": "json", "reference": {"a": 0.5, "ß": None}}, '{"a": 0.5, "ß": null}'),
    ({"scorer": "records", "reference": [{"a": "b"}], "options": {"key": ["a"]}}, '[{"a": "b"}]'),
    ({"scorer": "labels", "reference": {"a": "b"}}, '{"a": "b"}'),
    ({"scorer": "abstains", "reference": True}, MISSING),
    ({"scorer": "abstains", "reference": True, "options": {"phrases": ["keine Angabe"]}}, "keine Angabe"),
    ({"scorer": "abstains", "reference": False}, None),
    ({"scorer": "regex", "options": {"pattern": "x"}}, None),
    ({"scorer": "regex", "options": {"pattern": "x"}, "solution": "x"}, "x"),
    ({"scorer": "rubric", "reference": "is kind"}, None),
    ({"scorer": "exact", "reference": "x", "checks": [{"id": "k", "uses": "exact", "reference": "y"}]}, None),
    ({"scorer": "exact", "reference": "x", "checks": [{"id": "k", "uses": "exact", "reference": "x"}]}, "x"),
]


@pytest.mark.parametrize(("fields", "answer"), CASES)
def test_the_oracle_answers_with_solution_or_reference(made, fields, answer):
    row = json.dumps({"id": "a", "instruction": "Why?", **fields})
    assert oracle_answer(made({"tasks/c/a.items.jsonl": row}).tasks[0]) == answer


def test_the_oracle_codes_as_the_coders_agree(made):
    options = {"codebook": {"x": "", "y": "", "z": ""}}
    row = json.dumps({"id": "a", "instruction": "Why?", "scorer": "codes", "reference": CODES, "options": options})
    answer = json.loads(oracle_answer(made({"tasks/c/a.items.jsonl": row}).tasks[0]))
    assert answer["s1"] == ["x"]
    assert "y" in answer["s2"]
