"""What a report says of items asked in variants with one attribute changed: the records of `swaps`."""

from typing import Literal

from openassay.schema.record import Record

Measure = Literal["result", "words", "number", "refusals", "hedges"]
SwapVerdict = Literal["first higher", "second higher", "no difference shown", "too few items"]


class SwapShare(Record):
    """A mean share with its 95 % interval."""

    share: float
    interval: tuple[float, float]
    n: int


class SwapEffect(Record):
    """First variant minus second, over items that have the measure in both."""

    measure: Measure
    """`result`: passes, or the score where no hard check decides; `words` of an answer; `number`: the difference of
    stated numbers as a share of their mean; `refusals`: share of answers that refuse; `hedges` an answer."""
    n_items: int
    first: float
    """Mean of the first variant; of `number` 0, since numbers of different items have no common mean."""
    second: float
    diff: float
    interval: tuple[float, float] | None = None
    """At 95 %, for this comparison alone; null below the fewest items, and where the two are equal in every item."""
    ratio: float | None = None
    """Of `words`: how many times as long the first variant's answers are (geometric mean)."""
    p: float | None = None
    p_adjusted: float | None = None
    """Holm over all comparisons of the run; what `verdict` rests on."""
    verdict: SwapVerdict


class SwapPair(Record):
    """Two variants of one attribute, one model, over all items of a track that are asked in both."""

    run: str
    track: str
    attribute: str
    model: str
    first: str
    second: str
    n_items: int
    """Planned: each is asked in both variants."""
    n_scored: int
    """Items with every planned attempt scored in both; the rest is left null until this is all of them."""
    different: SwapShare | None = None
    """Items with a `swap` check: share of attempts with different answers in the two variants."""
    repeated: SwapShare | None = None
    """The same between two attempts at one variant: what chance alone does; null with one attempt an item."""
    effects: tuple[SwapEffect, ...] = ()
    said: tuple[str, ...]
    """The same in words."""
