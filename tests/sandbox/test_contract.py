"""What every driver does, the real ones and the one that holds nothing."""

import pytest

from openassay.schema.errors import SandboxError
from openassay.schema.sandbox import Job, SandboxLimits

WAYS = ["root", "root without cgroup", "ordinary", "engine", "unsafe"]
SHORT = SandboxLimits(wall_ms=700, cpu_s=1)


@pytest.fixture(params=WAYS)
def sandbox(request, drivers):
    return drivers(request.param)[0]


def shell(sandbox, text, **fields):
    return sandbox.run(Job(argv=("sh", "-c", text), **fields))


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (("true",), 0),
        (("false",), 1),
        (("sh", "-c", "exit 7"), 7),
        (("no-such-program",), 127),
        (("sh", "-c", "kill -9 $$"), 137),
    ],
    ids=["fine", "failed", "own code", "not found", "signal"],
)
def test_the_exit_code_is_the_commands(sandbox, argv, code):
    ran = sandbox.run(Job(argv=argv))
    assert (ran.ended, ran.exit_code) == ("exit", code)


def test_output_and_error_come_together_and_bad_bytes_are_replaced(sandbox):
    assert shell(sandbox, r"echo out; echo err >&2; printf '\377'").output == "out\nerr\n\ufffd"


def test_results_come_by_their_own_pipe(sandbox):
    ran = shell(sandbox, 'echo said; echo found > "/dev/fd/$RESULT_FD"')
    assert (ran.output, ran.result) == ("said\n", b"found\n")


def test_python_is_there(sandbox):
    ran = sandbox.run(Job(argv=("python3", "-c", "import os; os.write(int(os.environ['RESULT_FD']), b'\\0\\xff')")))
    assert (ran.output, ran.result) == ("", b"\0\xff")


def test_files_are_in_the_work_folder_and_can_be_changed(sandbox):
    files = {"a.txt": b"one\n", "deep/er/b.txt": b"\0\xff", "odd name \u00fc.txt": b""}
    ran = shell(sandbox, "find . -type f | sort; echo two >> a.txt; rm -r deep; cat a.txt", files=files)
    assert ran.output == "./a.txt\n./deep/er/b.txt\n./odd name \u00fc.txt\none\ntwo\n"


def test_standard_input_is_empty_with_and_without_files(sandbox):
    assert shell(sandbox, "cat").output == shell(sandbox, "cat", files={"a": b"x"}).output == ""


@pytest.mark.parametrize("path", ["../out", "/etc/out", "a/../../out", ""])
def test_files_cannot_leave_the_work_folder(sandbox, path):
    with pytest.raises(SandboxError, match="not a path inside"):
        sandbox.run(Job(argv=("true",), files={path: b"x"}))


def test_files_that_do_not_fit_are_our_own_fault(sandbox):
    with pytest.raises(SandboxError, match="hold 2000 bytes"):
        sandbox.run(Job(argv=("true",), files={"a": bytes(2000)}, limits=SandboxLimits(disk=1000)))


def test_the_environment_holds_a_few_variables_and_the_jobs(sandbox, monkeypatch):
    monkeypatch.setenv("FAKE_API_KEY", "leaked")
    names = shell(sandbox, "env", environment={"EXTRA": "1"}).output
    found = {line.split("=")[0] for line in names.splitlines()} - {
        "PWD",
        "SHLVL",
        "_",
        "OLDPWD",
        "HOSTNAME",
        "TERM",
        "container",
    }
    assert found - {"GPG_KEY"} <= {
        "PATH",
        "HOME",
        "LANG",
        "TMPDIR",
        "RESULT_FD",
        "EXTRA",
        "PYTHON_VERSION",
        "PYTHON_SHA256",
    }
    assert "EXTRA=1" in names


@pytest.mark.parametrize(
    ("text", "limits", "ended"),
    [
        ("sleep 100", SHORT, "wall"),
        ("trap '' TERM HUP INT; while :; do sleep 1; done", SHORT, "wall"),
        ("while :; do :; done", SandboxLimits(cpu_s=1), "cpu"),
        ("yes", SandboxLimits(output=1000), "output"),
        ('yes > "/dev/fd/$RESULT_FD"', SandboxLimits(result=1000), "result"),
        ("head -c 1001 /dev/zero", SandboxLimits(output=1000), "output"),
    ],
    ids=["sleeps", "ignores signals", "computes", "endless output", "endless result", "a byte too much"],
)
def test_a_limit_ends_it_and_is_named(sandbox, text, limits, ended):
    ran = shell(sandbox, text, limits=limits)
    assert (ran.ended, ran.exit_code) == (ended, None)
    assert len(ran.output) <= limits.output
    assert len(ran.result) <= limits.result


def test_exactly_the_cap_is_no_fault(sandbox):
    ran = shell(sandbox, "head -c 1000 /dev/zero | tr '\\0' a", limits=SandboxLimits(output=1000))
    assert (ran.ended, ran.output) == ("exit", "a" * 1000)


def test_a_background_process_does_not_hold_it_up(sandbox):
    ran = shell(sandbox, "sleep 100 & echo done")
    assert (ran.ended, ran.exit_code, ran.output) == ("exit", 0, "done\n")
    assert ran.took_ms < 5000


def test_one_big_allocation_fails(sandbox):
    limits = SandboxLimits(memory=256 * 1024 * 1024)
    ran = sandbox.run(Job(argv=("python3", "-c", "bytearray(b'a') * 10 ** 10; print('HAD IT')"), limits=limits))
    assert "HAD IT" not in ran.output
    assert ran.exit_code != 0


def test_what_was_reached_stands_in_the_result(sandbox):
    assert shell(sandbox, "true").guarantees == sandbox.guarantees()


@pytest.mark.parametrize(
    ("way", "words"),
    [
        ("root", "bubblewrap"),
        ("ordinary", "memory=rlimit, processes=rlimit"),
        ("unsafe", "none, memory=rlimit, processes=none"),
    ],
)
def test_what_was_reached_is_said_truly(drivers, way, words):
    assert words in drivers(way)[0].guarantees().words()
