"""Starts the server program of a local model, waits until it answers, and stops it for sure.

Not here: what the server does (`local_server`), what is said to it (`local`).
"""

import asyncio
import os
import secrets
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO

from openassay.models.local_server import READY, SPIN, Job
from openassay.schema.errors import EndpointError, FaultKind

Say = Callable[[str], None]

LOG_LINES = 200
LOG_WIDTH = 500
"""Characters kept of one line."""
QUOTED_LINES = 3
START_SECONDS = 300
"""Longest wait for a model to load: the largest known one takes 20 s on two busy cores."""
STOP_SECONDS = 5
POLL_SECONDS = 0.05
SAY_EVERY = 5.0


class LocalServer:
    """A running server process and its bounded log.

    Args:
        job: what to serve; its `key` and `parent` are set here.
        name: the user's name for the model, for messages.
        packages: folder that holds the runtime when it is not installed, or None.
        program: the command that serves; another one in tests.
    """

    def __init__(self, job: Job, name: str, packages: Path | None = None, program: tuple[str, ...] = ()) -> None:
        self.key = secrets.token_urlsafe(32)
        self.address = ""
        self._name = name
        self._log: deque[str] = deque(maxlen=LOG_LINES)
        # Python starts this one quickly and from the caller's own thread: the kernel's "end with the parent" means the
        # thread that started it. Its own session keeps a Ctrl-C for the run from stopping the server in mid-answer.
        self._process = subprocess.Popen(  # noqa: S603
            program or (sys.executable, "-m", "openassay.models.local_server"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=server_environment(os.environ, packages),
            start_new_session=True,
        )
        pipes = (self._process.stdout, self._process.stderr)
        self._readers = [threading.Thread(target=self._read, args=(pipe,), daemon=True) for pipe in pipes]
        for reader in self._readers:
            reader.start()
        self._hand_over(job.model_copy(update={"key": self.key, "parent": os.getpid()}))

    @property
    def pid(self) -> int:
        return self._process.pid

    def alive(self) -> bool:
        return self._process.poll() is None

    async def ready(self, say: Say) -> str:
        """The base URL, once the server answers.

        Args:
            say: told every few seconds that it is still loading.

        Raises:
            EndpointError: it ended or never got ready; quotes its last words.
        """
        began = told = time.monotonic()
        while not self.address:
            now = time.monotonic()
            if not self.alive():
                self._finish_reading()
                raise self.fault(f"The local server ended while loading (exit code {self._process.returncode})")
            if now - began > START_SECONDS:
                raise self.fault(f"The local server was not ready within {START_SECONDS} s")
            if now - told >= SAY_EVERY:
                told = now
                say(f"{self._name}: loading, {now - began:.0f} s")
            await asyncio.sleep(POLL_SECONDS)
        return self.address

    def stop(self, patience: float = STOP_SECONDS) -> None:
        """End the process, politely for `patience` seconds; returns when it is gone. Safe to call twice."""
        self._process.terminate()
        try:
            self._process.wait(patience)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._finish_reading()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()

    def fault(self, what: str) -> EndpointError:
        last = " | ".join(line for line in list(self._log)[-QUOTED_LINES:] if line)
        return EndpointError(
            FaultKind.CONNECTION_LOST,
            f"{what}; its last words: {last or 'none'}",
            where=f"model {self._name}",
            todo="Check free memory; `openassay models --ping` starts it alone.",
        )

    def _hand_over(self, job: Job) -> None:
        # A process that ended at once is found by `ready`, which can quote why.
        with suppress(OSError):
            assert self._process.stdin is not None  # noqa: S101  # it was asked for
            self._process.stdin.write(job.model_dump_json().encode() + b"\n")
            self._process.stdin.flush()

    def _finish_reading(self) -> None:
        for reader in self._readers:
            reader.join(STOP_SECONDS)

    def _read(self, output: IO[bytes]) -> None:
        for raw in output:
            line = raw.decode(errors="replace").strip()
            if line.startswith(READY):
                self.address = base_url(line.removeprefix(READY))
            else:
                self._log.append(line[:LOG_WIDTH])


def base_url(address: str) -> str:
    """The API's URL for an address that the server printed.

    >>> base_url("127.0.0.1:8091"), base_url("http://127.0.0.1:8091")
    ('http://127.0.0.1:8091/v1', 'http://127.0.0.1:8091/v1')
    """
    return f"http://{address.removeprefix('http://').rstrip('/')}/v1"


def server_environment(environ: Mapping[str, str], packages: Path | None) -> dict[str, str]:
    """The server's environment: the caller's without anything that looks like a key, plus what it needs.

    >>> sorted(server_environment({"PATH": "/bin", "LAB_API_KEY": "x"}, None))
    ['GOMP_SPINCOUNT', 'OMP_WAIT_POLICY', 'PATH']
    """
    kept = {name: value for name, value in environ.items() if not _secret(name)}
    if packages is not None:
        kept["PYTHONPATH"] = os.pathsep.join(filter(None, (str(packages), environ.get("PYTHONPATH", ""))))
    return {**kept, **SPIN}


def _secret(name: str) -> bool:
    return any(word in name.upper() for word in ("KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIAL"))
