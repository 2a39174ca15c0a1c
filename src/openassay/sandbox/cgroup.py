"""A control group for one job: bounds the memory and the number of processes of all that it starts together.

Version 2 where its memory and pids controllers are handed out below our own group, version 1 where both hierarchies
are writable. Nothing is switched on for the machine: where neither is at hand, `open_cgroup` says so by None.
"""

import os
import secrets
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

MOUNT = Path("/sys/fs/cgroup")
OWN = Path("/proc/self/cgroup")
PREFIX = "openassay-"
CLOSE_SECONDS = 2.0


class Cgroup:
    """Folders of one job's group: one in version 2, two in version 1."""

    def __init__(self, folders: tuple[Path, ...]) -> None:
        self.folders = folders

    def add(self, pid: int) -> None:
        """Move a process, before it starts others.

        Raises:
            OSError: the kernel does not let this user do so.
        """
        for folder in self.folders:
            (folder / "cgroup.procs").write_text(str(pid), encoding="ascii")

    def killed_for_memory(self) -> bool:
        for folder in self.folders:
            for name in ("memory.events", "memory.oom_control"):
                with suppress(OSError):
                    if _count((folder / name).read_text(encoding="ascii"), "oom_kill") > 0:
                        return True
        return False

    def close(self) -> None:
        """Remove the group. Version 1 can stay busy for a moment after its last process; `sweep` takes the rest."""
        deadline = time.monotonic() + CLOSE_SECONDS
        for folder in self.folders:
            while not _removed(folder) and time.monotonic() < deadline:
                time.sleep(0.002)


def open_cgroup(memory: int, processes: int, mount: Path = MOUNT, own: Path = OWN) -> Cgroup | None:
    """A new group with these bounds (bytes, number), or None where this user can make none here."""
    name = f"{PREFIX}{os.getpid()}-{secrets.token_hex(4)}"
    for parents, settings in _places(mount, own, memory, processes):
        group = Cgroup(tuple(parent / name for parent in parents))
        try:
            for folder in group.folders:
                folder.mkdir()
            _set(group, settings)
        except OSError:
            for folder in group.folders:
                _removed(folder)
            continue
        return group
    return None


def sweep(mount: Path = MOUNT, own: Path = OWN) -> None:
    """Remove the groups of jobs whose OpenAssay is gone."""
    for parents, _ in _places(mount, own, 0, 0):
        for parent in parents:
            for folder in parent.glob(f"{PREFIX}*"):
                if not Path("/proc", folder.name.split("-")[1]).exists():
                    _removed(folder)


Settings = dict[str, int]


def _places(mount: Path, own: Path, memory: int, processes: int) -> Iterator[tuple[tuple[Path, ...], Settings]]:
    """Where a group could be made, the best first, and what would be written there."""
    groups = _own_groups(own)
    for place in _version_2(mount, groups.get("", "/")):
        yield (place,), {"memory.max": memory, "memory.swap.max?": 0, "memory.oom.group?": 1, "pids.max": processes}
    memory_v1 = _version_1(mount / "memory", groups.get("memory", "/"))
    pids_v1 = _version_1(mount / "pids", groups.get("pids", "/"))
    if memory_v1 and pids_v1:
        limits = {"memory.limit_in_bytes": memory, "memory.memsw.limit_in_bytes?": memory, "pids.max": processes}
        yield (memory_v1, pids_v1), limits


def _own_groups(own: Path) -> dict[str, str]:
    """Controller -> our own group's path; "" is version 2."""
    found = {}
    with suppress(OSError):
        for line in own.read_text(encoding="utf-8").splitlines():
            _, controllers, path = line.split(":", 2)
            found.update(dict.fromkeys(controllers.split(","), path))
    return found


def _version_2(mount: Path, path: str) -> Iterator[Path]:
    """Our own group and those above it that hand both controllers down and let us write."""
    place = mount / path.lstrip("/")
    for folder in (place, *place.parents):
        with suppress(OSError):
            handed = (folder / "cgroup.subtree_control").read_text(encoding="ascii").split()
            if {"memory", "pids"} <= set(handed) and os.access(folder, os.W_OK):
                yield folder
        if folder == mount:
            return


def _version_1(hierarchy: Path, path: str) -> Path | None:
    for folder in (hierarchy / path.lstrip("/"), hierarchy):
        if os.access(folder, os.W_OK) and (folder / "cgroup.procs").exists():
            return folder
    return None


def _set(group: Cgroup, settings: Settings) -> None:
    """Write each setting where its file is; a name with a question mark may be missing."""
    for name, value in settings.items():
        file = name.rstrip("?")
        folder = next((folder for folder in group.folders if (folder / file).exists()), None)
        if folder is not None:
            (folder / file).write_text(str(value), encoding="ascii")
        elif not name.endswith("?"):
            raise FileNotFoundError(file)


def _count(text: str, name: str) -> int:
    counts = dict(line.split(" ", 1) for line in text.splitlines() if " " in line)
    return int(counts.get(name, "0"))


def _removed(folder: Path) -> bool:
    try:
        folder.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True
