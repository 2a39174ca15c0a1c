"""A gold set's outputs as tasks that are answered already, with their twins in another style. Pure.

Not here: the file (`tasks.gold`), how a twin is made (`scorers.twins`), and the run that judges them (`calibrate`).
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from openassay.schema.canonical import sha256_hex
from openassay.schema.gold import GoldItem, GoldSet
from openassay.schema.task import Check, Material, Origin, Task, TaskLimits
from openassay.scorers.twins import padded, reformatted
from openassay.tasks.identity import own_fields, task_identity

AS_WRITTEN, STYLES = "as-written", ("padded", "reformatted")
TITLES = {
    AS_WRITTEN: ("Outputs of the gold set", "an output as it was written"),
    "padded": ("Padded twins", "the same output between polite sentences that say nothing"),
    "reformatted": ("Reformatted twins", "the same words in another form"),
}


class Answer(NamedTuple):
    task: Task
    text: str


def answers(gold: GoldSet, *, twins: bool) -> Iterator[Answer]:
    """Every output as a task with its answer, and its twins where another style may not change a verdict."""
    for number, items in enumerate(gold.outputs(), start=1):
        name = f"answer-{number:04d}"  # neutral: the judge sees it
        yield Answer(_task(name, AS_WRITTEN, items, items[0].output), items[0].output)
        if not twins or not any(item.style_free for item in items):
            continue
        texts = (padded(items[0].output, items[0].language), reformatted(items[0].output))
        for place, (style, text) in enumerate(zip(STYLES, texts, strict=True), start=2):
            if text != items[0].output:
                yield Answer(_task(f"{name}-{place}", style, items, text), text)


def _task(name: str, style: str, items: Sequence[GoldItem], output: str) -> Task:
    first = items[0]
    text = first.material
    materials = (Material(name="material", text=text, sha256=sha256_hex(text.encode())),) if text else ()
    checks = tuple(
        Check(id=item.id, by="judge", uses="rubric", hard=False, dimension=item.kind, reference=item.criterion)
        for item in items
    )
    limits = TaskLimits(max_tokens=max(1, len(output.encode()) // 4))
    texts = {"instruction": first.instruction, "solution": first.reference or None, "answer": output}
    fields = own_fields(texts, materials=materials, checks=checks, origin=Origin(), limits=limits)
    return Task(
        id=name,
        category=style,
        instruction=first.instruction,
        materials=materials,
        checks=checks,
        solution=first.reference or None,
        limits=limits,
        identity=task_identity(fields),
    )


def twin_of(task_id: str) -> str:
    """Id of the output as written, of which this is a twin."""
    return task_id.rpartition("-")[0]
