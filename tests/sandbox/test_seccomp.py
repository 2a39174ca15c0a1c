"""The filter program, run by a small interpreter of its own, for both architectures."""

import ctypes
import ctypes.util
import errno
import struct

import pytest

from openassay.sandbox.profile import profile
from openassay.sandbox.seccomp import program
from openassay.sandbox.syscalls import ARCHITECTURES

ALLOWED = 0x7FFF0000
KILLED = 0x80000000
MACHINES = list(ARCHITECTURES)


def verdict(machine, number, *arguments, audit=None):
    """What the kernel would answer: 0 for allowed, an errno, or KILLED."""
    audit = ARCHITECTURES[machine].audit if audit is None else audit
    data = struct.pack("<IIQ6Q", number, audit, 0, *arguments, *[0] * (6 - len(arguments)))
    steps = list(struct.iter_unpack("=HBBI", program(machine)))
    place = value = 0
    while True:
        code, true, false, constant = steps[place]
        place += 1
        if code == 0x20:
            (value,) = struct.unpack_from("<I", data, constant)
        elif code == 0x54:
            value &= constant
        elif code == 0x06:
            return 0 if constant == ALLOWED else constant & 0xFFFF if constant < ALLOWED else constant
        else:
            place += true if (value == constant if code == 0x15 else value >= constant) else false


def call(machine, name, *arguments):
    return verdict(machine, ARCHITECTURES[machine].numbers[name], *arguments)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("ptrace", (0,), errno.EPERM),
        ("clock_settime", (0,), errno.EPERM),
        ("memfd_create", (0,), errno.ENOSYS),
        ("clone3", (0,), errno.ENOSYS),
        ("clone", (17,), 0),
        ("clone", (0x3D0F00,), 0),
        ("clone", (0x10000000 | 17,), errno.EPERM),
        ("clone", (0x20000,), errno.EPERM),
        ("socket", (2, 1, 0), 0),
        ("socket", (2, 1 | 0x80000, 6), 0),
        ("socket", (10, 2 | 0x800, 17), 0),
        ("socket", (1, 5, 0), 0),
        ("socket", (2, 3, 0), errno.EPERM),
        ("socket", (2, 1, 262), errno.EPROTONOSUPPORT),
        ("socket", (16, 3, 0), errno.EAFNOSUPPORT),
        ("socket", (17, 2, 0), errno.EAFNOSUPPORT),
        ("socket", (40, 1, 0), errno.EAFNOSUPPORT),
        ("socketpair", (1, 1, 0), 0),
        ("socketpair", (30, 1, 0), errno.EAFNOSUPPORT),
        ("ioctl", (0, 0x5401), 0),
        ("ioctl", (0, 0x5412), errno.EPERM),
        ("ioctl", (0, 0x100005412), errno.EPERM),
        ("fcntl", (3, 6), 0),
        ("fcntl", (3, 1024), errno.EPERM),
        ("setrlimit", (7, 1), 0),
        ("setrlimit", (4, 1), errno.EPERM),
        ("prlimit64", (0, 7, 1), 0),
        ("prlimit64", (1, 7, 0), errno.EPERM),
        ("prlimit64", (0, 4, 0), 0),
        ("prlimit64", (0, 4, 1), errno.EPERM),
        ("prlimit64", (0, 4, 1 << 32), errno.EPERM),
    ],
)
def test_a_call_is_allowed_or_refused(machine, name, arguments, expected):
    assert call(machine, name, *arguments) == expected


@pytest.mark.parametrize("machine", MACHINES)
def test_calls_without_a_rule_are_allowed(machine):
    with_rules = set(ARCHITECTURES[machine].numbers.values())
    assert [number for number in range(425) if number not in with_rules and verdict(machine, number) != 0] == []


@pytest.mark.parametrize("machine", MACHINES)
def test_other_call_tables_are_closed(machine):
    assert verdict(machine, 0, audit=0x40000003) == KILLED
    assert verdict(machine, 0x40000000 + 39) == errno.ENOSYS


def test_an_unknown_machine_has_no_filter():
    assert program("vax") is None


@pytest.mark.parametrize("machine", MACHINES)
def test_numbers_agree_with_libseccomp(machine):
    found = ctypes.util.find_library("seccomp")
    if found is None:
        pytest.skip("libseccomp is not installed: the numbers cannot be compared with it")
    resolve = ctypes.CDLL(found).seccomp_syscall_resolve_name_arch
    resolve.argtypes = [ctypes.c_uint32, ctypes.c_char_p]
    architecture = ARCHITECTURES[machine]
    known = {name: resolve(architecture.audit, name.encode()) for name in architecture.numbers}
    wrong = {name: number for name, number in known.items() if number >= 0 and number != architecture.numbers[name]}
    assert wrong == {}
    assert sum(number >= 0 for number in known.values()) > 60


def test_engines_are_given_the_same_rules():
    """Every call with a rule in the filter has one in the profile, and no other."""
    named = {name for rule in profile()["syscalls"] for name in rule["names"]}
    assert named == {name for architecture in ARCHITECTURES.values() for name in architecture.numbers}
