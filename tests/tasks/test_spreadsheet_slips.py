"""Slips of people who write items in a spreadsheet or a word processor: said once, where they are, and what to do."""

import pytest

A = "tasks/c/a.items.csv"
FULL = "id,instruction,scorer,reference,options,checks,materials"
CURLY = '"[\u201cSecret\u201d, \u201ctue\u201d]"'


def row(**cells):
    given = {"id": "a", "instruction": "Why?", "scorer": "exact", "reference": "x", **cells}
    return ",".join(given.get(name, "") for name in FULL.split(","))


NO_JSON = [
    ("reference", {"reference": "\"['Secret', 'M\u00e4ren']\""}),
    ("reference", {"reference": CURLY}),
    ("reference", {"reference": '"[Secret, other]"'}),
    ("reference", {"reference": '" {\u201csecret\u201d}"'}),
    ("reference", {"reference": CURLY, "scorer": "rubric"}),
    ("reference", {"reference": CURLY, "scorer": "records", "options": '"{""key"": [""a""]}"'}),
    ("reference", {"reference": "\"{'Secret': 1}\"", "scorer": "labels"}),
    ("options", {"options": '"{\u201csecret\u201d: true}"'}),
    ("checks", {"checks": "\"[{'id': 'secret'}]\""}),
    ("materials", {"materials": CURLY}),
    ("materials", {"materials": "secret.pdf;b.txt"}),
    ("materials", {"materials": '"secret.pdf, b.txt"'}),
    ("materials", {"materials": "\u201csecret.txt\u201d"}),
]


@pytest.mark.parametrize(("column", "cells"), NO_JSON)
def test_a_list_in_the_wrong_quotes_is_refused_at_its_cell_without_its_content(faults, column, cells):
    (fault,) = faults({A: f"{FULL}\n\n{row(**cells)}\n"})
    assert (fault.line, fault.field) == (3, column)
    assert f"row 3, column {column!r}" in fault.what
    assert "straight double quotes" in fault.what
    assert "ecret" not in str(fault)
    assert fault.todo


def test_a_broken_list_in_straight_quotes_is_refused_too(faults):
    (fault,) = faults({A: f"{FULL}\n{row(reference=chr(34) + '[yes, ja' + chr(34))}\n"})
    assert (fault.code, fault.field) == ("wrong-reference", "reference")


def test_a_row_is_counted_as_a_spreadsheet_counts_it(faults):
    (fault,) = faults({A: f"{FULL}\n{row(instruction=chr(34) + 'one' + chr(10) + 'two' + chr(34))}\n{row()},more\n"})
    assert (fault.line, fault.what) == (4, "row 3 has 8 cells, the header 7")


@pytest.mark.parametrize("rest", ["", ",,,"])
def test_an_unquoted_comma_is_no_cell_of_the_next_column(faults, rest):
    """Empty cells at the end do not make room for it: `solution` would hold half of the instruction."""
    (fault,) = faults({A: f"id,scorer,reference,instruction,solution{rest}\na,exact,x,Why, and how?,{rest}\n"})
    assert (fault.code, fault.line) == ("column-count", 2)


def test_a_whole_text_in_the_wrong_place_is_cut(faults):
    (fault,) = faults({A: f"{FULL}\n{row(scorer='word ' * 99)}\n"})
    assert (fault.code, len(fault.what) < 400) == ("unknown-scorer", True)


ROWS = "".join(f"q{n},Why {n}?,exact,x,c\n" for n in range(20))
HEADS = [
    ("id,instruction,scorer,refrence,category", ["unknown-column"]),
    ("ids,instruction,scorer,reference,category", ["unknown-column"]),
    ("id,instruktion,scorer,reference,category", ["unknown-column"]),
    ("id,instruction,scorers,reference,category", ["unknown-column"]),
    ("id,instruction,scorer,reference,categroy", ["unknown-column"]),
    ("id,question,scorer,reference,category", ["unknown-column", "missing-column"]),
    ("id,group,scorer,reference,category", ["missing-column"]),
    ("id,instruction,scorer,reference,group", ["missing-column"]),
    ("q,Why?,exact,secret,c", ["no-header"]),
]


@pytest.mark.parametrize(("head", "codes"), HEADS)
def test_a_slip_in_the_header_is_said_once(faults, head, codes):
    found = faults({"tasks/a.items.csv": f"{head}\n{ROWS}"})
    assert [(fault.code, fault.line) for fault in found] == [(code, 1) for code in codes]
    assert all(fault.todo and "secret" not in str(fault) for fault in found)


def test_a_misspelt_column_of_options_or_material_is_said_once(faults):
    rows = "".join(f'q{n},Why?,format,"{{""max_words"": 3}}",text {n}\n' for n in range(9))
    found = faults({A: f"id,instruction,scorer,option,materail\n{rows}"})
    assert [fault.code for fault in found] == ["unknown-column", "unknown-column"]


def test_other_faults_of_the_rows_are_still_said(faults):
    found = faults({A: "id,instruction,scorer,refrence\na,,exakt,x\n"})
    assert [fault.code for fault in found] == ["unknown-column", "missing-instruction", "unknown-scorer"]


def test_a_misspelt_key_of_a_json_line_is_said_once(faults):
    (fault,) = faults({"tasks/c/a.items.jsonl": '{"id": "a", "instruction": "b", "scorer": "exact", "refrence": "c"}'})
    assert fault.code == "unknown-key"


@pytest.mark.parametrize("options", ["true", "[1]", "3"])
def test_options_that_are_no_object_say_what_to_write(faults, options):
    (fault,) = faults({A: f"{FULL}\n{row(options=options)}\n"})
    assert (fault.code, "such as" in fault.todo) == ("wrong-option", True)
