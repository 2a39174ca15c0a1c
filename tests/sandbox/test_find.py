import pytest

from openassay.sandbox.bubblewrap import Bubblewrap
from openassay.sandbox.docker import engine
from openassay.sandbox.find import find_sandbox, todo, tried
from openassay.sandbox.unsafe import NOTHING, Unsafe
from openassay.schema.errors import SandboxError
from openassay.schema.sandbox import Job, Ran


class Broken:
    def guarantees(self):
        return NOTHING

    def run(self, job):
        return Ran(ended="exit", exit_code=1, output="no such luck\n", result=b"", took_ms=1, guarantees=NOTHING)


@pytest.fixture
def without_programs(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def program(folder, name, text):
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def test_a_sandbox_that_works_is_found(drivers):
    drivers("ordinary")
    assert find_sandbox().guarantees().driver == "bubblewrap"


def test_without_bubblewrap_it_says_what_to_install(without_programs):
    with pytest.raises(SandboxError) as caught:
        find_sandbox()
    assert caught.value.lines() == [
        "no sandbox works here: bubblewrap is not installed",
        "  do: run `apt-get install bubblewrap`",
    ]


def test_an_old_bubblewrap_is_refused(without_programs):
    program(without_programs, "bwrap", "echo bubblewrap 0.6.1")
    with pytest.raises(SandboxError, match=r"0\.7 or later is needed, and .*bwrap is 0\.6\.1"):
        find_sandbox()


def test_a_bubblewrap_that_the_system_forbids_is_quoted(without_programs):
    said = "bwrap: setting up uid map: Permission denied"
    program(without_programs, "bwrap", f"[ $1 = --version ] && echo bubblewrap 0.9.0 || echo {said}")
    with pytest.raises(SandboxError) as caught:
        find_sandbox()
    assert said in caught.value.what
    assert caught.value.todo


def test_a_sandbox_that_does_not_do_what_it_is_told_is_refused():
    with pytest.raises(SandboxError, match="no such luck"):
        tried(Broken())


def test_only_the_users_word_runs_without_one(without_programs):
    assert isinstance(find_sandbox(unsafe=True), Unsafe)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("kernel/apparmor_restrict_unprivileged_userns", "1", "AppArmor"),
        ("kernel/unprivileged_userns_clone", "0", "sysctl kernel.unprivileged_userns_clone=1"),
        ("user/max_user_namespaces", "0", "max_user_namespaces"),
        ("kernel/unprivileged_userns_clone", "1", "apt-get install bubblewrap"),
    ],
)
def test_the_setting_that_forbids_is_named(tmp_path, name, value, words):
    (tmp_path / name).parent.mkdir()
    (tmp_path / name).write_text(f"{value}\n")
    assert words in todo(tmp_path)


def test_no_engine_answers_where_none_is_installed(without_programs):
    assert engine() is None


def test_further_folders_can_be_shown(drivers, tmp_path):
    drivers("ordinary")
    (tmp_path / "hello").write_text("hello")
    tmp_path.chmod(0o755)
    sandbox = Bubblewrap(binds=[(str(tmp_path), "/srv/deep/given")])
    ran = sandbox.run(Job(argv=("sh", "-c", "cat /srv/deep/given/hello; echo x > /srv/deep/given/x")))
    assert ran.output.startswith("hello")
    assert [path.name for path in tmp_path.iterdir()] == ["hello"]
