"""The benchmark that a table of results implies: its items without texts, under names that are safe as file names.

Not here: what the models did on them (`import_coded`).
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from openassay.runs import imported
from openassay.runs.import_coded import ALL, Coded
from openassay.schema.benchmark import BenchmarkInfo, Category
from openassay.schema.record import Record
from openassay.schema.task import Check, Origin, Task
from openassay.tasks.identity import task_identity

TRACK = "imported"
LONGEST = 100
"""Characters of a name that is made from what a table says, so that a number fits behind it."""
NOT_STATED = "not stated (imported)"


class Words(Record):
    """What flags say about the benchmark."""

    name: str = ""
    """Its id; empty to make it from the file's name."""
    title: str = ""
    """What it is called; empty for its id."""
    visibility: Literal["private", "public"] = "private"
    """Of the items' names; there are no texts."""


def names_for(texts: Sequence[str]) -> dict[str, str]:
    """A safe name for each text, each only once, always the same for the same texts in the same order.

    >>> names_for(["GPT-4o (2024)", "GPT-4o 2024", "ok"])
    {'GPT-4o (2024)': 'GPT-4o-2024', 'GPT-4o 2024': 'GPT-4o-2024-2', 'ok': 'ok'}
    """
    found: dict[str, str] = {}
    taken = set()
    numbers: Counter[str] = Counter()
    for text in texts:
        plain = re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-._")[:LONGEST] or "unnamed"
        name = plain
        while name in taken:
            numbers[plain] += 1
            name = f"{plain}-{numbers[plain] + 1}"
        taken.add(name)
        found[text] = name
    return found


def benchmark_of(stem: str, words: Words, coded: Coded) -> tuple[BenchmarkInfo, tuple[Task, ...]]:
    categories = names_for(list(dict.fromkeys(coded.category)))
    name = words.name or names_for([stem])[stem]
    definition = "as the imported table says" if set(categories) != {ALL} else "all items of the imported table"
    info = BenchmarkInfo(
        id=name,
        version="1-A",
        title=words.title or name,
        developers=NOT_STATED,
        purpose=NOT_STATED,
        licence=NOT_STATED,
        funding=NOT_STATED,
        visibility=words.visibility,
        category=tuple(
            Category(id=one, track=TRACK, title=text, definition=definition) for text, one in categories.items()
        ),
    )
    return info, tuple(_tasks(coded, categories))


def _tasks(coded: Coded, categories: Mapping[str, str]) -> Iterator[Task]:
    checks = {
        hard: (Check(id=imported.CHECK, text="The score that the table holds", hard=hard, uses="imported"),)
        for hard in (True, False)
    }
    ids = names_for(coded.items)
    for item, category, cluster in zip(coded.items, coded.category, coded.cluster, strict=True):
        hard = category in coded.hard
        yield Task(
            id=ids[item],
            category=categories[category],
            instruction=imported.NO_TEXTS,
            group=cluster,
            checks=checks[hard],
            origin=Origin(source="" if ids[item] == item else f"item {item!r} of the table"),
            identity=task_identity({"id": item, "category": category, "group": cluster, "hard": hard}),
        )
