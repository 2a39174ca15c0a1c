"""Rules that tie a scorer's options to its reference: what would make the check wrong or empty.

`broken` says all of it for one check; unknown and ill-typed options were refused before, by the option record.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from openassay.schema.checks import (
    SCORERS,
    ChoiceOptions,
    CodesOptions,
    FormatOptions,
    JsonOptions,
    RecordsOptions,
    RegexOptions,
    RubricOptions,
    SwapOptions,
)
from openassay.schema.record import Record
from openassay.schema.suggest import nearest
from openassay.tasks.timelimit import SECONDS, TimeLimitError, limited


class Broken(NamedTuple):
    code: str
    what: str
    option: str = ""
    """Name of the option, or empty for the reference."""


def broken(uses: str, options: Record, reference: Any) -> list[Broken]:
    """What is wrong with this scorer's options and reference taken together.

    >>> [fault.code for fault in broken("regex", RegexOptions(pattern="("), None)]
    ['bad-pattern']
    """
    rule = _RULES.get(uses)
    return list(rule(options, reference)) if rule else []


def option_names(uses: str) -> list[str]:
    return [field.alias or name for name, field in SCORERS[uses].options.model_fields.items()]


def _choice(options: ChoiceOptions, reference: Any) -> Iterator[Broken]:
    known = [*options.choices, *options.choices.values()]
    if len(options.choices) < 2:  # noqa: PLR2004 - one choice is no choice
        yield Broken("bad-option", f"expected at least two choices, found {len(options.choices)}", "choices")
    elif reference is not None and reference.casefold() not in {name.casefold() for name in known}:
        near = nearest(reference, known)
        hint = f"; did you mean {near!r}?" if near else ""
        yield Broken("wrong-reference", f"the reference is none of the choices {', '.join(options.choices)}{hint}")


def _regex(options: RegexOptions, _reference: Any) -> Iterator[Broken]:
    try:
        re.compile(options.pattern)
    except (re.error, RecursionError, OverflowError) as error:
        yield Broken("bad-pattern", f"the pattern does not compile: {error}", "pattern")
        return
    try:
        empty = limited(f"{__name__}:matches_nothing", options.pattern)
    except TimeLimitError:
        what = f"the pattern does not end within {SECONDS:g} s even on an empty answer"
        yield Broken("bad-pattern", what, "pattern")
        return
    if empty:
        yield Broken("bad-pattern", "the pattern also matches an empty answer", "pattern")


def matches_nothing(pattern: str) -> bool:
    """Whether an empty answer would pass; called under the time limit, since the pattern may be anybody's."""
    return re.compile(pattern).fullmatch("") is not None


def _json(options: JsonOptions, reference: Any) -> Iterator[Broken]:
    if options.json_schema is None:
        if reference is None:
            yield Broken("missing-reference", "neither a reference nor a schema: any JSON would pass")
        return
    import jsonschema  # slow to import, and only needed where a schema is given

    try:
        jsonschema.Draft202012Validator.check_schema(options.json_schema)
    except jsonschema.SchemaError as error:
        yield Broken("bad-schema", f"not a JSON Schema (2020-12): {error.message[:200]}", "schema")


def _records(options: RecordsOptions, reference: Any) -> Iterator[Broken]:
    if not options.key:
        yield Broken("bad-option", "expected at least one field that tells records apart", "key")
    if not isinstance(reference, list):
        return
    for name in options.key:
        if any(name not in record for record in reference):
            yield Broken("wrong-reference", f"a record of the reference has no key field {name!r}")
    for name in options.fields:
        if not any(name in record for record in reference):
            near = nearest(name, {field for record in reference for field in record})
            yield Broken(
                "bad-option",
                f"no record of the reference has a field {name!r}" + (f"; did you mean {near!r}?" if near else ""),
                "fields",
            )
    keys = [tuple(str(record.get(name)) for name in options.key) for record in reference]
    if options.key and len(set(keys)) < len(keys):
        yield Broken("wrong-reference", f"two records of the reference share the key {', '.join(options.key)}")


def _codes(options: CodesOptions, reference: Any) -> Iterator[Broken]:
    if not options.codebook:
        yield Broken("bad-option", "the codebook is empty", "codebook")
    coders = reference.values() if isinstance(reference, dict) else ()
    used = {code for spans in coders for codes in spans.values() for code in codes}
    for code in sorted(used - set(options.codebook)):
        near = nearest(code, options.codebook)
        hint = f"; did you mean {near!r}?" if near else ""
        yield Broken("wrong-reference", f"the code {code!r} is not in the codebook{hint}")
    if len({frozenset(spans) for spans in coders}) > 1:
        yield Broken("wrong-reference", "the coders did not code the same spans")


def _format(options: FormatOptions, _reference: Any) -> Iterator[Broken]:
    if not options.model_dump(exclude_defaults=True, exclude={"answer_prefix"}):
        yield Broken("bad-option", f"no option is set: any answer would pass (known: {_names('format')})")
    if options.min_words is not None and options.max_words is not None and options.min_words > options.max_words:
        yield Broken("bad-option", f"min_words {options.min_words} is over max_words {options.max_words}", "min_words")
    for text in options.must_include:
        if text in options.must_not_include:
            yield Broken("bad-option", "a text is both demanded and forbidden", "must_include")


def _rubric(options: RubricOptions, reference: Any) -> Iterator[Broken]:
    count = len(reference) if isinstance(reference, list) else 1
    if not options.weights:
        return
    if len(options.weights) != count:
        yield Broken(
            "bad-option", f"expected {count} weights, one a criterion, found {len(options.weights)}", "weights"
        )
    if min(options.weights) < 0 or sum(options.weights) == 0:
        yield Broken("bad-option", "expected weights of 0 or more, not all 0", "weights")


def _swap(options: SwapOptions, _reference: Any) -> Iterator[Broken]:
    if options.compare == "number":
        return
    numeric = SwapOptions().model_dump(exclude={"compare", "alike", "answer_prefix"})
    for name, usual in numeric.items():
        if getattr(options, name) != usual:
            yield Broken("bad-option", f"{name!r} is about numbers, and compare is 'answer'", name)


def _names(uses: str) -> str:
    return ", ".join(option_names(uses))


_RULES: dict[str, Callable[[Any, Any], Iterator[Broken]]] = {
    "choice": _choice,
    "regex": _regex,
    "json": _json,
    "records": _records,
    "codes": _codes,
    "format": _format,
    "rubric": _rubric,
    "swap": _swap,
}
