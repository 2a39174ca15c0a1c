"""Drawing by strata of difficulty, known from earlier runs of other models: the same certainty with fewer items.

The difficulty of a task is the share of earlier attempts that passed; a candidate's own earlier luck never counts. A
task that no other model has tried counts as of middling difficulty. Not here: how a sample is taken (`stats.sampling`).
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from openassay.runs.cells import read_cells
from openassay.runs.folder import RunFolder
from openassay.schema.benchmark import Benchmark
from openassay.schema.errors import PlanError
from openassay.schema.models import ModelSpec
from openassay.schema.plan import Stratum
from openassay.schema.record import MILLION
from openassay.schema.task import Task

MIDDLING = 0.5


class Strata(NamedTuple):
    """The tasks of one draw, and what the analysis must know of how they were drawn."""

    tasks: tuple[str, ...]
    label_of: dict[str, int]
    strata: tuple[Stratum, ...]


def difficulty(folders: Sequence[RunFolder], benchmark: Benchmark, candidates: Sequence[ModelSpec]) -> dict[str, float]:
    """Task id -> share of attempts passed by other models in these runs, of the task as it is now.

    Raises:
        PlanError: no run says anything about other models on these tasks.
    """
    now = {task.id: task.identity for task in benchmark.tasks}
    own = {(one.endpoint, one.model) for one in candidates}
    seen: dict[str, list[float]] = {}
    for folder in folders:
        others = {one.name for one in folder.plan.models if (one.endpoint, one.model) not in own}
        same = {drawn.task for drawn in folder.draw.tasks if now.get(drawn.task) == drawn.identity}
        for cell in read_cells(folder):
            score = cell.scoring.score if cell.scoring else None
            if cell.attempt.task in same and cell.attempt.model in others and score and score.counted is not None:
                passed = score.counted / MILLION if score.passed is None else float(score.passed)
                seen.setdefault(cell.attempt.task, []).append(passed)
    if not seen:
        raise PlanError(
            "these runs hold no result of another model on a task of this benchmark",
            where="--strata-from",
            todo="give runs of other models on this version of the benchmark, or leave the flag out",
        )
    return {name: sum(passes) / len(passes) for name, passes in seen.items()}


def draw_by_strata(
    tasks: Sequence[Task], categories: Sequence[str], known: Mapping[str, float], *, per_category: int, seed: int
) -> Strata:
    """One draw, from each stratum of difficulty its share.

    Raises:
        PlanError: tasks belong together in groups, which are drawn whole.
    """
    from openassay.stats import sample_stratified  # numpy: only where it is asked for

    names: list[str] = []
    label_of: dict[str, int] = {}
    strata: list[Stratum] = []
    for category in categories:
        pool = {task.id: known.get(task.id, MIDDLING) for task in tasks if task.category == category}
        if not pool:
            continue
        if any(task.group for task in tasks if task.category == category):
            raise PlanError(
                f"the category {category!r} has groups of tasks, which are drawn whole and not by difficulty",
                where="--strata-from",
                todo="leave the flag out, or draw other categories with --category",
            )
        sample = sample_stratified(pool, min(per_category, len(pool)), seed=seed)
        names += sample.ids
        label_of |= dict(zip(sample.ids, sample.labels, strict=True))
        shares = sorted((int(str(label)), share) for label, share in sample.shares.items())
        strata += [Stratum(category=category, label=label, share=round(share * MILLION)) for label, share in shares]
    return Strata(tuple(names), label_of, tuple(strata))
