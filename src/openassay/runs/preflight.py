"""One small call to every model and judge before the first paid attempt, so that a wrong key is known at once.

Each call is journalled and counts towards the budget like any other. Manual and scripted models are not called.
"""

import asyncio
import time
from collections.abc import Mapping
from typing import NamedTuple

from openassay.models.model import Model
from openassay.runs.books import Books, open_books
from openassay.runs.calls import cost_of, cost_of_fault, upper_bound, usd
from openassay.runs.folder import RunFolder
from openassay.runs.left import left_to_do
from openassay.schema.attempt import Reservation, Settlement
from openassay.schema.canonical import thaw
from openassay.schema.errors import EndpointError, FaultKind, IncompleteError, OpenAssayError, RefusedError
from openassay.schema.message import ModelReply, ModelRequest, user
from openassay.schema.models import PlannedModel

QUESTION = "Reply with the single word: ready"
TOKENS = 16
"""Most tokens of the reply; what it says does not matter."""
NOT_CALLED = frozenset({"manual", "scripted"})
TRIES = 3


class Ping(NamedTuple):
    """What one model answered to the preflight."""

    model: str
    said: str
    """The version that the endpoint reports."""
    seconds: float


async def preflight(
    folder: RunFolder, *, models: Mapping[str, Model], judges: Mapping[str, Model], budget: int | None = None
) -> tuple[Ping, ...]:
    """Call each that still has something to do, once; the first fault ends it.

    Raises:
        EndpointError: an endpoint cannot be used; `todo` says what to do.
        RefusedError: the budget would not even pay for this.
    """
    cap = folder.plan.budget if budget is None else budget
    left = left_to_do(folder)
    wanted = [one for one in (*left.models, *left.judges) if one.endpoint not in NOT_CALLED]
    if not wanted:
        return ()
    with folder.lock():
        books = open_books(folder, cap)
        try:
            return tuple([await _ping(one, {**models, **judges}[one.name], books) for one in wanted])
        finally:
            books.close()


async def _ping(planned: PlannedModel, model: Model, books: Books) -> Ping:
    for number in range(1, TRIES + 1):
        began = time.monotonic()
        try:
            reply = await _call(planned, model, books)
        except EndpointError as fault:
            if number == TRIES or fault.kind not in (
                FaultKind.RATE_LIMITED,
                FaultKind.OVERLOADED,
                FaultKind.SERVER_ERROR,
            ):
                raise
            await asyncio.sleep(min(fault.retry_after or number, 5.0))
        else:
            return Ping(planned.name, reply.model_reported, time.monotonic() - began)
    raise IncompleteError("unreachable")


async def _call(planned: PlannedModel, model: Model, books: Books) -> ModelReply:
    own = {name: thaw(value) for name, value in planned.parameters.items()}
    limit = "max_completion_tokens" if "max_completion_tokens" in own else "max_tokens"
    request = ModelRequest(messages=(user(QUESTION),), parameters={**own, limit: TOKENS})
    plain = upper_bound(planned.price, request)
    upper = books.budget.bound(planned.name, plain)
    if not books.budget.fits(upper):
        raise _too_little(books, upper)
    call, began = books.next_call(), time.time()
    books.reserve(
        Reservation(
            kind="reserve",
            call=call,
            model=planned.name,
            purpose="preflight",
            cell="",
            upper=upper,
            plain=plain,
            at_ms=int(began * 1000),
        )
    )
    try:
        reply = await model.generate(request)
    except EndpointError as fault:
        cost, took = cost_of_fault(fault, upper), max(0, int((time.time() - began) * 1000))
        books.settle(
            Settlement(kind="settle", call=call, cost=cost, fault=fault.kind, detail=fault.what[:300], took_ms=took)
        )
        raise
    took = max(0, int((time.time() - began) * 1000))  # a clock may be set back meanwhile
    cost = cost_of(planned.price, reply.usage, upper)
    books.settle(Settlement(kind="settle", call=call, cost=cost, usage=reply.usage, took_ms=took))
    return reply


def _too_little(books: Books, upper: int) -> OpenAssayError:
    """Nothing spent yet: the cap was too small from the start; else the run has used it up."""
    cap, spent = books.budget.cap or 0, books.budget.spent
    if spent == 0:
        return RefusedError(
            f"the budget of {usd(cap)} does not pay for one call (up to {usd(upper)})",
            where="--budget",
            todo="give a larger budget",
        )
    return IncompleteError(
        f"the budget is used up: {usd(spent)} of {usd(cap)} spent, the next call may cost up to {usd(upper)}",
        where="--budget",
        todo="resume with a larger --budget",
    )
