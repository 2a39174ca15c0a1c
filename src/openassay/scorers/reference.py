"""The page `docs/reference/scorers.md`, written from the option records and the scorers' own words.

``python -m openassay.scorers.reference > docs/reference/scorers.md`` writes it; a test compares.
"""

import importlib
import inspect
import sys
from collections.abc import Iterator

from pydantic.fields import FieldInfo

from openassay.schema.checks import SCORERS, AnswerOptions, ScorerKind
from openassay.scorers.script import VERSIONS, module_of

INTRODUCTION = """# Scorers

<!-- Written by `python -m openassay.scorers.reference`. Change the scorers' docstrings instead. -->

A scorer compares one answer with a check's `reference` and gives `pass`, `fail` or `unmeasurable`, with a reason that
says what was taken from the answer and what it was compared with. It never learns which model answered.

- An **empty answer** fails every check.
- **Unmeasurable** means that the method does not apply here (a pattern that does not end in time, a judge's reply that
  is no verdict): left out of the score and shown; a hard check that is unmeasurable goes to people.
- **Malformed** means that the answer is not in the form that the check demands. On a hard check the outcome becomes
  `format_error`.
- A scorer that **breaks** is a `scorer_error`: ours, never the model's.
"""

CLOSING = """## A scorer of your own

`uses` may be the dotted path of a function, such as `my_team.scoring.all_capitals`:

```python
from openassay.scorers.finding import Finding


def all_capitals(reference, options, evidence):
    answer = evidence.answer.strip()
    return Finding("pass" if answer.isupper() else "fail", f"took {answer!r}, expected capitals", took=answer)
```

`reference` and `options` are the JSON values of the check. `evidence` has `answer`, `instruction`, `materials` (each
with `name` and `text`) and `siblings`. The function must be importable where `openassay` runs, and it runs with your
rights. A benchmark may come from anybody, so nothing runs before you name it, or a module that holds it:
`OPENASSAY_ALLOW_CODE=my_team.scoring`. Name only code that you trust.

## From verdicts to a score

An attempt has *passed* when every hard check passes; it is open where a hard check is unmeasurable and none failed. Its
*score* is the weighted share of the measured checks: a check that measures a share (F1, agreement) contributes it, any
other 1 or 0. A failed hard check makes the attempt count as 0, and the score is kept beside.
"""


def page() -> str:
    """The whole page, as markdown."""
    sections = [_section(name, kind) for name, kind in SCORERS.items()]
    return "\n".join([INTRODUCTION, _final_answer(), *sections, CLOSING])


def _final_answer() -> str:
    rows = _rows(AnswerOptions.model_fields)
    return "\n".join(
        ["## The final answer", "", _words("answers"), "", "All text scorers take:", "", *_table(rows), ""]
    )


def _section(name: str, kind: ScorerKind) -> str:
    fields = {key: field for key, field in kind.options.model_fields.items() if key not in AnswerOptions.model_fields}
    version = f" (version {VERSIONS[name]})" if name in VERSIONS else " (by a judge)"
    reference = inspect.getdoc(kind.options) or ""
    rows = list(_rows(fields))
    options = ["", *_table(iter(rows))] if rows else []
    return "\n".join([f"## `{name}`{version}", "", _words(module_of(name)), "", reference, *options, ""])


def _words(module: str) -> str:
    """A module's docstring, without the scorer's own name that opens it."""
    text = inspect.getdoc(importlib.import_module(f"openassay.scorers.{module}")) or ""
    first, _, rest = text.partition(": ")
    return rest[:1].upper() + rest[1:] if first.startswith("`") and " " not in first else text


def _table(rows: Iterator[str]) -> list[str]:
    return ["| option | default | meaning |", "|---|---|---|", *rows]


def _rows(fields: dict[str, FieldInfo]) -> Iterator[str]:
    for name, field in fields.items():
        default = "required" if field.is_required() else f"`{_spelled(field.get_default(call_default_factory=True))}`"
        meaning = " ".join((field.description or "").split())
        yield f"| `{field.alias or name}` | {default} | {meaning} |"


def _spelled(value: object) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return "[]" if value == () else str(value)


if __name__ == "__main__":
    sys.stdout.write(page())
