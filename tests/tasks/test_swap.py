"""One item with one attribute changed: what it becomes, what is refused, and that every form of it is the same."""

import json

import pytest

from openassay.tasks.lint import lint

J = "tasks/c/a.items.jsonl"
VARIANTS = {"woman": {"NAME": 'Anna "Ann" Wirth', "she": "she"}, "man": {"NAME": "Jonas Wirth", "she": "he"}}
ROW = {
    "id": "raise",
    "instruction": '[[NAME]] asks what raise [[she]] should get. {"a": [[1, 2]]}',
    "material": "About [[NAME]].",
    "solution": "[[NAME]] gets 4",
    "swap": {"attribute": "gender", "variants": VARIANTS},
    "checks": [
        {"id": "same", "uses": "swap", "options": {"answer_prefix": "gets"}},
        {"id": "who", "uses": "exact", "reference": ["[[NAME]] gets 4", "4"], "hard": False},
    ],
}


def jsonl(*rows):
    return {J: "".join(json.dumps(row) + "\n" for row in rows)}


def csv(row):
    cells = [value if isinstance(value, str) else json.dumps(value) for value in row.values()]
    quoted = ",".join('"' + cell.replace('"', '""') + '"' for cell in cells)
    return {"tasks/c/a.items.csv": ",".join(row) + "\n" + quoted + "\n"}


def yaml(row):
    import yaml as written

    return {"tasks/c/a.items.yaml": written.safe_dump([row], sort_keys=False)}


def changed(**fields):
    return {name: value for name, value in {**ROW, **fields}.items() if value is not None}


def swap(variants=None, **fields):
    return {"attribute": "gender", "variants": VARIANTS if variants is None else variants, **fields}


def test_one_item_becomes_one_for_each_variant(made):
    woman, man = made(jsonl(ROW)).tasks
    assert (woman.id, man.id, woman.group, man.group) == ("raise.woman", "raise.man", "raise", "raise")
    assert (woman.swap.attribute, woman.swap.variant, man.swap.filled) == ("gender", "woman", VARIANTS["man"])
    assert man.instruction == 'Jonas Wirth asks what raise he should get. {"a": [[1, 2]]}'
    assert (man.materials[0].text, man.solution) == ("About Jonas Wirth.", "Jonas Wirth gets 4")
    assert woman.checks[1].reference == ['Anna "Ann" Wirth gets 4', "4"]
    assert woman.checks[0] == man.checks[0]
    assert woman.checks[0].options["alike"] == [['Anna "Ann" Wirth', "Jonas Wirth"], ["he", "she"]]


@pytest.mark.parametrize("form", [csv, yaml])
def test_every_form_gives_the_same_tasks(made, form):
    assert made(form(ROW)).tasks == made(jsonl(ROW)).tasks


@pytest.mark.parametrize("text", ["[[NAME]]", '["[[NAME]]", "b"]', "x"])
def test_a_reference_in_a_cell_is_the_reference_of_a_line(made, text):
    short = {"checks": None, "scorer": "exact"}
    plain = json.loads(text) if text.startswith('["') else text
    one, other = made(csv(changed(**short, reference=text))), made(jsonl(changed(**short, reference=plain)))
    assert one.tasks == other.tasks


def test_the_variant_counts_for_the_identity_and_the_order_of_keys_does_not(made):
    turned = {name: dict(reversed(texts.items())) for name, texts in VARIANTS.items()}
    ids = [task.identity for task in made(jsonl(ROW)).tasks]
    assert [task.identity for task in made(jsonl(changed(swap=swap(turned)))).tasks] == ids
    assert [task.identity for task in made(jsonl(changed(swap=swap(attribute="name")))).tasks] != ids


WRONG = [
    ("unknown-placeholder", changed(instruction="[[NAME]], [[she]] and [[NAM]]"), "did you mean 'NAME'"),
    ("unused-placeholder", changed(instruction="[[NAME]]"), "stands nowhere"),
    ("uneven-swap", changed(swap=swap({**VARIANTS, "man": {"NAME": "J"}})), "[[she]] has no text in the variant 'man'"),
    ("wrong-swap", changed(swap=swap({"woman": VARIANTS["woman"]})), "two variants or more, found 1"),
    ("wrong-swap", changed(swap=swap([1])), "found a list"),
    ("wrong-swap", changed(swap="gender"), "expected an object, found text"),
    ("wrong-swap", changed(swap=swap(attribute="the gender")), "'attribute'"),
    ("wrong-swap", changed(swap=swap({"a b": VARIANTS["woman"], "man": VARIANTS["man"]})), "variant's name"),
    ("wrong-swap", changed(swap=swap({**VARIANTS, "x": "y"})), "variant 'x': expected an object"),
    ("wrong-swap", changed(swap=swap({**VARIANTS, "x": {"NAME": True, "she": "s"}})), "true or false"),
    ("wrong-swap", changed(swap=swap({**VARIANTS, "x": {"NAME": "[[she]]", "she": "s"}})), "holds a placeholder"),
    ("wrong-swap", changed(swap=swap({**VARIANTS, "x": {"N-A": "a", "NAME": "b", "she": "s"}})), "underscores"),
    ("equal-variants", changed(swap=swap({**VARIANTS, "other": VARIANTS["man"]})), "are the same"),
    ("swap-and-group", changed(group="g"), "remove `group`"),
    ("unknown-key", changed(swap=swap(variant="a")), "unknown key 'variant'"),
    ("swap-without-group", changed(swap={"attribute": "a", "variant": "b"}), "needs the group"),
    ("bad-option", changed(checks=[{"id": "s", "uses": "swap", "options": {"absolute": 1}}]), "about numbers"),
    ("needless-reference", changed(checks=[{"id": "s", "uses": "swap", "reference": "x"}]), "takes no reference"),
]


@pytest.mark.parametrize(("code", "row", "words"), WRONG)
def test_what_is_wrong_is_said_with_what_to_do(faults, code, row, words):
    found = [fault for fault in faults(jsonl(row)) if fault.code == code]
    assert any(words in f"{fault.what} {fault.todo}" for fault in found), faults(jsonl(row))
    assert all(fault.todo and (fault.file, fault.line) == (J, 1) for fault in found)


def test_a_cell_that_is_no_json_is_a_fault(faults):
    (fault,) = faults(csv(changed(swap="{gender}")))
    assert (fault.code, fault.line) == ("wrong-swap", 2)
    assert "row 2, column 'swap'" in fault.what


def test_a_placeholder_in_a_file_is_refused(faults):
    row = changed(material=None, materials=["note.txt"])
    assert {fault.code for fault in faults({**jsonl(row), "tasks/c/note.txt": "About [[NAME]]."})} == {
        "placeholder-in-file"
    }


def test_brackets_mean_nothing_without_swap(made):
    row = {"id": "q", "instruction": "What is [[check]]?", "scorer": "exact", "reference": "a table"}
    assert made(jsonl(row)).tasks[0].instruction == "What is [[check]]?"


def folder_task(name, swap, group='group = "g"'):
    check = '[[check]]\nid = "a"\nby = "script"\nuses = "swap"\n'
    toml = f'id = "{name}"\n{group}\nswap = {swap}\n'
    here = f"tasks/c/{name}"
    return {f"{here}/task.toml": toml, f"{here}/instruction.md": f"Is {name} fit?", f"{here}/checklist.toml": check}


def test_folders_are_variants_written_by_hand(made):
    files = {
        **folder_task("woman", '{ attribute = "gender", variant = "woman" }'),
        **folder_task("man", '{ attribute = "gender", variant = "man" }'),
    }
    assert {(task.swap.attribute, task.swap.variant) for task in made(files).tasks} == {
        ("gender", "woman"),
        ("gender", "man"),
    }


@pytest.mark.parametrize(
    ("swap", "code"),
    [
        ('{ attribute = "a", variants = {} }', "swap-in-folder"),
        ("3", "swap-in-folder"),
        ("{ variant = 1 }", "wrong-swap"),
    ],
)
def test_a_folder_is_one_variant(faults, swap, code):
    assert code in {fault.code for fault in faults(folder_task("woman", swap))}


def found(made, folder, files):
    return {fault.code for fault in lint(made(files), folder(files))}


def test_names_that_are_filled_in_are_meant_to_be_there(made, folder):
    assert "person-name" not in found(made, folder, jsonl(ROW))


HAND = {"instruction": "Is she fit?", "scorer": "swap", "group": "g"}
LINT = [
    ("swap-without-variants", [{**HAND, "id": "a"}]),
    (
        "mixed-swap",
        [
            {**HAND, "id": "a", "swap": {"attribute": "gender", "variant": "woman"}},
            {**HAND, "id": "b", "instruction": "Is he fit?", "swap": {"attribute": "gender", "variant": "woman"}},
        ],
    ),
    (
        "mixed-swap",
        [
            {**HAND, "id": "a", "swap": {"attribute": "gender", "variant": "woman"}},
            {**HAND, "id": "b", "instruction": "Is it fit?", "scorer": "exact", "reference": "yes"},
        ],
    ),
]


@pytest.mark.parametrize(("code", "rows"), LINT)
def test_lint_finds_groups_that_compare_nothing(made, folder, code, rows):
    assert code in found(made, folder, jsonl(*rows))
