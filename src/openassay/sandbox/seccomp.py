"""The list of system calls that hostile code is refused, as a program for the kernel's seccomp filter.

A list of what is refused, not of what is allowed: solutions are written in any language, and a run-time that meets an
unexpected refusal fails in ways that look like the candidate's fault. What is refused is what reaches past the jail
(tracing, mounts, keys, modules, namespaces, rings), what escapes the bounds on memory where only each process is
bounded (memory without a mapping), and what could stall a neighbour (locks on shared files, priorities).

Not here: numbers of the calls (`syscalls`), loading the program (bubblewrap does, just before the command starts).
"""

import errno
import platform
import socket
import struct
from collections.abc import Callable, Iterable

from openassay.sandbox.syscalls import ARCHITECTURES, Architecture

_LOAD, _EQUAL, _AT_LEAST, _MASK, _RETURN = 0x20, 0x15, 0x35, 0x54, 0x06
"""Codes of classic BPF: load a word, jump on equal, jump on greater or equal, and, return."""
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
"""Offsets in the kernel's struct seccomp_data."""
_X32 = 0x40000000
"""Numbers from here on are a second way into the kernel on x86_64."""

NAMESPACES = 0x7E020000
"""All CLONE_NEW... flags."""
SET_LEASE, NOTIFY = 1024, 1026
PUSH_INPUT, CONSOLE = 0x5412, 0x541C
CORE = 4
"""Number of RLIMIT_CORE: see `rlimits` for why it must stay as it is."""

NOT_THERE = (
    "clone3 io_uring_setup io_uring_enter io_uring_register memfd_create memfd_secret shmget flock inotify_init "
    "inotify_init1 userfaultfd"
)
"""Answered "no such call", for which programs have another way."""
REFUSED = (
    "ptrace process_vm_readv process_vm_writev process_madvise process_mrelease pidfd_getfd kcmp migrate_pages "
    "move_pages setpriority ioprio_set sched_setscheduler sched_setparam sched_setattr "
    "mount umount2 pivot_root chroot setns unshare fsopen fsmount fsconfig fspick open_tree move_mount mount_setattr "
    "open_tree_attr quotactl quotactl_fd swapon swapoff acct name_to_handle_at open_by_handle_at fanotify_init "
    "fanotify_mark bpf perf_event_open keyctl add_key request_key kexec_load kexec_file_load init_module finit_module "
    "delete_module reboot syslog personality vhangup iopl ioperm modify_ldt lookup_dcookie sethostname setdomainname "
    "settimeofday clock_settime clock_adjtime adjtimex"
)
"""Answered "not permitted"."""

_Step = tuple[int, int, int, int]
"""Code, steps to jump over if true, if false, constant."""


def program(machine: str = "") -> bytes | None:
    """The filter for a machine, or None where the numbers of its system calls are not known here.

    Args:
        machine: as `platform.machine` names it; this one by default.
    """
    architecture = ARCHITECTURES.get(machine or platform.machine())
    if architecture is None:
        return None
    return b"".join(struct.pack("=HBBI", *step) for step in _steps(architecture))


def _steps(architecture: Architecture) -> list[_Step]:
    steps = [_load(_ARCHITECTURE), (_EQUAL, 1, 0, architecture.audit), (_RETURN, 0, 0, _KILL), _load(_NUMBER)]
    steps += [(_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _ERRNO | errno.ENOSYS)]
    number = architecture.numbers.get
    for names, code in ((NOT_THERE, errno.ENOSYS), (REFUSED, errno.EPERM)):
        for found in filter(None, map(number, names.split())):
            steps += [(_EQUAL, 0, 1, found), (_RETURN, 0, 0, _ERRNO | code)]
    for name, rule in _BY_ARGUMENT.items():
        body = rule()
        steps += [(_EQUAL, 0, len(body), architecture.numbers[name]), *body]
    return [*steps, (_RETURN, 0, 0, _ALLOW)]


def _load(offset: int) -> _Step:
    return (_LOAD, 0, 0, offset)


def _argument(index: int) -> _Step:
    """The low half; both architectures are little-endian."""
    return _load(_ARGUMENTS + 8 * index)


def _refuse(code: int) -> _Step:
    return (_RETURN, 0, 0, _ERRNO | code)


_ACCEPT: _Step = (_RETURN, 0, 0, _ALLOW)


def _only(index: int, allowed: Iterable[int], code: int, mask: int = 0xFFFFFFFF) -> list[_Step]:
    """Go on where an argument is one of a few values; refuse where it is not."""
    values = tuple(allowed)
    tests = [(_EQUAL, len(values) - place, 0, value) for place, value in enumerate(values)]
    return [_argument(index), (_MASK, 0, 0, mask), *tests, _refuse(code)]


def _none_of(index: int, values: Iterable[int]) -> list[_Step]:
    refused = [step for value in values for step in ((_EQUAL, 0, 1, value), _refuse(errno.EPERM))]
    return [_argument(index), *refused]


def _clone() -> list[_Step]:
    return [_argument(0), (_MASK, 0, 0, NAMESPACES), (_EQUAL, 1, 0, 0), _refuse(errno.EPERM), _ACCEPT]


def _socket() -> list[_Step]:
    """Plain streams and datagrams of IP and Unix; no raw, packet, netlink, vsock, bluetooth and what comes next."""
    return [
        *_only(0, (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6), errno.EAFNOSUPPORT),
        *_only(1, (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET), errno.EPERM, mask=0xF),
        *_only(2, (0, socket.IPPROTO_TCP, socket.IPPROTO_UDP), errno.EPROTONOSUPPORT),
        _ACCEPT,
    ]


def _socketpair() -> list[_Step]:
    return [*_only(0, (socket.AF_UNIX,), errno.EAFNOSUPPORT), _ACCEPT]


def _ioctl() -> list[_Step]:
    """Typing into a terminal on the user's behalf."""
    return [*_none_of(1, (PUSH_INPUT, CONSOLE)), _ACCEPT]


def _fcntl() -> list[_Step]:
    """Leases and directory signals, which hold up whoever else opens the file."""
    return [*_none_of(1, (SET_LEASE, NOTIFY)), _ACCEPT]


def _setrlimit() -> list[_Step]:
    return [*_none_of(0, (CORE,)), _ACCEPT]


def _prlimit() -> list[_Step]:
    """Only its own limits; and RLIMIT_CORE can be read (no new value: both halves of the pointer zero), not set."""
    new_low, new_high = _argument(2), _load(_ARGUMENTS + 8 * 2 + 4)
    return [
        *_only(0, (0,), errno.EPERM),
        _argument(1),
        (_EQUAL, 1, 0, CORE),
        _ACCEPT,
        new_low,
        (_EQUAL, 0, 2, 0),
        new_high,
        (_EQUAL, 1, 0, 0),
        _refuse(errno.EPERM),
        _ACCEPT,
    ]


_BY_ARGUMENT: dict[str, Callable[[], list[_Step]]] = {
    "clone": _clone,
    "socket": _socket,
    "socketpair": _socketpair,
    "ioctl": _ioctl,
    "fcntl": _fcntl,
    "setrlimit": _setrlimit,
    "prlimit64": _prlimit,
}
