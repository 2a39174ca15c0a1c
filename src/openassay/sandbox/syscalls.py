"""Numbers of the system calls that `seccomp` has rules for, by architecture.

They are part of the kernel's interface and never change. A call that one architecture lacks is absent there.
"""

from typing import NamedTuple


class Architecture(NamedTuple):
    audit: int
    """AUDIT_ARCH_... of the kernel: what a filter sees, so that no other call table can be used."""
    numbers: dict[str, int]


def _table(text: str) -> dict[str, int]:
    return {name: int(number) for name, number in (pair.split("=") for pair in text.split())}


_SAME = _table(
    "io_uring_setup=425 io_uring_enter=426 io_uring_register=427 open_tree=428 move_mount=429 fsopen=430 fsconfig=431 "
    "fsmount=432 fspick=433 clone3=435 pidfd_getfd=438 process_madvise=440 mount_setattr=442 quotactl_fd=443 "
    "memfd_secret=447 process_mrelease=448 open_tree_attr=467"
)
_X86_64 = _table(
    "ioctl=16 shmget=29 socket=41 socketpair=53 clone=56 fcntl=72 flock=73 ptrace=101 syslog=103 personality=135 "
    "setpriority=141 sched_setparam=142 sched_setscheduler=144 vhangup=153 modify_ldt=154 pivot_root=155 adjtimex=159 "
    "setrlimit=160 chroot=161 acct=163 settimeofday=164 mount=165 umount2=166 swapon=167 swapoff=168 reboot=169 "
    "sethostname=170 setdomainname=171 iopl=172 ioperm=173 init_module=175 delete_module=176 quotactl=179 "
    "lookup_dcookie=212 clock_settime=227 kexec_load=246 add_key=248 request_key=249 keyctl=250 ioprio_set=251 "
    "inotify_init=253 migrate_pages=256 unshare=272 move_pages=279 inotify_init1=294 perf_event_open=298 "
    "fanotify_init=300 fanotify_mark=301 prlimit64=302 name_to_handle_at=303 open_by_handle_at=304 clock_adjtime=305 "
    "setns=308 process_vm_readv=310 process_vm_writev=311 kcmp=312 finit_module=313 sched_setattr=314 "
    "memfd_create=319 kexec_file_load=320 bpf=321 userfaultfd=323"
)
_AARCH64 = _table(
    "lookup_dcookie=18 fcntl=25 inotify_init1=26 ioctl=29 ioprio_set=30 flock=32 umount2=39 mount=40 pivot_root=41 "
    "chroot=51 vhangup=58 quotactl=60 acct=89 personality=92 unshare=97 kexec_load=104 init_module=105 "
    "delete_module=106 clock_settime=112 syslog=116 ptrace=117 sched_setparam=118 sched_setscheduler=119 "
    "setpriority=140 reboot=142 sethostname=161 setdomainname=162 setrlimit=164 settimeofday=170 adjtimex=171 "
    "shmget=194 socket=198 socketpair=199 add_key=217 request_key=218 keyctl=219 clone=220 swapon=224 swapoff=225 "
    "migrate_pages=238 move_pages=239 perf_event_open=241 prlimit64=261 fanotify_init=262 fanotify_mark=263 "
    "name_to_handle_at=264 open_by_handle_at=265 clock_adjtime=266 setns=268 process_vm_readv=270 "
    "process_vm_writev=271 kcmp=272 finit_module=273 sched_setattr=274 memfd_create=279 bpf=280 userfaultfd=282 "
    "kexec_file_load=294"
)

ARCHITECTURES = {
    "x86_64": Architecture(0xC000003E, _SAME | _X86_64),
    "aarch64": Architecture(0xC00000B7, _SAME | _AARCH64),
}
"""By the name that `platform.machine` gives."""
