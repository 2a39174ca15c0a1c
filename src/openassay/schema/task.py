"""A task and its checklist, as loaded: everything that decides a score, and nothing about who answers.

A task's identity (`tasks/identity.py`) is the digest of its set fields and files without `evidence/`.
"""

from typing import Literal

from pydantic import Field

from openassay.schema.record import Identifier, Json, Record, Sha256


class Origin(Record):
    """Where a task comes from; inherited from the benchmark where a field is empty."""

    author: str = ""
    affiliation: str = ""
    source: str = ""
    licence: str = ""
    language: str = ""
    """ISO 639-1 code of the task's language."""
    field: str = ""
    """Profession or discipline whose need it stands for."""


class TaskLimits(Record):
    max_tokens: int | None = Field(default=None, gt=0)
    """Most output tokens; null for the run's own limit."""
    seconds: int | None = Field(default=None, gt=0)


class Material(Record):
    """Text supplied with a task, shown to the model under its name after the instruction."""

    name: str
    """File name, or ``material`` for text given inline."""
    text: str
    sha256: Sha256
    """Of the file's bytes, or of the UTF-8 text given inline."""


class FileEntry(Record):
    path: str
    """Relative to the task folder, with forward slashes."""
    sha256: Sha256


class Check(Record):
    """One line of a checklist."""

    id: Identifier
    text: str = ""
    """What it demands, in words: what people and judges read."""
    by: Literal["script", "judge", "human"] = "script"
    hard: bool = True
    """A failed hard check fails the attempt, whatever else passed."""
    dimension: str = "content"
    same_as: str = ""
    """For a judged check: id of a script check on the same fact; where the two contradict, it is disputed."""
    uses: str = ""
    """Short name of a scorer, or a dotted path; empty for a human check."""
    weight: int = Field(default=1, ge=0, le=1000)
    reference: Json = None
    """Frozen (`schema.canonical.freeze`)."""
    reference_file: str = ""
    """Path in the task folder from which `reference` was read; the text then stands in `reference`."""
    options: dict[str, Json] = {}
    """As given, frozen; the scorer's option record supplies the defaults."""


class Swapped(Record):
    """Which variant of an item a task is, where one attribute (gender, age, origin, name) is changed."""

    attribute: Identifier
    variant: Identifier
    filled: dict[str, str] = {}
    """Placeholder -> what stands for it in this variant; empty where the variant was written out by hand."""


class Task(Record):
    """One task. A line of an `.items` file is a task with text only."""

    id: Identifier
    category: Identifier
    instruction: str
    """Exactly what every model receives, before the materials."""
    materials: tuple[Material, ...] = ()
    group: str = ""
    """Tasks with the same group are drawn together, and a `consistent` check compares their answers."""
    swap: Swapped | None = None
    """The variant it is, where the group is one item with an attribute changed."""
    checks: tuple[Check, ...]
    solution: str | None = None
    """A model answer that must pass everything hard; null where the reference itself is one."""
    origin: Origin = Origin()
    limits: TaskLimits = TaskLimits()
    deliverable: str = "text"
    files: tuple[FileEntry, ...] = ()
    """Of a task folder, sorted by path, without `evidence/`."""
    identity: Sha256
    """See `tasks/identity.py`."""


class TaskPlace(Record):
    """Where a task was read from, for messages; never part of its identity."""

    file: str
    """Relative to the benchmark folder."""
    line: int | None = None
    folder: str = ""
    """Of a task folder, relative to the benchmark folder."""
