"""No sandbox: runs commands as the user's own programs. For nothing but code that the user has written or read.

What is left are limits that a well-meaning program respects: time, memory of each process, size of files, output. It
can read and change whatever the user can, reach the network and leave processes behind. Every result says so.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, suppress
from pathlib import Path

from openassay.sandbox import archive, rlimits
from openassay.sandbox.bubblewrap import PROCESSOR_TIME_SIGNAL
from openassay.sandbox.capture import Reader, caught
from openassay.schema.sandbox import Guarantees, Job, Ran

GATE = 'read -r _ && exec "$@" </dev/null'
"""What a shell does until the limits lie on it."""
NOTHING = Guarantees(
    driver="none", memory="rlimit", processes="none", network=False, seccomp=False, other_user=False, version=""
)


class Unsafe:
    """Behind `--unsafe` only."""

    def guarantees(self) -> Guarantees:
        return NOTHING

    def run(self, job: Job) -> Ran:
        """Run a command in a temporary folder.

        Raises:
            SandboxError: the job's files do not fit.
        """
        archive.pack(job.files, job.limits.disk)
        with tempfile.TemporaryDirectory(prefix="openassay-", ignore_cleanup_errors=True) as folder:
            for path, content in job.files.items():
                target = Path(folder, path)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
                target.chmod(0o755)
            return _run(job, folder)


def _run(job: Job, folder: str) -> Ran:
    with ExitStack() as stack:
        (gate, gate_end), (output, output_end), (result, result_end) = os.pipe(), os.pipe(), os.pipe()
        for descriptor in (gate_end, output, result):
            stack.callback(os.close, descriptor)
        process = subprocess.Popen(  # noqa: S603
            ("/bin/sh", "-c", GATE, "sh", *job.argv),
            cwd=folder,
            env=_environment(folder, result_end) | job.environment,
            stdin=gate,
            stdout=output_end,
            stderr=subprocess.STDOUT,
            pass_fds=(result_end,),
            start_new_session=True,
        )
        for descriptor in (gate, output_end, result_end):
            os.close(descriptor)
        handle = os.pidfd_open(process.pid)
        stack.callback(os.close, handle)
        rlimits.impose(process.pid, rlimits.always(job.limits) | rlimits.address_space(job.limits))
        reader = Reader({"output": (output, job.limits.output), "result": (result, job.limits.result)})
        stack.callback(reader.close)
        began = time.monotonic()
        os.write(gate_end, b"\n")
        limit = reader.until_end(handle, job.limits.wall_ms / 1000)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        code = _as_shell(process.wait())
        left = caught(reader, limit)
    ended = left.limit or ("cpu" if code == PROCESSOR_TIME_SIGNAL else "exit")
    return Ran(
        ended=ended,
        exit_code=code if ended == "exit" else None,
        output=left.output.decode(errors="replace"),
        result=left.result,
        took_ms=round((time.monotonic() - began) * 1000),
        guarantees=NOTHING,
    )


def _environment(folder: str, result: int) -> dict[str, str]:
    """Nothing of the user's own: a key in it would be there for the asking."""
    return {
        "PATH": f"{sys.base_prefix}/bin:/usr/local/bin:/usr/bin:/bin",
        "HOME": folder,
        "LANG": "C.UTF-8",
        "TMPDIR": folder,
        "RESULT_FD": str(result),
    }


def _as_shell(code: int) -> int:
    """A signal as shells report it: 128 and its number."""
    return 128 - code if code < 0 else code
