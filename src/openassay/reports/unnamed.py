"""Items whose authors, sources and groups may not be named: each gets a number; what depends on them still shows.

Not here: prompts and answers, which reach a page only where its reader may see them (`folders.opened`).
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from openassay.reports.results import RunFacts
from openassay.schema.task import Task


def unnamed(facts: RunFacts) -> RunFacts:
    """The same run; equal names stay equal, and empty ones empty."""
    tasks = list(facts.tasks.values())
    authors = _numbers("author", (task.origin.author for task in tasks))
    sources = _numbers("source", (task.origin.source for task in tasks))
    groups = _numbers("group", (task.group for task in tasks))
    return replace(facts, tasks={task.id: _hidden(task, authors, sources, groups) for task in tasks})


def _numbers(word: str, names: Iterable[str]) -> dict[str, str]:
    known = dict.fromkeys(name for name in names if name)
    return {"": ""} | {name: f"{word} {number}" for number, name in enumerate(known, 1)}


def _hidden(task: Task, authors: Mapping[str, str], sources: Mapping[str, str], groups: Mapping[str, str]) -> Task:
    origin = task.origin.model_copy(
        update={"author": authors[task.origin.author], "source": sources[task.origin.source], "affiliation": ""}
    )
    return task.model_copy(update={"origin": origin, "group": groups[task.group]})
