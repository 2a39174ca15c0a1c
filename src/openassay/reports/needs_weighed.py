"""Categories added up by the weights of a reader's own file: a choice of theirs, which is said every time.

Never without the value of each category beside it. Not here: any weighing of our own.
"""

from openassay.reports.contract import Result, RunSummary, Summary
from openassay.reports.needs_contract import Weighed, WeighedPart
from openassay.reports.needs_file import Needs
from openassay.reports.words import listed
from openassay.stats.weighing import weighted_sum

OWN = "This adds categories up by the weights of your own file. It is your weighing, and nothing that was measured."


def weighed(summary: Summary, needs: Needs, run: RunSummary, model: str) -> Weighed | None:
    """None where the file weighs nothing."""
    weights = {need.category: need.weight for need in needs.need if need.weight}
    if not weights:
        return None
    results = {one.category: one for one in summary.results_of(run.id) if one.model == model}
    parts = tuple(_part(name, weight / sum(weights.values()), results.get(name)) for name, weight in weights.items())
    tracks = tuple(dict.fromkeys(part.track for part in parts if part.track))
    whole = [(part.value, part.interval, part.weight) for part in parts]
    value, interval = None, None
    if all(one[0] is not None for one in whole):
        value = sum(part.weight * (part.value or 0.0) for part in parts)
        bounds = [part.interval for part in parts if part.interval is not None]
        if len(bounds) == len(parts):
            interval = weighted_sum([part.value or 0.0 for part in parts], bounds, [part.weight for part in parts])
    return Weighed(
        run=run.id,
        model=model,
        value=value,
        interval=interval,
        parts=parts,
        tracks=tracks,
        notes=tuple(_notes(parts, tracks)),
    )


def _part(category: str, weight: float, result: Result | None) -> WeighedPart:
    """The pass rate where hard checks decide, the score otherwise."""
    passes = result is not None and result.pass_rate is not None
    return WeighedPart(
        category=category,
        track=result.track if result else "",
        weight=weight,
        measure="pass rate" if passes else "score",
        value=(result.pass_rate if passes else result.score) if result else None,
        interval=(result.interval if passes else result.score_interval) if result else None,
    )


def _notes(parts: tuple[WeighedPart, ...], tracks: tuple[str, ...]) -> list[str]:
    said = [OWN]
    if len(tracks) > 1:
        said.append(
            f"Your weighing adds different tracks ({listed(list(tracks))}): they measure different things, and no "
            "report of ours adds them."
        )
    if len({part.measure for part in parts if part.value is not None}) > 1:
        said.append("It adds pass rates to scores, which are not the same thing.")
    if gone := [part.category for part in parts if part.value is None]:
        said.append(f"There is no weighed value: {listed(gone)} {'has' if len(gone) == 1 else 'have'} no result.")
    return said
