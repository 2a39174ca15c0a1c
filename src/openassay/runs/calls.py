"""One call to a model, as a run makes it: lane, budget, journal, then the call, then retries by the plan's rule.

Every try is reserved before it is sent and settled after, whatever came of it. Not here: what the reply is worth.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from openassay.models.faults import RULES
from openassay.models.model import Model
from openassay.runs.books import Books
from openassay.runs.lanes import TOO_MUCH, Lane
from openassay.schema.attempt import Reservation, Settlement
from openassay.schema.canonical import thaw
from openassay.schema.errors import EndpointError, FaultKind
from openassay.schema.message import BlobPart, ModelReply, ModelRequest, Usage
from openassay.schema.models import PlannedModel, Price
from openassay.schema.plan import RetryRule
from openassay.schema.record import Json

MESSAGE_OVERHEAD = 64
"""Tokens that a chat template may add to one message, at most."""
PICTURE = 8_192
"""Tokens that one picture may take, at most."""
CENT = 10_000
"""Micro-dollars."""
DETAIL = 300
"""Characters of a server's own sentence that are kept."""


StopState = Literal["interrupted", "budget", "stopped", "dead_endpoint"]


class RunStop(Exception):  # noqa: N818 (not an error: the run ends early, in good order)
    """The run must stop here; it can be resumed.

    Args:
        state: as in `run_end.RunEnd`.
        message: what happened.
        todo: what to do about it.
    """

    def __init__(self, state: StopState, message: str, todo: str = "") -> None:
        super().__init__(message)
        self.state = state
        self.message = message
        self.todo = todo


@dataclass(frozen=True)
class LiveModel:
    """A planned model that is connected, with the lane it shares."""

    planned: PlannedModel
    model: Model
    lane: Lane

    def parameters(self) -> dict[str, Json]:
        """The model's own parameters as its endpoint takes them."""
        return {name: thaw(value) for name, value in self.planned.parameters.items()}


@dataclass
class Trace:
    """What the tries of one attempt came to."""

    tries: int = 0
    faults: list[FaultKind] = field(default_factory=list)
    cost: int = 0
    tokens: list[Usage] = field(default_factory=list)
    began_ms: int = 0
    took_ms: int = 0

    def usage(self) -> Usage:
        """Summed over the tries; null where no try reported."""
        if len(self.tokens) == 1:
            return self.tokens[0]
        return Usage(
            tokens_in=_summed([one.tokens_in for one in self.tokens]),
            tokens_out=_summed([one.tokens_out for one in self.tokens]),
            tokens_reasoning=_summed([one.tokens_reasoning for one in self.tokens]),
            tokens_cached=_summed([one.tokens_cached for one in self.tokens]),
            absurd=any(one.absurd for one in self.tokens),
        )


@dataclass(frozen=True)
class Purpose:
    """What a call is for, as its journal line says."""

    name: Literal["attempt", "judge", "preflight"]
    cell: str


class Caller:
    """Makes all calls of one process."""

    def __init__(self, books: Books, rule: RetryRule, now: Callable[[], float] = time.time) -> None:
        self._books = books
        self._rule = rule
        self._now = now
        self._settled = asyncio.Event()
        self._asked: set[tuple[str, str]] = set()
        self._charged: set[tuple[str, str]] = set()
        self.faults: dict[str, int] = {}

    async def call(self, live: LiveModel, request: ModelRequest, purpose: Purpose, trace: Trace) -> ModelReply:
        """The reply; `EndpointError` where no more tries are allowed, `RunStop` where the whole run must stop."""
        while True:
            await live.lane.enter()
            try:
                reply = await self._try(live, request, purpose, trace)
            except EndpointError as fault:
                self._after(fault, live.lane, trace)
            else:
                live.lane.good()
                return reply
            finally:
                live.lane.leave()

    async def _try(self, live: LiveModel, request: ModelRequest, purpose: Purpose, trace: Trace) -> ModelReply:
        reservation = await self._reserve(live, request, purpose)
        upper, call = reservation.upper, reservation.call
        began = self._now()
        trace.tries += 1
        trace.began_ms = trace.began_ms or int(began * 1000)
        try:
            reply = await live.model.generate(request)
        except EndpointError as fault:
            self._asked.discard((live.planned.name, purpose.name))
            trace.faults.append(fault.kind)
            self.faults[fault.kind.value] = self.faults.get(fault.kind.value, 0) + 1
            self._settle(call, began, trace, cost=cost_of_fault(fault, upper), fault=fault)
            raise
        cost = cost_of(live.planned.price, reply.usage, upper)
        trace.tokens.append(reply.usage)
        self._charged.add((live.planned.name, purpose.name))
        self._settle(call, began, trace, cost=cost, usage=reply.usage)
        return reply

    async def _reserve(self, live: LiveModel, request: ModelRequest, purpose: Purpose) -> Reservation:
        plain = upper_bound(live.planned.price, request)
        upper = await self._room_for((live.planned.name, purpose.name), plain)
        reservation = Reservation(
            kind="reserve",
            call=self._books.next_call(),
            model=live.planned.name,
            purpose=purpose.name,
            cell=purpose.cell,
            upper=upper,
            plain=plain,
            at_ms=int(self._now() * 1000),
        )
        self._books.reserve(reservation)
        return reservation

    async def _room_for(self, kind: tuple[str, str], upper: int) -> int:
        """The bound to reserve, once it fits under the cap; calls in flight usually give some of theirs back.

        Under a cap the first call of a kind (model, purpose) goes alone: what the endpoint charges for it is known
        before many are sent, so that a charge beyond all bounds is met once and not once for every call in flight.
        """
        budget = self._books.budget
        alone = budget.cap is not None and upper > 0
        while (alone and kind in self._asked - self._charged) or not budget.fits(budget.bound(kind[0], upper)):
            if budget.reserved == 0:
                raise RunStop(
                    "budget",
                    f"the budget is used up: {usd(budget.spent)} of {usd(budget.cap or 0)} spent, "
                    f"the next call may cost up to {usd(budget.bound(kind[0], upper))}",
                    "resume with a larger --budget",
                )
            self._settled.clear()
            await self._settled.wait()
        self._asked.add(kind)
        return budget.bound(kind[0], upper)

    def _settle(
        self,
        call: str,
        began: float,
        trace: Trace,
        *,
        cost: int,
        usage: Usage | None = None,
        fault: EndpointError | None = None,
    ) -> None:
        trace.cost += cost
        trace.took_ms = int((self._now() - began) * 1000)
        self._books.settle(
            Settlement(
                kind="settle",
                call=call,
                cost=cost,
                usage=usage or Usage(),
                fault=fault.kind if fault else None,
                detail=fault.what[:DETAIL] if fault else "",
                took_ms=max(0, trace.took_ms),
            )
        )
        self._settled.set()

    def _after(self, fault: EndpointError, lane: Lane, trace: Trace) -> None:
        """Return where the call is to be tried again; raise where it is not."""
        rule = RULES[fault.kind]
        if rule.stops_run:
            said = f"{fault.what} ({fault.where})" if fault.where else fault.what
            raise RunStop("stopped", said, fault.todo or rule.todo)
        if not rule.retried:
            raise fault
        lane.bad(fault)
        if lane.dead() or lane.waits_too_long():
            raise RunStop("dead_endpoint", _dead_sentence(fault, lane), "resume when the endpoint answers again")
        allowed = self._rule.tries * (4 if fault.kind in TOO_MUCH else 1)
        if trace.tries >= allowed:
            raise fault


def cost_of(price: Price | None, usage: Usage, upper: int) -> int:
    """Micro-dollars by the reported usage; the upper bound where the endpoint reported none."""
    if price is None:
        return 0
    if usage.tokens_in is None or usage.tokens_out is None:
        return upper
    return price.cost(usage.tokens_in, usage.tokens_out)


def upper_bound(price: Price | None, request: ModelRequest) -> int:
    """Micro-dollars that a call may cost at most: no tokenizer makes more tokens than the text has UTF-8 bytes."""
    if price is None:
        return 0
    return price.cost(most_tokens_in(request), _most_tokens_out(request.parameters))


def most_tokens_in(request: ModelRequest) -> int:
    """Upper bound of a request's input tokens."""
    parts = [part for message in request.messages for part in message.parts]
    text = sum(PICTURE if isinstance(part, BlobPart) else len(part.text.encode()) for part in parts)
    return text + MESSAGE_OVERHEAD * len(request.messages)


def _most_tokens_out(parameters: dict[str, Json]) -> int:
    limits = (parameters.get("max_completion_tokens"), parameters.get("max_tokens"))
    return next((limit for limit in limits if isinstance(limit, int)), 0)


def cost_of_fault(fault: EndpointError, upper: int) -> int:
    """A request that was refused costs nothing; one that was cut off may have been charged in full."""
    maybe_charged = (FaultKind.TIMED_OUT, FaultKind.CONNECTION_LOST, FaultKind.MALFORMED_REPLY, FaultKind.NO_CHOICES)
    return upper if fault.kind in maybe_charged or fault.kind == FaultKind.REPLY_TOO_LARGE else 0


def _dead_sentence(fault: EndpointError, lane: Lane) -> str:
    if lane.waits_too_long():
        return f"{fault.where}: the server asks to wait {fault.retry_after:.0f} s: {fault.what}"
    return f"{fault.where}: no good reply for {lane.failing_seconds():.0f} s: {fault.what}"


def usd(micro: int) -> str:
    """Micro-dollars for people.

    >>> usd(1_234_567), usd(20)
    ('$1.2346', '$0.000020')
    """
    digits = 6 if 0 < micro < CENT else 4
    return f"${micro / 1_000_000:.{digits}f}"


def _summed(values: list[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None
