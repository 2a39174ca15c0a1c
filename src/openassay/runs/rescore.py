"""Score stored answers again: with a corrected checklist, or with other judges. Never calls a model under test.

A pass writes its verdicts beside the old ones and counts only when it is whole; an interrupted one is taken up again
where it stopped, as long as the same checklist and judges are asked for.
"""

import asyncio
import gc
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

from openassay.models.model import Model
from openassay.probes.resolve import needs_sandbox
from openassay.runs import journal
from openassay.runs.books import Books, cell_of, grid_of, read_attempts, read_budget, read_grid
from openassay.runs.calls import Caller, RunStop
from openassay.runs.crew import assemble
from openassay.runs.folder import RunFolder, pack, started_pass, write_pass
from openassay.runs.grid import TODO
from openassay.runs.imported import refuse_imported
from openassay.runs.marking import Marker
from openassay.runs.observer import Observer, Progress
from openassay.runs.panel import live_panel
from openassay.runs.probing import Prober, from_objects, sandbox_for, store_files
from openassay.runs.prompts import prompt_digest
from openassay.runs.run_end import RunEnd, end_of_scoring
from openassay.sandbox.sandbox import Sandbox
from openassay.schema.attempt import ABOUT_THE_MODEL, Attempt
from openassay.schema.benchmark import Benchmark
from openassay.schema.errors import RefusedError
from openassay.schema.judging import Standing
from openassay.schema.models import ModelSpec, PlannedModel
from openassay.schema.plan import ScoringPass
from openassay.schema.task import Task
from openassay.solvers.resolve import solver_named
from openassay.solvers.solver import view

SHOWN_EVERY = 1.0
"""Seconds between two snapshots."""


async def score(  # noqa: PLR0913  # keywords, most with a usual value
    folder: RunFolder,
    *,
    observer: Observer,
    stop: asyncio.Event,
    benchmark: Benchmark | None = None,
    judges: Mapping[str, Model] | None = None,
    planned_judges: tuple[PlannedModel, ...] = (),
    connections: Mapping[str, ModelSpec] | None = None,
    standings: tuple[Standing, ...] | None = None,
    sandbox: Sandbox | None = None,
) -> RunEnd:
    """One more pass of scoring over every finished attempt.

    Args:
        folder: any run, complete or not; locked while this works.
        observer: told about once a second.
        stop: set it to stop; the pass can be taken up again.
        benchmark: with corrected checks; None for the checks as last scored.
        judges: name -> connected judge.
        planned_judges: the same judges as records, the primary one first.
        connections: judge name -> its entry, kept for the next pass.
        standings: how the judges meet the benchmark's bar; None where it sets none.
        sandbox: for tasks that run code; None to find one where it is needed.

    Raises:
        SandboxError: tasks run code, and there is no sandbox here.
        RefusedError: the benchmark's prompts are not those that the models answered.
    """
    refuse_imported(folder, "score", "it holds scores and no answers, so there is nothing to score")
    tasks = folder.tasks if benchmark is None else corrected(folder, benchmark)
    found = sandbox or sandbox_for(tasks.values(), unsafe=folder.plan_file.unsafe)
    with folder.lock():
        _keep_files(folder, benchmark)
        repaired = journal.repair(folder.journal)
        records = folder.objects.put(pack(tuple(tasks[drawn.task] for drawn in folder.draw.tasks)))
        policy = benchmark.info.judge if benchmark else folder.judge_policy
        wanted = ScoringPass(
            number=1,  # see `_this_pass`
            records=records,
            judges=planned_judges,
            connections=dict(connections or {}),
            policy=policy,
            standings=standings,
            created=datetime.now(UTC).isoformat(timespec="seconds"),
        )
        one = _this_pass(folder, wanted)
        grid = read_grid(folder, {one.number})
        books = Books(folder, grid, read_budget(folder), repaired)
        try:
            prober = Prober(found, from_objects(folder.objects))
            work = _Pass(folder, books, one, tasks, (judges or {}, prober))
            gc.freeze()  # as in `engine.run`
            reason = await work.run(observer, stop)
            if reason is None and grid.scored == grid.finished:
                write_pass(folder, one, whole=True)
        finally:
            gc.unfreeze()
            books.close()
    return end_of_scoring(grid, reason, spent=books.budget.spent)


def corrected(folder: RunFolder, benchmark: Benchmark) -> dict[str, Task]:
    """The benchmark's tasks in place of the run's; refused where a prompt differs or a task is gone."""
    solver = solver_named(folder.plan.solver)
    known = {task.id: task for task in benchmark.tasks}
    for drawn in folder.draw.tasks:
        task = known.get(drawn.task)
        if task is None or prompt_digest(solver.render(view(task, folder.plan.max_tokens))) != drawn.prompt:
            what = "is not in this benchmark" if task is None else "is asked in other words than in this run"
            raise RefusedError(
                f"the task {drawn.task} {what}: only checks may be corrected for answers that are stored",
                where=str(folder.path),
                todo="begin a new run, or restore the instruction and materials",
            )
    return {drawn.task: known[drawn.task] for drawn in folder.draw.tasks}


def _keep_files(folder: RunFolder, benchmark: Benchmark | None) -> None:
    """Corrected hidden files belong to the run from now on."""
    if benchmark is not None:
        store_files(benchmark, (task for task in benchmark.tasks if task.id in folder.tasks), folder.objects)


class _Pass:
    """One pass over the stored answers."""

    def __init__(
        self,
        folder: RunFolder,
        books: Books,
        one: ScoringPass,
        tasks: dict[str, Task],
        means: tuple[Mapping[str, Model], Prober],
    ) -> None:
        judges, prober = means
        plan_file = folder.plan_file
        with_judges = plan_file.model_copy(update={"plan": plan_file.plan.model_copy(update={"judges": one.judges})})
        _, connected = assemble(with_judges, {}, judges)
        caller = Caller(books, plan_file.plan.retry)
        self._books = books
        self._folder = folder
        self._planned = {model.name: model for model in plan_file.plan.models}
        policy = one.policy or folder.info.judge
        panel = live_panel(folder, books, connected, caller, policy, one.standings or ())
        self._marker = Marker(folder, books, panel, tasks=tasks, number=one.number, prober=prober)
        self._width = plan_file.concurrency if connected or any(map(needs_sandbox, tasks.values())) else 1
        self._began = time.monotonic()
        self._shown = 0.0
        self._before = books.grid.scored

    async def run(self, observer: Observer, stop: asyncio.Event) -> RunStop | None:
        attempts = self._attempts()
        workers = [asyncio.create_task(self._worker(attempts, observer, stop)) for _ in range(self._width)]
        try:
            await asyncio.gather(*workers)
        except RunStop as reason:
            return reason
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)
            self._books.sync()
        return RunStop("interrupted", "the scoring was interrupted", "") if stop.is_set() else None

    def _attempts(self) -> Iterator[Attempt]:
        """Finished attempts, once each."""
        seen = grid_of(self._folder)
        for attempt in read_attempts(self._folder.journal):
            cell = cell_of(attempt)
            if attempt.outcome in ABOUT_THE_MODEL and seen.state(cell) == TODO:
                seen.mark_finished(cell)
                yield attempt

    async def _worker(self, attempts: Iterator[Attempt], observer: Observer, stop: asyncio.Event) -> None:
        for attempt in attempts:
            if stop.is_set():
                return
            await self._marker.mark(attempt, self._planned[attempt.model])
            if time.monotonic() - self._shown > SHOWN_EVERY:
                self._shown = time.monotonic()
                observer.on(self._progress())
                await asyncio.sleep(0)  # script checks never wait: let Ctrl-C and the display have their turn
        observer.on(self._progress())

    def _progress(self) -> Progress:
        grid, budget = self._books.grid, self._books.budget
        return Progress(
            planned=grid.finished,
            finished=grid.scored,
            scored=grid.scored,
            finished_now=grid.scored - self._before,
            seconds=time.monotonic() - self._began,
            in_flight=0,
            spent=budget.spent,
            cap=budget.cap,
            outcomes={},
            faults={},
            models={},
        )


def _this_pass(folder: RunFolder, wanted: ScoringPass) -> ScoringPass:
    """The interrupted pass that asked for the same, or a new one."""
    begun = started_pass(folder)
    if begun is not None and _asks(begun) == _asks(wanted):
        return begun
    last = max([0, *(one.number for one in folder.passes), *([begun.number] if begun else [])])
    one = wanted.model_copy(update={"number": last + 1})
    write_pass(folder, one, whole=False)
    return one


def _asks(one: ScoringPass) -> tuple[object, ...]:
    return one.records, one.judges, one.policy, one.standings
