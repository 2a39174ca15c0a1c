"""Mutants are wrong in one place, and a proof says which of them nothing notices."""

import ast

import pytest

from openassay.authoring import mutate
from openassay.authoring.prove import prove
from openassay.cli.main import code_of
from openassay.runs import evidence
from openassay.runs.probing import from_folder
from openassay.runs.prove import Run
from openassay.tasks.load import load

BENCH = """id = "b"
version = "1-A"
title = "B"
developers = "us"
purpose = "tests"
licence = "CC0-1.0"
funding = "none"
[[category]]
id = "c"
track = "backend"
title = "C"
definition = "code"
"""
FILES = {
    "benchmark.toml": BENCH,
    "tasks/c/clip/task.toml": 'id = "clip"\n',
    "tasks/c/clip/instruction.md": "Write `clip(n)`: n, but at least 0 and at most 9.\n",
    "tasks/c/clip/checklist.toml": '[[check]]\nid = "works"\nuses = "python"\n'
    'options = { function = "clip", cases = "hidden/cases.jsonl", seconds = 2 }\n',
    "tasks/c/clip/hidden/cases.jsonl": '{"args": [-1], "expected": 0}\n'
    '{"args": [4], "expected": 4}\n{"args": [12], "expected": 9}\n',
    "tasks/c/clip/solution/answer.md": "```python\ndef clip(n):\n    if n < 0:\n        return 0\n"
    "    return min(n, 9)\n```\n",
    "tasks/c/clip/solution/unusual_lambda.py": "clip = lambda n: sorted((0, n, 9))[1]\n",
    "tasks/c/clip/evidence/equivalent_mutants.txt": "# what does the same\n"
    "2: n < 0 -> n <= 0  # 0 is given for 0 either way\n",
}


@pytest.fixture
def bench(tmp_path):
    for name, text in FILES.items():
        path = tmp_path / "bench" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "bench"


SOURCES = [
    "def f(a):\n    return a < 3",
    "def f(a, b):\n    if a and not b:\n        a += 1\n    return a[1:b] if b else range(a)",
    "class A:\n    def f(self) -> int:\n        while self.x in [1, 2]:\n            break\n        return -1",
]


@pytest.mark.parametrize("source", SOURCES)
def test_mutants_parse_differ_and_are_the_same_each_time(source):
    found = mutate.mutants(source)
    assert found == mutate.mutants(source)
    texts = [one.source for one in found]
    assert len(set(texts)) == len(texts) > 2
    whole = ast.unparse(ast.parse(source))
    assert whole not in texts
    assert all(ast.parse(text) for text in texts)


def test_docstrings_annotations_and_messages_are_left_alone():
    source = 'def f(a: "int" = 1):\n    "Doc."\n    raise ValueError("no")'
    names = [one.name for one in mutate.mutants(source)]
    assert not any("Doc" in name or "int" in name or '"no"' in name for name in names)


def test_there_are_no_more_mutants_than_asked_for():
    source = "def f():\n    return [" + ", ".join(map(str, range(100))) + "]"
    assert len(mutate.mutants(source, 10)) <= 10


def test_a_proof_names_what_nothing_notices(bench, sandbox):
    benchmark = load(bench)
    task = benchmark.task("clip")
    found = prove(task, Run(from_folder(benchmark), sandbox), evidence.folder_of(benchmark, "clip"))
    assert found.status == "proven", found
    assert found.equivalent == ("2: n < 0 -> n <= 0",)
    assert (found.unusual, found.unusual_failed, found.cheated) == (1, (), ())
    assert found.mutants == found.caught + len(found.missed) + 1


def test_prove_writes_evidence_that_is_no_part_of_the_task(bench, sandbox, capsys):
    before = load(bench).task("clip").identity
    assert code_of(["prove", str(bench)]) == 0
    said = capsys.readouterr().out
    assert "proven: clip" in said
    assert "mutation score" in said
    kept = evidence.read(bench / "tasks" / "c" / "clip")
    assert kept.identity == before == load(bench).task("clip").identity
    code_of(["check", "--no-prove", str(bench)])
    assert "evidence: clip: " in capsys.readouterr().out


def test_a_report_says_which_tasks_are_proven(bench, sandbox):
    (before,) = evidence.note(load(bench), load(bench).tasks)
    assert before.startswith("0 of 1 tasks that run code")
    code_of(["prove", str(bench)])
    (after,) = evidence.note(load(bench), load(bench).tasks)
    assert after.startswith("1 of 1 tasks that run code")
    (bench / "tasks/c/clip/instruction.md").write_text("Write `clip(n)` anew.\n")
    assert evidence.note(load(bench), load(bench).tasks)[0].startswith("0 of 1")


def test_a_task_that_a_cheat_passes_is_not_proven(bench, sandbox):
    lax = bench / "tasks/c/clip/hidden/cases.jsonl"
    lax.write_text('{"args": [3], "expected_python": "None"}\n')
    (bench / "tasks/c/clip/solution/answer.md").write_text("```python\ndef clip(n):\n    return None\n```\n")
    assert code_of(["prove", "--no-write", str(bench / "tasks/c/clip")]) == 1
