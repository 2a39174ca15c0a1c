"""The tree of errors.

::

    OpenAssayError            what happened, where, what to do
    ├── InputError            something the user gave is broken            (exit 2)
    │   ├── BenchmarkError    faults in a benchmark folder, all of them
    │   │   ├── GoldError     faults in a gold set, all of them
    │   │   ├── TableError    faults in a table of results made elsewhere
    │   │   └── OwnFileError  faults in a reader's own file: needs, figures from outside, claims
    │   ├── PlanError         a plan, flag or models file is wrong
    │   └── RunFolderError    a run folder is missing, locked or damaged
    ├── RefusedError          well-formed, but not allowed; says by what rule (exit 2)
    │   └── HeadlineError     a stated figure does not follow from its own cells
    ├── IncompleteError       a run stopped before its end, and can be resumed (exit 1)
    ├── EndpointError         one call to a model failed; `CallFault` says how
    ├── SandboxError          no sandbox here, or it failed: never the model's failure
    └── ScorerError           our scorer broke on an answer: never the model's failure

A failed attempt is a record, a broken program is an exception, and only `cli` exits.
"""

from enum import StrEnum

from openassay.schema.record import Record


class OpenAssayError(Exception):
    """Base of all errors that a user may meet.

    Args:
        what: one sentence: what happened, quoting what was expected and what was found.
        where: file and line, endpoint or flag; empty where there is no one place.
        todo: one sentence: what to do about it.
    """

    longest = 6
    """Most lines of its message on a terminal."""

    def __init__(self, what: str, *, where: str = "", todo: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.todo = todo

    def lines(self) -> list[str]:
        """At most a few lines for a person: what, where, what to do."""
        rows = [self.what]
        if self.where:
            rows.append(f"  at: {self.where}")
        if self.todo:
            rows.append(f"  do: {self.todo}")
        return rows

    def __str__(self) -> str:
        return "\n".join(self.lines())


class InputError(OpenAssayError):
    """Something the user gave is broken."""


class PlanError(InputError):
    """A plan, a flag or a models file is wrong."""


class RunFolderError(InputError):
    """A run folder is missing, locked by another process, or damaged."""


class RefusedError(OpenAssayError):
    """Well-formed but not allowed: the message names the rule."""


class IncompleteError(OpenAssayError):
    """A run stopped before its end; `todo` holds the command that resumes it."""


class SandboxError(OpenAssayError):
    """There is no sandbox here, or it failed; `todo` says what to install."""


class ScorerError(OpenAssayError):
    """A scorer of ours broke on an answer."""


class FaultLevel(StrEnum):
    ERROR = "error"
    """The folder cannot be loaded."""
    FINDING = "finding"
    """It loads, but a result would be wrong or unfair; `check` exits 1."""
    REMARK = "remark"
    """Worth knowing; `check` exits 0."""


class Fault(Record):
    """One thing wrong in a benchmark folder."""

    level: FaultLevel = FaultLevel.ERROR
    code: str
    """Short stable name of the rule, such as ``unknown-scorer``."""
    what: str
    """What was expected and what was found."""
    file: str = ""
    """Path relative to the benchmark folder."""
    line: int | None = None
    """1-based; null where the file format gives none."""
    field: str = ""
    """Dotted path of the field, such as ``check[2].options.pattern``."""
    todo: str = ""

    def where(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place} ({self.field})" if self.field and place else place or self.field


class BenchmarkError(InputError):
    """All faults of a benchmark folder, collected before the loader stops.

    Args:
        faults: every fault found, in file order.
    """

    shown = 5

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        self.faults = faults
        first = faults[0]
        super().__init__(first.what, where=first.where(), todo=first.todo)

    def lines(self) -> list[str]:
        if len(self.faults) == 1:
            return super().lines()
        rows = [f"{len(self.faults)} faults in the benchmark folder; the first:"]
        rows += [f"  {fault.where()}: {fault.what}" for fault in self.faults[: self.shown - 1]]
        return [*rows, "  do: run `openassay check` on the folder to see all of them"]


class GoldError(BenchmarkError):
    """All faults of a gold set, collected before the reader stops."""

    shown = 20

    def lines(self) -> list[str]:
        if len(self.faults) == 1:
            return super().lines()
        rows = [f"{len(self.faults)} faults in the gold set:"]
        rows += [f"  {fault.where()}: {fault.what}" for fault in self.faults[: self.shown]]
        return [*rows, f"  do: {self.todo}; then the others"]


class TableError(BenchmarkError):
    """Faults in a table of results, collected before the import stops.

    Args:
        faults: at least one, in the order of the table; at most `shown` are printed.
        number: of all faults, where not every one is in `faults`.
    """

    shown = 20
    longest = shown + 2

    def __init__(self, faults: tuple[Fault, ...], number: int = 0) -> None:
        self.number = max(number, len(faults))
        super().__init__(faults)

    def lines(self) -> list[str]:
        if self.number == 1:
            return super().lines()
        shown = self.faults[: self.shown]
        first = f"; the first {len(shown)}" if self.number > len(shown) else ""
        rows = [f"{self.number:,} faults in the table{first}:"]
        return [*rows, *(f"  {fault.where()}: {fault.what}" for fault in shown), f"  do: {self.todo}; then the others"]


class OwnFileError(BenchmarkError):
    """All faults of a file of the reader's own, collected before the reader stops."""

    shown = 12
    longest = shown + 2

    def lines(self) -> list[str]:
        if len(self.faults) == 1:
            return super().lines()
        rows = [f"{len(self.faults)} faults in {self.faults[0].file}:"]
        rows += [f"  {fault.where()}: {fault.what}" for fault in self.faults[: self.shown]]
        return [*rows, f"  do: {self.todo}; then the others"]


class HeadlineError(RefusedError):
    """A headline that was stated does not follow from the cells beside it."""

    longest = 22


class FaultKind(StrEnum):
    """What an endpoint did. `models/faults.py` holds the table: kind, outcome, retried or not."""

    WRONG_KEY = "wrong_key"
    FORBIDDEN = "forbidden"
    UNKNOWN_MODEL = "unknown_model"
    REFUSED_PARAMETER = "refused_parameter"
    CONTEXT_TOO_LONG = "context_too_long"
    CONNECTION_REFUSED = "connection_refused"
    UNKNOWN_HOST = "unknown_host"
    TLS_FAILURE = "tls_failure"
    REDIRECTED = "redirected"
    RATE_LIMITED = "rate_limited"
    QUOTA_EXHAUSTED = "quota_exhausted"
    SERVER_ERROR = "server_error"
    OVERLOADED = "overloaded"
    TIMED_OUT = "timed_out"
    CONNECTION_LOST = "connection_lost"
    MALFORMED_REPLY = "malformed_reply"
    NO_CHOICES = "no_choices"
    WRONG_MODEL = "wrong_model"
    ABSURD_USAGE = "absurd_usage"
    REPLY_TOO_LARGE = "reply_too_large"
    UNANSWERED = "unanswered"
    """A person has not brought the answer yet."""
    UNKNOWN = "unknown"


class EndpointError(OpenAssayError):
    """One call to a model failed.

    Args:
        kind: what the endpoint did.
        what: one sentence, quoting the server's own words (capped, keys removed).
        where: endpoint name and URL without credentials.
        todo: what to do.
        status: HTTP status, where there was one.
        retry_after: seconds the server asked to wait, where it did.
    """

    def __init__(
        self,
        kind: FaultKind,
        what: str,
        *,
        where: str = "",
        todo: str = "",
        status: int | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(what, where=where, todo=todo)
        self.kind = kind
        self.status = status
        self.retry_after = retry_after
