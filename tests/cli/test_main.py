"""The frame round the verbs: help, names, exit codes, JSON."""

import errno
import json
import os
import subprocess
import sys

import pytest

from openassay.cli.console import safe
from openassay.cli.main import VERBS, _unexpected, verb_command

HEAVY = {"numpy", "polars", "aiohttp", "matplotlib", "scipy", "pydantic", "docx", "pypdf", "pint", "jinja2"}
READY = [name for name in VERBS if name not in {"setup", "demo"}]


def imported(code):
    lines = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    return set(lines.splitlines()[-1].split())


def test_help_lists_every_verb_and_imports_nothing_heavy():
    code = "import sys; from openassay.cli.main import code_of; code_of(['--help']); print(*sys.modules)"
    assert not imported(code) & HEAVY


@pytest.mark.parametrize("verb", READY)
def test_help_of_a_verb_has_an_example_and_json(desk, verb):
    shown = desk.call(*verb.split(), "--help")
    assert shown.returncode == 0
    assert f"openassay {verb}" in shown.stdout.split("Examples:")[1]
    assert "--json" in shown.stdout


def test_help_of_no_verb_imports_anything_heavy():
    calls = "; ".join(f"code_of({[*verb.split(), '--help']})" for verb in READY)
    loaded = imported(f"import sys; from openassay.cli.main import code_of; {calls}; print(*sys.modules)")
    assert not loaded & (HEAVY - {"pydantic"})


@pytest.mark.parametrize("verb", READY)
def test_every_flag_has_a_sentence(verb):
    assert not [one.name for one in verb_command(verb).params if not getattr(one, "help", None)]


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["chek"], "did you mean 'check'?"),
        (["judge", "calibrat"], "did you mean 'judge calibrate'?"),
        (["run", "x", "--modle", "y"], "--model"),
        (["grade"], "Missing argument"),
        (["check", "nowhere"], "nowhere"),
    ],
)
def test_usage_mistakes_say_what_and_what_to_do(desk, args, says):
    shown = desk.run(*args)
    assert shown.returncode == 2
    assert says in shown.stderr
    assert len(shown.stderr.splitlines()) <= 6
    assert "Traceback" not in shown.stderr


def test_errors_are_json_too(desk):
    shown = desk.run("check", "nowhere", "--json")
    assert set(json.loads(shown.stdout)["error"]) >= {"what", "where", "todo"}


def test_version(desk):
    assert desk.run("--version").stdout.startswith("openassay ")


def test_a_closed_pipe_is_no_error(desk):
    shown = subprocess.run(
        ["sh", "-c", f"{desk.program[0]} --help | true"], env=desk.env, capture_output=True, text=True, check=False
    )
    assert shown.stderr == ""


@pytest.mark.parametrize(("number", "says"), [(errno.ENOSPC, "the disk is full"), (errno.EACCES, "Permission denied")])
def test_a_full_disk_is_called_a_full_disk(number, says):
    told = _unexpected(OSError(number, os.strerror(number), "/runs/x"))
    assert says in told.what
    assert ("free some space" in told.todo) == (number == errno.ENOSPC)


@pytest.mark.parametrize("text", ["a\x1b[2Jb", "a\u202eb\u202c", "a\u2066b\u2069", "a\x9bb", "a\u2028b"])
def test_no_text_steers_or_turns_the_terminal(text):
    assert not set(safe(text)) & set("\x1b\u202e\u202c\u2066\u2069\x9b\u2028")
