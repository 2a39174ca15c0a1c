"""What is run in a sandbox, within which limits, and what came of it. How it is held stands in the room `sandbox`."""

from typing import Literal

from pydantic import Field

from openassay.schema.record import Record


class SandboxLimits(Record):
    """Of one command and everything that it starts."""

    wall_ms: int = Field(default=10_000, gt=0)
    cpu_s: int = Field(default=10, gt=0)
    memory: int = Field(default=512 * 1024 * 1024, gt=0)
    """Bytes; of all processes together where the driver can, else of each (see `Guarantees.memory`)."""
    processes: int = Field(default=64, gt=0)
    disk: int = Field(default=64 * 1024 * 1024, gt=0)
    """Bytes of each writable place: the work folder, the temporary folder."""
    output: int = Field(default=200_000, gt=0)
    """Bytes of standard output and error together that are kept; more ends the command."""
    result: int = Field(default=1_000_000, gt=0)
    """Bytes of the result pipe that are kept; more ends the command."""
    open_files: int = Field(default=256, gt=0)

    def words(self) -> str:
        """The limits that decide most, such as ``10 s, 512 MB, 64 processes``."""
        return f"{self.wall_ms / 1000:g} s, {self.memory // 2**20} MB, {self.processes} processes"


class Job(Record):
    """One command in a fresh sandbox. Its work folder holds `files` and nothing else."""

    argv: tuple[str, ...] = Field(min_length=1)
    files: dict[str, bytes] = {}
    """Relative path with forward slashes -> content, written into the work folder before the start."""
    environment: dict[str, str] = {}
    """Added to the few variables that every job has; nothing else is inherited."""
    limits: SandboxLimits = SandboxLimits()


class Guarantees(Record):
    """What the driver reached on this machine; stands in every result."""

    driver: Literal["bubblewrap", "docker", "podman", "none"]
    memory: Literal["cgroup", "rlimit", "none"]
    """`rlimit`: each process is bounded, not their sum."""
    processes: Literal["cgroup", "rlimit", "none"]
    network: bool
    """True where the command reaches no network."""
    seccomp: bool
    other_user: bool
    """True where the command runs under another real user id than OpenAssay."""
    version: str = ""
    """Of the driver."""

    def words(self) -> str:
        """One line for reports, such as ``bubblewrap 0.8.0, memory=cgroup, processes=cgroup``."""
        named = f"{self.driver} {self.version}".strip()
        return f"{named}, memory={self.memory}, processes={self.processes}"


class Ran(Record):
    """What came of a job. Output and result are data written by somebody hostile."""

    ended: Literal["exit", "wall", "cpu", "memory", "output", "result"]
    """Why it ended: by itself, or at which limit."""
    exit_code: int | None
    """Null where it was killed at a limit."""
    output: str
    """Standard output and error, cut at the limit, undecodable bytes replaced."""
    result: bytes
    """What the command wrote to the file descriptor that the variable RESULT_FD names, cut at the limit."""
    took_ms: int
    guarantees: Guarantees


class ProbeResult(Record):
    """What a probe found, as plain data for a scorer. Part of the evidence."""

    ran: bool
    """False: our own fault, or no sandbox; never a verdict on the answer."""
    passed: bool | None = None
    reason: str
    ended: Literal["exit", "wall", "cpu", "memory", "output", "result"] = "exit"
    malformed: bool = False
    """The answer held nothing that could be run."""
    value: int | None = Field(default=None, ge=0, le=1_000_000)
    """Share of tests that passed, in millionths."""
    flags: tuple[str, ...] = ()
    """Suspicious constructs, for people; they decide nothing."""
    sandbox: str = ""
    """`Guarantees.words()`, and the limits of each command."""
    details: tuple[str, ...] = ()
    """One line a failed test, capped; may quote what the code printed."""
