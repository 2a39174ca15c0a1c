"""The starter benchmark loads, lints, has every category, shows every form, and every task proves itself."""

from collections import Counter
from pathlib import Path

import pytest

from openassay.schema.benchmark import Benchmark
from openassay.schema.checks import SCORERS
from openassay.tasks import load, starter

FOLDER = starter.starter_path()
BENCHMARK: Benchmark = load.load(FOLDER)


def test_five_tasks_in_each_of_four_categories_and_eight_personas():
    assert Counter(task.category for task in BENCHMARK.tasks) == {
        **dict.fromkeys(["extraction", "evidence", "coding", "documents"], 5),
        "personas": 8,
    }


@pytest.mark.parametrize("task", [task for task in BENCHMARK.tasks if task.category == "personas"], ids=lambda t: t.id)
def test_interviews_say_that_they_are_invented_and_name_nobody(task):
    from openassay.tasks import people

    (material,) = task.materials
    assert "invented for this benchmark" in material.text.splitlines()[0]
    assert people.names_in(material.text) == ()


@pytest.mark.parametrize("task", ["pe-forms", "pe-table", "pe-fair"])
def test_a_persona_must_be_marked_and_quote_what_was_said(task):
    hard = {check.uses for each in BENCHMARK.tasks if each.id == task for check in each.checks if check.hard}
    assert "quotes_supported" in hard
    assert hard & {"format", "json"}


def test_two_items_are_asked_in_two_variants_each():
    swapped = {task.id: task.swap.attribute for task in BENCHMARK.tasks if task.swap}
    assert swapped == {"pe-age.young": "age", "pe-age.old": "age", "pe-hours.woman": "gender", "pe-hours.man": "gender"}


def test_one_track_and_public():
    assert {category.track for category in BENCHMARK.info.category} == {"research"}
    assert BENCHMARK.info.visibility == "public"


def test_lints_without_findings():
    from openassay.tasks import lint

    assert [fault for fault in lint.lint(BENCHMARK, FOLDER) if fault.level != "remark"] == []


@pytest.mark.parametrize("ending", [".items.csv", ".items.jsonl", ".items.yaml", "task.toml", ".docx", ".pdf"])
def test_shows_every_form(ending):
    assert any(path.name.endswith(ending) for path in FOLDER.rglob("*"))


def test_is_data_and_no_package():
    assert not list(FOLDER.rglob("*.py"))


def test_shows_every_text_scorer_once():
    used = {check.uses for task in BENCHMARK.tasks for check in task.checks}
    assert set(SCORERS) - used == {"python", "command", "written_tests"}  # these run code


@pytest.mark.parametrize("task", BENCHMARK.tasks, ids=lambda task: task.id)
def test_prompts_are_short(task):
    shown = task.instruction + "".join(material.text for material in task.materials)
    assert len(shown) < 1200  # about 300 tokens


@pytest.mark.parametrize("task", BENCHMARK.tasks, ids=lambda task: task.id)
def test_has_a_hard_check_and_no_hard_judge(task):
    assert any(check.hard for check in task.checks)
    assert all(check.by == "script" for check in task.checks if check.hard)


def test_every_task_is_proven():
    from openassay.runs import prove

    assert {proof.task: (str(proof.status), proof.reasons) for proof in prove.prove(BENCHMARK)} == {
        task.id: ("proven", ()) for task in BENCHMARK.tasks
    }


def test_names_in_material_are_listed():
    from openassay.tasks import people

    found = {name for task in BENCHMARK.tasks for material in task.materials for name in people.names_in(material.text)}
    assert found <= set(BENCHMARK.info.names_allowed)


def test_binary_materials_are_small():
    assert all(path.stat().st_size < 50_000 for path in FOLDER.rglob("*") if path.is_file())


def test_the_folder_ships_inside_the_package():
    import openassay

    assert FOLDER.is_relative_to(Path(openassay.__file__).parent)
