"""Gold sets: both formats, every fault with its line and what to do, and what weakens a set."""

import csv
import io
import json
import re
from pathlib import Path

import pytest

from openassay.schema.errors import BenchmarkError, GoldError
from openassay.tasks.gold import FIELDS, read_gold

ITEM = {
    "id": "a",
    "category": "c",
    "kind": "correctness",
    "instruction": "How many?",
    "material": "There are 4.",
    "output": "Four.",
    "criterion": "Gives the number",
    "verdict": "pass",
    "ground": "The material says 4.",
}
FAILING = ITEM | {"id": "b", "criterion": "Gives it in digits", "verdict": "fail", "ground": "It is a word."}


def lines(*items):
    return "".join(json.dumps(item) + "\n" for item in items)


def table(*items, names=FIELDS, mark=","):
    out = io.StringIO()
    writer = csv.DictWriter(out, names, delimiter=mark)
    writer.writeheader()
    for item in items:
        cells = {key: json.dumps(cell) if isinstance(cell, dict | bool) else cell for key, cell in item.items()}
        writer.writerow(cells)
    return out.getvalue()


@pytest.fixture
def read(tmp_path):
    def reading(text, name="mine.jsonl"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_gold(path)

    return reading


@pytest.fixture
def faults(read):
    def found(text, name="mine.jsonl"):
        with pytest.raises(GoldError) as caught:
            read(text, name)
        return [(fault.code, fault.line, fault.field) for fault in caught.value.faults]

    return found


def test_a_set_of_two_is_read_and_said_to_be_small(read):
    found = read(lines(ITEM, FAILING))
    assert [item.id for item in found.items] == ["a", "b"]
    assert (found.name, [remark.code for remark in found.remarks]) == ("mine", ["few-items"])
    assert [[item.id for item in items] for items in found.outputs()] == [["a", "b"]]


def test_ten_items_are_not_few(read):
    items = [ITEM | {"id": f"i{n}", "criterion": f"Criterion {n}"} for n in range(9)]
    assert read(lines(*items, FAILING)).remarks == ()


def test_another_material_or_reference_is_another_output(read):
    items = [ITEM, FAILING | {"material": "There are 5."}, FAILING | {"id": "c", "reference": "4"}]
    assert len(read(lines(*items)).outputs()) == 3


def test_the_digest_knows_neither_order_nor_format(read):
    items = [ITEM | {"raters": {"x": "pass"}, "style_free": False}, FAILING | {"output": 'A "b",\nc'}]
    first = read(lines(*items))
    assert read(lines(*reversed(items))).digest == first.digest
    assert read(table(*items), "mine.csv").items == first.items
    assert read(lines(items[0] | {"ground": "other"}, items[1])).digest != first.digest


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_spreadsheets_save_csv_in_many_ways(read, mark):
    text = "\ufeff" + table(ITEM | {"verdict": " PASS "}, FAILING, mark=mark).replace("\n", "\r\n") + "\r\n"
    text = text.replace("criterion", "Criterion", 1)
    assert [item.verdict for item in read(text, "mine.csv").items] == ["pass", "fail"]


def test_style_free_as_a_spreadsheet_writes_it(read):
    found = read(table(ITEM | {"style_free": "FALSE"}, FAILING), "mine.csv")
    assert [item.style_free for item in found.items] == [False, True]


def without(name):
    return {key: value for key, value in ITEM.items() if key != name}


FAULTS = {
    "no file of that kind": ("", "mine.xlsx", [("unknown-format", None, "")]),
    "empty": ("", "mine.jsonl", [("no-items", None, "")]),
    "only a header": (table(), "mine.csv", [("no-items", None, "")]),
    "not utf-8": (b"\xff\xfe", "mine.jsonl", [("undecodable", 1, "")]),
    "not json": (lines(ITEM) + "{oops\n", "mine.jsonl", [("broken-json", 2, "")]),
    "no object": (lines(ITEM, FAILING) + "[1]\n", "mine.jsonl", [("wrong-item", 3, "")]),
    "an output of spaces": (lines(ITEM | {"output": " \n"}, FAILING), "mine.jsonl", [("blank", 1, "output")]),
    "a criterion nobody can see": (
        lines(ITEM, FAILING | {"criterion": "\u200b\u2060"}),
        "mine.jsonl",
        [("blank", 2, "criterion")],
    ),
    "a field misspelt": (
        lines(without("criterion") | {"critereon": "x"}, FAILING),
        "mine.jsonl",
        [("unknown-key", 1, "critereon")],
    ),
    "a model named": (lines(ITEM | {"model": "x"}, FAILING), "mine.jsonl", [("unknown-key", 1, "model")]),
    "fields missing": (
        lines(ITEM, {"id": "b", "verdict": "fail", "category": "c", "kind": "k", "instruction": "i"}),
        "mine.jsonl",
        [("missing-key", 2, "output"), ("missing-key", 2, "criterion"), ("missing-key", 2, "ground")],
    ),
    "no ground": (lines(ITEM | {"ground": ""}, FAILING), "mine.jsonl", [("wrong-key", 1, "ground")]),
    "another verdict": (lines(ITEM | {"verdict": "good"}, FAILING), "mine.jsonl", [("wrong-key", 1, "verdict")]),
    "a rater's verdict": (
        lines(ITEM | {"raters": {"anna": "yes"}}, FAILING),
        "mine.jsonl",
        [("wrong-key", 1, "raters.anna")],
    ),
    "against its raters": (
        lines(ITEM | {"raters": {"x": "fail", "y": "fail", "z": "pass"}}, FAILING),
        "mine.jsonl",
        [("against-raters", 1, "verdict")],
    ),
    "an id twice": (lines(ITEM, FAILING | {"id": "A"}), "mine.jsonl", [("duplicate-id", 2, "id")]),
    "a question twice": (
        lines(ITEM, FAILING | {"criterion": "Gives  the number"}),
        "mine.jsonl",
        [("duplicate-content", 2, "criterion")],
    ),
    "nothing fails": (lines(ITEM), "mine.jsonl", [("no-fail", None, "verdict")]),
    "nothing passes": (lines(FAILING), "mine.jsonl", [("no-pass", None, "verdict")]),
    "a column misspelt": (
        table(ITEM, FAILING).replace("verdict", "verdikt", 1),
        "mine.csv",
        [("unknown-column", 1, "verdikt")],
    ),
    "a column missing": (
        table(without("ground"), names=[name for name in FIELDS if name != "ground"]),
        "mine.csv",
        [("missing-column", 1, "ground")],
    ),
    "a column twice": (
        table(ITEM, FAILING).replace("source", "id", 1),
        "mine.csv",
        [("duplicate-column", 1, "id")],
    ),
    "a cell too many": (table(ITEM, FAILING) + "x," * len(FIELDS) + "\n", "mine.csv", [("column-count", 4, "")]),
    "an empty cell": (table(ITEM | {"output": ""}, FAILING), "mine.csv", [("missing-column", 2, "output")]),
    "raters in words": (table(ITEM | {"raters": "anna"}, FAILING), "mine.csv", [("wrong-raters", 2, "raters")]),
    "a quote that never ends": (table(ITEM, FAILING) + '"x', "mine.csv", [("broken-csv", 4, "")]),
}


@pytest.mark.parametrize(("text", "name", "expected"), FAULTS.values(), ids=FAULTS)
def test_faults(faults, text, name, expected):
    assert faults(text, name) == expected


def test_all_faults_come_at_once_with_the_nearest_name_and_what_to_do(read):
    with pytest.raises(BenchmarkError) as caught:
        read(lines(ITEM | {"verdict": "maybe"}, without("kind") | {"id": "b", "kinds": "x"}))
    told = str(caught.value)
    assert "2 faults in the gold set" in told
    assert "mine.jsonl:1 (verdict): 'verdict': expected 'pass' or 'fail', found 'maybe'" in told
    assert "unknown key 'kinds'; did you mean 'kind'?" in told
    assert all(fault.todo for fault in caught.value.faults)


def test_a_contradiction_is_told(read):
    with pytest.raises(GoldError, match="with the other verdict"):
        read(lines(ITEM, ITEM | {"id": "b", "verdict": "fail"}))


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(GoldError, match=r"mine\.jsonl"):
        read_gold(tmp_path / "mine.jsonl")


def test_a_set_called_gold_is_named_by_its_folder(tmp_path):
    path = tmp_path / "letters" / "gold.jsonl"
    path.parent.mkdir()
    path.write_text(lines(ITEM, FAILING))
    assert read_gold(path).name == "letters"


def test_no_fault_repeats_a_whole_text(read):
    with pytest.raises(GoldError) as caught:
        read(lines(ITEM | {"output": ["x"], "verdict": "secret " * 50, "k" * 100: 1}, FAILING))
    assert max(len(fault.what) for fault in caught.value.faults) < 300


PAGE = (Path(__file__).parents[2] / "docs" / "judges.md").read_text(encoding="utf-8")


def test_the_page_names_every_field():
    assert [name for name in FIELDS if f"`{name}`" not in PAGE] == []


def test_the_item_on_the_page_is_one(read):
    (line,) = re.findall(r"^```json\n(.*?)^```", PAGE, flags=re.MULTILINE | re.DOTALL)
    assert [item.id for item in read(line + lines(ITEM)).items] == ["mill-1", "a"]
