"""`card.toml` in a benchmark folder: what its makers answer where nothing can be computed.

::

    [criterion.D10]
    answer = "Two clerks reached 94 %."
    evidence = "https://example.org/study"
    level = 15          # 0, 5, 10, 15 or "n/a", as the makers see it

Not here: the questions (`card_criteria`).
"""

from pathlib import Path
from typing import Literal

from openassay.reports.card_criteria import IDS
from openassay.reports.own_files import read_own
from openassay.schema.record import Record
from openassay.tasks.faults import FaultList, Place

FILE = "card.toml"

Level = Literal[0, 5, 10, 15, "n/a"]
"""As BetterBench counts: not met, met in part, met, met in full; or the question does not apply."""


class Answer(Record):
    """One ``[criterion.ID]``."""

    answer: str
    evidence: str = ""
    """Where it can be looked up; kept as text, never opened."""
    level: Level | None = None
    """The makers' own assessment; null where they gave none."""


class CardFile(Record):
    """The file."""

    contact: str = ""
    feedback: str = ""
    """Where errors are reported."""
    identifier: str = ""
    """A lasting one, such as a DOI."""
    criterion: dict[str, Answer] = {}


def read_card_file(folder: Path) -> CardFile:
    """The answers; empty where there is no such file, `OwnFileError` with every fault."""
    path = folder / FILE
    return read_own(path, CardFile, _look) if path.is_file() else CardFile()


def _look(found: CardFile, place: Place, faults: FaultList) -> None:
    for name in found.criterion:
        if name not in IDS:
            faults.add_unknown(place, "criterion", name, IDS, field=f"criterion.{name}")
