"""The drivers under test, each in the ways it can be started here, and a look at the machine from outside."""

import os
import pickle
import socket
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest

from openassay.sandbox.bubblewrap import Bubblewrap
from openassay.sandbox.docker import Docker, engine
from openassay.sandbox.unsafe import Unsafe
from openassay.schema.errors import SandboxError
from openassay.schema.sandbox import Job

ROOT = os.geteuid() == 0
WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
USER = 62_000 + 10 * WORKER
"""Another real user id for each worker and each way, so that what is left of it is ours."""


class Dropped:
    """Runs each job in a child of ours that has become an ordinary user for good."""

    def __init__(self, user):
        self.user = user
        self._guarantees = self._as_user(lambda: Bubblewrap().guarantees())

    def guarantees(self):
        return self._guarantees

    def run(self, job):
        return self._as_user(lambda: Bubblewrap().run(job))

    def _as_user(self, work):
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            self._become_and_send(work, writing)
        os.close(writing)
        with os.fdopen(reading, "rb") as file:
            answer = pickle.loads(file.read())  # noqa: S301 - from a child of ours
        os.waitpid(child, 0)
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def _become_and_send(self, work, writing):
        try:
            os.chdir("/")
            os.setgroups([])
            os.setresgid(self.user, self.user, self.user)
            os.setresuid(self.user, self.user, self.user)
            answer = work()
        except BaseException as error:  # noqa: BLE001
            answer = SandboxError(repr(error))
        with os.fdopen(writing, "wb") as file:
            file.write(pickle.dumps(answer))
        os._exit(0)


def make(way):
    """A sandbox and the real user id of its commands; skips with a reason where it cannot be had."""
    if way == "unsafe":
        return Unsafe(), os.geteuid()
    if way == "engine":
        name = engine()
        if name is None:
            pytest.skip("neither Docker nor Podman answers here")
        try:
            return Docker(name, os.environ.get("OPENASSAY_TEST_IMAGE", "python:3.12-slim")), None
        except SandboxError as error:
            pytest.skip(str(error))
    if way == "ordinary":
        return _ordinary()
    if not ROOT:
        pytest.skip("needs root")
    user = USER + (way == "root")
    return _or_skip(lambda: Bubblewrap(user=user, use_cgroup=way == "root")), user


def _ordinary():
    if not ROOT:
        return _or_skip(Bubblewrap), os.geteuid()
    user = USER + 2
    return _or_skip(lambda: Dropped(user)), user


def _or_skip(build):
    try:
        sandbox = build()
        sandbox.run(Job(argv=("true",)))
    except SandboxError as error:
        pytest.skip(str(error))
    return sandbox


class Outside(NamedTuple):
    """What must look the same after an attack."""

    settings: dict[str, str]
    mounts: list[str]
    """But for those of engines, which another test may be using."""
    folders: dict[str, list[str]]
    passwd: bytes
    bystander: tuple[bool, int, str]
    """Dead or stopped, priority and out-of-memory score of a process of the same real user."""


SETTINGS = (
    "kernel/hostname",
    "kernel/core_pattern",
    "vm/overcommit_memory",
    "vm/swappiness",
    "kernel/randomize_va_space",
)

FOLDERS = ("/", "/usr", "/dev/shm")  # noqa: S108 - looked at only


class Bystander:
    """A process outside with the real user id of the commands, and the traps that they may walk into."""

    def __init__(self, user, folder):
        change = {"user": user, "group": user, "extra_groups": []} if ROOT and user is not None else {}
        self.process = subprocess.Popen(["sleep", "1000"], cwd="/", stdin=subprocess.DEVNULL, **change)
        self.user = user
        self.tcp = socket.create_server(("127.0.0.1", 0))
        self.name = f"openassay-test-{os.getpid()}-{user}"
        self.unix = socket.socket(socket.AF_UNIX)
        self.unix.bind("\0" + self.name)
        self.unix.listen()
        self.secret = folder / "secret"
        self.secret.write_text("FAKE_SECRET")
        self.secret.chmod(0o666)

    def seen(self):
        pid = self.process.pid
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        return Outside(
            settings={name: Path("/proc/sys", name).read_text() for name in SETTINGS},
            mounts=[line for line in Path("/proc/self/mounts").read_text().splitlines() if "/containers/" not in line],
            folders={name: sorted(map(str, Path(name).iterdir())) for name in FOLDERS},
            passwd=Path("/etc/passwd").read_bytes(),
            bystander=(fields[0] in "ZXT", int(fields[16]), Path(f"/proc/{pid}/oom_score_adj").read_text()),
        )

    def strangers(self):
        """Processes of the commands' user that are still alive, but for this one."""
        found = [
            pid
            for pid in map(int, filter(str.isdigit, (path.name for path in Path("/proc").iterdir())))
            if self._alive(pid)
        ]
        return [pid for pid in found if pid != self.process.pid]

    def _alive(self, pid):
        with suppress(OSError):
            status = dict(line.split(":\t", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
            ours = str(self.user) in status["Uid"].split() and not status["State"].startswith("Z")
            return ours and (ROOT or len(status["NSpid"].split()) > 1)
        return False

    def close(self):
        self.process.kill()
        self.process.wait()
        self.tcp.close()
        self.unix.close()


@pytest.fixture(scope="session")
def drivers(tmp_path_factory):
    made = {}

    def get(way):
        if way not in made:
            sandbox, user = make(way)
            made[way] = sandbox, Bystander(user, tmp_path_factory.mktemp(way))
        return made[way]

    yield get
    for _, bystander in made.values():
        bystander.close()


@pytest.fixture
def python():
    return ("python3", "-I", "-S", "-c")
