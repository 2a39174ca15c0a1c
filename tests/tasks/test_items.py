"""Item files as people and spreadsheets write them."""

import io

import docx
import pytest

from openassay.tasks.references import shaped

A = "tasks/c/a.items.csv"
HEAD = "id,instruction,scorer,reference\n"


def test_ten_questions_of_three_kinds_are_eleven_lines(made):
    rows = [f"e{n},Question {n}?,exact,yes" for n in range(5)]
    rows += [f"n{n},How many {n}?,numeric,{n}.5" for n in range(3)]
    rows += [f"r{n},Write {n},rubric,is kind" for n in range(2)]
    text = HEAD + "\n".join(rows) + "\n"
    assert text.count("\n") == 11
    tasks = made({A: text}).tasks
    assert [task.checks[0].by for task in tasks] == ["script"] * 8 + ["judge"] * 2
    assert [task.checks[0].hard for task in tasks] == [True] * 8 + [False] * 2
    assert tasks[5].checks[0].reference == {"decimal": "0.5"}


SPREADSHEETS = {
    "semicolons": "id;instruction;scorer;reference\nq;a, b;exact;x\n",
    "tabs": "id\tinstruction\tscorer\treference\nq\ta, b\texact\tx\n",
    "byte order mark and CRLF": '\ufeffid,instruction,scorer,reference\r\nq,"a, b",exact,x\r\n',
    "empty rows and columns": 'id,instruction,scorer,reference,,\n\nq,"a, b",exact,x,,\n,,,,,\n,,,,,\n',
    "capital letters": 'ID;Instruction;SCORER ;Reference\nq;"a, b";exact;x\n',
    "quoted headers and spaces": '"id", "instruction",scorer,reference\nq ,"a, b ", exact,x\n'.replace(', "', ',"'),
}


@pytest.mark.parametrize("text", SPREADSHEETS.values(), ids=SPREADSHEETS)
def test_spreadsheets_save_csv_in_many_ways(made, text):
    (task,) = made({A: text}).tasks
    assert (task.id, task.instruction, task.checks[0].reference) == ("q", "a, b", "x")


def test_lines_are_those_of_the_file_also_after_quoted_line_breaks(made):
    places = made({A: HEAD + 'a,"one\ntwo\n\nthree",exact,x\n\nb,four,exact,y\n'}).places
    assert (places["a"].line, places["b"].line) == (2, 7)


def test_one_csv_with_a_category_column_holds_a_whole_benchmark(made):
    loaded = made({"tasks/all.items.csv": "id,category,instruction,scorer,reference\nq,c,Why?,exact,x\n"})
    assert [task.category for task in loaded.tasks] == ["c"]


def test_yaml_words_are_what_they_look_like(made):
    text = "".join(
        f"- {{id: q{n}, instruction: i{n}, scorer: exact, reference: {word}}}\n" for n, word in enumerate(WORDS)
    )
    assert [task.checks[0].reference for task in made({"tasks/c/a.items.yaml": text}).tasks] == WORDS


WORDS = ["no", "off", "12:30", "2024-01-05", "007", "1_000", "1.50", "0x1f", "1e5"]


def test_supplied_files_become_text_under_their_names(made):
    packed = io.BytesIO()
    document = docx.Document()
    document.add_paragraph("a letter")
    document.add_table(1, 2).rows[0].cells[1].text = "a cell"
    document.save(packed)
    rows = 'id,instruction,scorer,reference,material,materials\nq,Why?,exact,x,inline,"[""l.docx"", ""t/n.txt""]"\n'
    (task,) = made({A: rows, "tasks/c/l.docx": packed.getvalue(), "tasks/c/t/n.txt": "a note\r\n"}).tasks
    assert [(part.name, part.text.split()) for part in task.materials] == [
        ("material", ["inline"]), ("l.docx", ["a", "letter", "a", "cell"]), ("t/n.txt", ["a", "note"]),
    ]  # fmt: skip


def test_a_pdf_becomes_text(made, text_pdf):
    rows = "id,instruction,scorer,reference,materials\nq,Why?,exact,x,p.pdf\n"
    assert "forty boats" in made({A: rows, "tasks/c/p.pdf": text_pdf("forty boats")}).tasks[0].materials[0].text


@pytest.fixture
def text_pdf():
    """The smallest PDF that shows one line."""

    def made(line):
        font = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
        stream = f"BT /F 12 Tf 20 50 Td ({line}) Tj ET"
        objects = [
            "<</Type/Catalog/Pages 2 0 R>>",
            "<</Type/Pages/Kids[3 0 R]/Count 1>>",
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 99]/Contents 4 0 R/Resources<</Font<</F{font}>>>>>>",
            f"<</Length {len(stream)}>>stream\n{stream}\nendstream",
        ]
        body, starts = "%PDF-1.4\n", []
        for number, content in enumerate(objects, start=1):
            starts.append(len(body))
            body += f"{number} 0 obj{content}endobj\n"
        table = "".join(f"{start:010d} 00000 n \n" for start in starts)
        end = f"xref\n0 5\n0000000000 65535 f \n{table}trailer<</Size 5/Root 1 0 R>>\nstartxref\n{len(body)}\n%%EOF"
        return (body + end).encode()

    return made


BAD_FILES = [
    ("a.pdf", b"%PDF-broken", "unreadable-material"),
    ("a.docx", b"PK", "unreadable-material"),
    ("a.txt", b"caf\xe9", "unreadable-material"),
    ("a.md", b" \n", "empty-material"),
    ("a.rtf", b"x", "unsupported-material"),
    ("hidden/a.txt", b"x", "hidden-file"),
]


@pytest.mark.parametrize(("name", "data", "code"), BAD_FILES)
def test_a_file_that_gives_no_text_is_refused(faults, name, data, code):
    rows = f"id,instruction,scorer,reference,materials\nq,Why?,exact,x,{name}\n"
    assert [(fault.code, fault.line) for fault in faults({A: rows, f"tasks/c/{name}": data})] == [(code, 2)]


def test_an_empty_pdf_page_is_refused(faults, text_pdf):
    rows = "id,instruction,scorer,reference,materials\nq,Why?,exact,x,p.pdf\n"
    assert [fault.code for fault in faults({A: rows, "tasks/c/p.pdf": text_pdf("")})] == ["empty-material"]


SHAPES = [
    ("texts", "[1815, 1816]", ["1815", "1816"]),
    ("texts", '["[sic] indeed"]', ["[sic] indeed"]),
    ("texts", '{"a": 1}', '{"a": 1}'),
    ("flag", "TRUE", True),
    ("number", "\N{MINUS SIGN}3", -3),
    ("json", '"x"', "x"),
    ("criteria", '["a", "b"]', ["a", "b"]),
    ("codes", '{"A": {"s": ["x"]}}', {"A": {"s": ["x"]}}),
]


@pytest.mark.parametrize(("shape", "cell", "value"), SHAPES)
def test_cells_hold_references_of_every_shape(shape, cell, value):
    assert shaped(shape, cell, from_text=True) == value
