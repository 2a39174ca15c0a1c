import asyncio
import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from openassay.models.local import LocalModel, as_served
from openassay.models.local_known import KNOWN
from openassay.models.local_process import LocalServer
from openassay.models.local_server import Job
from openassay.models.local_weights import shelf, whereabouts
from openassay.schema.errors import EndpointError, FaultKind, InputError
from openassay.schema.message import Finish, ModelRequest, user
from openassay.schema.models import ModelSpec

SMALL = "smollm2-135m-instruct"
JOB = Job(path="/nowhere.gguf", alias="toy", key="", parent=0, context=512, threads=1)

SERVES = """
import http.server, json, sys
job = json.loads(sys.stdin.readline())
server = http.server.HTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler)
print("loading", job["alias"], flush=True)
print("a log line without its end", end="", file=sys.stderr, flush=True)
print(f"openassay-ready 127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
"""
DIES = "import sys; sys.stdin.readline(); print('no room for the tensor', flush=True); sys.exit(3)"
STUBBORN = (
    "import signal, sys, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
    "print('openassay-ready 127.0.0.1:9', flush=True); time.sleep(60)"
)


def program(text):
    return (sys.executable, "-c", text)


def running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # A process that ended and whose parent is gone may wait a moment to be collected.
    status = Path(f"/proc/{pid}/stat")
    return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"


def gone_within(pid, seconds):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if not running(pid):
            return True
        time.sleep(0.05)
    return False


async def test_a_server_that_is_ready_gives_its_url_and_stops():
    server = LocalServer(JOB, "toy", program=program(SERVES))
    url = await server.ready(lambda _: None)
    assert url.startswith("http://127.0.0.1:")
    assert url.endswith("/v1")
    server.stop()
    server.stop()
    assert not running(server.pid)


async def test_a_server_that_dies_while_loading_is_quoted():
    server = LocalServer(JOB, "toy", program=program(DIES))
    with pytest.raises(EndpointError, match=r"exit code 3.*no room for the tensor") as caught:
        await server.ready(lambda _: None)
    assert caught.value.kind is FaultKind.CONNECTION_LOST
    server.stop()


async def test_a_server_that_ignores_a_polite_end_is_killed():
    server = LocalServer(JOB, "toy", program=program(STUBBORN))
    await server.ready(lambda _: None)
    server.stop(patience=0.3)
    assert not running(server.pid)


def test_the_key_stands_in_no_argument_and_no_environment():
    server = LocalServer(JOB, "toy", program=program(SERVES))
    try:
        for place in ("cmdline", "environ"):
            assert server.key.encode() not in Path(f"/proc/{server.pid}/{place}").read_bytes()
    finally:
        server.stop()


def test_the_log_is_bounded():
    noisy = "print('x' * 9999, flush=True)\nfor n in range(1000): print(n, flush=True)"
    server = LocalServer(JOB, "toy", program=program(noisy))
    with pytest.raises(EndpointError) as caught:
        asyncio.run(server.ready(lambda _: None))
    assert "997 | 998 | 999" in caught.value.what
    assert len(caught.value.what) < 500
    server.stop()


@pytest.mark.parametrize(
    ("alias", "stop"), [(SMALL, None), ("gemma-3-270m-base", ["\nQ:"])], ids=["tuned model", "base model"]
)
def test_a_local_server_is_never_asked_to_reuse_a_prompt(alias, stop):
    sent = as_served(ModelRequest(messages=(user("Hi"),), parameters={"max_tokens": 5}), KNOWN[alias])
    assert sent.parameters["cache_prompt"] is False
    assert sent.parameters["max_tokens"] == 5
    assert sent.parameters.get("stop") == stop


def test_a_missing_model_is_refused_before_any_call(tmp_path):
    with pytest.raises(InputError, match="openassay setup local"):
        LocalModel(ModelSpec(name="one", endpoint="local", model="gemma-3-270m-base"), folder=tmp_path)


# ------------------------------------------------------------------------------------------------ with real weights


@pytest.fixture
def small():
    spec = ModelSpec(name="small", endpoint="local", model=SMALL, context=1024)
    try:
        whereabouts(spec, shelf())
        return LocalModel(spec, threads=1)
    except InputError as error:
        pytest.skip(f"run `openassay setup local` first: {error.what}")


def ask(text="What is the capital of France?", **parameters):
    return ModelRequest(messages=(user(text),), parameters={"max_tokens": 12, "temperature": 0, **parameters})


@pytest.mark.local_models
async def test_a_real_model_answers_the_same_twice_and_leaves_nothing_running(small):
    first, second = await small.generate(ask()), await small.generate(ask())
    pid = small.pid
    await small.close()
    await small.close()
    assert first.text == second.text
    assert first.usage.tokens_out
    assert first.model_reported == SMALL
    assert not running(pid)


@pytest.mark.local_models
async def test_faults_of_a_real_server_are_told_apart_and_it_starts_again_after_a_crash(small):
    cut = await small.generate(ask("Count to one hundred.", max_tokens=3))
    assert cut.finish is Finish.LENGTH
    with pytest.raises(EndpointError) as caught:
        await small.generate(ask("word " * 3000))
    assert caught.value.kind is FaultKind.CONTEXT_TOO_LONG
    os.kill(small.pid, signal.SIGKILL)
    await asyncio.to_thread(small._server._process.wait, 10)
    try:
        assert (await small.generate(ask())).text
    finally:
        await small.close()


PARENT = """
import asyncio, sys
from openassay.models.local import LocalModel
from openassay.schema.message import ModelRequest, user
from openassay.schema.models import ModelSpec
async def main():
    model = LocalModel(ModelSpec(name="m", endpoint="local", model="smollm2-135m-instruct", context=512), threads=1)
    await model.generate(ModelRequest(messages=(user("Hi"),), parameters={"max_tokens": 1}))
    print(model.pid, model._chat._exchange._endpoint.place.url, flush=True)
    await asyncio.sleep(60)
asyncio.run(main())
"""


@pytest.mark.local_models
@pytest.mark.usefixtures("small")
def test_a_killed_parent_leaves_no_server_behind_and_strangers_are_refused():
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True) as parent:
        pid, url = parent.stdout.readline().split()
        assert status_without_key(url) == 401
        parent.kill()
    assert gone_within(int(pid), 5)


def status_without_key(url):
    body = json.dumps({"messages": [{"role": "user", "content": "Hi"}], "max_tokens": 1}).encode()
    try:
        return urllib.request.urlopen(urllib.request.Request(url, body), timeout=30).status  # noqa: S310
    except urllib.error.HTTPError as error:
        error.close()
        return error.code


@pytest.mark.skipif(importlib.util.find_spec("xllamacpp") is None, reason="needs xllamacpp: `openassay setup local`")
async def test_a_file_that_is_no_model_ends_with_the_servers_own_words(tmp_path):
    file = tmp_path / "bad.gguf"
    file.write_bytes(b"this is not a model")
    server = LocalServer(JOB.model_copy(update={"path": str(file)}), "bad")
    with pytest.raises(EndpointError, match="ended while loading"):
        await server.ready(lambda _: None)
    server.stop()
