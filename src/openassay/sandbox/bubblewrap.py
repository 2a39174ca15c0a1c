"""Runs hostile commands by bubblewrap, in a jail that shows the system read-only and nothing else.

Covered: network, the user's files, other processes, memory, number of processes, disk, time, output, what is left
behind, system calls that reach past the jail. As root the command gets another real user id and a control group where
one is writable; as an ordinary user it runs under that user's id in a namespace of its own, and memory is bounded for
each process. What was reached stands in `guarantees`.

Not covered: errors in the kernel itself, and what can be learnt from timing. `docs/sandbox.md` says more.
"""

import os
import re
import secrets
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress

from openassay.sandbox import archive, cgroup, rlimits, seccomp
from openassay.sandbox.arguments import INSIDE_USER, TMP, WORK, Descriptors, Jail, arguments, passwd
from openassay.sandbox.capture import Caught, Limit, Reader, caught
from openassay.sandbox.interpreter import python
from openassay.sandbox.launch import QUOTED, Launch
from openassay.schema.errors import SandboxError
from openassay.schema.sandbox import Guarantees, Job, Ran, SandboxLimits

USERS = range(62_000, 65_500)
"""Real user ids that root's jobs take one of: no person and no service has them on usual systems."""
NEEDED = (0, 7)
"""First version that can cap the size of a folder in memory."""
DISABLES_NAMESPACES = (0, 8)
MOST_FILES = 100_000
"""In each writable folder; each costs about a kilobyte of the kernel's memory."""
PROCESSOR_TIME_SIGNAL = 128 + 24
"""Exit code of a command that the signal for the limit `cpu_s` ended."""


class Bubblewrap:
    """The default driver.

    Args:
        binds: further folders of the host to show read-only: (there, inside).
        user: real user id for commands where root starts them; by default another one for each driver.
        use_cgroup: false: as on a machine where none is writable.
        prefix: command that starts bubblewrap in another mount namespace (see `workspace`).
        work: folder that becomes the work folder of every job; by default a fresh one each time.
    """

    def __init__(
        self,
        *,
        binds: Sequence[tuple[str, str]] = (),
        user: int | None = None,
        use_cgroup: bool = True,
        prefix: Sequence[str] = (),
        work: str = "",
    ) -> None:
        program = shutil.which("bwrap")
        if program is None:
            raise SandboxError("bubblewrap is not installed", todo="run `apt-get install bubblewrap`")
        self._version = _version(program)
        if self._version < NEEDED:
            found, needed = _dotted(self._version), _dotted(NEEDED)
            raise SandboxError(f"bubblewrap {needed} or later is needed, and {program} is {found}")
        interpreter = python()
        self.user = (user or secrets.choice(USERS)) if os.geteuid() == 0 else None
        self._program = (*prefix, program)
        self._path = interpreter.path
        self._jail = Jail(
            binds=(*interpreter.binds, *binds),
            real_user=self.user,
            work=work,
            no_namespaces=self._version >= DISABLES_NAMESPACES,
        )
        self._filter = seccomp.program()
        self._use_cgroup = use_cgroup
        if use_cgroup:
            cgroup.sweep()
        self._guarantees = self._reached()

    def guarantees(self) -> Guarantees:
        return self._guarantees

    def run(self, job: Job) -> Ran:
        """Run one command in a fresh jail; when this returns, no process of it is left.

        Raises:
            SandboxError: the jail could not be built, or the job's files do not fit.
        """
        with ExitStack() as stack:
            group = stack.enter_context(self._group(job.limits))
            output, output_end = _pipe(stack)
            result, result_end = _pipe(stack)
            launch = self._launch(stack, job, output_end, result_end)
            for descriptor in (output_end, result_end):
                os.close(descriptor)
            reader = Reader({"output": (output, job.limits.output), "result": (result, job.limits.result)})
            stack.callback(reader.close)
            first = self._admit(launch, group, job.limits, reader)
            began = time.monotonic()
            launch.go()
            limit = reader.until_end(launch.process, job.limits.wall_ms / 1000, None if group else _crowded(first))
            code = launch.end()
            took = round((time.monotonic() - began) * 1000)
            return self._ran(caught(reader, limit), code, group, took)

    def _launch(self, stack: ExitStack, job: Job, output: int, result: int) -> Launch:
        environment = {
            "PATH": self._path,
            "HOME": WORK,
            "LANG": "C.UTF-8",
            "TMPDIR": TMP,
            "RESULT_FD": str(result),
            **job.environment,
        }
        names = _in_memory(stack, passwd(self.user or INSIDE_USER))
        calls = None if self._filter is None else _in_memory(stack, self._filter)

        def command(status: int, go: int) -> list[str]:
            fds = Descriptors(status, go, names, calls)
            return [*self._program, *arguments(self._jail, job.limits, environment, fds), *inner]

        inner, stdin = job.argv, subprocess.DEVNULL
        if job.files:
            inner = ("/bin/sh", "-c", archive.UNPACK, "sh", *job.argv)
            stdin = _in_memory(stack, archive.pack(job.files, job.limits.disk))
        inherited = [result, names, *([] if calls is None else [calls])]
        launch = Launch(command, inherited, stdin=stdin, stdout=output)
        stack.callback(launch.close)
        return launch

    def _admit(self, launch: Launch, group: cgroup.Cgroup | None, limits: SandboxLimits, reader: Reader) -> int:
        """Put every limit on the jail's first process, which has not started the command yet; gives its number."""
        first = launch.first_process()
        if first is None:
            launch.end()
            said = caught(reader, None).output.decode(errors="replace").strip()[:QUOTED]
            raise SandboxError(f"bubblewrap could not build the jail: {said or 'it said nothing'}")
        try:
            rlimits.impose(first, rlimits.always(limits))
            if group is None:
                rlimits.impose(first, rlimits.without_cgroup(limits))
            else:
                group.add(first)
        except OSError as error:
            raise SandboxError(f"the limits could not be laid on the jail: {error}") from None
        return first

    def _ran(self, left: Caught, code: int | None, group: cgroup.Cgroup | None, took: int) -> Ran:
        ended: Limit | str = left.limit or "exit"
        if left.limit is None and code != 0 and group is not None and group.killed_for_memory():
            ended = "memory"
        elif left.limit is None and code == PROCESSOR_TIME_SIGNAL:
            ended = "cpu"
        elif left.limit is None and code is None:
            said = left.output.decode(errors="replace")[-QUOTED:]
            raise SandboxError(f"the jail ended without saying how its command did: {said}")
        return Ran.model_validate(
            {
                "ended": ended,
                "exit_code": code if ended == "exit" else None,
                "output": left.output.decode(errors="replace"),
                "result": left.result,
                "took_ms": took,
                "guarantees": self._guarantees,
            }
        )

    @contextmanager
    def _group(self, limits: SandboxLimits) -> Iterator[cgroup.Cgroup | None]:
        # One more for the jail's first process, which is not the command's.
        group = cgroup.open_cgroup(limits.memory, limits.processes + 1) if self._use_cgroup else None
        try:
            yield group
        finally:
            if group is not None:
                group.close()

    def _reached(self) -> Guarantees:
        with self._group(SandboxLimits()) as group:
            bound = "rlimit" if group is None else "cgroup"
        return Guarantees.model_validate(
            {
                "driver": "bubblewrap",
                "memory": bound,
                "processes": bound,
                "network": True,
                "seccomp": self._filter is not None,
                "other_user": self.user is not None,
                "version": _dotted(self._version),
            }
        )


def _crowded(first: int) -> Callable[[], bool]:
    """Says whether a writable folder holds too many files: without a control group nothing else counts them."""
    root = f"/proc/{first}/root"
    places = [root + folder for folder in (WORK, TMP, "/dev/shm")]  # noqa: S108 - the jail's own
    ours = os.stat("/").st_dev  # noqa: PTH116

    def crowded() -> bool:
        with suppress(OSError):
            # Until the jail is built, its first process still sees our own folders there.
            if os.stat(root).st_dev != ours:  # noqa: PTH116
                return any(place.f_files - place.f_ffree > MOST_FILES for place in map(os.statvfs, places))
        return False

    return crowded


def _pipe(stack: ExitStack) -> tuple[int, int]:
    """Its reading end is closed with the stack; its writing end by whoever has passed it on."""
    reading, writing = os.pipe()
    stack.callback(os.close, reading)
    # Another user may write by name too, as in `echo > /dev/stderr`, though the pipe is ours.
    os.fchmod(writing, 0o622)
    return reading, writing


def _in_memory(stack: ExitStack, content: bytes) -> int:
    descriptor = archive.in_memory(content)
    stack.callback(os.close, descriptor)
    return descriptor


def _version(program: str) -> tuple[int, ...]:
    said = subprocess.run([program, "--version"], capture_output=True, text=True, env={}, check=False).stdout  # noqa: S603
    found = re.search(r"(\d+)\.(\d+)(?:\.(\d+))?", said)
    return tuple(int(part) for part in found.groups() if part is not None) if found else (0,)


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))
