"""Finds the sandbox of this machine by really running something harmless in it, or says what to install.

Bubblewrap first, then a container engine that answers and has the image at hand.
"""

from pathlib import Path

from openassay.sandbox.bubblewrap import Bubblewrap
from openassay.sandbox.docker import Docker, engine
from openassay.sandbox.sandbox import Sandbox
from openassay.sandbox.unsafe import Unsafe
from openassay.schema.errors import SandboxError
from openassay.schema.sandbox import Job, SandboxLimits

SETTINGS = {
    "kernel/unprivileged_userns_clone": ("0", "sudo sysctl kernel.unprivileged_userns_clone=1"),
    "kernel/apparmor_restrict_unprivileged_userns": ("1", "an AppArmor profile for /usr/bin/bwrap (docs/sandbox.md)"),
    "user/max_user_namespaces": ("0", "sudo sysctl user.max_user_namespaces=10000"),
}
"""Kernel setting -> the value that forbids an ordinary user a jail, and what lifts it."""
TRIAL = SandboxLimits(wall_ms=30_000)


def find_sandbox(*, unsafe: bool = False) -> Sandbox:
    """The best driver that works here.

    Args:
        unsafe: no sandbox at all, on the user's own word.

    Raises:
        SandboxError: none works; says what to install or to allow.
    """
    if unsafe:
        return Unsafe()
    try:
        return tried(Bubblewrap())
    except SandboxError as error:
        first = error
    name = engine()
    if name is None:
        raise SandboxError(f"no sandbox works here: {first.what}", todo=first.todo or todo())
    try:
        return tried(Docker(name))
    except SandboxError as error:
        what = f"no sandbox works here: {first.what}; {error.what}"
        raise SandboxError(what, todo=first.todo or error.todo or todo()) from None


def tried(sandbox: Sandbox) -> Sandbox:
    """The sandbox, once a harmless command has come back from it with what it was to say.

    Raises:
        SandboxError: it does not work here.
    """
    ran = sandbox.run(Job(argv=("/bin/sh", "-c", "cat hello"), files={"hello": b"hello"}, limits=TRIAL))
    if ran.exit_code != 0 or ran.output != "hello":
        name = sandbox.guarantees().driver
        raise SandboxError(f"{name} is here but does not work: {ran.output.strip()[:500] or ran.ended}", todo=todo())
    return sandbox


def todo(settings: Path = Path("/proc/sys")) -> str:
    """What forbids a jail here, as far as the kernel's settings say."""
    for name, (forbidding, cure) in SETTINGS.items():
        file = settings / name
        if file.is_file() and file.read_text(encoding="ascii").strip() == forbidding:
            return f"the setting {name.replace('/', '.')}={forbidding} forbids jails to ordinary users; it takes {cure}"
    return "run `apt-get install bubblewrap`; inside a container, start that one with `--privileged`, or run outside it"
