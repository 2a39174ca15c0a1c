"""What can be counted in a benchmark and in a run of it, for its card. Holds no text of an item, and no author's name.

Not here: the questions of the card and their answers (`card_answers`).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from openassay.probes.resolve import needs_sandbox
from openassay.reports.comparing_contract import SaturationFacts
from openassay.reports.contract import Summary
from openassay.runs.evidence import TaskProof
from openassay.runs.import_benchmark import NOT_STATED
from openassay.runs.prove import prove_task, siblings_of
from openassay.schema.benchmark import Benchmark, BenchmarkInfo
from openassay.schema.judging import JudgePolicy, Standing
from openassay.schema.record import Json, Record
from openassay.schema.task import Check, Task
from openassay.tasks.oracle import oracle_answer


class CardCategory(Record):
    id: str
    track: str
    title: str
    definition: str
    n_items: int
    pool: int | None
    """Units of the pool that the items were drawn from; null for a benchmark folder."""
    deciding: int
    """Items with a check that decides between pass and fail."""
    sources: int
    """Independent ones: groups where items share one, items otherwise."""


class CardRun(Record):
    """One run of the benchmark."""

    run: str
    plan_digest: str
    software: str
    created: str
    complete: bool
    models: int
    draws: int
    attempts: int
    analysis: str
    stop_alpha: str | None
    judges: tuple[str, ...]
    saturation: tuple[SaturationFacts, ...]
    few_sources: int
    """Results without an interval, as their items share too few sources."""
    swaps: int
    """Pairs of variants that were compared."""


class JudgeStanding(Record):
    judge: str
    counts: bool
    why: str


class CardFacts(Record):
    benchmark: str
    version: str
    digest: str
    title: str
    developers: str
    purpose: str
    scope: str
    licence: str
    funding: str
    conflicts: str
    visibility: str
    n_items: int
    categories: tuple[CardCategory, ...]
    authors: int
    """Different ones that items name; 0 where none is named."""
    affiliations: int
    sources: int
    unnamed_items: int
    """Items that name neither author nor source."""
    licences: dict[str, int]
    """Of items, where they name one."""
    languages: dict[str, int]
    fields: dict[str, int]
    scorers: dict[str, int]
    """Scorer -> checks that use it; a path to code of one's own counts as `own code`."""
    decided_by: dict[str, int]
    hard_checks: int
    soft_checks: int
    solutions: int
    """Items with a model answer of their own."""
    runs_code: int
    """Items that run code in a sandbox."""
    proofs: dict[str, int] | None
    """Items by status; null for results that were made elsewhere."""
    mutants: int
    caught: int
    """Of `mutants` less those that are equivalent."""
    duplicates: int
    """Items with the words of an earlier one, but for case, spaces and signs."""
    choice_items: int
    chance: float | None
    """What guessing reaches on these items."""
    swapped: int
    """Items that are variants with one attribute changed."""
    judge_policy: dict[str, Json]
    standings: tuple[JudgeStanding, ...]
    """Of judges that were measured for the benchmark's bar."""
    run: CardRun | None = None


def facts_of(
    benchmark: Benchmark,
    *,
    pool: Mapping[str, int],
    proofs: Mapping[str, TaskProof] | None,
    policy: JudgePolicy,
    standings: Sequence[Standing] = (),
    run: CardRun | None = None,
) -> CardFacts:
    """Everything that can be counted.

    Args:
        benchmark: its tasks, or those that a run drew.
        pool: category -> units of the pool; empty for a whole benchmark.
        proofs: what `openassay prove` left in the folders of tasks that run code; null where nothing can be proven.
        policy: on judges.
        standings: of judges.
        run: where there was one.
    """
    tasks, info = benchmark.tasks, benchmark.info
    coded = {task.id for task in tasks if needs_sandbox(task)}
    checks = [check for task in tasks for check in task.checks]
    chances = [chance for task in tasks if (chance := _chance(task)) is not None]
    whole = [one for one in (proofs or {}).values() if one.status == "proven"]
    return CardFacts(
        **_stated(info),
        digest=benchmark.digest,
        n_items=len(tasks),
        categories=tuple(_categories(info, tasks, pool)),
        **_origins(tasks),
        scorers=_sorted(Counter(_scorer(check) for check in checks)),
        decided_by=_sorted(Counter(check.by for check in checks)),
        hard_checks=sum(check.hard for check in checks),
        soft_checks=sum(not check.hard for check in checks),
        solutions=sum(task.solution is not None for task in tasks),
        runs_code=len(coded),
        proofs=None if proofs is None else _proven(benchmark, coded, proofs),
        mutants=sum(one.mutants - len(one.equivalent) for one in whole),
        caught=sum(one.caught for one in whole),
        duplicates=_duplicates(tasks),
        choice_items=len(chances),
        chance=sum(chances) / len(chances) if chances else None,
        swapped=sum(task.swap is not None for task in tasks),
        judge_policy=policy.model_dump(mode="json"),
        standings=tuple(JudgeStanding(judge=one.judge, counts=one.counts, why=one.why) for one in standings),
        run=run,
    )


def run_facts(summary: Summary) -> CardRun:
    """Of the one run in a summary."""
    run = summary.runs[0]
    return CardRun(
        run=run.id,
        plan_digest=run.plan_digest,
        software=run.software,
        created=run.created,
        complete=run.complete,
        models=len(run.models),
        draws=run.draws,
        attempts=run.attempts,
        analysis=run.analysis,
        stop_alpha=run.stop_alpha,
        judges=tuple(one.name for one in run.judges),
        saturation=summary.saturation,
        few_sources=sum(one.few_sources for one in summary.results),
        swaps=len(summary.swaps),
    )


def _stated(info: BenchmarkInfo) -> dict[str, str]:
    names = {"version", "title", "developers", "purpose", "scope", "licence", "funding", "conflicts", "visibility"}
    said = {name: "" if text == NOT_STATED else text for name, text in info.model_dump(include=names).items()}
    return {"benchmark": info.id, **said}


def _categories(info: BenchmarkInfo, tasks: Sequence[Task], pool: Mapping[str, int]) -> Iterable[CardCategory]:
    for category in info.category:
        inside = [task for task in tasks if task.category == category.id]
        yield CardCategory(
            **category.model_dump(),
            n_items=len(inside),
            pool=pool.get(category.id),
            deciding=sum(any(check.hard for check in task.checks) for task in inside),
            sources=len({(bool(task.group), task.group or task.id) for task in inside}),
        )


def _origins(tasks: Sequence[Task]) -> "dict[str, object]":
    origins = [task.origin for task in tasks]
    return {
        "authors": len({one.author for one in origins if one.author}),
        "affiliations": len({one.affiliation for one in origins if one.affiliation}),
        "sources": len({one.source for one in origins if one.source}),
        "unnamed_items": sum(not one.author and not one.source for one in origins),
        "licences": _sorted(Counter(one.licence for one in origins if one.licence)),
        "languages": _sorted(Counter(one.language for one in origins if one.language)),
        "fields": _sorted(Counter(one.field for one in origins if one.field)),
    }


def _sorted(counts: "Counter[str]") -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda one: (-one[1], one[0])))


def _scorer(check: Check) -> str:
    """The short name; a path could hold more than a name."""
    return ("own code" if set(check.uses) & set(".:/") else check.uses) or "people"


def _proven(benchmark: Benchmark, coded: set[str], kept: Mapping[str, TaskProof]) -> dict[str, int]:
    """Text tasks are proven here and now, which runs nothing; of those that run code the proof on file counts."""
    siblings = siblings_of(benchmark)
    found = Counter(
        (kept[task.id].status if task.id in kept else "unproven")
        if task.id in coded
        else prove_task(task, oracle_answer(task), siblings.get(task.id, ())).status
        for task in benchmark.tasks
    )
    return {name: found[name] for name in ("proven", "failed", "unproven")}


def _duplicates(tasks: Sequence[Task]) -> int:
    """Tasks without words are left out, and those with files: an environment may make two tasks of one instruction."""
    words = Counter(words for task in tasks if not task.files and (words := _words(task)))
    return sum(number - 1 for number in words.values())


def _words(task: Task) -> str:
    text = "\n".join([task.instruction, *(material.text for material in task.materials)])
    return "".join(sign for sign in text.casefold() if sign.isalnum() or sign in "+-*/<>=%^")


def _chance(task: Task) -> float | None:
    """Of a multiple-choice item; null for others."""
    for check in task.checks:
        choices = check.options.get("choices")
        if check.uses == "choice" and isinstance(choices, dict | list) and choices:
            return 1 / len(choices)
    return None
