"""What the tests of the command line share: a stand-in endpoint on loopback, a small benchmark, and the real program.

The stand-in answers as it is told, one rule after the other; a scripted model would not show what a server's fault
looks like to a person.
"""

import contextlib
import io
import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

import pytest

from openassay.cli.main import code_of
from openassay.schema.message import Message, ModelRequest, TextPart
from openassay.scorers.scripted_judge import truthful

OPENASSAY = str(Path(sys.executable).with_name("openassay"))
WAIT_S = 180
"""Ends a program that hangs; on a busy machine one that works may take a minute."""

BENCHMARK = """\
id = "desk"
version = "1-A"
title = "What our desk asks"
developers = "The desk"
purpose = "Shows whether a model can do the desk's small jobs"
licence = "CC0-1.0"
funding = "none"
{extra}
[[category]]
id = "facts"
track = "research"
title = "Facts"
definition = "One fact"
"""
HEAD = "id,instruction,scorer,reference\n"
ROWS = [
    "paris,What is the capital of France? One word.,exact,Paris",
    "rome,What is the capital of Italy? One word.,exact,Rome",
    "sum,What is 40 + 2? A number.,numeric,42",
]
RUBRIC = "kind,Write a kind sentence about tea.,rubric,The sentence is kind"
ANSWERS = {"France": "Paris", "Italy": "Rome", "40 + 2": "42", "tea": "Tea is a friend."}


class Reply(NamedTuple):
    status: int = 200
    body: object = ""
    headers: dict = {}


def completion(text, finish="stop", model="tiny-1"):
    return Reply(
        body={
            "id": "x",
            "object": "chat.completion",
            "model": model,
            "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}],
            "usage": {"prompt_tokens": 20, "completion_tokens": 3, "total_tokens": 23},
        }
    )


def fault(status, sentence, **headers):
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status, {"error": {"message": sentence, "type": "stand_in"}}, named)


def answering(number, asked):
    """The right answer to each of the benchmark's questions, and a good verdict where a judge is asked."""
    text = "\n".join(str(message["content"]) for message in asked["messages"])
    if "response_format" in asked:
        return completion(judged(asked))
    return completion(next((answer for key, answer in ANSWERS.items() if key in text), "ready"))


def judged(asked):
    """Every criterion passed, canaries by their truth, in the form that a judge is asked for."""
    messages = [Message(role=one["role"], parts=(TextPart(text=one["content"]),)) for one in asked["messages"]]
    return truthful(lambda *_: True)(ModelRequest(messages=tuple(messages)))


class StandIn:
    """An OpenAI-compatible endpoint whose `behave(number, asked)` gives each reply."""

    answering = staticmethod(answering)
    completion = staticmethod(completion)
    fault = staticmethod(fault)

    def __init__(self):
        self.behave = answering
        self.asked = []
        self.keys = []
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def reply(self, asked, key):
        with self._lock:
            self.asked.append(asked)
            self.keys.append(key)
            number = len(self.asked)
        return self.behave(number, asked)

    def close(self):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _handler(stand_in):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            reply = stand_in.reply(asked, self.headers.get("Authorization", ""))
            body = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
            self.send_response(reply.status)
            for name, value in {"Content-Type": "application/json", **reply.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args):
            pass

        def handle(self):
            try:
                super().handle()
            except ConnectionError:  # the program under test was killed or gave up
                self.close_connection = True

    return Handler


@pytest.fixture
def server():
    stand_in = StandIn()
    yield stand_in
    stand_in.close()


class Desk:
    """A folder to work in, with the program as a user starts it."""

    rows = ROWS
    rubric = RUBRIC
    program = (OPENASSAY,)

    def __init__(self, path):
        self.path = path
        self.env = {"PATH": os.environ["PATH"], "HOME": str(path), "LANG": "C.UTF-8", "NO_COLOR": "1"}

    def benchmark(self, rows=ROWS, head=HEAD, extra="", name="bench"):
        folder = self.path / name
        (folder / "tasks" / "facts").mkdir(parents=True)
        (folder / "benchmark.toml").write_text(BENCHMARK.format(extra=extra))
        (folder / "tasks" / "facts" / "desk.items.csv").write_text(head + "\n".join(rows) + "\n")
        return name

    def models(self, **entries):
        """Write `models.toml`: name -> lines of its entry."""
        text = "\n".join(f"[models.{name}]\n{lines}" for name, lines in entries.items())
        (self.path / "models.toml").write_text(text)

    def run(self, *args, typed="", **env):
        return subprocess.run(
            [OPENASSAY, *map(str, args)],
            cwd=self.path,
            env={**self.env, **env},
            capture_output=True,
            text=True,
            timeout=WAIT_S,
            check=False,
            input=typed,
        )

    def call(self, *args):
        """The same in this process, where only the words and the exit code matter: many times faster."""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.chdir(self.path), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = code_of([str(arg) for arg in args])
        return subprocess.CompletedProcess(args, code, out.getvalue(), err.getvalue())

    def start(self, *args, typed=subprocess.DEVNULL):
        return subprocess.Popen(
            [OPENASSAY, *map(str, args)],
            cwd=self.path,
            env=self.env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            stdin=typed,
        )

    def run_folder(self):
        """The only run there is."""
        (found,) = (self.path / "runs").iterdir()
        return found


@pytest.fixture
def desk(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return Desk(tmp_path)


def model_entry(server, extra=""):
    lines = ['endpoint = "openai"', f'base_url = "{server.url}"', 'model = "tiny-1"', 'lineage = ["tiny"]', extra]
    return "\n".join(lines) + "\n"


@pytest.fixture
def entry():
    """Lines of a models file for a model behind the stand-in."""
    return model_entry


@pytest.fixture
def small(server, desk):
    """The desk with one model `small` behind the stand-in."""
    desk.models(small=model_entry(server))
    return desk
