"""The program that serves one weight file on 127.0.0.1: ``python -m openassay.models.local_server``.

Runs as a process of its own, so that the native library's memory, threads and crashes stay out of the run. It ends
when its parent does, however that ends: its standard input is a pipe that only the parent holds, and on Linux the
kernel sends it SIGKILL besides. Not here: choosing or checking the file (`local_weights`).

Standard input: one JSON line, a `Job`; then nothing until the parent closes it. Standard output: one line that opens
with `READY`. Standard error: the log. The job travels by pipe because it holds the key, and anyone can read arguments.
"""

import ctypes
import os
import signal
import sys
import threading

from openassay.schema.record import Record

READY = "openassay-ready "
"""Opens the line that holds the server's address."""
SPIN = {"OMP_WAIT_POLICY": "passive", "GOMP_SPINCOUNT": "0"}
"""Must stand in the environment before the native library is loaded: by default its threads spin while they wait for
each other, and on a machine with other work to do that is some twenty times slower."""
PR_SET_PDEATHSIG = 1


class Job(Record):
    path: str
    alias: str
    key: str
    """Random, for this process only: nobody else on the machine can use the server."""
    parent: int
    """Process id of the parent."""
    context: int
    """Tokens of prompt and answer together."""
    threads: int
    chat_template: str = ""
    port: int = 0
    """0 for any free one."""


def main() -> None:
    answers = _own_output()
    job = Job.model_validate_json(sys.stdin.readline())
    _die_with(job.parent)
    threading.Thread(target=_end_with_input, daemon=True).start()
    server = serve(job)
    os.write(answers, f"{READY}{server.listening_address}\n".encode())
    threading.Event().wait()


def serve(job: Job) -> "xllamacpp.Server":  # type: ignore[name-defined] # noqa: F821
    """Load the weights and listen; returns when the server answers."""
    import xllamacpp  # an extra, heavy, and only for this process

    params = xllamacpp.CommonParams()
    params.model.path = job.path
    params.model_alias = {job.alias}
    params.hostnames = ["127.0.0.1"]
    params.port = job.port
    params.api_keys = [job.key]
    params.n_ctx = job.context
    # One at a time: the window is shared between parallel answers, and answers in one batch change each other.
    params.n_parallel = 1
    params.cache_ram_mib = 0
    params.cpuparams.n_threads = job.threads
    params.n_gpu_layers = 0
    params.offline = True
    params.ui = False
    params.endpoint_slots = False
    if job.chat_template:
        params.chat_template = job.chat_template
    return xllamacpp.Server(params)


def _own_output() -> int:
    """Standard output for this module alone: the native library's lines, cut anywhere, go to standard error."""
    answers = os.dup(1)
    os.dup2(2, 1)
    return answers


def _die_with(parent: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        # The parent may have gone before the line above.
        if os.getppid() != parent:
            os._exit(1)


def _end_with_input() -> None:
    while sys.stdin.buffer.read(4096):
        pass
    os._exit(0)


if __name__ == "__main__":
    main()
