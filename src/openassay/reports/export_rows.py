"""A run as rows: one a cell, or one a verdict.

Texts of items and answers are in none of them unless asked for. Not here: the columns (`export_columns`), the files
(`export_tables`), rates and intervals, which do not follow from rows without the plan (`summary`).
"""

from collections.abc import Iterator
from functools import cache
from typing import Literal, NamedTuple

from openassay.reports.attempts import Texts
from openassay.reports.export_columns import (
    CellRow,
    CellTexts,
    Table,
    Value,
    VerdictRow,
    VerdictTexts,
    columns_of,
)
from openassay.reports.folders import FolderTexts, nameless
from openassay.reports.results import RunFacts
from openassay.reports.summary import facts as facts_of
from openassay.reports.tally import ScoredCell, read
from openassay.reports.unnamed import unnamed
from openassay.runs import cells as stored
from openassay.runs.folder import RunFolder
from openassay.schema.attempt import Scoring, Verdict
from openassay.schema.errors import RefusedError
from openassay.schema.models import PlannedModel
from openassay.schema.record import MILLION
from openassay.schema.task import Check, Task

Audience = Literal["owner", "public"]


class Discretion(NamedTuple):
    """What an export may hold."""

    texts: bool
    """Prompts, answers, references and reasons."""
    items: bool
    """What points at closed items: groups, and digests by which a guessed text could be confirmed."""
    people: bool
    """Names of those who decided checks by hand."""


def discretion(visibility: str, audience: Audience, *, texts: bool, where: str = "") -> Discretion:
    """What may be told to whom; `RefusedError` for texts of closed items to anybody but their owner."""
    public = visibility == "public"
    if texts and audience == "public" and not public:
        raise RefusedError(
            f"texts of {visibility} items are not for the public",
            where=where,
            todo="leave out --texts, or keep the export to yourself: --audience owner",
        )
    return Discretion(texts=texts, items=public or audience == "owner", people=audience == "owner")


def cell_table(folder: RunFolder, told: Discretion) -> Table:
    """One row a cell that has an attempt, in the order of the plan."""
    source = Source(folder, told)
    extra = (CellTexts,) if told.texts else ()
    return Table(columns_of(CellRow, *extra), map(source.cell_row, source.cells()))


def verdict_table(folder: RunFolder, told: Discretion) -> Table:
    """One row a verdict, those beside the deciding one too."""
    source = Source(folder, told)
    extra = (VerdictTexts,) if told.texts else ()
    rows = (row for cell in source.cells() for row in source.verdict_rows(cell))
    return Table(columns_of(VerdictRow, *extra), rows)


class Source:
    """One run folder as an export sees it."""

    def __init__(self, folder: RunFolder, told: Discretion) -> None:
        known = facts_of(folder)
        self.told = told
        self.folder = folder
        self.facts: RunFacts = known if told.items else unnamed(known)
        self.tracks = {one.id: one.track for one in self.facts.info.category}
        self.models: dict[str, PlannedModel] = {one.name: one for one in self.facts.plan.models}
        self.texts: Texts = FolderTexts(folder)
        self.prompt_of = cache(self._prompt)

    def cells(self) -> Iterator[stored.CellResult]:
        found = stored.read_cells(self.folder)
        return found if self.told.people else map(nameless, found)

    def task(self, cell: ScoredCell) -> Task:
        return self.facts.tasks[cell.attempt.task]

    def cell_row(self, cell: ScoredCell) -> tuple[Value, ...]:
        row = _cell_row(self, cell)
        return (*row, *self._cell_texts(cell)) if self.told.texts else row

    def verdict_rows(self, cell: ScoredCell) -> Iterator[tuple[Value, ...]]:
        checks = {check.id: check for check in self.task(cell).checks}
        for verdict in cell.scoring.verdicts if cell.scoring else ():
            check = checks.get(verdict.check)
            row = _verdict_row(self, cell, verdict, check)
            yield (*row, *_verdict_texts(verdict, check)) if self.told.texts else row

    def _cell_texts(self, cell: ScoredCell) -> CellTexts:
        if self.folder.plan.imported is not None:
            return CellTexts("", "", "")
        return CellTexts(self.prompt_of(cell.attempt.task), self.texts.answer(cell.attempt), reasons(cell.scoring))

    def _prompt(self, task: str) -> str:
        return "\n\n".join(message.text() for message in self.texts.prompt(task))


def reasons(scoring: Scoring | None) -> str:
    """Why each check was decided as it was, a line each."""
    deciding = [one for one in scoring.verdicts if one.decides] if scoring else []
    return "\n".join(f"{one.check}: {one.result}: {one.reason}" for one in deciding)


def share(millionths: int | None) -> float | None:
    return None if millionths is None else millionths / MILLION


def _cell_row(source: Source, cell: ScoredCell) -> CellRow:
    attempt, scoring, task = cell.attempt, cell.scoring, source.task(cell)
    reading = read(attempt, scoring, hard=any(check.hard for check in task.checks))
    model, plan = source.models[attempt.model], source.facts.plan
    return CellRow(
        run=source.facts.id,
        plan_digest=source.facts.plan_file.digest,
        benchmark=plan.benchmark,
        benchmark_version=plan.benchmark_version,
        model=model.name,
        model_version=model.model,
        developer=model.developer,
        lineage=";".join(model.lineage),
        category=task.category,
        track=source.tracks[task.category],
        task=task.id,
        task_identity=task.identity if source.told.items else None,
        group=task.group or None,
        draw=attempt.draw + 1,
        attempt=attempt.attempt + 1,
        outcome=reading.outcome.value,
        mark=reading.mark,
        passed=reading.passed,
        score=share(scoring.score.score) if scoring else None,
        counted=share(reading.counted),
        scored=reading.scored,
        undecided=reading.mark == "undecided",
        judged=scoring is not None and any(one.by == "judge" and one.decides for one in scoring.verdicts),
        unmeasured=len(scoring.score.unmeasured) if scoring else 0,
        uncounted=len(scoring.score.uncounted) if scoring else 0,
        cost_usd=None if attempt.imported and not attempt.cost else attempt.cost / MILLION,
        tokens_in=attempt.usage.tokens_in,
        tokens_out=attempt.usage.tokens_out,
        tokens_reasoning=attempt.usage.tokens_reasoning,
        seconds=None if attempt.imported and not attempt.took_ms else max(attempt.took_ms, 0) / 1000,
        tries=attempt.tries,
        imported=attempt.imported,
    )


def _verdict_row(source: Source, cell: ScoredCell, verdict: Verdict, check: Check | None) -> VerdictRow:
    attempt, plan = cell.attempt, source.facts.plan
    return VerdictRow(
        run=source.facts.id,
        benchmark=plan.benchmark,
        benchmark_version=plan.benchmark_version,
        model=attempt.model,
        category=source.task(cell).category,
        task=attempt.task,
        draw=attempt.draw + 1,
        attempt=attempt.attempt + 1,
        check=verdict.check,
        hard=check.hard if check else None,
        dimension=check.dimension if check else None,
        weight=check.weight if check else None,
        by=verdict.by,
        who=_who(verdict, source.told),
        result=verdict.result,
        value=share(verdict.value),
        decides=verdict.decides,
        counts=verdict.counts,
        disputes=";".join(verdict.disputes),
        order=verdict.order,
        control=verdict.control,
        ended=verdict.ended,
        unsafe=verdict.sandbox.startswith("none"),
    )


def _who(verdict: Verdict, told: Discretion) -> str:
    """Of closed items not even the path to a check of one's own is told, which may say what it looks for."""
    own = verdict.by == "script" and not told.items and set(verdict.who) & set(".:")
    return "own code" if own else verdict.who


def _verdict_texts(verdict: Verdict, check: Check | None) -> VerdictTexts:
    return VerdictTexts(check.text if check else "", verdict.took, verdict.reason)
