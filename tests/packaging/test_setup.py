"""`openassay setup` and `demo`, as a person or a script meets them. Nothing is fetched here."""

import json

import pytest

from openassay.cli import demo
from openassay.cli.main import code_of
from openassay.models.local_known import KNOWN
from openassay.tasks.starter import starter_path


@pytest.fixture(autouse=True)
def empty_data_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def test_the_list_is_one_document(capsys):
    assert code_of(["setup", "local", "--list", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [model["model"] for model in document["models"]] == list(KNOWN)
    assert all(model["installed"] == bool(model["source"]) for model in document["models"])


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["setup", "frontend"], "not available yet"),
        (["setup", "backend"], "backend"),
        (["setup", "local", "--model", "smollm2-135m"], "did you mean 'smollm2-135m-instruct'?"),
        (["setup"], "Missing argument"),
    ],
)
def test_mistakes_are_told_in_words(capsys, arguments, says):
    assert code_of(arguments) == 2
    told = capsys.readouterr().err
    assert says in told
    assert len(told.splitlines()) <= 6


@pytest.mark.parametrize("verb", ["setup", "demo"])
def test_help_shows_examples(capsys, verb):
    assert code_of([verb, "--help"]) == 0
    assert f"openassay {verb}" in capsys.readouterr().out.split("Examples:")[1]


def test_the_demo_asks_two_lineages():
    first, second = (KNOWN[name] for name in demo.MODELS)
    assert not set(first.lineage) & set(second.lineage)


def test_the_demo_says_what_one_would_type(tmp_path):
    typed = demo.as_typed(demo.STEPS[1], tmp_path / "bench", tmp_path)
    assert "--per-category 2 --draws 2 --attempts 2" in typed
    assert all(f"--model {name}" in typed for name in demo.MODELS)


def test_the_demo_leaves_code_out_where_no_sandbox_works(capfd, monkeypatch):
    monkeypatch.setenv("PATH", "")
    steps = demo.possible(demo.STEPS)
    said = "coding tasks are left out" in capfd.readouterr().err
    assert said != any(step.part == "coding" for step in steps)


@pytest.mark.slow
@pytest.mark.local_models
def test_the_demo_leaves_reports_that_stand_alone(capfd, tmp_path, monkeypatch):
    monkeypatch.delenv("XDG_DATA_HOME")
    assert code_of(["demo", "--yes", "--json", "--out", str(tmp_path / "demo")]) == 0
    document = json.loads(capfd.readouterr().out)
    assert [run["step"] for run in document["runs"]] == [step.name for step in demo.possible(demo.STEPS)]
    for run in document["runs"]:
        page = (tmp_path / "demo" / f"{run['step']}.html").read_text(encoding="utf-8")
        assert all(name in page for name in demo.MODELS)
        assert 'src="http' not in page


@pytest.mark.local_models
def test_a_run_says_which_weights_it_uses_and_from_where(capfd, tmp_path, monkeypatch):
    monkeypatch.delenv("XDG_DATA_HOME")
    if code_of(["models", "--model", demo.MODELS[0], "--ping"]) != 0:
        pytest.skip("run `openassay setup local` first")
    capfd.readouterr()
    arguments = ["--model", demo.MODELS[0], "--category", "evidence", "--per-category", "1", "--max-tokens", "4"]
    assert code_of(["run", str(starter_path()), *arguments, "--out", str(tmp_path), "--yes"]) == 0
    assert f"weights {KNOWN[demo.MODELS[0]].sha256[:12]}" in capfd.readouterr().err
