"""What loads and would mislead."""

import json

import pytest

from openassay.schema.errors import FaultLevel
from openassay.tasks.lint import lint

J = "tasks/c/a.items.jsonl"


def row(id_="a", **fields):
    return json.dumps(
        {"id": id_, "instruction": f"What is up, {id_}?", "scorer": "exact", "reference": "sky", **fields}
    )


@pytest.fixture
def said(folder, tmp_path):
    """Code -> level of what lint says on these files."""

    def run(files):
        from openassay.tasks.load import load

        return {fault.code: fault for fault in lint(load(folder(files)), tmp_path)}

    return run


def items(*rows):
    return {J: "\n".join(rows)}


LONG = "The answer is the wide blue sky."
THREE = [row("x"), row("y"), row("z")]
HARD_JUDGE = {"id": "k", "uses": "rubric", "reference": "is kind", "hard": True}
CASES = [
    ("hard-judge", items(row(checks=[HARD_JUDGE])), "left to a judge"),
    ("consistent-without-group", items(row(checks=[{"id": "k", "uses": "consistent"}])), "is in none"),
    ("no-solution", items(row(scorer="regex", reference=None, options={"pattern": "x+"})), "can be passed"),
    ("split-group", {J: row(group="g"), "tasks/d/a.items.jsonl": row("b", group="g")}, "also stands in 'c'"),
    ("near-duplicate", items(row(instruction="Why  me?"), row("b", instruction="why me!")), "same words"),
    ("alternatives", items(row(reference="yes|ja")), "looks like alternatives"),
    ("alternatives", items(row(reference="(yes | ja)")), "looks like alternatives"),
    ("alternatives", items(row(reference="['yes', 'ja']")), "looks like alternatives"),
    ("alternatives", items(row(scorer="rubric", reference="[\u201cThanks\u201d]")), "looks like alternatives"),
    ("leak", items(row(instruction="The sky-blue bird sings. What?", reference="sky-blue bird")), "stands in"),
    ("leak", items(row(reference="Paris", instruction="Name Paris, the capital of France.")), "stands in"),
    ("leak", items(row(scorer="numeric", reference=1815, instruction="Born 1815. When?")), "stands in"),
    ("leak", items(row(scorer="rubric", reference="Names every one of the three causes of the war",
                       instruction="Explain. Names every one of the  three causes of the war.")), "criterion"),
    ("leak", items(row(solution=LONG, instruction=f"Why? {LONG}")), ""),
]  # fmt: skip


@pytest.mark.parametrize(("code", "files", "says"), CASES)
def test_findings(said, info, code, files, says):
    more = info.replace("[origin]", '[[category]]\nid = "d"\ntrack = "t"\ntitle = "D"\ndefinition = "d"\n[origin]')
    fault = said({"benchmark.toml": more, **files})[code]
    assert (fault.level, fault.line is not None) == (FaultLevel.FINDING, True)
    assert says in fault.what


NO_LEAKS = [
    row(reference="rood", instruction="Kies rood, groen of blauw.", language="nl"),
    row(reference="blue", instruction="Is it red, green or blue?"),
    row(reference="blue", instruction="Which one?\n- red\n- blue"),
    row(reference="sky", instruction="A sky is what?"),
    row(reference="blue", instruction="What is bluer?"),
    row(scorer="numeric", reference=12, instruction="Take 12 or so. How many?"),
    row(scorer="numeric", reference=120, instruction="In 1205, how many?"),
    row(reference="four words of text", instruction="Find it.", material="Here are four words of text."),
    row(scorer="choice", reference="A", options={"choices": {"A": "blue sky", "B": "sea"}}, instruction="A: blue sky"),
]


@pytest.mark.parametrize("item", NO_LEAKS)
def test_what_is_offered_or_to_be_found_is_no_leak(said, item):
    assert "leak" not in said(items(item))


ONE_TEXT = ["P(A|B)", "a || b", "|x|", "[0, 1)", ["yes|ja"], ["yes", "ja"], "a |\nb"]


@pytest.mark.parametrize("reference", ONE_TEXT, ids=str)
def test_what_is_one_text_is_no_list_of_alternatives(said, reference):
    assert "alternatives" not in said(items(row(reference=reference)))


def test_a_criterion_may_hold_a_bar(said):
    assert "alternatives" not in said(items(row(scorer="rubric", reference="Writes a|b")))


def test_a_line_of_a_hidden_file_in_the_instruction_is_a_leak(said):
    line = "assert boats == 40 and harbour == 'Bergen' and tide"
    check = '[[check]]\nid = "a"\nuses = "exact"\nreference = "blue"\n'
    t = "tasks/c/t/"
    files = {"task.toml": "", "instruction.md": f"Fix.\n\n{line}", "checklist.toml": check, "hidden/t.py": line}
    assert "hidden file" in said({t + name: text for name, text in files.items()})["leak"].what


def test_lines_that_wrong_versions_share_with_the_module_shown_are_no_leak(said):
    line = "harbour = sum(boat.length for boat in boats_of_today)"
    check = '[[check]]\nid = "a"\nuses = "written_tests"\noptions = { under_test = "environment/sea.py" }\n'
    t = "tasks/c/t/"
    files = {"task.toml": "", "instruction.md": "Test.", "checklist.toml": check, "environment/sea.py": line}
    assert "leak" not in said({t + name: text for name, text in {**files, "hidden/mutants/a.py": line}.items()})


def test_a_category_without_tasks_is_a_finding(said, info):
    more = info.replace("[origin]", '[[category]]\nid = "d"\ntrack = "t"\ntitle = "D"\ndefinition = "d"\n[origin]')
    assert said({"benchmark.toml": more})["empty-category"].level == FaultLevel.FINDING


REMARKS = [
    ("few-tasks", items(row(), row("b")), {}, "fail up to 66 of 100"),
    ("no-hard-check", items(row(scorer="rubric", reference="kind")), {}, "never passed or failed"),
    ("group-of-one", items(row(group="g")), {}, "nothing to compare"),
    ("person-name", items(row(material="Yesterday Maria Keller came.")), {}, "Maria Keller"),
    ("no-origin", items(*THREE), {'language = "en"': ""}, "3 of 3 tasks state no language (x, y, z)"),
    ("idle-endpoints", items(*THREE), {"[[category]]": 'endpoints = ["a.org"]\n[[category]]'}, "confidential"),
    (
        "unedited",
        items(*THREE),
        {'developers = "': 'developers = "Your name or group" # '},
        "still stand in developers",
    ),
    ("no-endpoints", items(*THREE), {"[[category]]": 'visibility = "confidential"\n[[category]]'}, "only local models"),
]


@pytest.mark.parametrize(("code", "files", "changes", "says"), REMARKS)
def test_remarks(said, info, code, files, changes, says):
    for old, new in changes.items():
        info = info.replace(old, new)
    fault = said({"benchmark.toml": info, **files})[code]
    assert fault.level == FaultLevel.REMARK
    assert says in fault.what


def test_names_that_are_meant_to_be_there_are_not_flagged(said, info):
    allowed = info.replace("[[category]]", 'names_allowed = ["Maria Keller"]\n[[category]]')
    files = items(*THREE, row(material="Yesterday Dr. Keller and Maria Keller came."))
    assert said({"benchmark.toml": allowed, **files}) == {}
