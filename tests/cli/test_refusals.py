"""What is refused before any call, each with the rule and what to do."""

import json

import pytest

CHECKLIST = """\
[[check]]
id = "there"
uses = "exact"
reference = "yes"
weight = {structure}
dimension = "structure"

[[check]]
id = "pretty"
by = "judge"
hard = false
uses = "rubric"
reference = "It looks good"
weight = {visual}
dimension = "visual"
"""


def refused(shown, *parts):
    assert shown.returncode == 2, shown.stderr
    rows = shown.stderr.strip().splitlines()
    assert len(rows) <= 6
    assert rows[-1].strip().startswith("do: ")
    for part in parts:
        assert part in shown.stderr


def with_folder(desk, checklist, instruction="Say yes."):
    """The small benchmark with one task folder more."""
    name = desk.benchmark()
    folder = desk.path / name / "tasks" / "facts" / "say-yes"
    (folder / "hidden").mkdir(parents=True)
    (folder / "task.toml").write_text('id = "say-yes"\ndeliverable = "text"\n')
    (folder / "instruction.md").write_text(instruction)
    (folder / "checklist.toml").write_text(checklist)
    (folder / "hidden" / "key.txt").write_text("yes\n")
    return name


@pytest.mark.parametrize(
    "line", ['system_prompt = "You are brilliant."', 'parameters = { system = "You are brilliant." }']
)
def test_a_prompt_of_one_models_own(desk, server, entry, line):
    desk.models(small=entry(server, line))
    shown = desk.call("run", desk.benchmark(), "--model", "small")
    assert shown.returncode == 2
    assert "system" in shown.stderr
    assert "models" in shown.stderr
    assert "do: " in shown.stderr
    assert server.asked == []


def test_a_prompt_in_a_plan(small, server):
    (small.path / "plan.toml").write_text('system_prompt = "You are brilliant."\n')
    refused(
        small.call("run", small.benchmark(), "--model", "small", "--plan", "plan.toml"), "byte by byte", "instructions"
    )


@pytest.mark.parametrize("judge", ["small", "again"])
def test_a_judge_that_is_a_candidate(desk, server, entry, judge):
    desk.models(small=entry(server), again=entry(server))
    shown = desk.call("run", desk.benchmark(), "--model", "small", "--judge", judge)
    refused(shown, "also a candidate", "take a judge that is not tested")
    assert server.asked == []


@pytest.mark.parametrize(("structure", "visual", "code"), [(1, 2, 2), (2, 1, 0)])
def test_visual_weight_above_structure(desk, structure, visual, code):
    name = with_folder(desk, CHECKLIST.format(structure=structure, visual=visual))
    shown = desk.call("check", name, "--json")
    assert shown.returncode == code, shown.stderr
    if code:
        assert "visual" in json.loads(shown.stdout)["error"]["what"]
        assert "structure" in shown.stderr
        assert "do: " in shown.stderr


def test_a_hidden_file_named_in_the_instruction(desk):
    checklist = '[[check]]\nid = "a"\nuses = "exact"\nreference = "yes"\n'
    name = with_folder(desk, checklist, "Say what stands in hidden/key.txt.")
    shown = desk.call("check", name)
    assert shown.returncode in {1, 2}
    told = shown.stdout + shown.stderr
    assert "hidden/key.txt" in told
    assert "say-yes" in told
    assert "instruction" in told
    assert "do: " in told


@pytest.mark.parametrize("flag", [["--model", "small"], ["--model", "scripted", "--judge", "small"]])
def test_a_confidential_benchmark_and_an_unnamed_endpoint(desk, server, entry, flag):
    scripted = 'endpoint = "scripted"\nreplies = { "*" = "Paris" }\n'
    desk.models(small=entry(server), scripted=scripted)
    name = desk.benchmark(extra='visibility = "confidential"\nendpoints = ["llm.example.org"]')
    refused(desk.call("run", name, *flag), "confidential", "llm.example.org", "127.0.0.1")
    assert server.asked == []


def test_a_confidential_benchmark_and_a_named_endpoint(desk, server, entry):
    desk.models(small=entry(server))
    host = server.url.split("/")[2]
    name = desk.benchmark(extra=f'visibility = "confidential"\nendpoints = ["{host}"]')
    assert desk.call("run", name, "--model", "small").returncode == 0


def test_an_unknown_price_with_a_budget(small):
    refused(small.call("run", small.benchmark(), "--model", "small", "--budget", "1"), "price", "--budget")


@pytest.mark.parametrize("budget", ["lots", "-1", "nan"])
def test_a_budget_that_is_no_money(small, budget):
    refused(small.call("run", small.benchmark(), "--model", "small", "--budget", budget), "--budget", budget)
