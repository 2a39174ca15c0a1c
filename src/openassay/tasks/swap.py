"""One item with one attribute changed: a row with `swap` becomes one row for each variant.

The variants differ in nothing but what stands for ``[[NAME]]`` and other placeholders, by construction. Placeholders
are filled in instruction, material, solution and checks (reference and options included); only in rows that have
`swap`, so that ``[[check]]`` stays what it is elsewhere. Not here: comparing the answers (`scorers.swap`).
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from openassay.schema.suggest import unknown_name
from openassay.schema.task import Check, Swapped
from openassay.tasks.drafts import is_name
from openassay.tasks.faults import FaultList, Place
from openassay.tasks.rows import Row
from openassay.tasks.values import is_number, kind, parse, short

FIELD = "swap"
FILLED = ("instruction", "material", "solution", "reference", "options", "checks")
EXAMPLE = '{"attribute": "gender", "variants": {"woman": {"NAME": "Anna"}, "man": {"NAME": "Jonas"}}}'
BY_HAND = '{"attribute": "gender", "variant": "woman"}'
BY_HAND_TOML = '{ attribute = "gender", variant = "woman" }'

_PLACEHOLDER = re.compile(r"\[\[([A-Za-z][A-Za-z0-9_]*)\]\]")
_LEAST = 2

Texts = dict[str, str]
"""Placeholder -> what stands for it."""


class Variant(NamedTuple):
    """What `swap` of a row becomes."""

    swapped: Swapped
    alike: tuple[tuple[str, ...], ...] = ()
    """For each placeholder the texts of all variants, which count as one where answers are compared."""


class _Swap(NamedTuple):
    attribute: str
    variants: dict[str, Texts]


def variants(row: Row, faults: FaultList) -> list[Row]:
    """The row itself where it has no `swap`, else one row a variant; none, with faults, where `swap` is wrong."""
    if FIELD not in row.values:
        return [row]
    report = _Report(row.place, faults)
    written = _read(row, report)
    if written is None:
        return []
    if "variant" in written and "variants" not in written:
        return [row._replace(values={**row.values, FIELD: by_hand(written, row.values, report)})]
    swap = _checked(written, row, report)
    return [] if swap is None else [_variant(row, swap, name) for name in swap.variants]


class _Report:
    """Adds faults of `swap`."""

    def __init__(self, place: Place, faults: FaultList) -> None:
        self._place, self._faults = place, faults
        self.broken = False

    def __call__(self, code: str, what: str, todo: str) -> None:
        self.broken = True
        self._faults.add(self._place, code, what, field=FIELD, todo=todo)

    def cell(self) -> str:
        return self._place.cell(FIELD)


def _read(row: Row, report: _Report) -> dict[str, Any] | None:
    written = row.values[FIELD]
    if row.cells:
        try:
            written = parse(written)
        except ValueError as error:
            report("wrong-swap", f"{report.cell()}: {error}", f"write JSON, such as {EXAMPLE}")
            return None
    if not isinstance(written, dict):
        report("wrong-swap", f"expected an object, found {kind(written)}", f"write {EXAMPLE}")
        return None
    return written


def by_hand(
    written: Mapping[str, Any], values: Mapping[str, Any], report: Callable[[str, str, str], None]
) -> Variant | None:
    """The swap of one variant whose texts an author wrote out; None, with faults, where it is wrong."""
    good = True
    for name in [name for name in written if name not in {"attribute", "variant"}]:
        report("unknown-key", unknown_name("key", str(name), ["attribute", "variant"]), f"correct or remove {name!r}")
        good = False
    for name in ("attribute", "variant"):
        if not is_name(written.get(name)):
            what = f"expected a name as {name!r}, found {short(written.get(name))}"
            report("wrong-swap", what, f"write {BY_HAND}")
            good = False
    if not values.get("group"):
        what = "a variant that is written out by hand needs the group of its siblings"
        report("swap-without-group", what, "give all variants of one text the same `group`")
        good = False
    return Variant(Swapped(attribute=written["attribute"], variant=written["variant"])) if good else None


def _checked(written: dict[str, Any], row: Row, report: _Report) -> _Swap | None:
    for name in [name for name in written if name not in {"attribute", "variants"}]:
        todo = f"correct or remove {name!r}"
        report("unknown-key", unknown_name("key", str(name), ["attribute", "variants"]), todo)
    if row.values.get("group"):
        what = "`group` is given beside `swap`; the variants of an item are a group by themselves, called by its id"
        report("swap-and-group", what, "remove `group`")
    if not is_name(written.get("attribute")):
        what = f"expected a name as 'attribute', found {short(written.get('attribute'))}"
        report("wrong-swap", what, f"say what is changed, as in {EXAMPLE}")
    found = _variants(written.get("variants"), report)
    if found:
        _even(found, report)
        _used(found, row, report)
    return None if report.broken else _Swap(written["attribute"], found)


def _variants(written: Any, report: _Report) -> dict[str, Texts]:
    if not isinstance(written, dict) or len(written) < _LEAST:
        count = f"{len(written)} of them" if isinstance(written, dict) else kind(written)
        report("wrong-swap", f"expected two variants or more, found {count}", f"write {EXAMPLE}")
        return {}
    for name in [name for name in written if not is_name(name)]:
        what = f"expected letters, digits, dots, underscores or hyphens as a variant's name, found {short(name)}"
        report("wrong-swap", what, "rename the variant")
    return {str(name): _texts(str(name), inner, report) for name, inner in written.items()}


def _texts(variant: str, written: Any, report: _Report) -> Texts:
    """What stands for each placeholder; whole numbers are taken as they are written."""
    if not isinstance(written, dict):
        what = f"variant {variant!r}: expected an object, found {kind(written)}"
        report("wrong-swap", what, 'write {"NAME": "Anna"}')
        return {}
    for name, text in written.items():
        if not _PLACEHOLDER.fullmatch(f"[[{name}]]"):
            what = f"expected letters, digits and underscores as a placeholder's name, found {short(name)}"
            report("wrong-swap", what, "rename the placeholder, and write [[NAME]] where it stands")
        elif not isinstance(text, str) and not is_number(text):
            what = f"variant {variant!r}: expected text for [[{name}]], found {kind(text)}"
            report("wrong-swap", what, "write it as text")
        elif _PLACEHOLDER.search(str(text)):
            what = f"variant {variant!r}: the text for [[{name}]] holds a placeholder itself"
            report("wrong-swap", what, "write out the text")
    return {str(name): text if isinstance(text, str) else f"{text:f}" for name, text in written.items() if _ok(text)}


def _ok(text: Any) -> bool:
    return isinstance(text, str) or is_number(text)


def _even(found: dict[str, Texts], report: _Report) -> None:
    """A placeholder of one variant only would stand unfilled in the others; equal variants would compare nothing."""
    for name in dict.fromkeys(name for texts in found.values() for name in texts):
        lacking = [variant for variant, texts in found.items() if name not in texts]
        if lacking:
            what = f"[[{name}]] has no text in the variant {lacking[0]!r}"
            report("uneven-swap", what, "give every variant a text for every placeholder")
    seen: dict[tuple[tuple[str, str], ...], str] = {}
    for variant, texts in found.items():
        first = seen.setdefault(tuple(sorted(texts.items())), variant)
        if first != variant:
            report("equal-variants", f"the variants {first!r} and {variant!r} are the same", "change one of the two")


def _used(found: dict[str, Texts], row: Row, report: _Report) -> None:
    known = list(dict.fromkeys(name for texts in found.values() for name in texts))
    standing = list(dict.fromkeys(name for field in FILLED for name in _placeholders(row.values.get(field))))
    for name in standing:
        if name not in known:
            what = unknown_name("placeholder", name, known)
            report("unknown-placeholder", what, f"correct [[{name}]], or give every variant a text for it")
    for name in known:
        if name not in standing:
            what = f"[[{name}]] has a text in the variants and stands nowhere"
            report("unused-placeholder", what, f"write [[{name}]] in one of {', '.join(FILLED)}")


def _placeholders(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield from _PLACEHOLDER.findall(value)
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _placeholders(key)
            yield from _placeholders(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _placeholders(inner)


def _variant(row: Row, swap: _Swap, name: str) -> Row:
    texts = swap.variants[name]
    values = {
        field: _filled(value, texts, cell=row.cells and field not in {"instruction", "material", "solution"})
        if field in FILLED
        else value
        for field, value in row.values.items()
    }
    values["group"] = str(row.values.get("id", "")).strip()
    values["id"] = f"{values['group']}.{name}" if values["group"] else ""
    values[FIELD] = Variant(Swapped(attribute=swap.attribute, variant=name, filled=texts), _alike(swap))
    return row._replace(values=values)


def _alike(swap: _Swap) -> tuple[tuple[str, ...], ...]:
    """Sorted, so that the order of keys does not count."""
    names = sorted(next(iter(swap.variants.values())))
    return tuple(tuple(sorted({texts[name] for texts in swap.variants.values()})) for name in names)


def with_alike(checks: Iterable[Check], alike: Iterable[Iterable[str]]) -> tuple[Check, ...]:
    """The checks, those that use `swap` told which words stand for each other."""
    more = [list(texts) for texts in alike]
    return tuple(_told(check, more) if more and check.uses == "swap" else check for check in checks)


def _told(check: Check, more: list[list[str]]) -> Check:
    given = check.options.get("alike")
    alike = [*(given if isinstance(given, list) else []), *more]
    return check.model_copy(update={"options": {**check.options, "alike": alike}})


def _filled(value: Any, texts: Texts, *, cell: bool) -> Any:
    """The value with every placeholder in it filled.

    A cell that holds JSON is still text here, so what is filled in is escaped as JSON is.
    """
    if isinstance(value, dict):
        return {_fill(key, texts): _filled(inner, texts, cell=cell) for key, inner in value.items()}
    if isinstance(value, list):
        return [_filled(inner, texts, cell=cell) for inner in value]
    if not isinstance(value, str):
        return value
    if cell:
        escaped = _fill(value, {name: json.dumps(text, ensure_ascii=False)[1:-1] for name, text in texts.items()})
        if _is_json(escaped):
            return escaped
    return _fill(value, texts)


def _fill(text: str, texts: Texts) -> str:
    return _PLACEHOLDER.sub(lambda found: texts[found[1]], text)


def _is_json(text: str) -> bool:
    try:
        return isinstance(parse(text), dict | list)
    except ValueError:
        return False
