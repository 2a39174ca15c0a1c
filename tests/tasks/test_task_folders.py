"""Task folders: what is read, and what is refused."""

import os

import pytest

T = "tasks/c/t/"
CHECK = '[[check]]\nid = "a"\nuses = "exact"\nreference = "blue"\n'
TASK = {f"{T}task.toml": "", f"{T}instruction.md": "Which colour?\n", f"{T}checklist.toml": CHECK}


def check(id_, dimension, weight):
    return f'[[check]]\nid = "{id_}"\nuses = "rubric"\nreference = "r"\ndimension = "{dimension}"\nweight = {weight}\n'


def test_a_task_folder_is_a_task(made):
    files = {
        f"{T}task.toml": 'id = "sea"\ngroup = "g"\nmaterials = ["a.txt"]\n'
        'limits = {seconds = 9}\norigin.field = "seas"\n',
        f"{T}environment/a.txt": "\ufeffsea\r\n",
        f"{T}solution/answer.md": "Blue.\n",
        f"{T}evidence/proof.json": "{}",
    }
    (task,) = made({**TASK, **files}).tasks
    assert (task.id, task.group, task.solution, task.limits.seconds) == ("sea", "g", "Blue.", 9)
    assert [(material.name, material.text) for material in task.materials] == [("a.txt", "sea\n")]
    assert (task.origin.field, task.origin.author, task.origin.licence) == ("seas", "us", "CC0-1.0")
    assert "evidence/proof.json" not in [entry.path for entry in task.files]


ENVIRONMENT = {f"{T}environment/b.py": "b = 1", f"{T}environment/a/c.md": "c"}
SHOWN = [("", ["a/c.md", "b.py"]), ('materials = ["b.py"]', ["b.py"]), ("materials = []", []),
         ('deliverable = "patch"', [])]  # fmt: skip


@pytest.mark.parametrize(("toml", "names"), SHOWN)
def test_all_of_the_environment_is_shown_unless_materials_or_another_deliverable_say_so(made, toml, names):
    (task,) = made({**TASK, **ENVIRONMENT, f"{T}task.toml": toml}).tasks
    assert [material.name for material in task.materials] == names


def test_a_judged_check_is_soft_and_its_text_is_the_criterion(made):
    files = {f"{T}checklist.toml": CHECK + '[[check]]\nid = "kind"\nby = "judge"\ntext = "is kind"\n'}
    hard, soft = made({**TASK, **files}).tasks[0].checks
    assert (hard.hard, soft.hard, soft.uses, soft.reference) == (True, False, "rubric", "is kind")


def test_a_reference_may_stand_in_a_hidden_file(made):
    checks = '[[check]]\nid = "a"\nuses = "labels"\nreference_file = "hidden/key.json"\n'
    task = made({**TASK, f"{T}checklist.toml": checks, f"{T}hidden/key.json": '{"x": "y"}'}).tasks[0]
    assert task.checks[0].reference == {"x": "y"}


BROKEN = [
    ("visual-above-structure", {"checklist.toml": CHECK + check("v", "visual", 1)}, None, "never outweigh"),
    ("visual-above-structure", {"checklist.toml": check("v", "visual", 2) + check("s", "structure", 1)}, 1, "weigh 2"),
    ("unknown-key", {"task.toml": '\ndelivrable = "text"\n'}, 2, "'deliverable'"),
    ("per-model-prompt", {"task.toml": "[models.small]\nprompt = 'x'\n"}, 1, "same bytes"),
    ("unknown-key", {"task.toml": '[origin]\nauthr = "x"\n'}, 2, "'author'"),
    ("unknown-key", {"checklist.toml": "[[chek]]\n"}, 1, "'check'"),
    ("missing-scorer", {"checklist.toml": ""}, None, "no check"),
    ("missing-scorer", {"checklist.toml": '[[check]]\nid = "a"\n'}, 1, "names no scorer"),
    ("unknown-scorer", {"checklist.toml": CHECK + '[[check]]\nid = "b"\nuses = "exat"\n'}, 7, "'exact'"),
    ("unknown-option", {"checklist.toml": CHECK + "[check.options]\nx = 1\n"}, 6, "'x'"),
    ("wrong-key", {"checklist.toml": CHECK + "weight = -1\n"}, 5, "weight"),
    ("no-weight", {"checklist.toml": CHECK + "weight = 0\n"}, 1, "all weights are 0"),
    ("duplicate-check", {"checklist.toml": CHECK + CHECK}, 1, "'a'"),
    ("unknown-file", {"instructions.md": "x"}, None, "'instruction.md'"),
    ("missing-instruction", {"instruction.md": " "}, None, "no instruction"),
    ("missing-file", {"checklist.toml": None}, None, "checklist.toml"),
    ("missing-file", {"task.toml": 'materials = ["no.txt"]'}, 1, "'no.txt'"),
    ("path-escapes", {"task.toml": 'materials = ["../hidden/a.txt"]', "hidden/a.txt": "x"}, 1, "leaves the folder"),
    ("path-escapes", {"task.toml": 'materials = ["/etc/hostname"]'}, 1, "leaves the folder"),
    ("hidden-file", {"hidden/test_sea.py": "x", "instruction.md": "Pass test_sea.py."}, None, "'test_sea.py'"),
    ("too-large", {"environment/big.bin": b"0" * (20 * 1024**2 + 1)}, None, "20 MB"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "files", "line", "says"), BROKEN)
def test_a_broken_task_folder_is_refused(faults, code, files, line, says):
    found = faults({**TASK, **{T + name: content for name, content in files.items()}})
    fault = next(fault for fault in found if fault.code == code)
    assert says in fault.what
    assert line is None or fault.line == line


def test_a_pipe_is_refused_and_not_waited_for(folder, faults):
    place = folder(TASK) / T / "environment"
    place.mkdir()
    os.mkfifo(place / "pipe")
    assert [fault.code for fault in faults(TASK)] == ["special-file"]


def test_a_plain_word_that_is_also_a_hidden_file_may_stand_in_the_instruction(made):
    assert made({**TASK, f"{T}hidden/colour": "x"}).tasks


def test_files_of_a_task_may_be_called_as_a_task_is(made):
    assert len(made({**TASK, f"{T}environment/x/task.toml": "?", f"{T}task.toml": "materials = []"}).tasks) == 1


@pytest.mark.parametrize("name", ["environment/link", "hidden", "evidence/x", "../a.items.csv"])
def test_symbolic_links_are_refused(folder, faults, name, tmp_path):
    link = folder(TASK) / T / name
    link.parent.mkdir(exist_ok=True)
    link.symlink_to("/etc")
    assert "symbolic-link" in {fault.code for fault in faults(TASK)}


def test_materials_of_items_may_not_leave_their_folder_or_be_links(folder, faults):
    root = folder({})
    (root / "tasks/c/link.txt").symlink_to("/etc/hostname")
    item = '{{"id": "{0}", "instruction": "{0}", "scorer": "rubric", "reference": "c", "materials": ["{1}"]}}'
    rows = [item.format("a", "link.txt"), item.format("b", "../../benchmark.toml"), item.format("d", "x.exe")]
    codes = {fault.code for fault in faults({"tasks/c/a.items.jsonl": "\n".join(rows), "tasks/c/x.exe": "x"})}
    assert codes == {"symbolic-link", "path-escapes", "unsupported-material"}
