"""`json`: the answer holds one JSON value that follows a schema and equals the reference, or contains it.

Found in the whole text, in fenced blocks or among prose; several different values are a fail, none is `malformed`.
A schema may refer to itself and never to the network.
"""

from typing import Any

from openassay.schema.checks import JsonOptions
from openassay.schema.errors import ScorerError
from openassay.schema.evidence import Evidence
from openassay.schema.record import Json
from openassay.scorers.finding import Finding, decided, failed, malformed, shown, unmeasurable
from openassay.scorers.fold import without_reasoning
from openassay.scorers.strict_json import same, values_in
from openassay.tasks.timelimit import TimeLimitError, limited


def score(reference: Json, options: JsonOptions, evidence: Evidence) -> Finding:
    wanted = _kinds(reference, options.json_schema)
    value = one_value(evidence.answer, options.answer_prefix, wanted)
    if isinstance(value, Finding):
        return value
    (found,) = value
    if options.json_schema is not None:
        fault = _schema_fault(options.json_schema, found)
        if fault is not None:
            return fault
    if reference is None:
        return decided(passed=True, reason=f"took {shown(found)}, which follows the schema", took=_took(found))
    difference = _difference(reference, found, subset=options.compare == "subset")
    told = f"; {difference}" if difference else ""
    return decided(not difference, f"took {shown(found)}, expected {shown(reference)}{told}", _took(found))


def one_value(answer: str, prefix: str | None, kinds: tuple[type, ...]) -> tuple[Json] | Finding:
    """The one JSON value of the answer, in a tuple; values of other kinds than wanted are passed over.

    Args:
        answer: as the model gave it.
        prefix: the value stands after this text, where given.
        kinds: Python types of the JSON value wanted; empty for any.
    """
    text = without_reasoning(answer).strip()
    if prefix:
        place = text.casefold().rfind(prefix.casefold())
        if place < 0:
            return malformed(f"expected JSON after {shown(prefix)}, which the text does not hold")
        text = text[place + len(prefix) :]
    values, fault = values_in(text)
    wanted = [value for value in values if not kinds or isinstance(value, kinds)]
    if not wanted:
        return _none(values, fault, text)
    if not all(same(wanted[0], value) for value in wanted[1:]):
        return failed(f"{len(wanted)} different JSON values, and none stated as the answer", _took(wanted[0]))
    return (wanted[0],)


def _none(values: list[Json], fault: str, text: str) -> Finding:
    if values:
        return failed(f"took {shown(values[0])}, which is no JSON value of the kind wanted", _took(values[0]))
    return malformed(f"no JSON value can be read ({shown(fault, 120)}) in {shown(text)}", text[:500])


def _kinds(reference: Json, schema: dict[str, Json] | None) -> tuple[type, ...]:
    """Objects count where an object is wanted, lists where a list is: a footnote "[1]" is no answer then."""
    told = (schema or {}).get("type") if reference is None else None
    if isinstance(reference, dict) or told == "object":
        return (dict,)
    return (list,) if isinstance(reference, list) or told == "array" else ()


def _took(value: Json) -> str:
    return str(value)[:500]


def _difference(wanted: Json, found: Json, *, subset: bool, path: str = "") -> str:
    """Where the values first differ; empty where they do not."""
    here = path or "the value"
    if isinstance(wanted, dict) and isinstance(found, dict):
        return _object_difference(wanted, found, subset=subset, path=path)
    if isinstance(wanted, list) and isinstance(found, list):
        if len(wanted) != len(found):
            return f"{here} has {len(found)} entries, expected {len(wanted)}"
        inner = (
            _difference(one, other, subset=subset, path=f"{path}[{n}]")
            for n, (one, other) in enumerate(zip(wanted, found, strict=True))
        )
        return next((told for told in inner if told), "")
    return "" if same(wanted, found) else f"{here} is {shown(repr(found), 40)}, expected {shown(repr(wanted), 40)}"


def _object_difference(wanted: dict[str, Json], found: dict[str, Json], *, subset: bool, path: str) -> str:
    here = path or "the value"
    missing = [name for name in wanted if name not in found]
    if missing:
        return f"{here} lacks {shown(missing[0], 40)}"
    extra = [name for name in found if name not in wanted]
    if extra and not subset:
        return f"{here} has {shown(extra[0], 40)}, which is not expected"
    inner = (
        _difference(value, found[name], subset=subset, path=f"{path}.{name}".lstrip("."))
        for name, value in wanted.items()
    )
    return next((told for told in inner if told), "")


def _schema_fault(schema: dict[str, Json], value: Json) -> Finding | None:
    try:
        fault = limited(f"{__name__}:schema_fault", schema, value, seconds=5.0)
    except TimeLimitError:
        return unmeasurable("the schema did not end within 5 s on this answer")
    return (
        failed(f"took {shown(value)}, which does not follow the schema: {shown(fault, 160)}", _took(value))
        if fault
        else None
    )


def schema_fault(schema: dict[str, Any], value: Any) -> str:
    """What in the value breaks the schema first, empty where nothing does; called under the time limit."""
    import jsonschema  # 10 MB: only where a check has a schema
    import referencing.exceptions

    try:
        jsonschema.Draft202012Validator.check_schema(schema)
        validator = jsonschema.Draft202012Validator(
            schema, registry=referencing.Registry()
        )  # empty: nothing is fetched
        fault = next(validator.iter_errors(value), None)
    except jsonschema.SchemaError as error:
        raise ScorerError(f"expected a JSON Schema, found a fault in it: {error.message[:200]}") from None
    except referencing.exceptions.Unresolvable as error:
        raise ScorerError(f"the schema refers to {shown(error.ref)}, which does not stand in it") from None
    if fault is None:
        return ""
    place = "/".join(str(part) for part in fault.absolute_path)
    return f"{place or 'the value'}: {fault.message[:200]}"
