"""What is known of a task's worth, as a record in its folder: `evidence/proof.json`, no part of its identity.

Beside it, by hand: `evidence/equivalent_mutants.txt`, one wrong version a line that does the same as the solution.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from openassay.probes.resolve import needs_sandbox
from openassay.schema.benchmark import Benchmark
from openassay.schema.record import Record, Sha256
from openassay.schema.task import Task

FILE = "evidence/proof.json"
EQUIVALENT = "evidence/equivalent_mutants.txt"


class TaskProof(Record):
    """What proving one task came to."""

    format: Literal[1] = 1
    task: str
    identity: Sha256
    """Of the task that was proven: another version needs another proof."""
    status: Literal["proven", "failed", "unproven"]
    reasons: tuple[str, ...] = ()
    mutants: int = 0
    caught: int = 0
    equivalent: tuple[str, ...] = ()
    """Not caught, and listed by hand as doing the same as the solution."""
    missed: tuple[str, ...] = ()
    """Not caught: the tests are weak here, or these are equivalent."""
    cheats: int = 0
    cheated: tuple[str, ...] = ()
    """Cheats that passed."""
    unusual: int = 0
    """Honest but unusual solutions that were tried."""
    unusual_failed: tuple[str, ...] = ()
    seconds: str = ""
    """Of one grading of the solution, the median of three, as decimal."""
    sandbox: str = ""

    def words(self) -> str:
        """One line for people."""
        if self.status != "proven" and not self.mutants:
            return "; ".join(self.reasons)
        parts = [f"{self.caught} of {self.mutants} mutants caught"] if self.mutants else []
        parts += [f"{len(self.equivalent)} equivalent"] if self.equivalent else []
        parts += [f"{len(self.missed)} missed"] if self.missed else []
        parts += [f"{self.cheats - len(self.cheated)} of {self.cheats} cheats refused"] if self.cheats else []
        parts += (
            [f"{self.unusual - len(self.unusual_failed)} of {self.unusual} unusual solutions pass"]
            if self.unusual
            else []
        )
        parts += [f"{self.seconds} s a grading"] if self.seconds else []
        return ", ".join(parts) or "the solution passes, nothing fails, three scorings are identical"


def write(folder: Path, proof: TaskProof) -> Path:
    """Into a task's folder."""
    path = folder / FILE
    path.parent.mkdir(exist_ok=True)
    path.write_text(proof.model_dump_json(indent=1) + "\n", encoding="utf-8")
    return path


def read(folder: Path) -> TaskProof | None:
    """The proof in a task's folder; None where there is none that can be read."""
    try:
        return TaskProof.model_validate_json((folder / FILE).read_bytes())
    except (OSError, ValidationError):
        return None


def equivalents(folder: Path) -> frozenset[str]:
    """Wrong versions listed by hand as equivalent; what follows ``  #`` says why."""
    path = folder / EQUIVALENT
    if not path.is_file():
        return frozenset()
    lines = path.read_text(encoding="utf-8").splitlines()
    return frozenset(line.partition("  #")[0].strip() for line in lines if line.strip() and not line.startswith("#"))


def folder_of(benchmark: Benchmark, task_id: str) -> Path | None:
    """A task's own folder; None for a line of an items file."""
    place = benchmark.places.get(task_id)
    return Path(benchmark.folder) / place.folder if benchmark.folder and place and place.folder else None


def kept(benchmark: Benchmark, tasks: Iterable[Task]) -> dict[str, TaskProof]:
    """Task id -> its proof on file, for tasks that run something; a proof of another version is left out."""
    found = {}
    for task in filter(needs_sandbox, tasks):
        folder = folder_of(benchmark, task.id)
        proof = read(folder) if folder else None
        if proof is not None and proof.identity == task.identity:
            found[task.id] = proof
    return found


def note(benchmark: Benchmark, tasks: Sequence[Task]) -> tuple[str, ...]:
    """What a report says of the proofs of the tasks that run something; nothing where none does."""
    coded = list(filter(needs_sandbox, tasks))
    if not coded:
        return ()
    proofs = kept(benchmark, coded)
    proven = [one for one in proofs.values() if one.status == "proven"]
    wrong = sum(one.mutants - len(one.equivalent) for one in proven)
    share = f"{sum(one.caught for one in proven)} of {wrong}"
    caught = f": {share} wrong versions of their solutions are caught" if wrong else ""
    said = f"{len(proven)} of {len(coded)} tasks that run code carry a proof of this very version{caught}"
    others = "; nothing shows that the tests of the others tell right from wrong" if len(proven) < len(coded) else ""
    return (f"{said}{others}.",)
