"""Checks as written, from an item's short form, its `checks`, or a `checklist.toml`, to `Check` records.

The short form ``scorer`` + ``options`` + ``reference`` is one check with the id ``answer``.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from pydantic import ValidationError

from openassay.schema.blank import is_blank
from openassay.schema.canonical import freeze, thaw
from openassay.schema.checks import SCORERS, ForeignOptions, ScorerKind
from openassay.schema.record import Record
from openassay.schema.task import Check
from openassay.tasks.faults import FaultList, Place
from openassay.tasks.options import broken
from openassay.tasks.references import A_LIST, EXPECTED, shaped
from openassay.tasks.values import kind, short

SHORT_FORM = "answer"

ReadReference = Callable[[str, str], str | None]
"""Path of a reference file and field for messages -> its text; None where a fault was added."""


class Source(NamedTuple):
    """One check as written."""

    values: dict[str, Any]
    place: Place
    field: str = ""
    """Dotted path of the check, such as ``check.0``; empty for the short form."""
    cells: bool = False
    """The reference is the text of a CSV cell."""
    read_reference: ReadReference | None = None
    """None where files are not allowed."""

    def path(self, name: str) -> str:
        return f"{self.field}.{name}" if self.field else name


def read_check(source: Source, faults: FaultList) -> Check | None:
    """A check with options and reference validated; None where it is too broken to build."""
    before = len(faults.found)
    values = _defaults(source.values)
    kind_of = _scorer(values, source, faults)
    options = _options(values, kind_of, source, faults)
    values["reference"] = _reference(values, kind_of, source, faults)
    if kind_of and options is not None:
        _tie(values, options, source, faults)
    try:
        check = Check.model_validate({**values, "reference": freeze(values["reference"])})
    except ValidationError as error:
        faults.add_invalid(source.place, error, Check, kind="key", at=source.field)
        return None
    return check if len(faults.found) == before else None


def _defaults(written: dict[str, Any]) -> dict[str, Any]:
    """What a check is where it does not say: `by` follows the scorer; a judge's check is soft."""
    values = dict(written)
    if values.get("by") == "judge" and not values.get("uses") and values.get("text"):
        values["uses"] = "rubric"
        values.setdefault("reference", values["text"])
    known = SCORERS.get(str(values.get("uses", "")))
    values.setdefault("by", known.by if known else "script")
    values.setdefault("hard", values["by"] != "judge")
    return values


def _scorer(values: dict[str, Any], source: Source, faults: FaultList) -> ScorerKind | None:
    uses = values.get("uses", "")
    field = source.path("uses") if source.field else "scorer"
    if not isinstance(uses, str):
        what, todo = f"expected a scorer's name, found {kind(uses)}", f"write one of {', '.join(SCORERS)}"
        faults.add(source.place, "unknown-scorer", what, field=field, todo=todo)
        return None
    if not uses:
        if values["by"] != "human":
            todo = f"add uses = one of {', '.join(SCORERS)}"
            faults.add(source.place, "missing-scorer", "the check names no scorer", field=field, todo=todo)
        return None
    if "." in uses:
        return ScorerKind(options=ForeignOptions, reference="json", by=values["by"])
    if uses not in SCORERS:
        faults.add_unknown(source.place, "scorer", uses, SCORERS, field=field)
        return None
    return _done_by(uses, values["by"], source, faults)


def _done_by(uses: str, by: Any, source: Source, faults: FaultList) -> ScorerKind:
    known = SCORERS[uses]
    allowed = {known.by, "human"} if known.by == "judge" else {known.by}
    if by not in allowed:
        what = f"{uses!r} is done by {known.by}, found by = {short(by)}"
        faults.add(
            source.place, "wrong-by", what, field=source.path("by"), todo="leave `by` out, or use another scorer"
        )
    return known


def _options(values: dict[str, Any], known: ScorerKind | None, source: Source, faults: FaultList) -> Record | None:
    """The validated option record; `values` then holds the options as given, frozen."""
    written = values.get("options", {})
    field = source.path("options")
    if not isinstance(written, dict):
        what, todo = f"expected an object, found {kind(written)}", 'write {"name": value}, such as {"relative": 0.01}'
        faults.add(source.place, "wrong-option", what, field=field, todo=todo)
        values["options"] = {}
        return None
    values["options"] = freeze(written)
    if known is None:
        return None
    try:
        return known.options.model_validate(thaw(freeze(written)))
    except ValidationError as error:
        faults.add_invalid(source.place, error, known.options, kind="option", at=field)
        return None


def _reference(values: dict[str, Any], known: ScorerKind | None, source: Source, faults: FaultList) -> Any:
    written, cells = _written_reference(values, source, faults)
    field = source.path("reference")
    if known is None:
        return written
    if known.reference == "none":
        if written not in (None, ""):
            what = f"{values['uses']!r} takes no reference; what it checks stands in its options"
            faults.add(source.place, "needless-reference", what, field=field, todo="move it to options or remove it")
        return None
    if _is_empty(written):
        if known.reference != "json" and not _file_given(values):
            what = f"{values['uses']!r} needs a reference ({EXPECTED[known.reference]}); it is missing or empty"
            faults.add(source.place, "missing-reference", what, field=field, todo="fill in the reference")
        return None
    try:
        return shaped(known.reference, written, from_text=cells)
    except ValueError as error:
        is_cell = cells and source.cells and source.place.row and not _file_given(values)
        named = source.place.cell("reference") if is_cell else f"the reference of {values['uses']!r}"
        what = f"{named}: {error}"
        todo = A_LIST if cells and known.reference in {"texts", "criteria"} else "correct the reference"
        faults.add(source.place, "wrong-reference", what, field=field, todo=todo)
        return None


def _written_reference(values: dict[str, Any], source: Source, faults: FaultList) -> tuple[Any, bool]:
    """What stands as the reference, and whether it is text to be parsed."""
    path = values.get("reference_file", "")
    if not path:
        return values.get("reference"), source.cells
    field = source.path("reference_file")
    if values.get("reference") not in (None, ""):
        what = "both reference and reference_file are given"
        faults.add(source.place, "two-references", what, field=field, todo="remove one of the two")
    if source.read_reference is None or not isinstance(path, str):
        what = "reference_file works in task folders only, as a path such as 'hidden/reference.json'"
        faults.add(source.place, "wrong-reference", what, field=field, todo="write the reference itself")
        return None, False
    return source.read_reference(path, field), True


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, str) and is_blank(value))


def _file_given(values: dict[str, Any]) -> bool:
    return bool(values.get("reference_file"))


def _tie(values: dict[str, Any], options: Record, source: Source, faults: FaultList) -> None:
    if isinstance(options, ForeignOptions):
        return
    for fault in broken(values["uses"], options, values["reference"]):
        by_reference = not fault.option and SCORERS[values["uses"]].reference != "none"
        field = source.path("reference" if by_reference else f"options.{fault.option}".rstrip("."))
        faults.add(source.place, fault.code, fault.what, field=field, todo=f"correct {field!r}")


def check_together(checks: tuple[Check, ...], place: Place, faults: FaultList, field: str = "checks") -> None:
    """Rules over a whole checklist: ids, weights, and that looks never outweigh structure."""
    ids = [check.id for check in checks]
    for name in sorted({name for name in ids if ids.count(name) > 1}):
        faults.add(place, "duplicate-check", f"two checks have the id {name!r}", field=field, todo="rename one")
    _check_same_fact(checks, place, faults, field)
    if checks and not sum(check.weight for check in checks):
        faults.add(place, "no-weight", "all weights are 0, so there is no score", field=field, todo="give one a weight")
    visual, structure = _weight(checks, "visual"), _weight(checks, "structure")
    if visual and visual >= structure:
        what = f"visual checks weigh {visual} and structure checks {structure}: looks may never outweigh structure"
        todo = "lower the weights of the visual checks or add structure checks"
        faults.add(place, "visual-above-structure", what, field=field, todo=todo)


def _check_same_fact(checks: tuple[Check, ...], place: Place, faults: FaultList, field: str) -> None:
    """`same_as` ties a judged check to a script check of the same checklist."""
    scripts = [check.id for check in checks if check.by == "script"]
    for check in checks:
        if check.same_as and check.by != "judge":
            what = (
                f"the check {check.id!r} is done by {check.by}; only a judged check has a script check on the same fact"
            )
            faults.add(place, "wrong-same-as", what, field=field, todo="remove `same_as`")
        elif check.same_as and check.same_as not in scripts:
            faults.add_unknown(place, "script check", check.same_as, scripts, field=field)


def _weight(checks: tuple[Check, ...], dimension: str) -> int:
    return sum(check.weight for check in checks if check.dimension.strip().lower() == dimension)
