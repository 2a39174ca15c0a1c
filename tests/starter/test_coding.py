"""The coding starter loads, lints, has five tasks a category, ships whole, and its tasks are what they say."""

import ast
import json
from collections import Counter
from pathlib import Path

import pytest

from openassay.schema.benchmark import Benchmark
from openassay.tasks import lint, load, starter

FOLDER = starter.starter_path("coding")
BENCHMARK: Benchmark = load.load(FOLDER)
EVERY_TASK = pytest.mark.parametrize("task", BENCHMARK.tasks, ids=lambda task: task.id)


def test_five_tasks_in_each_of_three_categories():
    assert Counter(task.category for task in BENCHMARK.tasks) == dict.fromkeys(["functions", "bugs", "tests"], 5)


def test_stands_apart_from_the_texts():
    assert {category.track for category in BENCHMARK.info.category} == {"coding"}
    assert starter.starter_path() == starter.starter_path("texts") != FOLDER


def test_lints_without_a_word():
    assert lint.lint(BENCHMARK, FOLDER) == ()


@EVERY_TASK
def test_prompts_are_short(task):
    shown = task.instruction + "".join(material.text for material in task.materials)
    assert len(shown) < 1600  # about 300 tokens, and code takes more of them than prose


@EVERY_TASK
def test_shows_no_hidden_file(task):
    hidden = {entry.sha256 for entry in task.files if not entry.path.startswith("environment/")}
    assert hidden.isdisjoint(material.sha256 for material in task.materials)


@pytest.mark.parametrize(
    "task", [task for task in BENCHMARK.tasks if task.category == "bugs"], ids=lambda task: task.id
)
def test_an_instruction_names_the_symptom_and_not_the_place(task):
    tree = ast.parse(task.materials[0].text)
    names = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    words = {"undo", "write", "redo", "best"}  # what users say, too
    assert (names - words).isdisjoint(task.instruction.replace("`", " ").split())


@pytest.mark.parametrize("folder", sorted(FOLDER.glob("tasks/functions/*")), ids=lambda path: path.name)
def test_two_unusual_solutions_stand_beside_each_function(folder):
    assert len(list(folder.glob("solution/unusual_*.py"))) == 2


@pytest.mark.parametrize("folder", sorted(FOLDER.glob("tasks/tests/*")), ids=lambda path: path.name)
def test_six_to_ten_faulty_versions_that_differ(folder):
    sources = [path.read_text("utf-8") for path in (*folder.glob("environment/*.py"), *folder.glob("hidden/mutants/*"))]
    assert 7 <= len(sources) <= 11
    assert len({ast.dump(ast.parse(source)) for source in sources}) == len(sources)


@pytest.mark.parametrize("file", sorted(FOLDER.rglob("cases.jsonl")), ids=lambda path: path.parts[-3])
def test_cases_differ_and_expect_one_thing(file):
    cases = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert all(("expected" in case) != ("raises" in case) for case in cases)
    calls = [json.dumps([case["call"], case.get("args"), case.get("kwargs")]) for case in cases]
    assert len(set(calls)) == len(calls) >= 10


def proof_of(folder):
    return json.loads((folder / "evidence" / "proof.json").read_text("utf-8"))


@EVERY_TASK
def test_the_proof_is_of_this_very_task(task):
    proof = proof_of(FOLDER / BENCHMARK.places[task.id].folder)
    assert (proof["identity"], proof["status"], proof["missed"]) == (task.identity, "proven", [])
    assert proof["cheats"] >= 10


def test_at_least_nine_of_ten_mutants_are_caught():
    proofs = [proof_of(file.parents[1]) for file in FOLDER.rglob("proof.json")]
    assert sum(one["caught"] for one in proofs) >= 0.9 * sum(one["mutants"] for one in proofs) > 100


@pytest.mark.slow
def test_every_task_is_proven_here():
    from openassay.runs import prove
    from openassay.sandbox.find import find_sandbox
    from openassay.schema.errors import SandboxError

    try:
        find_sandbox()
    except SandboxError as error:
        pytest.skip(f"no sandbox here: {error.what}")
    assert {proof.task: (proof.status, proof.reasons) for proof in prove.prove(BENCHMARK)} == {
        task.id: ("proven", ()) for task in BENCHMARK.tasks
    }


def test_the_folder_ships_inside_the_package():
    import openassay

    assert FOLDER.is_relative_to(Path(openassay.__file__).parent)
