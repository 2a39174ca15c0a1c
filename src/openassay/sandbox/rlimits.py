"""Turns limits into the kernel's limits of one process, and lays them on a process that has not begun yet.

Each process that the command starts inherits them, so they bound each process, not their sum.
"""

import resource

from openassay.schema.sandbox import SandboxLimits

Rlimits = dict[int, tuple[int, int]]
"""Number of a limit -> soft and hard value."""

CORE = 1
"""Not 0: a core file piped to a program of the system is written whatever the limit, except for exactly 1 byte."""
LOCKED_MEMORY = 64 * 1024
PENDING_SIGNALS = 1024


def always(limits: SandboxLimits) -> Rlimits:
    """What holds with and without control groups."""
    files, disk = limits.open_files, limits.disk
    return {
        resource.RLIMIT_CORE: (CORE, CORE),
        # The second in between lets the first signal end it under a name of its own.
        resource.RLIMIT_CPU: (limits.cpu_s, limits.cpu_s + 1),
        resource.RLIMIT_FSIZE: (disk, disk),
        resource.RLIMIT_NOFILE: (files, files),
        resource.RLIMIT_MEMLOCK: (LOCKED_MEMORY, LOCKED_MEMORY),
        resource.RLIMIT_SIGPENDING: (PENDING_SIGNALS, PENDING_SIGNALS),
        resource.RLIMIT_MSGQUEUE: (0, 0),
        resource.RLIMIT_RTPRIO: (0, 0),
        resource.RLIMIT_NICE: (0, 0),
    }


def without_cgroup(limits: SandboxLimits) -> Rlimits:
    """What stands in where no control group bounds memory and processes together."""
    # One more for the jail's first process, which an ordinary user's jail counts too.
    return address_space(limits) | {resource.RLIMIT_NPROC: (limits.processes + 1, limits.processes + 1)}


def address_space(limits: SandboxLimits) -> Rlimits:
    return {resource.RLIMIT_AS: (limits.memory, limits.memory)}


def impose(pid: int, rlimits: Rlimits) -> None:
    """Lay limits on a process; never above what it has already, which only root could raise.

    Raises:
        OSError: the process is gone or belongs to somebody else.
    """
    for number, (soft, hard) in rlimits.items():
        _, highest = resource.prlimit(pid, number)
        if highest != resource.RLIM_INFINITY:
            soft, hard = min(soft, highest), min(hard, highest)  # noqa: PLW2901
        resource.prlimit(pid, number, (soft, hard))
