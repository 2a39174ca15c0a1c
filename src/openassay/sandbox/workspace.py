"""A work folder that outlives its commands: each runs in a fresh jail, and finds what the one before it wrote.

The folder lies in memory, with a cap on bytes and on files, in a mount namespace that a waiting process keeps alive:
no path of the host leads into it, and it is gone with that process, which ends with us. What comes out comes by pipe;
nothing here follows a name that hostile code chose.

Not here: the jail (`bubblewrap`). Processes do not outlive their command.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from openassay.sandbox.bubblewrap import Bubblewrap
from openassay.schema.errors import SandboxError
from openassay.schema.sandbox import Guarantees, Job, Ran, SandboxLimits

FILES = 100_000
"""Most files and folders it can hold; each costs about a kilobyte of the kernel's memory."""
HOLD = '"$1" -t tmpfs -o "$2" tmpfs "$3" && echo ready && read -r _'
COPY_OUT = 'cat -- "$1" > "/dev/fd/$RESULT_FD"'
QUOTED = 500


class Workspace:
    """A sandbox with a memory. Use as a context manager, or call `close`.

    Args:
        disk: bytes that its folder can hold.
        binds: further folders of the host to show read-only: (there, inside).

    Raises:
        SandboxError: no such folder can be made here.
    """

    def __init__(self, *, disk: int = 64 * 1024 * 1024, binds: Sequence[tuple[str, str]] = ()) -> None:
        self._disk = disk
        self._user = Bubblewrap().user
        self._place = Path(tempfile.mkdtemp(prefix="openassay-work-"))
        self._holder = self._hold()
        own_namespace = () if os.geteuid() == 0 else ("--user", "--preserve-credentials")
        target = (_program("nsenter"), "--target", str(self._holder.pid), *own_namespace, "--mount", "--")
        self._sandbox = Bubblewrap(binds=binds, user=self._user, prefix=target, work=str(self._place))

    def guarantees(self) -> Guarantees:
        return self._sandbox.guarantees()

    def run(self, job: Job) -> Ran:
        """Run one command; `job.files` are added to what the folder holds.

        Raises:
            SandboxError: the jail could not be built.
        """
        return self._sandbox.run(job)

    def put(self, files: Mapping[str, bytes]) -> None:
        """Add or replace files.

        Raises:
            SandboxError: they do not fit.
        """
        ran = self.run(Job(argv=("true",), files=dict(files), limits=SandboxLimits(disk=self._disk)))
        if ran.exit_code != 0:
            raise SandboxError(f"the files could not be put into the work folder: {ran.output[:QUOTED]}")

    def read(self, path: str, cap: int) -> bytes | None:
        """At most `cap` bytes of a file; None where there is none. Data written by somebody hostile."""
        ran = self.run(Job(argv=("sh", "-c", COPY_OUT, "sh", path), limits=SandboxLimits(result=cap)))
        return ran.result if ran.ended == "result" or ran.exit_code == 0 else None

    def close(self) -> None:
        """Throw the folder away."""
        if self._holder.stdin is not None:
            with suppress(BrokenPipeError):
                self._holder.stdin.close()
        self._holder.kill()
        self._holder.wait()
        if self._holder.stdout is not None:
            self._holder.stdout.close()
        with suppress(OSError):
            self._place.rmdir()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _hold(self) -> "subprocess.Popen[bytes]":
        """Start the process that keeps the folder; it ends when its standard input does, so also with us."""
        options = f"size={self._disk},nr_inodes={FILES},mode=0777,nosuid,nodev"
        if self._user is not None:
            options += f",uid={self._user},gid={self._user}"
        own_namespace = () if os.geteuid() == 0 else ("--user", "--map-root-user")
        holder = subprocess.Popen(  # noqa: S603
            (
                *(_program("unshare"), *own_namespace, "--mount", "--propagation", "private", "--"),
                *("/bin/sh", "-c", HOLD, "sh", _program("mount"), options, str(self._place)),
            ),
            env={},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        said = holder.stdout.readline() if holder.stdout is not None else b""
        if said != b"ready\n":
            self._holder = holder
            self.close()
            raise SandboxError(f"no work folder could be made: {said.decode(errors='replace').strip()[:QUOTED]}")
        return holder


def _program(name: str) -> str:
    found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin:/usr/bin:/bin")
    if found is None:
        raise SandboxError(f"the program {name} is missing", todo="run `apt-get install util-linux mount`")
    return found
