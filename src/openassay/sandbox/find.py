"""Finds the sandbox of this machine by really running something harmless in it, or says what to install."""

from openassay.sandbox.bubblewrap import Bubblewrap
from openassay.sandbox.sandbox import Sandbox
from openassay.schema.errors import SandboxError
from openassay.schema.sandbox import Job


def find_sandbox(*, unsafe: bool = False) -> Sandbox:
    """The best driver that works here.

    Args:
        unsafe: no sandbox at all, on the user's own word.

    Raises:
        SandboxError: none works; says what to install or to allow.
    """
    sandbox = Bubblewrap()
    ran = sandbox.run(Job(argv=("true",)))
    if ran.exit_code != 0:
        raise SandboxError(f"bubblewrap does not work here: {ran.output.strip()}")
    return sandbox
