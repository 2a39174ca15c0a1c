"""Hostile code in the jail, looked at from outside: nothing changed, no process left, the next run unharmed.

Each attack prints BROKEN and what it got where it gets through.
"""

import os
import platform
import textwrap
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from openassay.sandbox.syscalls import ARCHITECTURES
from openassay.schema.sandbox import Job, SandboxLimits

MEGABYTE = 1024 * 1024
LIMITS = SandboxLimits(wall_ms=1500, cpu_s=5, memory=192 * MEGABYTE, processes=24, disk=8 * MEGABYTE, output=50_000)
PATIENT = LIMITS.model_copy(update={"wall_ms": 20_000, "cpu_s": 20})
WAYS = ["root", "root without cgroup", "ordinary", "engine"]

PRELUDE = """
import os, sys, socket, ctypes, errno, signal, time
libc = ctypes.CDLL(None, use_errno=True)
def attempt(name, action):
    try:
        got = action()
    except (OSError, ValueError, MemoryError) as error:
        return error
    print('BROKEN', name, repr(got)[:200], flush=True)
def call(name, number, *arguments):
    ctypes.set_errno(0)
    if libc.syscall(number, *arguments) != -1 or ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS):
        print('BROKEN', name, errno.errorcode.get(ctypes.get_errno()), flush=True)
def read(path):
    with open(path, 'rb') as file:
        return file.read(100)
def write(path, text='x'):
    with open(path, 'w') as file:
        file.write(text)
"""


class Attack(NamedTuple):
    code: str
    ended: frozenset[str] = frozenset({"exit"})
    limits: SandboxLimits = PATIENT
    shell: bool = False


def sh(code, *ended, limits=PATIENT):
    return Attack(code, frozenset(ended or {"exit"}), limits, True)


def py(code, *ended, limits=PATIENT):
    return Attack(PRELUDE + textwrap.dedent(code), frozenset(ended or {"exit"}), limits)


NUMBERS = ARCHITECTURES[platform.machine()].numbers if platform.machine() in ARCHITECTURES else {}
WITH_EFFECT = {
    "ptrace": (0,),
    "personality": (0xFFFFFFFF,),
    "keyctl": (0, -4, 1),
    "add_key": (b"user", b"x", b"y", 1, -4),
    "memfd_create": (b"x", 0),
    "shmget": (0, 4096, 0o1600),
    "flock": (1, 2),
    "userfaultfd": (1,),
    "inotify_init1": (0,),
    "sched_setscheduler": (0, 3, bytes(8)),
    "setpriority": (0, 0, 5),
    "ioprio_set": (1, 0, 3 << 13),
    "unshare": (0x10000000,),
    "kcmp": (2, 2, 0, 0, 0),
    "name_to_handle_at": (-100, b"/", bytes(200), bytes(8), 0),
    "io_uring_setup": (8, bytes(200)),
}
"""Arguments with which a call would work, were it not refused; others are refused whatever they are given."""

ATTACKS = {
    # More than its share.
    "fork bomb in Python": py(
        """
        while True:
            try: os.fork()
            except OSError: pass
        """,
        "wall",
        "memory",
        limits=LIMITS,
    ),
    "fork bomb in sh": sh("bomb() { bomb | bomb & }; bomb 2>/dev/null; sleep 5", "wall", "exit", limits=LIMITS),
    "10 GB at once": py("attempt('memory', lambda: len(bytearray(b'a') * (10 << 30)))", "exit", "memory"),
    "10 GB growing": py("kept = []\nwhile True: kept.append(bytearray(b'a') * (1 << 20))", "exit", "memory"),
    "memory by shared mappings": py(
        """
        import mmap
        kept = []
        while True:
            kept.append(mmap.mmap(-1, 1 << 20)); kept[-1].write(b'a' * (1 << 20))
        """,
        "exit",
        "memory",
    ),
    "memory without mappings": py(
        f"call('memfd_create', {NUMBERS.get('memfd_create', 0)}, b'x', 0); "
        f"call('shmget', {NUMBERS.get('shmget', 0)}, 0, 1 << 30, 0o1600)"
    ),
    "endless output": py("while True: os.write(1, b'A' * 65536)", "output"),
    "endless result": py("while True: os.write(int(os.environ['RESULT_FD']), b'A' * 65536)", "result"),
    "filled disk": py(
        """
        total = 0
        for folder in ('/work', '/tmp', '/dev/shm'):
            for number in range(40):
                try:
                    with open(f'{folder}/f{number}', 'wb') as file:
                        for _ in range(4): total += file.write(bytes(1 << 20)); file.flush()
                except OSError: break
        if total > 27 << 20: print('BROKEN', total)
        """
    ),
    "one huge file": py(
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "attempt('truncate', lambda: os.truncate(os.open('/work/f', os.O_CREAT | os.O_RDWR), 1 << 40))"
    ),
    "filled with files": py(
        "n = 0\nwhile True:\n  open(f'/work/i{n}', 'w').close(); n += 1",
        "exit",
        "memory",
        "wall",
        limits=PATIENT.model_copy(update={"wall_ms": 4000}),
    ),
    "sleep": sh("sleep 600", "wall", limits=LIMITS),
    "burnt processor time": sh("while :; do :; done", "cpu", limits=PATIENT.model_copy(update={"cpu_s": 1})),
    "burnt with the signal ignored": py(
        "signal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass",
        "exit",
        "wall",
        limits=LIMITS.model_copy(update={"cpu_s": 1, "wall_ms": 4000}),
    ),
    "many open files": py(
        "kept = []\ntry:\n  while True: kept.append(os.dup(1))\nexcept OSError: pass\n"
        "if len(kept) > 300: print('BROKEN', len(kept))"
    ),
    "raised limits": py(
        """
        import resource
        for name in ('CPU', 'FSIZE', 'NOFILE', 'CORE', 'MSGQUEUE', 'RTPRIO', 'MEMLOCK'):
            number = getattr(resource, 'RLIMIT_' + name, None)
            if number is not None:
                attempt(name, lambda: resource.setrlimit(number, (1 << 40, 1 << 40)))
        attempt('core off', lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))
        """
    ),
    # What it must not read or write.
    "writing to the system": py(
        """
        for path in ('/x', '/usr/x', '/usr/bin/sh', '/etc/passwd', '/etc/x', '/dev/x', '/proc/sys/kernel/hostname',
                     '/proc/sys/vm/swappiness', '/proc/sysrq-trigger', '/opt/x', '/bin/x', '/lib/x', sys.prefix + '/x'):
            attempt(path, lambda: write(path))
            attempt('link ' + path, lambda: os.symlink('/work', path))
        for path in ('/usr', '/etc', '/etc/passwd', '/usr/bin/env', '/dev/null', '/'):
            attempt('chmod ' + path, lambda: os.chmod(path, 0o777))
            attempt('move ' + path, lambda: os.rename(path, path + '.old'))
        """
    ),
    "settings of the kernel": py(
        """
        for folder, _, files in os.walk('/proc/sys'):
            for path in (os.path.join(folder, file) for file in files):
                attempt(path, lambda: os.close(os.open(path, os.O_WRONLY)))
        """
    ),
    "reading others' things": py(
        """
        for path in ('/root', '/home', '/etc/shadow', '/etc/hosts', '/run', '/var', '/sys', '/boot', '/proc/kcore',
                     '/proc/kmsg', '/mnt', SECRET, os.path.dirname(SECRET)):
            attempt(path, lambda: os.listdir(path) if os.path.isdir(path) and path not in sys.prefix else read(path))
        for base in ('/proc/1/root', '/proc/self/cwd/..', '/proc/thread-self/root'):
            attempt(base + SECRET, lambda: read(base + SECRET))
        """
    ),
    "the first process": py(
        """
        for name in ('environ', 'mem', 'maps', 'root/etc', 'cwd', 'fd/0', 'exe', 'task/1/mem'):
            attempt(name, lambda: read('/proc/1/' + name))
        attempt('mem', lambda: os.close(os.open('/proc/1/mem', os.O_RDWR)))
        attempt('oom', lambda: write('/proc/1/oom_score_adj', '1000'))
        attempt('own oom', lambda: write('/proc/self/oom_score_adj', '-1000'))
        attempt('renice', lambda: os.setpriority(os.PRIO_PROCESS, 1, 19))
        attempt('renice all', lambda: os.setpriority(os.PRIO_USER, 0, 19))
        import resource
        attempt('prlimit', lambda: resource.prlimit(1, resource.RLIMIT_NOFILE))
        for number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM, signal.SIGSEGV):
            try: os.kill(1, number)
            except PermissionError: pass
        time.sleep(0.1)
        """
    ),
    "environment": py(
        "print('BROKEN') if 'FAKE_KEY' in repr(os.environ) else None\n"
        "for pid in filter(str.isdigit, os.listdir('/proc')):\n"
        "  try: print('BROKEN') if b'FAKE_KEY' in read(f'/proc/{pid}/environ') else None\n"
        "  except OSError: pass"
    ),
    "other processes": py(
        """
        pids = [int(pid) for pid in os.listdir('/proc') if pid.isdigit()]
        if len(pids) > 4: print('BROKEN', pids)
        for pid in range(2, 400):
            if pid != os.getpid() and pid not in pids: attempt(f'kill {pid}', lambda: os.kill(pid, 9))
        attempt('bystander', lambda: os.kill(BYSTANDER, 9) if BYSTANDER not in pids else 1 / int(''))
        """
    ),
    "kill all": py("try: os.kill(-1, 9)\nexcept OSError: pass"),
    "open descriptors": py(
        """
        known = {0, 1, 2, int(os.environ['RESULT_FD'])}
        extra = [fd for fd in range(3, 1000) if fd not in known and os.path.lexists(f'/proc/self/fd/{fd}')]
        if extra: print('BROKEN', extra)
        """
    ),
    "devices": py(
        """
        names = {'core', 'fd', 'full', 'null', 'ptmx', 'pts', 'random', 'shm', 'stderr', 'stdin', 'stdout', 'tty',
                 'urandom', 'zero', 'console', 'mqueue'}
        if set(os.listdir('/dev')) - names: print('BROKEN', os.listdir('/dev'))
        import stat
        for kind in (stat.S_IFBLK, stat.S_IFCHR):
            attempt('mknod', lambda: os.mknod('/work/device', kind | 0o666, os.makedev(1, 1)))
        attempt('tty', lambda: os.open('/dev/tty', os.O_RDWR))
        attempt('core', lambda: read('/dev/core'))
        """
    ),
    # The network.
    "the network": py(
        """
        for address in (('127.0.0.1', PORT), ('10.0.0.1', 80), ('169.254.169.254', 80), ('192.0.2.1', 53)):
            attempt(address, lambda: socket.create_connection(address, 1))
        attempt('ipv6', lambda: socket.create_connection(('::1', PORT), 1))
        def abstract():
            with socket.socket(socket.AF_UNIX) as one: one.connect('\\0' + UNIX)
        attempt('abstract socket', abstract)
        attempt('name service', lambda: socket.getaddrinfo('example.org', 80))
        with open('/proc/net/dev') as file:
            names = {line.split(':')[0].strip() for line in file if ':' in line}
        if names - {'lo'}: print('BROKEN', names)
        """
    ),
    "other kinds of sockets": py(
        """
        for family in set(range(60)) - {socket.AF_UNIX, socket.AF_INET, socket.AF_INET6}:
            for kind in (1, 2, 3, 5):
                attempt(f'family {family} {kind}', lambda: socket.socket(family, kind))
        for family in (socket.AF_INET, socket.AF_INET6):
            attempt('raw', lambda: socket.socket(family, socket.SOCK_RAW, 1))
            for protocol in (1, 2, 132, 33, 136, 262):
                attempt(f'protocol {protocol}', lambda: socket.socket(family, 1, protocol))
                attempt(f'protocol {protocol}', lambda: socket.socket(family, 2, protocol))
        """
    ),
    # More rights.
    "namespaces by programs": sh(
        "unshare -Ur true && echo BROKEN u; unshare -m true && echo BROKEN m; "
        "unshare -n true && echo BROKEN n; nsenter -t 1 -m true && echo BROKEN e; "
        "bwrap --unshare-user --ro-bind / / true && echo BROKEN b; true"
    ),
    "mounts by programs": sh(
        "mount -t tmpfs none /work && echo BROKEN; mount -o remount,rw / && echo BROKEN; "
        "mount -t proc none /tmp && echo BROKEN; umount /proc/1 && echo BROKEN; "
        "umount -l /usr && echo BROKEN; chroot / true && echo BROKEN; true"
    ),
    "setuid programs": sh(
        "for p in /usr/bin/su /usr/bin/sudo /usr/bin/passwd /usr/bin/mount /usr/bin/newgrp; do "
        "[ -x $p ] && timeout 1 $p --version >/dev/null 2>&1; done; "
        "grep -q 'NoNewPrivs:.1' /proc/self/status || echo BROKEN; "
        "grep -q 'CapEff:.0000000000000000' /proc/self/status || echo BROKEN; "
        "grep -q 'CapPrm:.0000000000000000' /proc/self/status || echo BROKEN; "
        "cp /usr/bin/id /work/id; chmod 6755 /work/id; [ $(/work/id -u) != 0 ] || echo BROKEN; "
        "timeout 2 sudo -n id -u | grep -qx 0 && echo BROKEN; true"
    ),
    "another user id": py(
        """
        for number in (0, 1, 1000, 65534):
            if number != os.getuid():
                attempt(f'uid {number}', lambda: os.setuid(number))
                attempt(f'gid {number}', lambda: os.setgid(number))
        attempt('groups', lambda: os.setgroups([0]))
        attempt('owner', lambda: os.chown('/work', 0, 0))
        if os.getuid() == 0 or os.geteuid() == 0: print('BROKEN root')
        """
    ),
    "refused system calls": py(
        "".join(
            f"call({name!r}, {NUMBERS[name]}, *{WITH_EFFECT.get(name, (0, 0, 0, 0, 0))!r})\n"
            for name in NUMBERS
            if name not in {"clone", "socket", "socketpair", "ioctl", "fcntl", "setrlimit", "prlimit64"}
        )
    ),
    "namespaces by clone": py(
        f"for flag in (0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000):\n"
        f"  call(hex(flag), {NUMBERS.get('clone', 0)}, flag | 17, 0, 0, 0, 0)"
    ),
    "another call table": py(
        "child = os.fork()\nif child == 0:\n"
        "  number = libc.syscall(0x40000000 + 39)\n  os._exit(7 if number == os.getpid() else 0)\n"
        "if os.waitpid(child, 0)[1] == 7 << 8: print('BROKEN x32')"
        if platform.machine() == "x86_64"
        else "pass"
    ),
    "typing for the user": py(
        """
        import fcntl, termios
        for descriptor in (0, 1, 2):
            attempt('TIOCSTI', lambda: fcntl.ioctl(descriptor, termios.TIOCSTI, b'x'))
        """
    ),
    "locks on shared files": py(
        """
        import fcntl
        descriptor = os.open('/usr/bin/env', os.O_RDONLY)
        attempt('flock', lambda: fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB))
        attempt('write lock', lambda: fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB))
        attempt('lease', lambda: fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK))
        attempt('notify', lambda: fcntl.fcntl(os.open('/usr', os.O_RDONLY), fcntl.F_NOTIFY, fcntl.DN_CREATE))
        """
    ),
    "links out of the work folder": py(
        """
        os.symlink('/etc/shadow', '/work/shadow'); os.symlink('/proc/1/root', '/tmp/root')
        os.symlink(SECRET, '/work/secret'); os.symlink('/', '/work/top')
        for path in ('/work/shadow', '/tmp/root/etc', '/work/secret', '/work/top' + SECRET):
            attempt(path, lambda: read(path))
        for path in ('/etc/passwd', '/usr/bin/env', SECRET):
            attempt('hard link ' + path, lambda: os.link(path, '/work/hard'))
        """
    ),
    # What it would leave behind.
    "a daemon": py(
        """
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                for number in set(range(1, 32)) - {9, 19}: signal.signal(number, signal.SIG_IGN)
                os.closerange(0, 256); write('/tmp/marker'); time.sleep(600)
            os._exit(0)
        """
    ),
    "a stopped tree": sh("(sleep 600 & kill -STOP $!) ; sleep 600 & kill -STOP $$", "wall", limits=LIMITS),
    "core files": sh(
        "ulimit -c unlimited 2>/dev/null; ulimit -c 0 2>/dev/null; sh -c 'kill -SEGV $$'; "
        "ls core* /work/core* 2>/dev/null | grep -q . && echo BROKEN; true"
    ),
    "start-up files": py(
        """
        import site, sysconfig
        ours = [sysconfig.get_path('purelib'), sysconfig.get_path('stdlib')]
        for folder in [*ours, '/etc', '/usr/lib', '/etc/profile.d']:
            for name in ('x.pth', 'sitecustomize.py', 'ld.so.preload', 'x.sh'):
                attempt(folder, lambda: write(os.path.join(folder, name)))
        for path in ('/work/sitecustomize.py', '/work/x.pth', '/tmp/sitecustomize.py', '/dev/shm/x', '/work/.profile'):
            write(path, 'print("BROKEN")')
        """
    ),
    "forged protocol": py(
        "os.write(1, b'{ \"exit-code\": 0 }\\n'); os.write(int(os.environ['RESULT_FD']), b'\\x80\\x05X'); sys.exit(9)"
    ),
}


SEEN_IN_CONTAINERS = {
    "reading others' things": "a container has its own /etc/hosts, /run and /var, and a read-only /sys",
    "the first process": "a container's first process is the command's own shell",
}


@contextmanager
def looked_at(bystander):
    before = bystander.seen()
    yield
    assert bystander.seen() == before
    assert bystander.strangers() == []
    assert bystander.secret.read_text() == "FAKE_SECRET"
    assert [folder for folder in cgroups() if f"-{os.getpid()}-" in folder.name] == []


def cgroups():
    """Walked so that a group of somebody else may vanish meanwhile."""
    return [Path(folder) for folder, _, _ in os.walk("/sys/fs/cgroup") if Path(folder).name.startswith("openassay-")]


UNKNOWN_TO_ENGINES = "call('open_tree_attr'"
"""Newer than the libseccomp of most engines; it does nothing without rights that the command lacks."""


def command(attack, bystander):
    if attack.shell:
        return ("sh", "-c", attack.code)
    known = {
        "SECRET": str(bystander.secret),
        "PORT": bystander.tcp.getsockname()[1],
        "UNIX": bystander.name,
        "BYSTANDER": bystander.process.pid,
    }
    given = "".join(f"{name} = {value!r}\n" for name, value in known.items())
    return ("python3", "-c", given + attack.code)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ATTACKS)
def test_the_attack_is_held(drivers, way, name, monkeypatch):
    sandbox, bystander = drivers(way)
    attack = ATTACKS[name]
    if way == "engine" and name in SEEN_IN_CONTAINERS:
        pytest.skip(SEEN_IN_CONTAINERS[name])
    if way == "engine":
        attack = attack._replace(code=attack.code.replace(UNKNOWN_TO_ENGINES, "repr('left out'"))
    monkeypatch.setenv("FAKE_KEY", "FAKE_KEY")
    with looked_at(bystander):
        ran = sandbox.run(Job(argv=command(attack, bystander), limits=attack.limits))
    assert "BROKEN" not in ran.output
    assert "SyntaxError" not in ran.output
    assert "NameError" not in ran.output
    assert ran.ended in attack.ended, ran.output[-500:]
    assert ran.took_ms < attack.limits.wall_ms + 6000
    after = sandbox.run(
        Job(argv=("sh", "-c", "ls -A /work /tmp /dev/shm; nproc >/dev/null && echo well"), limits=PATIENT)
    )
    assert after.output == "/dev/shm:\n\n/tmp:\n\n/work:\nwell\n"  # noqa: S108 - the jail's own


@pytest.mark.parametrize(
    "name", ["memory without mappings", "the network", "other kinds of sockets", "environment", "namespaces by clone"]
)
def test_the_attack_would_get_through_elsewhere(drivers, name):
    """Harmless ones only: that an attack prints nothing in the jail means something."""
    if os.geteuid() != 0:
        pytest.skip("needs root: an ordinary user is refused some of them anywhere")
    sandbox, bystander = drivers("unsafe")
    job = Job(argv=command(ATTACKS[name], bystander), environment={"HOME": "FAKE_KEY"}, limits=PATIENT)
    assert "BROKEN" in sandbox.run(job).output


def test_two_at_a_time_do_not_meet(drivers):
    sandbox, _ = drivers("root" if os.geteuid() == 0 else "ordinary")
    bomb = Job(argv=("sh", "-c", ATTACKS["fork bomb in sh"].code), limits=LIMITS)
    # The shell lists by itself: a second process that lists would count itself, or not yet.
    looks = "for i in 1 2 3 4 5; do sleep 0.1; ls -A /work /tmp; done; echo /proc/[0-9]*"
    seen = Job(argv=("sh", "-c", looks))
    alone = sandbox.run(seen).output
    with ThreadPoolExecutor(2) as pool:
        bombing = pool.submit(sandbox.run, bomb)
        beside = pool.submit(sandbox.run, seen).result()
        assert bombing.result().ended in {"wall", "exit"}  # the shell may be refused its own last fork
    assert _processes(beside.output) == _processes(alone) <= 3  # the first, and the shell
    assert beside.exit_code == 0


def _processes(listed):
    return len(listed.splitlines()[-1].split())


@pytest.mark.slow
def test_many_attacks_leave_no_descriptor_and_no_process(drivers):
    sandbox, bystander = drivers("root" if os.geteuid() == 0 else "ordinary")
    before = len(list(Path("/proc/self/fd").iterdir()))
    for name in ("a daemon", "endless output", "kill all", "core files") * 5:
        sandbox.run(Job(argv=command(ATTACKS[name], bystander), limits=PATIENT))
    assert len(list(Path("/proc/self/fd").iterdir())) == before
    assert bystander.strangers() == []
