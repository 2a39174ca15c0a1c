"""The twelve mistakes of a newcomer: what happened, where, what to do, in at most six lines and without a traceback.

Each runs the real program against a real server on loopback. The server's own sentence must be quoted.
"""

import json
import resource
import signal
import socket
import subprocess
import threading
import time

import pytest

KEY = "sk-secret-0123456789abcdef"
QUICK = "[retry]\ntries = 2\nfirst_wait_ms = 50\nlongest_wait_ms = 200\ndead_after_s = 1\n"
"""A plan file that gives up soon, so that a test need not wait a minute."""


def says(shown, code, *parts):
    """The message of a failed command, checked for what every message must be."""
    assert shown.returncode == code, shown.stderr
    rows = shown.stderr.strip().splitlines()
    start = next(number for number, row in enumerate(rows) if row.startswith("error: "))
    told = rows[start:]
    assert len(told) <= 6, told
    assert "Traceback" not in shown.stderr
    assert any(row.strip().startswith("do: ") for row in told), told
    for part in parts:
        assert part in "\n".join(told)
    return told


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def test_wrong_api_key(server, desk, entry):
    desk.models(small=entry(server, 'api_key_env = "SMALL_KEY"'))
    server.behave = lambda number, asked: server.fault(401, "Incorrect API key provided: ask the desk.")
    shown = desk.run("run", desk.benchmark(), "--model", "small", SMALL_KEY=KEY)
    says(shown, 2, "Incorrect API key provided: ask the desk.", server.url, "SMALL_KEY")
    assert KEY not in shown.stdout + shown.stderr
    assert server.keys[0] == f"Bearer {KEY}"
    assert not list((desk.path / "runs").iterdir())


def test_key_variable_not_set(server, desk, entry):
    desk.models(small=entry(server, 'api_key_env = "SMALL_KEY"'))
    says(desk.run("run", desk.benchmark(), "--model", "small"), 2, "SMALL_KEY")
    assert server.asked == []
    assert not list((desk.path / "runs").iterdir())


def test_endpoint_down(desk):
    port = free_port()
    began = time.monotonic()
    shown = desk.run("run", desk.benchmark(), "--model", f"small=http://127.0.0.1:{port}/v1#tiny-1")
    says(shown, 2, f"127.0.0.1:{port}", "start the server")
    assert time.monotonic() - began < 40  # a run goes on trying for a minute


def test_endpoint_dies_in_the_middle(server, small):
    server.behave = lambda number, asked: (
        server.answering(number, asked) if number <= 2 else server.fault(500, "The desk's server fell over.")
    )
    (small.path / "quick.toml").write_text(QUICK)
    shown = small.run("run", small.benchmark(), "--model", "small", "--plan", "quick.toml", "--concurrency", 1)
    assert shown.returncode == 1
    assert "The desk's server fell over." in shown.stderr
    assert "1 of 3 attempts finished" in shown.stderr
    assert f"Resume with: openassay resume {small.run_folder().relative_to(small.path)}" in shown.stderr
    server.behave = server.answering
    again = small.run("resume", small.run_folder())
    assert again.returncode == 0, again.stderr
    assert "3 of 3 attempts finished, 3 scored" in again.stderr


def test_model_name_typo_at_the_server(server, small):
    server.behave = lambda number, asked: server.fault(404, "The model `tiny-1` does not exist; there is tiny-2.")
    shown = small.run("run", small.benchmark(), "--model", "small")
    says(shown, 2, "The model `tiny-1` does not exist; there is tiny-2.", server.url, "`model`")


def test_model_name_typo_on_the_command_line(small):
    says(small.run("run", small.benchmark(), "--model", "smal"), 2, "did you mean 'small'?", "--model")


@pytest.mark.parametrize(
    ("where", "text", "parts"),
    [
        (
            "models.toml",
            '[models.small]\nendpoint = "openai"\nbase_ulr = "http://127.0.0.1/v1"\n',
            ["base_url", "line 3"],
        ),
        ("bench/benchmark.toml", None, ["titel", "title", "benchmark.toml"]),
        ("plan.toml", "atempts = 3\n", ["atempts", "did you mean 'attempts'?", "plan.toml"]),
    ],
)
def test_misspelt_config_key(desk, server, entry, where, text, parts):
    desk.models(small=entry(server))
    desk.benchmark()
    place = desk.path / where
    place.write_text(text or place.read_text().replace("title = ", "titel = ", 1))
    flags = ["--plan", "plan.toml"] if where == "plan.toml" else []
    says(desk.run("run", "bench", "--model", "small", *flags), 2, *parts)
    assert server.asked == []


def test_misspelt_flag(small):
    says(small.run("run", small.benchmark(), "--model", "small", "--atempts", "3"), 2, "--attempts")


def test_reference_column_missing(small, server):
    rows = [row.rsplit(",", 1)[0] for row in small.rows]
    name = small.benchmark(rows, head="id,instruction,scorer\n")
    says(small.run("run", name, "--model", "small"), 2, "reference", "desk.items.csv:2")
    assert server.asked == []


def test_duplicate_ids(small, server):
    name = small.benchmark([*small.rows, "paris,What is the capital of Peru?,exact,Lima"])
    says(small.run("run", name, "--model", "small"), 2, "paris", "desk.items.csv:5")
    assert server.asked == []


def test_duplicate_content(small, server):
    name = small.benchmark([*small.rows, small.rows[0].replace("paris", "paris-again", 1)])
    says(small.run("run", name, "--model", "small"), 2, "'paris'", "desk.items.csv:5")


@pytest.fixture
def judged(server, small, entry):
    """A run whose last item a judge decides; the judge is another model behind the same server."""
    small.models(small=entry(server), referee=entry(server).replace("tiny-1", "big-9").replace('["tiny"]', '["big"]'))
    small.benchmark([*small.rows, small.rubric])
    return lambda *flags: small.run("run", "bench", "--model", "small", "--judge", "referee", *flags)


def is_judging(asked):
    return asked["model"] == "big-9" and "ready" not in json.dumps(asked["messages"])


def test_judge_answers_prose(server, small, judged):
    server.behave = lambda number, asked: (
        server.completion("I find it a kind sentence.") if is_judging(asked) else server.answering(number, asked)
    )
    shown = judged("--json")
    document = json.loads(shown.stdout)
    (result,) = document["report"]["results"]
    assert result["passed"] == 3
    assert result["unmeasured"] + result["outcomes"].get("scorer_error", 0) == 1
    assert "judge" in " ".join(result["advice"])


def test_judge_unreachable_midway(server, small, judged):
    server.behave = lambda number, asked: (
        server.fault(503, "The referee is out to lunch.") if is_judging(asked) else server.answering(number, asked)
    )
    (small.path / "quick.toml").write_text(QUICK)
    shown = judged("--plan", "quick.toml")
    assert shown.returncode == 1
    assert "The referee is out to lunch." in shown.stderr
    assert "4 of 4 attempts finished, 3 scored" in shown.stderr
    asked = len([one for one in server.asked if one["model"] == "tiny-1"])
    server.behave = server.answering
    again = small.run("resume", small.run_folder())
    assert again.returncode == 0, again.stderr
    assert len([one for one in server.asked if one["model"] == "tiny-1"]) <= asked + 1  # the preflight


def test_judge_unreachable_at_the_start(server, judged):
    server.behave = lambda number, asked: (
        server.fault(401, "Who are you?") if asked["model"] == "big-9" else server.answering(number, asked)
    )
    says(judged(), 2, "Who are you?", "referee")


def test_answer_cut_by_max_tokens(server, small):
    server.behave = lambda number, asked: (
        server.completion("The capital of", finish="length")
        if "France" in json.dumps(asked)
        else server.answering(number, asked)
    )
    shown = small.run("run", small.benchmark(), "--model", "small", "--max-tokens", 48, "--json")
    assert shown.returncode == 0
    (result,) = json.loads(shown.stdout)["report"]["results"]
    assert result["outcomes"] == {"answered": 2, "limit_reached": 1}
    (advice,) = result["advice"]
    assert "1 of 3 answers" in advice
    assert "48 tokens" in advice
    assert "max-tokens" in advice or "max_tokens" in advice


def test_half_of_429_recovers(server, small):
    server.behave = lambda number, asked: (
        server.fault(429, "Slow down.", Retry_After="0") if number % 2 else server.answering(number, asked)
    )
    shown = small.run("run", small.benchmark(), "--model", "small", "--attempts", 3)
    assert shown.returncode == 0, shown.stderr
    assert "9 of 9 attempts finished, 9 scored" in shown.stderr


def test_only_429_stops_and_can_be_resumed(server, small):
    server.behave = lambda number, asked: (
        server.answering(number, asked) if number <= 2 else server.fault(429, "Slow down, please.")
    )
    (small.path / "quick.toml").write_text(QUICK)
    shown = small.run("run", small.benchmark(), "--model", "small", "--plan", "quick.toml", "--concurrency", 1)
    assert shown.returncode == 1
    assert "Slow down, please." in shown.stderr
    assert "Resume with: openassay resume" in shown.stderr


@pytest.mark.parametrize("out", ["file/below", "/proc/nowhere"])
def test_unwritable_folder(server, small, out):
    (small.path / "file").write_text("in the way")
    says(small.run("run", small.benchmark(), "--model", "small", "--out", out), 2, out, "--out")
    assert server.asked == []


def wait_for(server, calls, program):
    """Until the stand-in was asked so often; fails with the program's words where it ended before."""
    began = time.monotonic()
    while len(server.asked) < calls:
        assert program.poll() is None, program.communicate()
        assert time.monotonic() - began < 120
        time.sleep(0.01)


def limit_files():
    """No file may grow over this: what a full disk does to a run, without a disk to fill."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (6_000, 6_000))


def test_disk_full_in_the_middle(server, small):
    small.benchmark()
    shown = subprocess.run(
        [*small.program, "run", "bench", "--model", "small", "--attempts", "20", "--concurrency", "1"],
        cwd=small.path,
        env={**small.env, "PYTHONDONTWRITEBYTECODE": "1"},  # or the limit would cut Python's own files short
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        preexec_fn=limit_files,
    )
    says(shown, 2, "runs", "resume")
    again = small.run("resume", small.run_folder())
    assert again.returncode == 0, again.stderr
    assert "60 of 60 attempts finished, 60 scored" in again.stderr


@pytest.mark.parametrize("one", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_then_resume(server, small, one):
    def slow(number, asked):
        time.sleep(0.05)
        return server.answering(number, asked)

    server.behave = slow
    program = small.start("run", small.benchmark(), "--model", "small", "--attempts", 30, "--concurrency", 4)
    wait_for(server, 20, program)
    program.send_signal(one)
    _, told = program.communicate(timeout=60)
    assert program.returncode == 130, told
    finished = int(told.split(" of 90 attempts finished")[0].split()[-1])
    assert 10 <= finished < 90
    assert "Resume with: openassay resume runs/" in told
    again = small.run("resume", small.run_folder(), "--json")
    assert again.returncode == 0, again.stderr
    document = json.loads(again.stdout)
    assert (document["finished"], document["scored"]) == (90, 90)
    assert len(server.asked) <= 90 + 2 + 4  # two preflights; at most the calls in flight are repeated


def test_ctrl_c_twice_ends_at_once(server, small):
    released = threading.Event()

    def stuck(number, asked):
        assert number == 1 or released.wait(120)
        return server.answering(number, asked)

    server.behave = stuck
    program = small.start("run", small.benchmark(), "--model", "small")
    wait_for(server, 2, program)
    program.send_signal(signal.SIGINT)
    # Two signals that arrive together are one.
    assert any("once more to end at once" in line for line in program.stderr)
    program.send_signal(signal.SIGINT)
    told = program.stderr.read()
    released.set()
    assert program.wait(timeout=60) == 130
    program.stdout.close()
    program.stderr.close()
    assert told.startswith("ended at once")
    assert told.rstrip().endswith(f"openassay resume runs/{small.run_folder().name}")


def test_ready_is_the_preflight(server, small):
    """`is_judging` above tells the preflight from a judgement by its word."""
    assert small.run("run", small.benchmark(), "--model", "small").returncode == 0
    assert "ready" in json.dumps(server.asked[0]["messages"])
