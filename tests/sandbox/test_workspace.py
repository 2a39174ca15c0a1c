"""The work folder that outlives its commands, as root and as an ordinary user."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from openassay.sandbox.workspace import FILES, Workspace
from openassay.schema.errors import SandboxError
from openassay.schema.sandbox import Job, SandboxLimits

MEGABYTE = 1024 * 1024


@pytest.fixture
def workspace(drivers):
    drivers("ordinary")
    with Workspace(disk=MEGABYTE) as made:
        yield made


def alive(pid):
    status = Path(f"/proc/{pid}/status")
    return status.exists() and "State:\tZ" not in status.read_text()


def shell(workspace, text, **fields):
    return workspace.run(Job(argv=("sh", "-c", text), **fields))


def test_what_one_command_writes_the_next_one_finds(workspace):
    workspace.put({"src/a.txt": b"one\n"})
    shell(workspace, "echo two >> src/a.txt; mkdir made; touch made/b")
    assert shell(workspace, "cat src/a.txt; ls made").output == "one\ntwo\nb\n"


def test_only_the_work_folder_stays(workspace):
    shell(workspace, "touch /tmp/a /dev/shm/a; sleep 600 & :")
    assert shell(workspace, "ls -A /tmp /dev/shm; ls /proc | grep -c '^[0-9]'").output == "/dev/shm:\n\n/tmp:\n4\n"  # noqa: S108


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("head -c 5000000 /dev/zero > big; stat -c %s big", MEGABYTE),
        ("python3 -c 'for n in range(200_000): open(str(n), \"w\").close()' 2>/dev/null; ls -f | wc -l", FILES + 2),
    ],
    ids=["bytes", "files"],
)
def test_its_size_is_capped(workspace, text, most):
    ran = shell(workspace, f"({text}) 2>/dev/null", limits=SandboxLimits(wall_ms=20_000, cpu_s=20))
    assert MEGABYTE // 20 < int(ran.output) <= most


def test_reading_is_capped_and_follows_no_name_out(workspace):
    shell(workspace, "echo 1234567890 > a; ln -s /etc/shadow shadow; ln -s / top; mkdir d; mkfifo pipe")
    assert workspace.read("a", 5) == b"12345"
    assert workspace.read("a", 100) == b"1234567890\n"
    assert [workspace.read(path, 100) for path in ("shadow", "top/etc/shadow", "top/root/.bashrc", "d", "none")] == [
        None
    ] * 5


def test_hostile_links_catch_nothing_that_is_put(workspace, tmp_path):
    target = tmp_path / "target"
    target.mkdir(mode=0o777)
    shell(workspace, f"ln -s {target} src; ln -s /usr/lib lib")
    with pytest.raises(SandboxError, match="could not be put"):
        workspace.put({"src/a": b"x", "lib/a": b"x"})
    assert list(target.iterdir()) == []


def test_no_path_of_the_host_leads_into_it(workspace):
    shell(workspace, "echo secret > a")
    assert list(workspace._place.iterdir()) == []


def test_a_fork_bomb_does_not_end_it(workspace):
    workspace.put({"a": b"kept"})
    shell(
        workspace,
        "bomb() { bomb | bomb & }; bomb 2>/dev/null; sleep 5",
        limits=SandboxLimits(wall_ms=500, processes=20),
    )
    assert workspace.read("a", 10) == b"kept"


def test_nothing_stays_after_closing(drivers):
    drivers("ordinary")
    with Workspace() as made:
        place, holder = made._place, made._holder.pid
    assert not place.exists()
    assert not Path(f"/proc/{holder}").exists()
    made.close()


def test_it_ends_with_its_owner(drivers):
    """However the owner ends: the holder reads from it."""
    drivers("ordinary")
    code = """if True:
        import os
        from openassay.sandbox.workspace import Workspace
        made = Workspace()
        print(made._holder.pid, made._place, flush=True)
        os._exit(1)
    """
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False).stdout
    pid, place = said.split()
    deadline = time.monotonic() + 10
    while alive(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not alive(pid)
    Path(place).rmdir()


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to become an ordinary user")
def test_it_works_as_an_ordinary_user(drivers):
    sandbox, _ = drivers("ordinary")

    def work():
        with Workspace(disk=MEGABYTE) as made:
            made.put({"a": b"one"})
            made.run(Job(argv=("sh", "-c", "echo two >> a; ln -s /etc/shadow s")))
            return made.read("a", 100), made.read("s", 100), made.run(Job(argv=("id", "-u"))).output

    assert sandbox._as_user(work) == (b"onetwo\n", None, "64999\n")
