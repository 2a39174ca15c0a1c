"""A benchmark's card: what a reader should know of it, what was computed, and what nobody has said yet.

For everybody: no text of an item and no author's name is in it. Not here: how it looks (`card_markdown`).
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from openassay.reports.card_answers import Known, Status, known
from openassay.reports.card_criteria import CRITERIA, Criterion
from openassay.reports.card_facts import CardFacts, facts_of, run_facts
from openassay.reports.card_file import Answer, CardFile, Level, read_card_file
from openassay.reports.summary import summarise
from openassay.runs.evidence import kept
from openassay.runs.folder import RunFolder
from openassay.schema.benchmark import Benchmark
from openassay.schema.errors import BenchmarkError
from openassay.schema.record import Record
from openassay.tasks.load import load

FORMAT: Literal["openassay-card/1"] = "openassay-card/1"
STAGES = ("design", "implementation", "documentation", "maintenance")


class CardLine(Record):
    """One criterion of BetterBench."""

    id: str
    stage: str
    question: str
    status: Status
    known: str
    """Computed, or stated in `benchmark.toml`."""
    answer: str
    """Of the makers, in `card.toml`."""
    evidence: str
    level: Level | None
    """The makers' own assessment."""


class StageScore(Record):
    stage: str
    criteria: int
    assessed: int
    """With a level, those that do not apply among them."""
    mean: float | None
    """Of the levels, 0..15; null until every criterion of the stage has one."""


class Card(Record):
    """The JSON form."""

    format: Literal["openassay-card/1"] = FORMAT
    facts: CardFacts
    contact: str
    feedback: str
    identifier: str
    criteria: tuple[CardLine, ...]
    stages: tuple[StageScore, ...]
    open: tuple[str, ...]
    """Ids of criteria that people still have to answer."""
    limits: tuple[str, ...]
    """What may not be concluded from the run."""


def card_of_benchmark(folder: Path) -> Card:
    """From a benchmark folder; `BenchmarkError` where it cannot be loaded, `OwnFileError` for faults in `card.toml`."""
    benchmark = load(folder)
    facts = facts_of(benchmark, pool={}, proofs=kept(benchmark, benchmark.tasks), policy=benchmark.info.judge)
    return card_of(facts, read_card_file(folder))


def card_of_run(folder: RunFolder) -> Card:
    """From a run: of the items that were drawn, with what the run shows of the benchmark.

    Answers and proofs come from the benchmark's folder where it is still there and is the same benchmark.
    """
    summary = summarise([folder], unnamed_runs={folder.id})
    drawn = Benchmark(info=folder.info, tasks=tuple(folder.tasks.values()), digest=folder.plan.benchmark_digest)
    home = _home(folder)
    placed = drawn.model_copy(update={"folder": home.folder, "places": home.places}) if home else drawn
    passes = folder.passes
    facts = facts_of(
        drawn,
        pool=folder.draw.pool,
        proofs=None if folder.plan.imported is not None else kept(placed, placed.tasks),
        policy=folder.judge_policy,
        standings=(passes[-1].standings if passes else folder.plan.standings) or (),
        run=run_facts(summary),
    )
    return card_of(facts, read_card_file(Path(home.folder)) if home else CardFile(), summary.limits)


def _home(folder: RunFolder) -> Benchmark | None:
    """The benchmark as it is in its folder now, if that is the one that was run and can be read."""
    path = Path(folder.plan_file.benchmark_path)
    if folder.plan.imported is not None or not (path / "benchmark.toml").is_file():
        return None
    try:
        found = load(path)
    except BenchmarkError:
        return None
    return found if found.info.id == folder.plan.benchmark else None


def card_of(facts: CardFacts, file: CardFile, limits: Sequence[str] = ()) -> Card:
    """The card, from what was counted and what people answered."""
    said = _said(file)
    lines = tuple(_line(one, known(facts, one.id), said.get(one.id)) for one in CRITERIA)
    return Card(
        facts=facts,
        contact=file.contact,
        feedback=file.feedback,
        identifier=file.identifier,
        criteria=lines,
        stages=tuple(_stages(lines)),
        open=tuple(one.id for one in lines if one.status in {"open", "partly"}),
        limits=tuple(limits),
    )


def _said(file: CardFile) -> dict[str, Answer]:
    """What people said by criterion; an address or identifier answers the question for it."""
    plain = {"Do14": file.identifier, "M2": file.feedback, "M3": file.contact}
    return {name: Answer(answer=text) for name, text in plain.items() if text} | file.criterion


def _line(criterion: Criterion, found: Known, said: Answer | None) -> CardLine:
    return CardLine(
        **criterion._asdict(),
        status="answered" if said else found.status,
        known=found.text,
        answer=said.answer if said else "",
        evidence=said.evidence if said else "",
        level=said.level if said else None,
    )


def _stages(lines: Sequence[CardLine]) -> Iterator[StageScore]:
    for stage in STAGES:
        levels = [one.level for one in lines if one.stage == stage]
        numbers = [level for level in levels if isinstance(level, int)]
        assessed = sum(level is not None for level in levels)
        whole = assessed == len(levels) and numbers
        mean = sum(numbers) / len(numbers) if whole else None
        yield StageScore(stage=stage, criteria=len(levels), assessed=assessed, mean=mean)
