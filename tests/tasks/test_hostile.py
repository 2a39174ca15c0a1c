"""Whatever stands in a folder: either it loads, or every reason why not is a fault."""

import io
import json
import time

import docx
import pytest
from docx.oxml.ns import qn
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from openassay.schema.errors import BenchmarkError
from openassay.tasks.toml import lines_of

QUICK = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

PIECES = st.sampled_from(
    ["id", "instruction", "scorer", "reference", "options", "checks", "exact", "json", "codes", "records", "labels",
     ",", "\n", '"', "{", "}", "[", "]", ": ", "- ", "'",
     "a", "1", "null", "\t", ";", "\ufeff", "\x00", "\x85", "é", "&a",
     "|"]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=30).map("".join))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def loads_or_says_why(made, files):
    faults = ()
    try:
        made(files)
    except BenchmarkError as error:
        faults = error.faults
    assert all(fault.code and fault.what and fault.file for fault in faults)


@QUICK
@given(text=TEXTS, ending=st.sampled_from(["csv", "jsonl", "yaml"]))
def test_any_item_file(made, text, ending):
    loads_or_says_why(made, {f"tasks/c/a.items.{ending}": text.encode("utf-8", "surrogatepass")})


@QUICK
@given(data=st.binary(max_size=40))
def test_any_bytes_as_benchmark_toml(made, data):
    loads_or_says_why(made, {"benchmark.toml": data})


@QUICK
@given(
    scorer=st.sampled_from(
        [
            "exact",
            "choice",
            "numeric",
            "regex",
            "json",
            "records",
            "labels",
            "codes",
            "abstains",
            "format",
            "rubric",
            "a.b",
        ]
    ),
    reference=JSON,
    options=JSON,
    checks=JSON,
)
def test_any_values_in_an_item(made, scorer, reference, options, checks):
    import json

    row = {
        "id": "a",
        "instruction": "b",
        "scorer": scorer,
        "reference": reference,
        "options": options,
        "checks": checks,
    }
    loads_or_says_why(made, {"tasks/c/a.items.jsonl": json.dumps(row)})


TOML = '''id = "a"  # [x]
long = """
[not.a.table]
no = 1
"""
list = [
  "a]",
  { b = 1 },
]
[[check]]
id = 'x'
options = { a = 1 }
[check.limits]
"seconds" = 3
[[check]]
[origin]
a.b = 1
'''
LINES = {"id": 1, "long": 2, "list": 6, "check": 10, "check.0": 10, "check.0.id": 11, "check.0.options": 12,
         "check.0.limits": 13, "check.0.limits.seconds": 14, "check.1": 15, "origin": 16, "origin.a": 17,
         "origin.a.b": 17}  # fmt: skip


def test_lines_of_toml_keys_are_found_around_strings_and_brackets():
    assert lines_of(TOML) == LINES


@pytest.mark.parametrize("seconds", [2])
def test_a_large_csv_loads_in_linear_time(made, seconds):
    import time

    rows = "".join(f"q{n},Question number {n}?,exact,{n} apples\n" for n in range(2_000))
    start = time.process_time()
    assert len(made({"tasks/c/a.items.csv": "id,instruction,scorer,reference\n" + rows}).tasks) == 2_000
    assert time.process_time() - start < seconds


def test_a_table_cell_that_claims_to_be_millions_wide_is_read_once(made):
    document = docx.Document()
    table = document.add_table(rows=2, cols=2)
    table.cell(0, 0).merge(table.cell(0, 1)).text = "wide"
    table.cell(1, 0).text, table.cell(1, 1).text = "left", "right"
    for span in table._tbl.iter(qn("w:gridSpan")):
        span.set(qn("w:val"), "900000000")
    packed = io.BytesIO()
    document.save(packed)
    rows = 'id,instruction,scorer,reference,materials\nq,Why?,exact,x,"[""t.docx""]"\n'
    (task,) = made({"tasks/c/a.items.csv": rows, "tasks/c/t.docx": packed.getvalue()}).tasks
    assert task.materials[0].text.split() == ["wide", "left", "right"]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        (".", "path-escapes"),
        ("./", "path-escapes"),
        ("a" * 5_000 + ".txt", "missing-file"),
        ("a\0.txt", "missing-file"),
    ],
)
def test_no_name_of_a_file_breaks_the_loader(made, name, code):
    item = {"id": "a", "instruction": "Q?", "scorer": "exact", "reference": "x", "materials": [name]}
    with pytest.raises(BenchmarkError) as raised:
        made({"tasks/c/a.items.jsonl": json.dumps(item)})
    assert [fault.code for fault in raised.value.faults] == [code]
    assert len(raised.value.faults[0].what) < 200


def test_folders_nested_without_end_are_one_fault(made):
    with pytest.raises(BenchmarkError) as raised:
        made({"tasks/c/" + "x/" * 300 + "a.txt": "x"})
    assert "too-deep" in {fault.code for fault in raised.value.faults}


def test_yaml_nested_without_end_is_refused_before_it_is_read(made):
    began = time.process_time()
    with pytest.raises(BenchmarkError, match="nested too deeply"):
        made({"tasks/c/a.items.yaml": "[" * 100_000})
    assert time.process_time() - began < 3
