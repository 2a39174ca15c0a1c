"""The docs cannot drift: fields, links, commands and generated pages are compared with the code."""

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import openassay
from openassay.cli.main import VERBS, code_of, verb_command
from openassay.cli.plan_file import FIELDS as PLAN_FIELDS
from openassay.models import models_file
from openassay.reports.contract import Summary
from openassay.schema import benchmark, judging, task
from openassay.tasks import load, scaffold
from openassay.tasks.rows import FIELDS

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "bench").glob("*.md")])
RECORDS = [
    benchmark.BenchmarkInfo,
    benchmark.Category,
    benchmark.JudgePolicy,
    judging.DisputeRules,
    judging.JudgeBar,
    benchmark.Defaults,
    task.Task,
    task.Check,
    task.Origin,
    task.TaskLimits,
]
FORMAT = (ROOT / "docs" / "benchmark-format.md").read_text(encoding="utf-8")


def name(page):
    return page.relative_to(ROOT).as_posix()


def fenced(text, language=""):
    return re.findall(rf"^```{language}\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)


def commands():
    """Every line of a plain code block that calls openassay, with its page."""
    for page in PAGES:
        for block in fenced(page.read_text(encoding="utf-8")):
            for line in block.splitlines():
                if line.startswith("openassay ") and page.name != "cli.md":
                    yield pytest.param(line, id=f"{name(page)}: {line[:60]}")


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.__name__)
def test_the_format_page_names_every_field(record):
    assert [field for field in record.model_fields if f"`{field}`" not in FORMAT] == []


def test_the_format_page_names_every_column():
    assert [field for field in FIELDS if f"`{field}`" not in FORMAT] == []


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_relative_link_leads_somewhere(page):
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if "://" not in link and not (page.parent / link).exists()] == []


@pytest.mark.parametrize("line", list(commands()))
def test_every_documented_command_has_its_verb_and_flags(line):
    _, verb, *rest = shlex.split(line, comments=True)
    if verb not in VERBS:  # of two words
        verb, rest = f"{verb} {rest[0]}", rest[1:]
    assert verb in VERBS
    known = {flag for parameter in verb_command(verb).params for flag in parameter.opts}
    assert [word for word in rest if word.startswith("--") and word not in {*known, "--help", "--debug"}] == []


def test_the_generated_pages_are_up_to_date():
    call = [sys.executable, ROOT / "scripts" / "docs", "--check"]
    found = subprocess.run(call, check=False, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr


def test_the_architecture_page_is_short_and_names_every_room():
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rooms = {path.parent.name for path in (ROOT / "src" / "openassay").glob("*/__init__.py")}
    assert [room for room in rooms if f"| `{room}` |" not in text] == []
    assert text.count("\n") < 150


def test_every_invariant_names_a_test_that_exists():
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named = re.findall(r"\[(test_\w+)\]\((tests/[\w/]+\.py)\)", text)
    assert len(named) >= 20
    assert [test for test, file in named if f"def {test}(" not in (ROOT / file).read_text(encoding="utf-8")] == []


def test_the_questions_on_the_researchers_page_are_a_benchmark(tmp_path):
    scaffold.write(tmp_path / "bench")
    (written,) = (tmp_path / "bench" / "tasks").glob("*.items.csv")
    (table,) = fenced((ROOT / "docs" / "for-researchers.md").read_text(encoding="utf-8"), "csv")
    written.write_text(table, encoding="utf-8")
    assert [found.id for found in load.load(tmp_path / "bench").tasks] == ["q1", "q2", "q3"]


def test_the_models_file_on_the_developers_page_is_one(tmp_path):
    (table,) = fenced((ROOT / "docs" / "for-developers.md").read_text(encoding="utf-8"), "toml")
    (tmp_path / "models.toml").write_text(table, encoding="utf-8")
    assert list(models_file.read_models_file(tmp_path / "models.toml")) == ["small"]


def test_the_developers_page_names_every_key_of_a_report():
    page = (ROOT / "docs" / "for-developers.md").read_text(encoding="utf-8")
    assert [key for key in Summary.model_fields if f"`{key}`" not in page and f"`{key}[]`" not in page] == []


def test_the_developers_page_names_every_field_of_a_plan():
    page = (ROOT / "docs" / "for-developers.md").read_text(encoding="utf-8")
    told = page.partition("names of the flags (")[2].partition(")")[0]
    assert set(re.findall(r"`(\w+)`", told)) == set(PLAN_FIELDS)


def test_the_python_on_the_developers_page_does_what_it_says(tmp_path):
    page = ROOT / "docs" / "for-developers.md"
    assert (
        doctest.testfile(
            str(page), module_relative=False, globs={"folder": tmp_path}, optionflags=doctest.ELLIPSIS
        ).failed
        == 0
    )


def test_every_name_offered_to_python_is_there_and_on_the_developers_page():
    page = (ROOT / "docs" / "for-developers.md").read_text(encoding="utf-8")
    names = [name for name in dir(openassay) if not name.startswith("_")]
    assert [name for name in names if not callable(getattr(openassay, name)) or f"openassay.{name}" not in page] == []


def test_the_three_commands_on_the_first_screen_work(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    blocks = fenced((ROOT / "README.md").read_text(encoding="utf-8"))
    lines = next(block for block in blocks if "openassay init" in block).splitlines()
    assert [shlex.split(line)[1] for line in lines] == ["init", "check", "run"]
    for line in lines[:2]:
        assert code_of(shlex.split(line)[1:]) == 0
    assert code_of([*shlex.split(lines[2])[1:], "--dry-run"]) == 0  # its endpoint is not there
