"""Collecting faults, and turning a record's validation errors into plain sentences.

Every reader in this room adds to one `FaultList` and goes on, so that a person sees all that is wrong at once.
Messages name fields and quote names and options, never a whole item text.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, get_args

from pydantic import ValidationError

from openassay.schema.errors import Fault, FaultLevel
from openassay.schema.record import Record
from openassay.schema.suggest import unknown_name
from openassay.tasks.values import short

SAME_BYTES = "all models get the same bytes for the same task, or their results could not be compared"

PER_MODEL = frozenset(
    {"prompt", "prompts", "model", "models", "model_prompt", "model_prompts", "system", "system_prompt", "messages"}
)
"""Keys by which other tools give each model its own prompt."""


_LONGEST_NAME = 40


class Place(NamedTuple):
    """Where something was read."""

    file: str
    """Relative to the benchmark folder."""
    line: int | None = None
    """Of the row or table."""
    lines: Mapping[str, int] = {}
    """Dotted field -> line, where known more exactly."""
    row: int | None = None
    """Of a CSV file, counted as a spreadsheet does; the header is row 1."""
    unread: frozenset[str] = frozenset()
    """Fields that may stand under a misspelt name: that one is a fault, and that they are missing is none."""

    def cell(self, column: str) -> str:
        """A field in words."""
        return f"{column!r}" if self.row is None else f"row {self.row}, column {column!r}"

    def line_of(self, field: str) -> int | None:
        """The line of a field, or of what encloses it."""
        while field:
            if field in self.lines:
                return self.lines[field]
            field = field.rpartition(".")[0]
        return self.line

    def name(self) -> str:
        return self.file if self.line is None else f"{self.file}:{self.line}"


class FaultList:
    """Grows while a folder is read."""

    def __init__(self) -> None:
        self.found: list[Fault] = []
        self._seen: set[Fault] = set()

    def add(self, place: Place, code: str, what: str, *, todo: str, field: str = "") -> None:
        if field.partition(".")[0] in place.unread:
            return
        fault = Fault(
            level=FaultLevel.ERROR,
            code=code,
            what=what,
            file=place.file,
            line=place.line_of(field),
            field=field,
            todo=todo,
        )
        if fault not in self._seen:  # a file may be looked at twice
            self._seen.add(fault)
            self.found.append(fault)

    def add_unknown(self, place: Place, kind: str, wrong: str, known: Iterable[str], *, field: str = "") -> None:
        """An unknown key, column, scorer or option, with the nearest right name; cut, as it may be a whole text."""
        wrong = wrong if len(wrong) <= _LONGEST_NAME else wrong[:_LONGEST_NAME] + "..."
        if kind in {"key", "column"} and wrong.lower() in PER_MODEL:
            self.add(
                place,
                "per-model-prompt",
                f"{wrong!r} would change the prompt by model: {SAME_BYTES}",
                field=field or wrong,
                todo=f"remove {wrong!r}; what every model needs to read belongs into the instruction",
            )
            return
        what = unknown_name(kind, wrong, known)
        self.add(place, f"unknown-{kind}", what, field=field or wrong, todo=f"correct or remove {wrong!r}")

    def add_invalid(self, place: Place, error: ValidationError, record: type[Record], *, kind: str, at: str) -> None:
        """Every error of a record, one fault each; `at` is the dotted field that holds the record, or empty."""
        for detail in error.errors(include_url=False):
            location = detail["loc"]
            field = ".".join([*([at] if at else []), *(str(part) for part in location)])
            if detail["type"] == "extra_forbidden":
                self.add_unknown(place, kind, str(location[-1]), _known(record, location), field=field)
            elif detail["type"] == "missing":
                self.add(place, f"missing-{kind}", f"{field!r} is missing", field=field, todo=f"add {field!r}")
            else:
                what = f"{field!r}: {_sentence(dict(detail))}"
                self.add(place, f"wrong-{kind}", what, field=field, todo=f"correct {field!r}")


def field_names(record: type[Record]) -> list[str]:
    """The names a person writes: aliases where there are some."""
    return [field.alias or name for name, field in record.model_fields.items()]


def _known(record: type[Record], location: tuple[int | str, ...]) -> list[str]:
    for part in location[:-1]:
        inner = record.model_fields.get(str(part))
        if inner is not None:
            record = _record_in(inner.annotation) or record
    return field_names(record)


def _record_in(annotation: Any) -> type[Record] | None:
    if isinstance(annotation, type) and issubclass(annotation, Record):
        return annotation
    return next((found for inner in get_args(annotation) if (found := _record_in(inner))), None)


_PATTERNS = {
    r"^\d+-[A-Z]$": "a number, a hyphen and a capital letter, such as '1-A'",
    r"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$": "letters, digits, dots, underscores or hyphens (at most 128, no spaces)",
    r"^[a-z]{2}$": "a language code of two letters, such as 'en'",
}


def _sentence(detail: dict[str, Any]) -> str:
    context, found = detail.get("ctx", {}), short(detail["input"])
    if detail["type"] == "string_pattern_mismatch":
        wanted = _PATTERNS.get(context["pattern"], f"text of the form {context['pattern']}")
        return f"expected {wanted}, found {found}"
    if detail["type"] == "literal_error":
        return f"expected {context['expected']}, found {found}"
    message = str(detail["msg"]).replace("Input should be", "expected").removeprefix("Value error, ")
    return f"{message[:1].lower()}{message[1:]}, found {found}"
