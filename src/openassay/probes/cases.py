"""Hidden cases: which calls are made of the answer's function, and what each must give.

One JSON object a line: ``args`` and ``kwargs``, then ``expected`` or ``raises`` (the name of an exception or of one
of its bases). `args_python`, `kwargs_python` and `expected_python` hold Python literals, for tuples, sets and keys
that are no text. ``call`` names another function or a method, such as ``Stack.of``; ``absolute`` and ``relative``
are tolerances for numbers.
"""

import ast
import json
from typing import Any

from pydantic import ValidationError

from openassay.probes.equal import Tolerance, same
from openassay.probes.inside.wire import Opaque, Taken, decode, encode
from openassay.schema.errors import InputError
from openassay.schema.record import Record

SHOWN = 60


class Case(Record):
    """One call, as written in the file."""

    call: str = ""
    """Dotted name; empty for the check's `function`."""
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    expected: Any = None
    raises: str = ""
    absolute: float = 0.0
    relative: float = 0.0
    args_python: str = ""
    kwargs_python: str = ""
    expected_python: str = ""
    name: str = ""
    """For people."""

    def words(self, function: str) -> str:
        """The call as Python writes it, cut."""
        given = [_repr(one) for one in self.given()] + [f"{key}={_repr(value)}" for key, value in self.named().items()]
        return _cut(f"{self.call or function}({', '.join(given)})")

    def given(self) -> list[Any]:
        return list(ast.literal_eval(self.args_python)) if self.args_python else self.args

    def named(self) -> dict[str, Any]:
        return dict(ast.literal_eval(self.kwargs_python)) if self.kwargs_python else self.kwargs

    def wanted(self) -> Any:
        return ast.literal_eval(self.expected_python) if self.expected_python else self.expected


def read_cases(data: bytes, where: str) -> tuple[Case, ...]:
    """The cases of a file: JSON lines, or one JSON list.

    Raises:
        InputError: it holds none, or one that cannot be read.
    """
    try:
        text = data.decode("utf-8-sig").strip()
        rows = json.loads(text) if text.startswith("[") else [json.loads(line) for line in text.splitlines() if line]
        cases = tuple(_case(row) for row in rows)
    except (ValueError, SyntaxError, TypeError, ValidationError, RecursionError) as error:
        told = error.errors()[0]["msg"] if isinstance(error, ValidationError) else str(error)
        raise InputError(f"a case cannot be read: {told}", where=where, todo="see docs/code-tasks.md") from None
    if not cases:
        raise InputError("the file holds no case", where=where, todo="add at least one")
    return cases


def _case(row: Any) -> Case:
    case = Case.model_validate(row)
    case.given(), case.named(), case.wanted()  # a literal that cannot be read is found here
    says = {"expected", "expected_python", "raises"} & set(row)
    if len(says) != 1:
        msg = "expected one of `expected`, `expected_python` and `raises` in each case"
        raise ValueError(msg)
    return case


def asked(case: Case, function: str) -> dict[str, Any]:
    """What the process that runs the code under test is told: never what it should give."""
    return {"call": case.call or function, "args": encode(case.given()), "kwargs": encode(case.named())}


def trouble(case: Case, line: dict[str, Any], *, exact_sequences: bool) -> str:
    """Why the outcome of a call is not the one expected; empty where it is.

    Args:
        case: as read.
        line: what the process wrote; data that may be anything.
        exact_sequences: see `equal.Tolerance`.
    """
    if "raised" in line:
        return _raised(case, line["raised"])
    if "value" not in line:
        return "gave nothing that can be read"
    try:
        got = decode(line["value"])
    except (ValueError, RecursionError):
        return "gave nothing that can be read"
    if case.raises:
        return f"gave {_said(got)}, expected {case.raises}"
    if same(case.wanted(), got, Tolerance(case.absolute, case.relative, exact_sequences)):
        return ""
    return f"gave {_said(got)}, expected {_said(case.wanted())}"


def _raised(case: Case, raised: Any) -> str:
    names = raised.get("names") if isinstance(raised, dict) else None
    if not isinstance(names, list) or not names:
        return "gave nothing that can be read"
    if case.raises:
        return "" if case.raises in names else f"raised {_cut(str(names[0]))}, expected {case.raises}"
    return f"raised {_cut(str(names[0]))}: {_cut(str(raised.get('message', '')))}"


def _said(value: Any) -> str:
    if isinstance(value, Opaque):
        return f"an object of the class {_cut(value.name)}"
    return _cut(_repr(list(value) if isinstance(value, Taken) else value))


def _repr(value: Any) -> str:
    try:
        return repr(value)
    except ValueError:  # Python writes no integer of more than some thousand digits
        return "a value too long to write"


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"
