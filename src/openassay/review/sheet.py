"""One item as its rater sees it: task, output and criterion; nothing of the model, nothing of what others decided."""

import json
from collections.abc import Iterator
from typing import NamedTuple

from openassay.review.shown import Shown, shown
from openassay.runs.cells import answer_text
from openassay.runs.folder import RunFolder
from openassay.runs.review_queue import Item
from openassay.schema.canonical import thaw
from openassay.schema.record import Json
from openassay.schema.task import Check, Task
from openassay.scorers.masking import masked

SHORT = 900
"""Characters of a text that is shown open; a longer one is opened by hand."""


class Text(NamedTuple):
    title: str
    part: str
    """Its name in a URL."""
    text: Shown

    @property
    def short(self) -> bool:
        return self.text.length <= SHORT


class Sheet(NamedTuple):
    id: str
    given: tuple[Text, ...]
    """Instruction, then materials."""
    reference: Text | None
    output: Text
    masked: int
    """Names of models that are masked in what is shown of the output."""
    criteria: tuple[str, ...]
    hard: bool


def sheet(folder: RunFolder, item: Item) -> Sheet:
    """What there is to see of an item."""
    task = folder.tasks[item.cell.task]
    given = tuple(Text(title, part, shown(text)) for title, part, text in _given(task))
    told = _reference(item.check, task)
    output = answer_text(folder, item.attempt)
    criteria = tuple(criteria_of(item.check))
    mask = _Mask("\n".join([*(text for _, _, text in _given(task)), told, *criteria]))
    return Sheet(
        id=item.id,
        given=given,
        reference=Text("Reference", "reference", shown(told)) if told else None,
        output=Text("Output", "output", shown(output, mask)),
        masked=mask.names,
        criteria=criteria,
        hard=item.check.hard,
    )


def whole(folder: RunFolder, item: Item, part: str) -> str | None:
    """One text of an item as it is stored; None where it has no such part."""
    task = folder.tasks[item.cell.task]
    if part == "output":
        return answer_text(folder, item.attempt)
    texts = {name: text for _, name, text in _given(task)}
    if told := _reference(item.check, task):
        texts["reference"] = told
    return texts.get(part)


def criteria_of(check: Check) -> Iterator[str]:
    """What the check demands, in words; several where its reference lists them."""
    reference = thaw(check.reference)
    told = reference if isinstance(reference, list) else [reference]
    listed = [str(one) for one in told if one is not None] if check.uses == "rubric" else []
    yield from dict.fromkeys([check.text, *listed] if check.text else listed or [check.id])


def _given(task: Task) -> Iterator[tuple[str, str, str]]:
    """(title, part, text) of all that the model was given."""
    yield "Instruction", "instruction", task.instruction
    for number, one in enumerate(task.materials, 1):
        yield f"Material: {one.name}" if one.name != "material" else "Material", f"material-{number}", one.text


def _reference(check: Check, task: Task) -> str:
    """What a good answer holds, where the task says so. A rubric's own reference is its criterion."""
    told: list[Json] = [] if check.uses == "rubric" else [thaw(check.reference)]
    told.append(task.solution)
    return "\n\n".join(_readable(one) for one in told if one is not None)


def _readable(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1)


class _Mask:
    """Names of models masked in what is shown of an output, as for judges, unless the task itself speaks of them."""

    def __init__(self, spoken: str) -> None:
        self.names = 0
        self._spoken = spoken

    def __call__(self, text: str) -> str:
        found = masked(text, self._spoken)
        self.names += found.names
        return found.text
