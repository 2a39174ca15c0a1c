"""One jail from its start to its certain end, whoever lives in it.

Bubblewrap builds the jail and waits; we learn the number of its first process, put limits on it, and let it go on.
However it ends, that first process is killed through a handle that cannot mean another one, and waited for: when the
kernel reports its end, every process of the jail is gone.

Not here: what is run (`bubblewrap`), what the jail shows (`arguments`).
"""

import contextlib
import json
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from typing import Any

from openassay.sandbox.capture import CHUNK
from openassay.schema.errors import SandboxError

START_SECONDS = 30.0
"""Longest wait for the jail to be built; it takes 20 ms on an idle machine."""
END_SECONDS = 20.0
"""Longest wait for the kernel to clear a killed jail, with memory to give back."""
QUOTED = 500


class Launch:
    """A started bubblewrap that has not let its command go yet.

    Args:
        command: gives bubblewrap's command line for two file descriptors: status to write, permission to read.
        inherited: file descriptors that the command keeps.
        stdin: what the command reads.
        stdout: where its output and error go.
    """

    def __init__(
        self, command: Callable[[int, int], Sequence[str]], inherited: Sequence[int], *, stdin: int, stdout: int
    ) -> None:
        self._status, status = os.pipe()
        go, self._go = os.pipe()
        self._said = b""
        self._inside: int | None = None
        self._first = 0
        try:
            # The environment is empty and not merely cleared inside: bubblewrap's own would stay readable there.
            self._process = subprocess.Popen(  # noqa: S603
                command(status, go),
                env={},
                stdin=stdin,
                stdout=stdout,
                stderr=subprocess.STDOUT,
                pass_fds=(status, go, *inherited),
                start_new_session=True,
            )
        except OSError as error:
            os.close(self._status)
            os.close(self._go)
            raise SandboxError(f"bubblewrap could not be started: {error.strerror}") from None
        finally:
            os.close(status)
            os.close(go)
        self.process = os.pidfd_open(self._process.pid)

    def first_process(self) -> int | None:
        """The number of the jail's first process, once the jail stands; None where bubblewrap gave up."""
        deadline = time.monotonic() + START_SECONDS
        while not self._said.endswith(b"}\n"):
            if not self._more(deadline - time.monotonic()):
                return None
        self._first = int(json.loads(self._said)["child-pid"])
        self._inside = os.pidfd_open(self._first)
        return self._first

    def go(self) -> None:
        with contextlib.suppress(BrokenPipeError):
            os.write(self._go, b"1")

    def end(self) -> int | None:
        """Kill the jail, wait until it is empty, and give the command's own exit code; None where it had none."""
        if self._inside is not None:
            _kill(self._inside)
            self._process.wait(END_SECONDS)
            # Whoever adopts orphans collects it: in a container that may be ourselves.
            with contextlib.suppress(ChildProcessError):
                os.waitpid(self._first, os.WNOHANG)
        else:
            self._process.kill()
            self._process.wait(END_SECONDS)
        while self._more(0):
            pass
        codes = [fact["exit-code"] for fact in _facts(self._said) if "exit-code" in fact]
        return int(codes[0]) if codes else None

    def close(self) -> None:
        """Give back the file descriptors; ends what still runs."""
        if self._process.poll() is None:
            self.end()
        for descriptor in (self._status, self._go, self.process, self._inside):
            if descriptor is not None:
                os.close(descriptor)

    def _more(self, seconds: float) -> bool:
        """Read more of the status; false at its end or after the wait."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._status, selectors.EVENT_READ)
            if not selector.select(max(0.0, seconds)):
                return False
        chunk = os.read(self._status, CHUNK)
        self._said += chunk
        return bool(chunk)


def _kill(pidfd: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        signal.pidfd_send_signal(pidfd, signal.SIGKILL)
    with selectors.DefaultSelector() as selector:
        selector.register(pidfd, selectors.EVENT_READ)
        if not selector.select(END_SECONDS):
            raise SandboxError(f"the kernel did not end a killed jail within {END_SECONDS:.0f} s")


def _facts(said: bytes) -> list[dict[str, Any]]:
    """The JSON objects that bubblewrap wrote, one a line."""
    return [json.loads(line) for line in said.splitlines() if line.endswith(b"}")]
