"""Figures of others in words, the same in the terminal and in HTML.

Not here: what they leave out (`claim`).
"""

from openassay.reports.outside_contract import BesideFigure
from openassay.reports.words import bounds

HEADING = "Beside, not measured here"
NOTE = (
    "What others say they measured, as it was written down by whoever made this report. Nothing here was measured by "
    "OpenAssay, and nothing is added to the results above: other tasks, prompts, versions and dates."
)
KINDS = {"benchmark": "public benchmark", "trial": "business trial"}


def heading(figure: BesideFigure) -> str:
    """Such as ``large: 82 % in SupportBench (public benchmark)``."""
    where = f" in {figure.benchmark}" if figure.benchmark else ""
    return f"{figure.model}: {figure.figure}{where} ({KINDS.get(figure.kind, figure.kind)})"


def rows(figure: BesideFigure) -> list[tuple[str, str]]:
    """Label and text of everything that the figure says, and of what it leaves out."""
    n = "" if figure.n is None else f"{figure.n:,} tasks"
    computed = "" if figure.interval is None else f"{bounds(figure.interval)} (from n alone, computed here)"
    said = [
        ("measured", figure.what),
        ("calculated as", figure.metric),
        ("version", figure.version),
        ("n", n),
        ("95 % interval", computed),
        ("interval as stated", figure.stated_interval),
        ("configuration", figure.configuration),
        ("date", figure.date),
        ("measured by", figure.measured_by),
        ("paid by", figure.paid_by),
        ("source", " ".join(filter(None, (figure.source, figure.url)))),
        ("note", figure.note),
        ("a model of this run", "the name is the same; whether the version is, the source has to say" * figure.in_run),
        ("leaves out", ", ".join(figure.left_out)),
    ]
    found = [(label, text) for label, text in said if text]
    if figure.unreadable:
        found.append(("so", "it cannot be read on its own: something essential is missing"))
    return found
