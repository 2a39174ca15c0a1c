"""Runs hostile commands in a container of Docker or Podman, where an engine answers and has the image at hand.

The second choice: slower by ten times, and its command runs under a user id that other containers share. Never pulls
an image: what is run on a machine is for its owner to choose.

The command's own output goes to the container's error stream and its results to the output stream, because engines
carry these two and no other pipe.
"""

import json
import os
import secrets
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import Any, Literal

from openassay.sandbox import archive, rlimits
from openassay.sandbox.arguments import INSIDE_USER, SHARED_MEMORY, TMP, WORK
from openassay.sandbox.bubblewrap import PROCESSOR_TIME_SIGNAL
from openassay.sandbox.capture import Caught, Reader, caught
from openassay.sandbox.profile import profile
from openassay.schema.errors import SandboxError
from openassay.schema.sandbox import Guarantees, Job, Ran, SandboxLimits

IMAGE = "python:3.12-slim"
ENGINES: tuple[Literal["docker", "podman"], ...] = ("docker", "podman")
ANSWER_SECONDS = 60.0
START_SECONDS = 2.0
"""Added to the wall limit: the engine needs it to start the command."""
QUOTED = 500
NOT_STARTED = {"created", "configured", "initialized"}
"""States of a container whose command never began, in the words of either engine."""
USER_PROCESSES = 4096
"""Of the user id that all containers of ours share; `processes` bounds each container."""
ENTRY = 'exec 3>&1 1>&2; tar -x --no-same-owner -f - && { "$@" </dev/null; exit $?; }'
"""The shell stays the container's first process: that one would not feel signals."""


def engine() -> Literal["docker", "podman"] | None:
    """The first engine that answers."""
    for name in ENGINES:
        if shutil.which(name) and _ask(name, "info", "--format", "{{json .}}").returncode == 0:
            return name
    return None


class Docker:
    """A driver for either engine.

    Args:
        name: which engine.
        image: holds `sh`, `tar` and what the commands need.

    Raises:
        SandboxError: the engine does not have the image.
    """

    def __init__(self, name: Literal["docker", "podman"], image: str = IMAGE) -> None:
        self._name: Literal["docker", "podman"] = name
        self._image = image
        if _ask(name, "image", "inspect", image).returncode != 0:
            raise SandboxError(f"{name} answers but has no image {image}", todo=f"run `{name} pull {image}`")
        version = _ask(name, "version", "--format", "{{.Client.Version}}").stdout.decode().strip()
        about = _ask(name, "info", "--format", "{{json .}}").stdout.decode(errors="replace").replace(" ", "")
        seccomp = "name=seccomp" in about or '"seccompEnabled":true' in about
        # Read by the engine's client each time a container is made.
        self._profile = tempfile.NamedTemporaryFile("w", prefix="openassay-", suffix=".json")  # noqa: SIM115
        json.dump(profile(), self._profile)
        self._profile.flush()
        self._guarantees = Guarantees(
            driver=name,
            memory="cgroup",
            processes="cgroup",
            network=True,
            seccomp=seccomp,
            other_user=os.geteuid() == 0 and "rootless" not in about.replace('"rootless":false', ""),
            version=version,
        )

    def guarantees(self) -> Guarantees:
        return self._guarantees

    def run(self, job: Job) -> Ran:
        """Run one command in a fresh container.

        Raises:
            SandboxError: the engine failed, or the job's files do not fit.
        """
        packed = archive.pack(job.files, job.limits.disk)
        container = f"openassay-{secrets.token_hex(8)}"
        try:
            made = _ask(self._name, "create", *self._options(container, job), *job.argv)
            if made.returncode != 0:
                raise SandboxError(f"{self._name} made no container: {_words(made.stdout)}")
            began = time.monotonic()
            left = self._start(container, job, packed)
            took = round((time.monotonic() - began) * 1000)
            return self._ran(left, self._state(container), took)
        finally:
            _ask(self._name, "rm", "--force", container)

    def _start(self, container: str, job: Job, files: bytes) -> Caught:
        with ExitStack() as stack:
            packed = archive.in_memory(files)
            stack.callback(os.close, packed)
            process = stack.enter_context(
                subprocess.Popen(  # noqa: S603
                    (self._name, "start", "--attach", "--interactive", container),
                    stdin=packed,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                )
            )
            handle = os.pidfd_open(process.pid)
            stack.callback(os.close, handle)
            if process.stdout is None or process.stderr is None:
                raise SandboxError(f"{self._name} gave no streams")
            result, output = process.stdout.fileno(), process.stderr.fileno()
            reader = Reader({"output": (output, job.limits.output), "result": (result, job.limits.result)})
            stack.callback(reader.close)
            limit = reader.until_end(handle, job.limits.wall_ms / 1000 + START_SECONDS)
            if limit is not None:
                _ask(self._name, "kill", container)
                process.kill()
            process.wait(ANSWER_SECONDS)
            return caught(reader, limit)

    def _state(self, container: str) -> dict[str, Any]:
        said = _ask(self._name, "inspect", "--format", "{{json .State}}", container)
        if said.returncode != 0:
            raise SandboxError(f"{self._name} lost the container: {_words(said.stdout)}")
        state: dict[str, Any] = json.loads(said.stdout)
        return state

    def _ran(self, left: Caught, state: dict[str, Any], took: int) -> Ran:
        if state.get("Status") in NOT_STARTED:
            said = left.output.decode(errors="replace").strip()[:QUOTED]
            raise SandboxError(f"{self._name} did not start the container: {said}")
        code = int(state["ExitCode"])
        ended: Literal["exit", "wall", "cpu", "memory", "output", "result"] = left.limit or "exit"
        if left.limit is None and state.get("OOMKilled"):
            ended = "memory"
        elif left.limit is None and code == PROCESSOR_TIME_SIGNAL:
            ended = "cpu"
        return Ran(
            ended=ended,
            exit_code=code if ended == "exit" else None,
            output=left.output.decode(errors="replace"),
            result=left.result,
            took_ms=took,
            guarantees=self._guarantees,
        )

    def _options(self, container: str, job: Job) -> Iterator[str]:
        yield from ("--name", container, "--interactive", "--pull=never", "--log-driver=none")
        yield from ("--network=none", "--read-only", "--cap-drop=ALL", "--security-opt=no-new-privileges")
        if self._guarantees.seccomp:
            yield f"--security-opt=seccomp={self._profile.name}"
        yield from (f"--user={INSIDE_USER}:{INSIDE_USER}", f"--workdir={WORK}", "--ipc=private")
        yield from _bounds(job.limits)
        variables = {"HOME": WORK, "LANG": "C.UTF-8", "TMPDIR": TMP, "RESULT_FD": "3", **job.environment}
        yield from (f"--env={name}={value}" for name, value in variables.items())
        yield from ("--entrypoint=/bin/sh", self._image, "-c", ENTRY, "sh")


def _bounds(limits: SandboxLimits) -> Iterator[str]:
    yield from (f"--memory={limits.memory}", f"--memory-swap={limits.memory}")
    yield f"--pids-limit={limits.processes + 1}"
    yield f"--shm-size={min(limits.disk, SHARED_MEMORY)}"
    for folder in (WORK, TMP):
        yield f"--tmpfs={folder}:rw,exec,nosuid,nodev,size={limits.disk},mode=1777"
    core = rlimits.CORE
    bounds = {"core": (core, core), "nproc": (USER_PROCESSES,) * 2, "cpu": (limits.cpu_s, limits.cpu_s + 1)}
    bounds |= {"nofile": (limits.open_files,) * 2, "fsize": (limits.disk,) * 2}
    yield from (f"--ulimit={name}={soft}:{hard}" for name, (soft, hard) in bounds.items())


def _ask(name: str, *arguments: str) -> "subprocess.CompletedProcess[bytes]":
    """One short command to the engine; never raises where it fails or hangs."""
    command: Sequence[str] = (name, *arguments)
    try:
        return subprocess.run(  # noqa: S603
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=ANSWER_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return subprocess.CompletedProcess(command, 1, stdout=str(error).encode())


def _words(said: bytes) -> str:
    return said.decode(errors="replace").strip()[:QUOTED]
