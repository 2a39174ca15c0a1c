"""The benchmark that `init` writes works as it stands."""

import pytest

from openassay.schema.errors import FaultLevel, InputError
from openassay.tasks.lint import lint
from openassay.tasks.load import load
from openassay.tasks.scaffold import write


def test_what_init_writes_loads_without_findings(tmp_path):
    folder = tmp_path / "My Tasks!"
    assert {path.name for path in write(folder)} == {"benchmark.toml", "README.md", "questions.items.csv"}
    benchmark = load(folder)
    assert benchmark.info.id == "My-Tasks"
    assert {fault.level for fault in lint(benchmark, folder)} <= {FaultLevel.REMARK}


def test_ten_questions_of_three_kinds_and_a_file_that_explains_itself(tmp_path):
    write(tmp_path / "b")
    assert len((tmp_path / "b/tasks/questions.items.csv").read_text().splitlines()) == 11
    assert {check.uses for task in load(tmp_path / "b").tasks for check in task.checks} == {
        "exact",
        "numeric",
        "rubric",
    }
    lines = (tmp_path / "b/benchmark.toml").read_text().splitlines()
    assert len(lines) <= 50
    assert sum("#" in line for line in lines) >= 10


def test_an_empty_folder_is_fine_and_a_used_one_is_left_alone(tmp_path):
    write(tmp_path)
    (tmp_path / "benchmark.toml").write_text("mine")
    with pytest.raises(InputError, match="new or empty folder"):
        write(tmp_path)
    assert (tmp_path / "benchmark.toml").read_text() == "mine"


@pytest.mark.parametrize("name", ["file", "file/below"])
def test_a_place_that_cannot_be_written_is_said(tmp_path, name):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError):
        write(tmp_path / name)
