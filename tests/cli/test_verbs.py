"""Each verb once along its good path, and the sentences and documents that scripts rely on."""

import csv
import json
import signal
import subprocess

import pytest


def test_from_nothing_to_a_proven_benchmark(desk):
    assert desk.call("init", "mine").returncode == 0
    shown = desk.call("check", "mine", "--json")
    document = json.loads(shown.stdout)
    assert shown.returncode == 0
    assert document["tasks"] == 10
    assert document["counts"]["failed"] == 0


def test_check_finds_a_reference_in_the_instruction(desk):
    name = desk.benchmark(["leak,Say Honolulu and nothing else.,exact,Honolulu"])
    shown = desk.call("check", name)
    assert shown.returncode == 1
    assert "finding" in shown.stdout


def test_check_shows_every_fault(desk):
    name = desk.benchmark([f"q{n},Question {n}?,exakt,a" for n in range(9)])
    shown = desk.call("check", name)
    assert shown.returncode == 2
    assert shown.stderr.count("did you mean 'exact'?") == 9


def test_check_exits_1_where_a_reference_fails_its_own_check(desk):
    name = desk.benchmark(['x,Say a word.,regex,,"{""pattern"": ""[0-9]+"", ""full"": true}",word'], head=HEAD_SOLUTION)
    shown = desk.call("check", name)
    assert shown.returncode == 1, shown.stdout
    assert "not proven: x" in shown.stdout


HEAD_SOLUTION = "id,instruction,scorer,reference,options,solution\n"


def test_models_lists_and_pings(server, small, entry):
    shown = small.call("models", "--model", "small", "--ping", "--json")
    assert shown.returncode == 0, shown.stderr
    (one,) = json.loads(shown.stdout)["models"]
    assert one["ping"]["ok"]
    server.behave = lambda number, asked: server.fault(500, "Not today.")
    shown = small.call("models", "--model", "small", "--ping")
    assert shown.returncode == 1
    assert "Not today." in shown.stdout


def test_a_dry_run_calls_nobody_and_leaves_nothing(server, small):
    shown = small.call("run", small.benchmark(), "--model", "small", "--attempts", 2, "--dry-run", "--json")
    document = json.loads(shown.stdout)
    assert document["calls"] == 6
    assert document["scorers"] == {"exact": 2, "numeric": 1}
    assert server.asked == []
    assert not (small.path / "runs").exists()


def test_a_run_without_any_file(server, desk):
    shown = desk.call("run", desk.benchmark(), "--model", f"small={server.url}#tiny-1", "--attempts", 2)
    assert shown.returncode == 0, shown.stderr
    assert "6 scored of 6 planned" in shown.stdout
    assert "planned: 6 calls" in shown.stderr
    assert (desk.run_folder() / "report" / "report.html").is_file()
    assert "scorers: exact 2, numeric 1" in shown.stderr


def test_flags_win_over_the_plan_file(server, small):
    (small.path / "plan.toml").write_text('models = ["small"]\nattempts = 2\nbudget = 0.5\n')
    shown = small.call("run", small.benchmark(), "--plan", "plan.toml", "--attempts", 1, "--dry-run", "--json")
    assert shown.returncode == 2  # the price is unknown, and the plan sets a budget
    (small.path / "plan.toml").write_text('models = ["small"]\nattempts = 2\nseed = 7\n')
    shown = small.call("run", "bench", "--plan", "plan.toml", "--attempts", 1, "--dry-run", "--json")
    assert json.loads(shown.stdout)["calls"] == 3


@pytest.mark.parametrize(
    ("line", "says"),
    [('attempts = "3"', "a whole number from 1"), ("attempts = 0", "from 1"), ("retry = { trys = 2 }", "trys")],
)
def test_a_wrong_plan_file(small, line, says):
    (small.path / "plan.toml").write_text(line + "\n")
    shown = small.call("run", small.benchmark(), "--model", "small", "--plan", "plan.toml")
    assert shown.returncode == 2
    assert says in shown.stderr


def test_person_names_are_told_even_when_quiet(server, small):
    rows = [*small.rows, "letter,Answer this letter from Mrs Angela Merkel. One word.,exact,yes"]
    shown = small.call("run", small.benchmark(rows), "--model", "small", "--quiet")
    assert "Angela Merkel" in shown.stderr
    assert "names_allowed" in shown.stderr


def test_a_budget_is_kept_and_can_be_raised(server, desk, entry):
    desk.models(small=entry(server, "price = { input = 1, output = 1 }"))
    flags = ["--budget", "0.0008", "--concurrency", 1, "--attempts", 10, "--max-tokens", 64]
    shown = desk.call("run", desk.benchmark(), "--model", "small", *flags)
    assert shown.returncode == 1, shown.stderr
    assert "larger --budget" in shown.stderr
    again = desk.call("resume", desk.run_folder().name, "--budget", "1", "--json")
    assert again.returncode == 0, again.stderr
    assert json.loads(again.stdout)["scored"] == 30


def test_score_asks_no_model_again(server, small):
    small.call("run", small.benchmark(), "--model", "small", "--quiet")
    before = len(server.asked)
    items = small.path / "bench" / "tasks" / "facts" / "desk.items.csv"
    items.write_text(items.read_text().replace("exact,Rome", "exact,Roma"))
    shown = small.call("score", small.run_folder(), "--bench", "bench", "--json")
    assert shown.returncode == 0, shown.stderr
    assert json.loads(shown.stdout)["report"]["results"][0]["passed"] == 2
    assert len(server.asked) == before


def test_score_with_a_judge_named_later(server, desk, entry):
    desk.models(small=entry(server), referee=entry(server).replace("tiny-1", "big-9").replace('["tiny"]', '["big"]'))
    first = desk.call("run", desk.benchmark([*desk.rows, desk.rubric]), "--model", "small")
    assert "no --judge is named" in first.stderr
    assert "4 of 4 attempts finished, 3 scored" in first.stderr
    shown = desk.call("score", desk.run_folder(), "--judge", "referee")
    assert "4 of 4 attempts finished, 4 scored" in shown.stderr, shown.stderr
    refused = desk.call("score", desk.run_folder(), "--judge", "small")
    assert "also a candidate" in refused.stderr


@pytest.mark.parametrize(("answer", "code"), [("Paris", 0), ("It is Rome.", 1), ("", 1)])
def test_grade_one_answer(desk, answer, code):
    (desk.path / "answer.txt").write_text(answer)
    shown = desk.call("grade", f"{desk.benchmark()}#paris", "answer.txt", "--out", "graded", "--json")
    document = json.loads(shown.stdout)
    assert shown.returncode == code
    assert document["passed"] is (code == 0)
    assert {"task_id", "items", "score", "total"} <= set(document)
    assert json.loads((desk.path / "graded" / "score.json").read_text()) == document


@pytest.mark.parametrize(
    ("task", "says"), [("bench#pariss", "did you mean 'paris'?"), ("bench", "BENCH#task-id"), ("bench/tasks", "task")]
)
def test_grade_an_unknown_task(desk, task, says):
    desk.benchmark()
    (desk.path / "answer.txt").write_text("x")
    shown = desk.call("grade", task, "answer.txt")
    assert shown.returncode == 2
    assert says in shown.stderr


def test_manual_answers_through_a_csv(desk):
    desk.models(chat='endpoint = "manual"')
    shown = desk.call("run", desk.benchmark(), "--model", "chat", "--attempts", 2, "--export-prompts", "prompts.csv")
    command = shown.stdout.strip().splitlines()[-1].split()
    with (desk.path / "prompts.csv").open(encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 6
    for row in rows:
        row["answer"] = {"paris": "Paris", "rome": "Rome", "sum": "41"}[row["cell"].split("/")[1]]
    with (desk.path / "prompts.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    assert command[0] == "openassay"
    done = desk.call(*command[1:], "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["report"]["results"][0]["passed"] == 4


def test_manual_answers_pasted(desk):
    desk.models(chat='endpoint = "manual"')
    shown = desk.run("run", desk.benchmark(), "--model", "chat", "--quiet", typed="Paris\n.\nRo\nme\n.\n")
    assert shown.returncode == 1, shown.stderr
    assert "What is the capital of Italy?" in shown.stderr
    assert "resume" in shown.stderr
    done = desk.run("resume", desk.run_folder(), typed="42\n.\n")
    assert done.returncode == 0, done.stderr
    assert "3 scored of 3 planned" in done.stdout


def test_a_run_that_is_none(desk):
    shown = desk.call("resume", "runs/nowhere")
    assert shown.returncode == 2
    assert "runs/nowhere" in shown.stderr


def test_ctrl_c_while_an_answer_is_awaited(desk):
    desk.models(chat='endpoint = "manual"')
    program = desk.start("run", desk.benchmark(), "--model", "chat", typed=subprocess.PIPE)
    program.stdin.write("Paris\n.\n")
    program.stdin.flush()
    while "Italy" not in program.stderr.readline():
        assert program.poll() is None
    program.send_signal(signal.SIGINT)
    assert program.wait(timeout=60) == 130
    told = program.stderr.read()
    program.stdin.close()
    program.stdout.close()
    program.stderr.close()
    assert "1 of 3 attempts finished" in told


def test_an_unknown_executor(small):
    shown = small.call("run", small.benchmark(), "--model", "small", "--executor", "lokal")
    assert "did you mean 'local'?" in shown.stderr
    assert not (small.path / "runs").exists()


def test_tasks_that_are_worn_alike_stand_together(server, desk, entry):
    names = ("one", "two", "three")
    desk.models(**{name: entry(server).replace("tiny", name) for name in names})
    bench = desk.benchmark()
    desk.call("run", bench, *(flag for name in names for flag in ("--model", name)))
    shown = desk.call("check", bench).stdout
    assert "worn: paris, rome, sum: all 3 models passed it in every attempt" in shown
    assert "\n0 findings, " in shown
