"""Control groups of both versions on made-up trees; the real ones are in the attacks."""

import os

import pytest

from openassay.sandbox.cgroup import PREFIX, open_cgroup, sweep


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.fixture
def version_2(tmp_path):
    mount = tmp_path / "cgroup"
    write(mount / "cgroup.subtree_control", "cpu memory pids\n")
    write(mount / "a" / "cgroup.subtree_control", "memory pids\n")
    write(mount / "a" / "b" / "cgroup.subtree_control", "\n")
    write(tmp_path / "own", "0::/a/b\n")
    return mount, tmp_path / "own"


def test_version_2_needs_both_controllers(version_2):
    mount, own = version_2
    for folder in (mount, mount / "a"):
        write(folder / "cgroup.subtree_control", "memory\n")
    assert open_cgroup(1000, 10, mount, own) is None


def test_a_group_without_its_files_is_given_up_and_removed(version_2):
    mount, own = version_2
    assert open_cgroup(1000, 10, mount, own) is None
    assert list(mount.rglob(f"{PREFIX}*")) == []


def test_nothing_is_made_where_there_are_no_groups(tmp_path):
    write(tmp_path / "own", "0::/\n")
    assert open_cgroup(1000, 10, tmp_path / "nowhere", tmp_path / "own") is None
    assert open_cgroup(1000, 10, tmp_path / "nowhere", tmp_path / "no own") is None


def test_sweep_removes_groups_of_the_dead_only(version_2):
    mount, own = version_2
    dead, alive = mount / "a" / f"{PREFIX}4999999-aa", mount / "a" / f"{PREFIX}{os.getpid()}-aa"
    dead.mkdir()
    alive.mkdir()
    sweep(mount, own)
    assert (dead.exists(), alive.exists()) == (False, True)
