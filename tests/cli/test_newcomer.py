"""What a first user stumbled over: answers by hand, resuming what is finished, and where advice leads."""

import csv
import os
import pty
import subprocess

import pytest

RIGHT = {"paris": "Paris", "rome": "Rome", "sum": "42"}


@pytest.fixture
def chat(desk):
    """A desk whose one model is a person."""
    desk.models(chat='endpoint = "manual"')
    desk.benchmark()
    return desk


def export(desk, name="prompts.csv"):
    return desk.call("run", "bench", "--model", "chat", "--export-prompts", name)


def fill(path, answers, delimiter=","):
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, rows[0], delimiter=delimiter)
        writer.writeheader()
        writer.writerows({**row, "answer": answers.get(row["cell"].split("/")[1], "")} for row in rows)


@pytest.mark.parametrize("verb", ["run", "resume"])
def test_an_export_refuses_a_file_that_is_there_and_leaves_no_run(chat, verb):
    if verb == "resume":
        export(chat, "first.csv")
    (chat.path / "prompts.csv").write_text("an hour of work")
    given = ["bench", "--model", "chat"] if verb == "run" else [chat.run_folder()]
    shown = chat.call(verb, *given, "--export-prompts", "prompts.csv")
    assert shown.returncode == 2
    assert "--answers" in shown.stderr
    assert (chat.path / "prompts.csv").read_text() == "an hour of work"
    assert len(list((chat.path / "runs").iterdir())) == (verb == "resume")


def test_an_export_for_no_manual_model_leaves_no_run(small):
    shown = small.call("run", small.benchmark(), "--model", "small", "--export-prompts", "prompts.csv")
    assert shown.returncode == 2
    assert not list((small.path / "runs").iterdir())


def test_answers_with_semicolons(chat):
    export(chat)
    fill(chat.path / "prompts.csv", RIGHT, delimiter=";")
    shown = chat.call("resume", chat.run_folder(), "--answers", "prompts.csv")
    assert "3 of 3 attempts finished, 3 scored" in shown.stderr


def test_kept_answers_are_final_and_it_is_said(chat):
    export(chat)
    fill(chat.path / "prompts.csv", RIGHT)
    chat.call("resume", chat.run_folder(), "--answers", "prompts.csv")
    assert "differ" not in chat.call("resume", chat.run_folder(), "--answers", "prompts.csv").stderr
    fill(chat.path / "prompts.csv", RIGHT | {"sum": "41", "rome": "Roma"})
    shown = chat.call("resume", chat.run_folder(), "--answers", "prompts.csv")
    assert "2 answers differ from those kept; they were not replaced" in shown.stderr
    assert "3 scored of 3 planned" in shown.stdout


def test_a_finished_run_is_resumed_without_a_call(server, desk, entry):
    desk.models(small=entry(server), referee=entry(server).replace("tiny", "big"))
    desk.benchmark([*desk.rows, desk.rubric])
    desk.call("run", "bench", "--model", "small", "--judge", "referee")
    asked = len(server.asked)
    server.behave = lambda number, asked: server.fault(401, "Nobody is here.")
    again = desk.call("resume", desk.run_folder())
    assert again.returncode == 0, again.stderr
    assert len(server.asked) == asked


def test_a_failed_start_does_not_speak_of_resuming(server, small):
    server.behave = lambda number, asked: server.fault(402, "Your credit is used up.")
    shown = small.call("run", small.benchmark(), "--model", "small")
    assert "then run it again" in shown.stderr
    assert "resume" not in shown.stderr


def test_an_unknown_judge_is_named_at_its_flag(small):
    shown = small.call("run", small.benchmark(), "--model", "small", "--judge", "refree")
    assert "at: --judge" in shown.stderr


def test_without_a_models_file_the_message_is_short(desk):
    shown = desk.call("run", desk.benchmark(), "--model", "mine")
    assert len(shown.stderr.strip().splitlines()) <= 6


def test_pasting_counts_the_prompts_and_shows_the_cursor(chat):
    terminal, inside = pty.openpty()
    program = subprocess.Popen(
        [*chat.program, "run", "bench", "--model", "chat"],
        cwd=chat.path,
        env={**chat.env, "TERM": "xterm"},
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=inside,
    )
    program.communicate(b"Paris\n.\nRome\n.\n", timeout=60)
    os.close(inside)
    told = b""
    while True:
        try:
            piece = os.read(terminal, 65_536)
        except OSError:
            break
        told += piece
        if not piece:
            break
    os.close(terminal)
    assert b"prompt 2 of 3" in told
    assert b"Ctrl-C is safe" in told
    assert b"\x1b[?25l" not in told  # which hides the cursor


def test_a_prompt_without_an_answer_waits_for_it(chat):
    export(chat)
    fill(chat.path / "prompts.csv", {"paris": "Paris"})
    shown = chat.call("resume", chat.run_folder(), "--answers", "prompts.csv")
    told = shown.stdout + shown.stderr
    assert shown.returncode == 1
    assert "2 prompts wait for your answers" in shown.stderr
    assert "2 waiting for your answer" in told
    assert "endpoint" not in told
    lines = "".join(path.read_text() for path in (chat.run_folder() / "journal").glob("attempts*"))
    assert "infrastructure_error" not in lines
    page = (chat.run_folder() / "report" / "report.html").read_text()
    assert "prompts waiting for your answer" in page
    assert "lost to the endpoint" not in page


@pytest.fixture
def relatives(server, desk, entry):
    """A judge of unknown lineage."""
    judge = entry(server).replace("tiny-1", "x-9").replace('lineage = ["tiny"]', "")
    desk.models(small=entry(server), referee=judge)
    desk.benchmark([*desk.rows, desk.rubric])
    return desk


@pytest.mark.parametrize("flags", [["--dry-run"], ["--dry-run", "--json"], [], ["--quiet"]])
def test_a_judge_who_may_not_decide_is_told_before_anybody_is_paid(relatives, flags):
    shown = relatives.call("run", "bench", "--model", "small", "--judge", "referee", *flags)
    told = (shown.stdout + shown.stderr).replace('\\"', '"')
    assert "no judge of this run may decide on small: the lineage of referee is unknown" in told
    assert 'add `lineage = ["family"]` to [models.referee] in models.toml' in told


def test_the_advice_at_the_end_lets_the_judge_decide(relatives):
    shown = relatives.call("run", "bench", "--model", "small", "--judge", "referee")
    advice = [row for row in shown.stderr.splitlines() if "do: " in row][-1]
    assert "[models.referee]" in advice
    assert "--judge NAME" not in shown.stdout + shown.stderr
    models = relatives.path / "models.toml"
    models.write_text(models.read_text() + 'lineage = ["big"]\n')
    scored = relatives.call(*advice.split("`openassay ")[-1].split("`")[0].split())
    assert scored.returncode == 0, scored.stderr
    assert "4 of 4 attempts finished, 4 scored" in scored.stderr


def test_a_corrected_benchmark_may_allow_the_judge(relatives):
    relatives.call("run", "bench", "--model", "small", "--judge", "referee")
    toml = relatives.path / "bench" / "benchmark.toml"
    toml.write_text(toml.read_text() + "\n[judge]\ndifferent_lineage = false\n")
    for flags in (["--bench", "bench"], []):
        scored = relatives.call("score", relatives.run_folder(), *flags)
        assert scored.returncode == 0, scored.stderr
        assert "note: no judge" not in scored.stderr


def test_score_takes_the_judge_of_the_last_scoring_and_pays_for_no_question_twice(server, desk, entry):
    desk.models(small=entry(server), referee=entry(server).replace("tiny", "big"))
    desk.benchmark([*desk.rows, desk.rubric])
    desk.call("run", "bench", "--model", "small")
    desk.call("score", desk.run_folder(), "--judge", "referee")
    asked = len(server.asked)
    shown = desk.call("score", desk.run_folder())
    assert "4 of 4 attempts finished, 4 scored" in shown.stderr
    assert server.asked[asked:] == []


def test_a_dry_run_says_the_shape_and_the_judges_share(server, desk, entry):
    desk.models(small=entry(server), referee=entry(server, "price = { input = 1, output = 1 }").replace("tiny", "big"))
    desk.benchmark([*desk.rows, desk.rubric])
    flags = ["--judge", "referee", "--per-category", 2, "--draws", 2, "--attempts", 2, "--dry-run"]
    shown = desk.call("run", "bench", "--model", "small", *flags)
    assert "2 draws x 2 items a category x 2 attempts x 1 model\n" in shown.stdout
    assert "  referee, the judge: at most 4 calls, at most $" in shown.stdout


def test_a_dry_run_names_every_judge(server, desk, entry):
    priced = entry(server, "price = { input = 1, output = 1 }")
    desk.models(small=entry(server), first=priced.replace("tiny", "big"), second=priced.replace("tiny", "huge"))
    desk.benchmark([desk.rubric])
    judges = ["--judge", "first", "--judge", "second"]
    shown = desk.call("run", "bench", "--model", "small", *judges, "--dry-run").stdout
    assert "planned: 1 call, 2 calls at most of each judge, price unknown" in shown
    assert "  first, the first judge: at most 2 calls\n  second, for what is disputed: at most 2 calls\n" in shown


def test_a_person_is_asked_before_a_judge_who_may_not_decide(relatives):
    terminal, inside = pty.openpty()
    program = subprocess.Popen(
        [*relatives.program, "run", "bench", "--model", "small", "--judge", "referee"],
        cwd=relatives.path,
        env=relatives.env,
        stdin=inside,
        stdout=subprocess.DEVNULL,
        stderr=inside,
    )
    os.write(terminal, b"n\n")
    assert program.wait(timeout=60) == 2
    os.close(inside)
    told = os.read(terminal, 65_536)
    os.close(terminal)
    assert b"Judged checks will stay unmeasured" in told
    assert not list((relatives.path / "runs").iterdir())


@pytest.mark.parametrize("verb", ["report", "resume", "score"])
def test_a_run_by_its_bare_id(server, small, verb):
    small.call("run", small.benchmark(), "--model", "small")
    shown = small.call(verb, small.run_folder().name)
    assert shown.returncode == 0, shown.stderr
    misspelt = small.call(verb, small.run_folder().name[:-1])
    assert f"did you mean 'runs/{small.run_folder().name}'?" in misspelt.stderr


@pytest.mark.parametrize("verb", ["report", "resume", "score"])
def test_a_folder_of_runs_names_the_newest(chat, verb):
    names = [export(chat, f"{number}.csv").stdout.split()[-3].split("/")[-1] for number in range(2)]
    shown = chat.call(verb, "runs")
    assert shown.returncode == 2
    assert f"the newest is runs/{names[-1]}" in shown.stderr
