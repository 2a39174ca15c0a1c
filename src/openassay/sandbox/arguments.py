"""Writes bubblewrap's command line: what the jail shows, and nothing else.

The order matters: each option is one step, taken in turn. Not here: starting it (`bubblewrap`).
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from openassay.schema.sandbox import SandboxLimits

WORK = "/work"
TMP = "/tmp"  # noqa: S108 - the jail's own
SHARED_MEMORY = 16 * 1024 * 1024
"""Bytes of /dev/shm, or the limit `disk` where that is less."""
INSIDE_USER = 64999
"""User id that an ordinary user's jail shows; outside it is that user's own."""
SYSTEM_LINKS = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
"""Folders beside /usr, which most systems have as links into it."""
SETPRIV = "/usr/bin/setpriv"


class Jail(NamedTuple):
    """What stays the same for all jobs of a driver."""

    binds: tuple[tuple[str, str], ...]
    """Folder of the host, folder inside: read-only."""
    real_user: int | None
    """The real user id that the command runs under, where root starts it; else a namespace of our own user is made."""
    work: str = ""
    """Folder that becomes the work folder, writable; empty: a fresh one each time."""
    no_namespaces: bool = True
    """Bubblewrap knows `--disable-userns`, a second lock beside the filter."""


class Descriptors(NamedTuple):
    status: int
    go: int
    passwd: int
    filter: int | None


def arguments(jail: Jail, limits: SandboxLimits, environment: Mapping[str, str], fds: Descriptors) -> list[str]:
    """Bubblewrap's options and, as their end, the program inside that gives up what is left of privileges."""
    return [
        *("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"),
        *("--die-with-parent", "--new-session", "--hostname", "jail", "--clearenv"),
        *_system(),
        *_identity(fds.passwd),
        *("--dev", "/dev", "--proc", "/proc"),
        # The jail's first process is not to be looked into, written to or reprioritised; and of /proc nothing is
        # writable, not even what belongs to the command itself.
        *("--tmpfs", "/proc/1", "--remount-ro", "/proc/1", "--remount-ro", "/proc"),
        *_writable(jail.work, limits.disk),
        *_binds(jail.binds),
        *("--remount-ro", "/dev", "--remount-ro", "/", "--chdir", WORK),
        *_variables(environment),
        *("--json-status-fd", str(fds.status), "--block-fd", str(fds.go)),
        *(() if fds.filter is None else ("--seccomp", str(fds.filter))),
        *_privileges(jail),
    ]


def _system() -> Iterator[str]:
    """The system's programs, without its configuration, its users' folders and its running services."""
    yield from ("--ro-bind", "/usr", "/usr")
    for name in SYSTEM_LINKS:
        folder = Path("/", name)
        if folder.is_symlink():
            yield from ("--symlink", str(folder.readlink()).lstrip("/"), str(folder))
        elif folder.is_dir():
            yield from ("--ro-bind", str(folder), str(folder))
    yield from ("--perms", "0755", "--dir", "/etc")
    for file in ("/etc/ld.so.cache", "/etc/alternatives"):
        yield from ("--ro-bind-try", file, file)


def _identity(passwd: int) -> Iterator[str]:
    yield from ("--perms", "0644", "--ro-bind-data", str(passwd), "/etc/passwd")


def passwd(user: int) -> bytes:
    return f"root:x:0:0::/:/bin/false\njail:x:{user}:{user}::{WORK}:/bin/sh\n".encode()


def _writable(work: str, disk: int) -> Iterator[str]:
    yield from ("--perms", "1777", "--size", str(disk), "--tmpfs", TMP)
    yield from ("--perms", "1777", "--size", str(min(disk, SHARED_MEMORY)), "--tmpfs", "/dev/shm")  # noqa: S108
    if work:
        yield from ("--bind", work, WORK)
    else:
        yield from ("--perms", "0777", "--size", str(disk), "--tmpfs", WORK)


def _binds(binds: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Parents are made first: bubblewrap makes missing ones so that only root may pass them."""
    made: set[str] = set()
    for source, target in binds:
        for parent in reversed(PurePosixPath(target).parents[:-1]):
            if str(parent) not in made and parent.parts[1] not in {"usr", "work", "tmp", "dev", "proc", *SYSTEM_LINKS}:
                made.add(str(parent))
                yield from ("--perms", "0755", "--dir", str(parent))
        yield from ("--ro-bind", source, target)


def _variables(environment: Mapping[str, str]) -> Iterator[str]:
    for name, value in environment.items():
        yield from ("--setenv", name, value)


def _privileges(jail: Jail) -> Iterator[str]:
    if jail.real_user is None:
        user = str(INSIDE_USER)
        yield from ("--unshare-user", "--uid", user, "--gid", user)
        if jail.no_namespaces:
            yield "--disable-userns"
        yield from (SETPRIV, "--no-new-privs", "--")
        return
    user = str(jail.real_user)
    yield from ("--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP")
    yield from (SETPRIV, f"--reuid={user}", f"--regid={user}", "--clear-groups", "--no-new-privs")
    yield from ("--bounding-set=-all", "--inh-caps=-all", "--ambient-caps=-all", "--")
