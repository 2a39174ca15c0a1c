"""The models side by side, item by item: what a row is marked with, and how many rows one page bears.

Few models stand side by side in rows that open. Many stand in a plain table of marks, without an element more than a
cell, so that a page of 25 models and 500 items is still quick. Not here: what was said (`attempts`).
"""

from collections.abc import Collection, Mapping, Sequence

from markupsafe import Markup

from openassay.reports import words
from openassay.reports.contract import Item, ItemResult

MOST_BESIDE = 6
"""Models that stand side by side; more stand in the table of marks."""
MOST_ROWS = 1_000
"""Items in rows that open."""
MOST_CELLS = 150_000
"""Cells in tables of marks."""
MOST_MARKS = 4
"""Attempts that a cell shows one by one; of more it shows how many passed."""

SIGNS: dict[str, tuple[str, str]] = {
    "pass": ("✓", "passed"),
    "fail": ("✗", "failed"),
    "cut": ("…", "cut off at the limit, counts as not passed"),
    "empty": ("∅", "empty, filtered or refused, counts as not passed"),
    "malformed": ("#", "not in the form demanded, counts as not passed"),
    "timeout": ("T", "code that did not end in time, counts as not passed"),
    "quality": ("≈", "scored, no hard check decides"),
    "undecided": ("?", "waits for a judge or a person"),
    "waiting": ("·", "not scored yet"),
    "endpoint": ("!", "lost to the endpoint"),
    "scorer": ("!", "a scorer failed"),
}
"""Mark of an attempt -> (sign, what it means)."""

FILTERS = {
    "": "All",
    "different": "Different",
    "failed": "Failed",
    "cut": "Cut off",
    "unsure": "Judge unsure",
    "flagged": "Flagged",
}
"""Word in `flags` -> what the button says."""

_LOST = {"fail", "cut", "empty", "malformed", "timeout"}
_LOOKS = {"pass": "p", "fail": "f", "timeout": "f", "quality": "q"}
"""One letter a look of a cell: there are many cells."""


def flags(item: Item) -> str:
    """What the filters of the page look for."""
    marks = {mark for result in item.models.values() for mark in result.marks}
    found = {
        "different": item.different,
        "failed": bool(marks & _LOST),
        "cut": "cut" in marks,
        "unsure": any(result.unsure for result in item.models.values()) or "undecided" in marks,
        "flagged": bool(item.signs),
    }
    return " ".join(name for name, holds in found.items() if holds)


def beside(models: int, items: int) -> bool:
    """Whether the items stand in rows that open, rather than in a table of marks."""
    return models <= MOST_BESIDE and items <= MOST_ROWS


def fitting(items: Sequence[Item], models: int, most: int = MOST_CELLS) -> tuple[Item, ...]:
    """Items that one page bears, in their order; where not all do, those on which models differ come before others.

    Args:
        items: of one run.
        models: how many.
        most: cells of one page.
    """
    most = max(1, most // max(models, 1))
    if len(items) <= most:
        return tuple(items)
    first = sorted(range(len(items)), key=lambda at: not items[at].different)[:most]
    return tuple(items[at] for at in sorted(first))


def part_of(run: str, task: str, model: str) -> str:
    """Where the answers of one model to one item stand."""
    return f"{words.anchor(run, task)}--{model}"


def row(item: Item, models: Sequence[str], opened: Collection[str] | Mapping[str, object]) -> Markup:
    """One row of the table of marks; each cell is a link where there is something to see."""
    seen = item.task in opened
    name = Markup('<a href="#{}">{}</a>').format(words.anchor(item.run, item.task), item.task) if seen else item.task
    own = Markup("") if seen else Markup(' id="{}"').format(words.anchor(item.run, item.task))
    cells = Markup("").join(_cell(item, model, seen=seen) for model in models)
    return Markup('<tr class="item"{} data-flags="{}"><th scope="row">{}</th>{}</tr>').format(
        own, flags(item), name, cells
    )


def _cell(item: Item, model: str, *, seen: bool) -> Markup:
    result = item.models[model]
    said = _said(result)
    if seen and said:
        link = Markup('<a href="#{}">{}</a>').format(part_of(item.run, item.task, model), said)
        return Markup("<td class={}>{}</td>").format(_look(result), link)
    return Markup("<td class={}>{}</td>").format(_look(result), said)


def _said(result: ItemResult) -> str:
    marks = result.marks
    if result.score is not None and marks and set(marks) == {"quality"}:
        return f"{result.score:.2f}"
    if len(marks) > MOST_MARKS:
        return f"{result.passed}/{result.scored}"
    return "".join(SIGNS[mark][0] for mark in marks)


def _look(result: ItemResult) -> str:
    """Class of a cell: passed, failed, some of both, scored without a hard check, odd, nothing."""
    looks = {_LOOKS.get(mark, "o") for mark in result.marks}
    if looks == {"p", "f"}:
        return "s"
    return looks.pop() if len(looks) == 1 else "o" if looks else "n"
