"""`records`: a list of objects, compared with a reference list by F1 over (record, field) pairs.

A record is told by its `key` fields. Values compare without case, white space and Unicode form, and numbers by value.
A field left out or null is missing; a second record with the same key counts against precision.
"""

from collections import Counter
from fractions import Fraction
from typing import Any

from openassay.schema.checks import RecordsOptions
from openassay.schema.errors import ScorerError
from openassay.schema.evidence import Evidence
from openassay.schema.record import MILLION, Json
from openassay.scorers.finding import Finding, decided, failed, listed, malformed, shown
from openassay.scorers.fold import key, without_ends, without_reasoning
from openassay.scorers.json_value import one_value
from openassay.scorers.strict_json import values_in

Pair = tuple[tuple[str, ...], str, str]


def score(reference: Json, options: RecordsOptions, evidence: Evidence) -> Finding:
    if not isinstance(reference, list) or not all(isinstance(record, dict) for record in reference):
        raise ScorerError("expected a list of objects as reference of `records`, found something else")
    given = _given(evidence.answer, options.answer_prefix)
    if isinstance(given, Finding):
        return given
    fields = options.fields or _all_fields(reference, options.key)
    wanted, found = _pairs(_objects(reference), options.key, fields), _pairs(given, options.key, fields)
    right = (wanted & found).total()
    total = wanted.total() + found.total()
    share = Fraction(2 * right, total) if total else Fraction(1)
    reason = f"took {len(given)} records, expected {len(reference)}; "
    reason += f"{right} of {wanted.total()} fields right, F1 {float(share):.3f}"
    reason += _told("missing or different", wanted - found) + _told("not expected", found - wanted)
    return decided(share >= Fraction(str(options.min_f1)), reason, str(given)[:500], round(share * MILLION))


def _objects(values: list[Json]) -> list[dict[str, Any]]:
    return [value for value in values if isinstance(value, dict)]


def _told(what: str, pairs: Counter[Pair]) -> str:
    spelled = [f"{' '.join(name)} {field}={value}" for name, field, value in sorted(pairs)]
    return f"; {what}: {listed(spelled)}" if spelled else ""


def _given(answer: str, prefix: str | None) -> list[dict[str, Any]] | Finding:
    """The records of the answer: a list, an object that holds one list, one object, or one object a line."""
    value = one_value(answer, prefix, (list,))
    if not isinstance(value, Finding):
        (records,) = value
    elif value.malformed or value.result != "fail" or "different" in value.reason:
        return value
    else:
        records = _from_objects(answer)
    if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
        return malformed(f"expected a list of objects, found {shown(records)}", str(records)[:500])
    return _objects(records) or failed("took an empty list of records")


def _from_objects(answer: str) -> Json:
    objects = [value for value in values_in(without_reasoning(answer))[0] if isinstance(value, dict)]
    if len(objects) == 1:
        lists = [value for value in objects[0].values() if isinstance(value, list)]
        if len(lists) == 1 and all(isinstance(record, dict) for record in lists[0]):
            return lists[0]
    return list(objects)


def _all_fields(reference: list[Any], keys: tuple[str, ...]) -> tuple[str, ...]:
    names = dict.fromkeys(name for record in reference for name in record)
    return tuple(name for name in names if name not in keys) or keys


def _pairs(records: list[dict[str, Any]], keys: tuple[str, ...], fields: tuple[str, ...]) -> Counter[Pair]:
    return Counter(
        (tuple(comparable(record.get(name)) for name in keys), field, value)
        for record in records
        for field in fields
        if (value := comparable(record.get(field)))
    )


def comparable(value: Any) -> str:
    """A spelling that equal values share; empty for what is missing."""
    if value is None:
        return ""
    if isinstance(value, list):
        return "[" + ", ".join(sorted(comparable(one) for one in value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {comparable(value[name])}" for name in sorted(value)) + "}"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return key(without_ends(str(value)))
