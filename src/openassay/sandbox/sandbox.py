"""What a sandbox is to the rest of OpenAssay: one method that runs a hostile command and one that says what it reaches.

Everything that comes out is data. Not here: what the command means, and who decides that it may run.
"""

from typing import Protocol

from openassay.schema.sandbox import Guarantees, Job, Ran


class Sandbox(Protocol):
    def run(self, job: Job) -> Ran:
        """Run one command to its end or its limits; nothing of it is left when this returns. Blocks: use a thread.

        Raises:
            SandboxError: the sandbox itself failed; never a verdict on what was run.
        """
        ...

    def guarantees(self) -> Guarantees:
        """What this driver reaches here."""
        ...
