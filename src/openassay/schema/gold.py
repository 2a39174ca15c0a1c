"""A gold set: outputs with verdicts that people agreed on, by which a judge is measured.

Only the records. Reading a file is `tasks/gold.py`; running a judge over the set is the business of `runs`.
"""

from typing import Annotated, Literal

from pydantic import Field

from openassay.schema.errors import Fault
from openassay.schema.record import Identifier, Record, Sha256

Said = Annotated[str, Field(min_length=1)]
"""A text that is not empty."""

GoldVerdict = Literal["pass", "fail"]


class GoldItem(Record):
    """One criterion on one output, and whether the output meets it. A line of a gold set."""

    id: Identifier
    category: Said
    """Of the benchmark, such as `extraction`."""
    kind: Said
    """Kind of check, such as `correctness` or `grounding`; a judge is measured for each kind apart."""
    instruction: Said
    """What was asked of the model."""
    material: str = ""
    """What it was given to read."""
    reference: str = ""
    """One right answer, where the judge may see one."""
    output: Said
    """What is judged."""
    criterion: Said
    verdict: GoldVerdict
    ground: Said
    """One sentence: why this verdict and no other. No judge sees it."""
    raters: dict[str, GoldVerdict] = {}
    """Name a rater chose -> what that person said; empty where it was not kept."""
    style_free: bool = True
    """False where the criterion is about length or form, so that the same words in another form may deserve another
    verdict."""
    language: str = Field(default="en", pattern=r"^[a-z]{2}$")
    """ISO 639-1."""
    source: str = ""
    licence: str = ""


class GoldSet(Record):
    """Gold items in the order of their file."""

    name: str
    """Of the file without its ending; of its folder where the file is called `gold`."""
    items: tuple[GoldItem, ...]
    digest: Sha256
    """Of the items, whatever their order and whichever of the two formats they stand in."""
    remarks: tuple[Fault, ...] = ()
    """What weakens a measurement by this set."""

    def outputs(self) -> tuple[tuple[GoldItem, ...], ...]:
        """Items on the same output together, in the order in which the outputs first stand."""
        found: dict[tuple[str, str, str, str], list[GoldItem]] = {}
        for item in self.items:
            found.setdefault((item.instruction, item.material, item.reference, item.output), []).append(item)
        return tuple(tuple(items) for items in found.values())
