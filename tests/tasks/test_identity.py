"""Laws of identity: the same task has one, whatever holds it; another task has another."""

import csv
import io
import json
from decimal import Decimal

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from openassay.schema.task import FileEntry
from openassay.tasks.identity import task_identity
from strategies import items

FILES = st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from("01")), unique_by=lambda pair: pair[0])
QUICK = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def as_jsonl(rows):
    return "".join(_dumps(row) + "\n" for row in rows)


def _dumps(value):
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)}: {_dumps(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_dumps, value)) + "]"
    return str(value) if isinstance(value, Decimal) else json.dumps(value, ensure_ascii=False)


def as_csv(rows, delimiter=","):
    names = list(dict.fromkeys(name for row in rows for name in row))
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\r\n")
    writer.writerow(names)
    for row in rows:
        writer.writerow([_cell(row.get(name, "")) for name in names])
    return out.getvalue()


def _cell(value):
    return _dumps(value) if isinstance(value, dict | list) else str(value)


def as_yaml(rows):
    """A number is written as it stands; texts are quoted or not as the writer sees fit."""
    plain = [{k: float(v) if isinstance(v, Decimal) else v for k, v in row.items()} for row in rows]
    return yaml.safe_dump(plain, allow_unicode=True, sort_keys=False)


@QUICK
@given(rows=items())
def test_csv_jsonl_and_yaml_give_one_identity(made, rows):
    forms = {"csv": as_csv(rows), "jsonl": as_jsonl(rows), "yaml": as_yaml(rows)}
    first, *others = [made({f"tasks/c/a.items.{ending}": text}) for ending, text in forms.items()]
    for other in others:
        assert other.tasks == first.tasks
        assert other.digest == first.digest


@QUICK
@given(rows=items(), delimiter=st.sampled_from([",", ";", "\t"]), data=st.data())
def test_order_columns_and_separator_do_not_count(made, rows, delimiter, data):
    shuffled = [dict(data.draw(st.permutations(list(row.items())))) for row in data.draw(st.permutations(rows))]
    one = made({"tasks/c/a.items.csv": as_csv(rows)})
    assert made({"tasks/c/b.items.csv": as_csv(shuffled, delimiter)}).digest == one.digest


CHANGES = [{"reference": "y"}, {"instruction": "Who?"}, {"id": "p"}, {"solution": "s"}, {"group": "g"},
           {"author": "me"}, {"scorer": "rubric"},
           {"options": {"ignore_case": False}}, {"material": "m"}, {"max_tokens": 9}]  # fmt: skip


@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_every_field_counts(made, change):
    row = {"id": "q", "instruction": "Why?", "scorer": "exact", "reference": "x"}
    one, other = (made({"tasks/c/a.items.jsonl": as_jsonl([fields])}).tasks[0] for fields in (row, {**row, **change}))
    assert one.identity != other.identity


def test_what_is_inherited_is_not_the_tasks_own(made, info):
    one = made({}).tasks[0]
    other = made({"benchmark.toml": info.replace('author = "us"', 'author = "them"')}).tasks[0]
    assert (one.origin.author, other.origin.author) == ("us", "them")
    assert one.identity == other.identity


T = "tasks/c/t/"
TASK = {
    f"{T}task.toml": "",
    f"{T}instruction.md": "Which colour?\n",
    f"{T}checklist.toml": '[[check]]\nid = "a"\nuses = "exact"\nreference = "blue"\n',
    f"{T}hidden/key.txt": "k",
}


def test_evidence_does_not_count(made):
    assert made(TASK).digest == made({**TASK, f"{T}evidence/run-1.json": "{}"}).digest


@pytest.mark.parametrize("name", ["hidden/key.txt", "hidden/more.txt", "environment/a.txt", "solution/answer.md"])
def test_every_other_file_counts(made, name):
    assert made(TASK).tasks[0].identity != made({**TASK, T + name: "other"}).tasks[0].identity


@given(FILES, st.randoms())
def test_the_order_of_files_does_not_count(files, random):
    entries = [FileEntry(path=name, sha256=digit * 64) for name, digit in files]
    shuffled = random.sample(entries, len(entries))
    assert task_identity({"id": "a"}, entries) == task_identity({"id": "a"}, shuffled)


def test_an_identity_is_the_same_on_every_machine_and_day():
    assert task_identity({"id": "a", "group": ""}) == "8be656e9ba6f11d9c82cb324de6c8398f45a6ca8095db54775effaf229df2038"
