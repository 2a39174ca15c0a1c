"""The records of `report --json` on figures of others, shown beside a run. Fields may be added; none is renamed."""

from openassay.schema.record import Record


class BesideFigure(Record):
    """A figure that somebody published: not measured here, and pooled with nothing."""

    model: str
    """As the source calls it."""
    in_run: bool
    """A model of these runs has the same name; whether it is the same version the source has to say."""
    kind: str
    figure: str
    benchmark: str
    what: str
    metric: str
    version: str
    n: int | None
    interval: tuple[float, float] | None
    """Computed here from the share and `n` alone (Wilson); null where one is missing."""
    stated_interval: str
    configuration: str
    date: str
    measured_by: str
    paid_by: str
    source: str
    url: str
    """Text; never opened."""
    note: str
    left_out: tuple[str, ...]
    """What the figure does not state, the essential first."""
    unreadable: bool
    """Something essential is missing."""
