"""Solutions that stand where a model can read them.

Compared are folded words. Short references are ignored: *no* or *12* stand in many texts by chance. A reference that
is offered among others ("yes or no", "red, green or blue") is no leak. Neither is an answer in the material:
finding it there may be the task. A criterion, a whole structured reference or a hidden file's line there is one.
"""

import json
import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

from openassay.schema.canonical import thaw
from openassay.schema.task import Check, Task

_LETTERS = 4
_DIGITS = 3
_SENTENCE = 30
_LINE = 40
_NEAR = 80
_LARGEST = 1_000_000

_OFFERED = re.compile(
    r"(?<!\w)(or|oder|ou|eller|lub|nebo|или|ή|vai|ya da|one of|choose|options?|labels?|categor\w+|codes?)(?!\w)|[/|]"
)
_OR = {"nl": "of", "af": "of", "it": "o", "es": "o"}
"""Words for *or* that mean something else in other languages, by the task's language."""


def leaks(task: Task, hidden: Path | None) -> Iterator[tuple[str, str]]:
    """Field and sentence for each leak; the leaked text itself is not repeated.

    Args:
        task: as loaded.
        hidden: the task folder's `hidden/`, where there is one.
    """
    shown = {"instruction": _fold(task.instruction)}
    supplied = _fold("\n".join(material.text for material in task.materials))
    for check in task.checks:
        if any(_stands_in(short, task) for short in _short_references(check)):
            yield "instruction", f"the reference of {check.id!r} stands in the instruction"
    for name, text in _long_texts(task):
        for field, where in (*shown.items(), ("material", supplied)):
            if not (field == "material" and name == "the solution") and _fold(text) in where:
                yield field, f"{name} stands in the {field}"
    # Wrong versions of a module that is shown repeat most of its lines.
    tested = any(check.uses == "written_tests" for check in task.checks)
    compared = shown if tested else {**shown, "material": supplied}
    for line in _hidden_lines(hidden):
        for field, where in compared.items():
            if line in where:
                yield field, f"a line of a hidden file stands in the {field}"
                return


def _fold(text: str) -> str:
    return " ".join(text.casefold().split())


def _short_references(check: Check) -> Iterator[str]:
    reference = thaw(check.reference)
    if check.uses == "exact":
        texts = reference if isinstance(reference, list) else [reference]
        yield from (_fold(text) for text in texts if isinstance(text, str) and len(text) >= _LETTERS)
    elif check.uses == "numeric" and isinstance(reference, int | float):
        digits = format(Decimal(str(reference)).normalize(), "f")
        if sum(sign.isdigit() for sign in digits) >= _DIGITS:
            yield digits


def _stands_in(reference: str, task: Task) -> bool:
    """As whole words of the instruction, and not only as one of several that are offered."""
    folded, own_or = _fold(task.instruction), _OR.get(task.origin.language)
    for match in re.finditer(rf"(?<![\w.,]){re.escape(reference)}(?!\w|[.,]\d)", folded):
        around = folded[max(0, match.start() - _NEAR) : match.end() + _NEAR]
        offered = _OFFERED.search(around) or (own_or and re.search(rf"(?<!\w){own_or}(?!\w)", around))
        if not offered and not _is_listed(reference, task.instruction):
            return True
    return False


def _is_listed(reference: str, written: str) -> bool:
    """On a line of its own, as in a list of choices."""
    return any(_fold(line).strip("-*\N{BULLET} .") == reference for line in written.splitlines())


def _long_texts(task: Task) -> Iterator[tuple[str, str]]:
    if task.solution and len(task.solution) >= _SENTENCE:
        yield "the solution", task.solution
    for check in task.checks:
        reference: Any = thaw(check.reference)
        if check.uses == "rubric":
            criteria = reference if isinstance(reference, list) else [reference]
            long = [text for text in criteria if isinstance(text, str) and len(text) >= _SENTENCE]
            yield from ((f"a criterion of {check.id!r}", text) for text in long)
        elif check.uses in {"json", "records", "labels", "codes"} and reference is not None:
            text = json.dumps(reference, ensure_ascii=False)
            if len(text) >= _SENTENCE:
                yield f"the reference of {check.id!r}", text


def _hidden_lines(hidden: Path | None) -> Iterator[str]:
    """Long lines of hidden text files, folded."""
    for path in sorted(hidden.rglob("*")) if hidden and hidden.is_dir() else ():
        if path.is_file() and not path.is_symlink() and path.stat().st_size <= _LARGEST:
            text = path.read_text(encoding="utf-8", errors="replace")
            yield from (line for line in map(_fold, text.splitlines()) if len(line) >= _LINE)
