"""The rules of `seccomp` in the words that container engines read, so that every driver refuses the same calls."""

import errno
from typing import Any

from openassay.sandbox.seccomp import CONSOLE, CORE, NAMESPACES, NOT_THERE, NOTIFY, PUSH_INPUT, REFUSED, SET_LEASE

ALLOW, REFUSE = "SCMP_ACT_ALLOW", "SCMP_ACT_ERRNO"
HIGHEST_FAMILY = 10
"""IPv6; of those below, Unix (1) and IPv4 (2) are allowed."""
REFUSED_PROTOCOLS = (1, 2, 33, 132, 136, 255, 262)
"""ICMP, IGMP, DCCP, SCTP, UDP-Lite, raw, multipath TCP; others do not exist as sockets of an ordinary user."""

Rule = dict[str, Any]


def profile() -> dict[str, Any]:
    """As `--security-opt seccomp=FILE` takes it."""
    return {
        "defaultAction": ALLOW,
        "syscalls": [
            _rule(NOT_THERE.split(), errno.ENOSYS),
            _rule(REFUSED.split(), errno.EPERM),
            *_clone(),
            *_socket(),
            *(_rule(["ioctl"], errno.EPERM, _equal(1, command)) for command in (PUSH_INPUT, CONSOLE)),
            *(_rule(["fcntl"], errno.EPERM, _equal(1, command)) for command in (SET_LEASE, NOTIFY)),
            _rule(["setrlimit"], errno.EPERM, _equal(0, CORE)),
            _rule(["prlimit64"], errno.EPERM, _compare(0, 0, "SCMP_CMP_NE")),
            _rule(["prlimit64"], errno.EPERM, _equal(1, CORE), _compare(2, 0, "SCMP_CMP_NE")),
        ],
    }


def _clone() -> list[Rule]:
    flags = [1 << bit for bit in range(32) if NAMESPACES & 1 << bit]
    return [_rule(["clone"], errno.EPERM, _compare(0, flag, "SCMP_CMP_MASKED_EQ", flag)) for flag in flags]


def _socket() -> list[Rule]:
    names = ["socket", "socketpair"]
    families = [family for family in range(HIGHEST_FAMILY) if family not in {1, 2}]
    rules = [_rule(names, errno.EAFNOSUPPORT, _equal(0, family)) for family in families]
    rules.append(_rule(names, errno.EAFNOSUPPORT, _compare(0, HIGHEST_FAMILY, "SCMP_CMP_GT")))
    rules += [_rule(["socket"], errno.EPROTONOSUPPORT, _equal(2, protocol)) for protocol in REFUSED_PROTOCOLS]
    return rules


def _rule(names: list[str], code: int, *arguments: Rule) -> Rule:
    return {"names": names, "action": REFUSE, "errnoRet": code, "args": list(arguments)}


def _equal(index: int, value: int) -> Rule:
    return _compare(index, value, "SCMP_CMP_EQ")


def _compare(index: int, value: int, how: str, second: int = 0) -> Rule:
    return {"index": index, "value": value, "valueTwo": second, "op": how}
