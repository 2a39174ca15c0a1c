"""The loop of a run: take the next cell, ask the model, journal the attempt, score it, journal the verdicts.

Bounded workers pull cells from one iterator a model, never one coroutine a cell, so that memory does not grow with the
run. What was finished before is not done again; what was finished but not scored is scored first, without a call.
Not here: retries and money (`calls`), judges (`panel`), files (`books`, `journal`).
"""

import asyncio
import gc
import time
from collections.abc import Coroutine, Iterator, Mapping
from typing import Any, cast

from openassay.models.faults import RULES, outcome_of
from openassay.models.model import Model
from openassay.runs.books import Books, finished_before, open_books, read_grid, watched
from openassay.runs.calls import Caller, LiveModel, Purpose, RunStop, Trace
from openassay.runs.crew import assemble
from openassay.runs.folder import RunFolder
from openassay.runs.marking import Marker
from openassay.runs.observer import ModelProgress, Observer, Progress
from openassay.runs.panel import live_panel
from openassay.runs.probing import Prober, from_objects, sandbox_for
from openassay.runs.prompts import prompt_digest
from openassay.runs.run_end import RunEnd, end_of_run
from openassay.runs.token_limit import token_limit
from openassay.runs.turnstile import Turnstile
from openassay.sandbox.sandbox import Sandbox
from openassay.schema.attempt import Attempt, Outcome
from openassay.schema.canonical import thaw
from openassay.schema.errors import EndpointError, FaultKind, RunFolderError
from openassay.schema.message import ModelReply, ModelRequest
from openassay.schema.plan import Cell
from openassay.schema.record import Json
from openassay.solvers.resolve import solver_named
from openassay.solvers.solver import TaskView, view

INLINE = 8_192
"""Bytes: a longer answer stands in an object."""
TICK = 0.5
"""Seconds between two snapshots for the observer."""
GRACE = 5.0
"""Seconds that calls in flight get to finish when the run is told to stop."""


async def run(  # noqa: PLR0913  # keywords, most with a usual value
    folder: RunFolder,
    *,
    models: Mapping[str, Model],
    judges: Mapping[str, Model],
    observer: Observer,
    stop: asyncio.Event,
    budget: int | None = None,
    grace: float = GRACE,
    sandbox: Sandbox | None = None,
) -> RunEnd:
    """Do all that is not done yet; the same call begins and resumes a run.

    Args:
        folder: a prepared run; locked while this runs.
        models: name -> connected candidate.
        judges: name -> connected judge; none leaves judged checks unmeasured.
        observer: told about twice a second.
        stop: set it to stop in good order.
        budget: micro-dollars; replaces the plan's cap (a resume with more).
        grace: seconds that calls in flight get to finish after a stop.
        sandbox: for tasks that run code; None to find one where it is needed.

    Raises:
        RunFolderError: the folder is locked, damaged, or the disk is full.
        SandboxError: tasks run code, and there is no sandbox here.
    """
    found = sandbox or sandbox_for(folder.tasks.values(), unsafe=folder.plan_file.unsafe)
    prober = Prober(found, from_objects(folder.objects))
    with folder.lock():
        cap = folder.plan.budget if budget is None else budget
        books = open_books(folder, cap)
        try:
            loop = _Loop(folder, books, models, judges, (observer, prober))
            # Tasks and prompts live as long as the run: walking them at each collection costs a tenth of its CPU.
            gc.freeze()
            return await loop.run(stop, grace)
        finally:
            gc.unfreeze()
            books.close()


class _Loop:
    """One process's work on one run."""

    def __init__(
        self,
        folder: RunFolder,
        books: Books,
        models: Mapping[str, Model],
        judges: Mapping[str, Model],
        means: tuple[Observer, Prober],
    ) -> None:
        observer, prober = means
        plan = folder.plan
        self._folder = folder
        self._books = books
        self._observer = observer
        self._solver = solver_named(plan.solver)
        self._live, self._panel = assemble(folder.plan_file, models, judges)
        self._planned = {one.name: one for one in plan.models}
        self._caller = Caller(books, plan.retry)
        self._turnstile = Turnstile()
        panel = live_panel(folder, books, self._panel, self._caller, folder.info.judge, plan.standings or ())
        self._marker = Marker(folder, books, panel, prober=prober)
        self._settling = watched(folder, books) if plan.stop else None
        self._views = {task.id: view(task, plan.max_tokens) for task in folder.tasks.values()}
        self._prompts = self._rendered()
        self._parameters = {
            name: {**{key: thaw(value) for key, value in plan.parameters.items()}, **live.parameters()}
            for name, live in self._live.items()
        }
        self._began = time.monotonic()
        self._before = self._done()
        self._outcomes: dict[str, int] = {}
        self._stopping = False

    def _rendered(self) -> dict[str, str]:
        """Task id -> digest of its prompt; refuses a folder whose prompts would not be what its plan says."""
        for drawn in self._folder.draw.tasks:
            found = prompt_digest(self._solver.render(self._views[drawn.task]))
            if found != drawn.prompt:
                raise RunFolderError(
                    f"the prompt of {drawn.task} is not the one that this run began with",
                    where=str(self._folder.path),
                    todo="resume with the version of OpenAssay that began the run, or begin a new one",
                )
        return {drawn.task: drawn.prompt for drawn in self._folder.draw.tasks}

    async def run(self, stop: asyncio.Event, grace: float) -> RunEnd:
        """Work until everything is done, a stop is asked for, or something stops the run."""
        ticker = asyncio.create_task(self._tick())
        stopped = asyncio.create_task(stop.wait())
        try:
            reason = await self._phase(self._late_scorers(), stopped, grace)
            reason = reason or await self._phase(self._workers(), stopped, grace)
        finally:
            ticker.cancel()
            stopped.cancel()
            await asyncio.gather(ticker, stopped, return_exceptions=True)
            self._observer.on(self._progress())
            await asyncio.to_thread(self._books.sync)
        return self._end(reason)

    def _late_scorers(self) -> list[Coroutine[None, None, None]]:
        """Score what an earlier process finished and did not score."""
        attempts = finished_before(self._folder, self._books)
        width = self._folder.plan_file.concurrency if self._folder.plan.judges else 1
        return [self._late_scorer(attempts) for _ in range(width)]

    async def _late_scorer(self, attempts: Iterator[Attempt]) -> None:
        for attempt in attempts:
            if self._stopping:
                return
            await self._marker.mark(attempt, self._planned[attempt.model])

    def _workers(self) -> list[Coroutine[None, None, None]]:
        grid = self._books.grid
        workers = []
        for name, live in self._live.items():
            left = grid.planned_per_model - grid.finished_for(name)
            todo = grid.todo(name)
            workers += [self._worker(live, todo) for _ in range(min(left, live.lane.widest))]
        return workers

    async def _phase(
        self, work: list[Coroutine[None, None, None]], stopped: asyncio.Task[bool], grace: float
    ) -> RunStop | None:
        """Run the workers to their end, or to a reason for stopping; cancels what is left."""
        pending = {asyncio.create_task(one) for one in work}
        try:
            while pending:
                done, _ = await asyncio.wait({*pending, stopped}, return_when=asyncio.FIRST_COMPLETED)
                pending -= done
                if reason := _reason(done, stopped):
                    await self._wind_down(reason, pending, stopped, grace)
                    return reason
        finally:
            for task in pending:
                task.cancel()
            await asyncio.gather(*pending, return_exceptions=True)
        return None

    async def _wind_down(
        self, reason: RunStop, pending: set[asyncio.Task[None]], stopped: asyncio.Task[bool], grace: float
    ) -> None:
        """Start nothing more, and let the calls in flight finish; no longer than `grace` but for a budget's end."""
        self._stopping = True
        if reason.state == "dead_endpoint":
            return
        began = time.monotonic()
        while pending and self._in_flight() > 0:
            impatient = reason.state != "budget" or stopped.done()
            if impatient and time.monotonic() - began > grace:
                return
            await asyncio.wait(pending, timeout=0.05)

    def _in_flight(self) -> int:
        lanes = {id(live.lane): live.lane for live in (*self._live.values(), *self._panel)}
        return sum(lane.in_flight for lane in lanes.values())

    async def _worker(self, live: LiveModel, todo: Iterator[Cell]) -> None:
        await self._turnstile.turn()
        for cell in todo:
            if self._stopping:
                return
            if self._settling is not None and not await self._settling.wants(cell):
                continue
            attempt = await self._attempt(live, cell)
            if attempt is None:
                continue
            self._books.finish(attempt)
            self._outcomes[attempt.outcome] = self._outcomes.get(attempt.outcome, 0) + 1
            await self._turnstile.turn()
            await self._marker.mark(attempt, live.planned)

    async def _attempt(self, live: LiveModel, cell: Cell) -> Attempt | None:
        """Ask the solver for one answer; the endpoint's faults become outcomes.

        None where a person has not brought the answer yet: nothing went wrong, and the cell stays open.
        """
        trace = Trace()
        purpose = Purpose("attempt", cell.key())

        async def ask(request: ModelRequest) -> ModelReply:
            return await self._caller.call(live, request, purpose, trace)

        shown: TaskView = self._views[cell.task]
        parameters: dict[str, Json] = self._parameters[cell.model]
        try:
            solved = await self._solver.solve(shown, parameters, ask)
        except EndpointError as fault:
            if fault.kind is FaultKind.UNANSWERED:
                return None
            return self._record(cell, trace, RULES[fault.kind].outcome, detail=fault.what)
        outcome = outcome_of(solved.reply)
        detail = solved.reply.note or _why(outcome, self._limit(cell))
        return self._record(cell, trace, outcome, reply=solved.reply, detail=detail)

    def _limit(self, cell: Cell) -> int:
        return token_limit(self._folder.plan, self._planned[cell.model], self._folder.tasks[cell.task])

    def _record(
        self, cell: Cell, trace: Trace, outcome: Outcome, *, reply: ModelReply | None = None, detail: str = ""
    ) -> Attempt:
        answer, place = self._placed(reply.text if reply else "")
        return Attempt(
            model=cell.model,
            task=cell.task,
            draw=cell.draw,
            attempt=cell.attempt,
            outcome=outcome,
            answer=answer,
            answer_object=place,
            prompt=self._prompts[cell.task],
            finish=reply.finish if reply else None,
            usage=trace.usage(),
            cost=trace.cost,
            tries=max(1, trace.tries),
            faults=tuple(trace.faults),
            detail=detail,
            model_reported=reply.model_reported if reply else "",
            started_ms=trace.began_ms,
            took_ms=max(0, trace.took_ms),
            imported=self._live[cell.model].planned.endpoint == "manual",
        )

    def _placed(self, answer: str) -> tuple[str, str | None]:
        """A short answer inline, a long one as an object."""
        if len(answer) <= INLINE // 4 or len(raw := answer.encode()) <= INLINE:
            return answer, None
        return "", self._folder.objects.put(raw)

    async def _tick(self) -> None:
        while True:
            self._observer.on(self._progress())
            await asyncio.sleep(TICK)
            await asyncio.to_thread(self._books.sync)

    def _passes(self) -> set[int]:
        return {0, *(one.number for one in self._folder.passes)}

    def _progress(self) -> Progress:
        grid, budget = self._books.grid, self._books.budget
        return Progress(
            planned=grid.planned,
            finished=self._done(),
            scored=grid.scored,
            finished_now=self._done() - self._before,
            seconds=time.monotonic() - self._began,
            in_flight=self._in_flight(),
            spent=budget.spent,
            cap=budget.cap,
            outcomes=dict(self._outcomes),
            faults={kind: n for kind, n in self._caller.faults.items() if kind != FaultKind.UNANSWERED},
            models={name: self._model_progress(live) for name, live in self._live.items()},
            counted="answers judged" if self._folder.plan.calibration else "attempts",
        )

    def _done(self) -> int:
        """Cells that need nothing more for progress to be shown: answers of a gold set are there from the beginning."""
        grid = self._books.grid
        return grid.scored if self._folder.plan.calibration else grid.finished

    def _model_progress(self, live: LiveModel) -> ModelProgress:
        grid = self._books.grid
        return ModelProgress(
            grid.planned_per_model, grid.finished_for(live.planned.name), live.lane.in_flight, live.lane.waiting()
        )

    def _end(self, reason: RunStop | None) -> RunEnd:
        folder, books = self._folder, self._books
        grid = read_grid(folder, self._passes()) if folder.stopped else books.grid
        manual = [one.name for one in folder.plan.models if one.endpoint == "manual"]
        waiting = sum(grid.planned_per_model - grid.finished_for(name) for name in manual)
        return end_of_run(grid, reason, waiting=waiting, spent=books.budget.spent, repaired=books.repaired)


def _reason(done: set[asyncio.Task[Any]], stopped: asyncio.Task[bool]) -> RunStop | None:
    """Why the run must end, where one of these says so; a fault of ours is raised."""
    faults = [fault for task in done - {stopped} if (fault := task.exception())]
    for fault in faults:
        if not isinstance(fault, RunStop):
            raise fault
    if faults:
        return cast("RunStop", faults[0])
    return RunStop("interrupted", "the run was interrupted", "") if stopped in done else None


def _why(outcome: Outcome, max_tokens: int) -> str:
    if outcome == Outcome.LIMIT_REACHED:
        return f"cut off at {max_tokens} tokens"
    return "the answer is empty" if outcome == Outcome.NO_ANSWER else ""
