"""What a first user stumbled over: answers by hand, resuming what is finished, and where advice leads."""

import csv
import os
import pty
import signal
import subprocess
import time

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


def test_a_second_ctrl_c_says_how_to_go_on(server, small):
    def stuck(number, asked):
        time.sleep(0.05 if number == 1 else 8)
        return server.answering(number, asked)

    server.behave = stuck
    program = small.start("run", small.benchmark(), "--model", "small")
    while len(server.asked) < 2:
        time.sleep(0.01)
    program.send_signal(signal.SIGINT)
    time.sleep(0.5)
    program.send_signal(signal.SIGINT)
    _, told = program.communicate(timeout=5)
    assert told.strip().splitlines()[-1].endswith(f"openassay resume runs/{small.run_folder().name}")


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
    program.communicate(b"Paris\n.\nRome\n.\n", timeout=30)
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
