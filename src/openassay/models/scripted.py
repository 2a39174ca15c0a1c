"""A model whose answers are written down: for tests, examples and trying a benchmark without any model.

Deterministic: the same request always gets the same reply. It never stands in for a real model in a result.
"""

import asyncio
from collections.abc import Callable, Mapping

from openassay.schema.errors import EndpointError, FaultKind
from openassay.schema.message import Finish, ModelReply, ModelRequest, Usage

Reply = Callable[[ModelRequest], ModelReply | str]
ELSE = "*"
"""The key of `replies` that answers every prompt without another match."""


class ScriptedModel:
    """See `model.Model`.

    Args:
        replies: prompt substring -> reply, the first that matches in the order given, ``*`` for all else; or a
            function of the request, which may raise `EndpointError`.
        latency: seconds that each call takes.
        name: what it reports as its version.
    """

    def __init__(self, replies: Mapping[str, str] | Reply, *, latency: float = 0.0, name: str = "scripted") -> None:
        self._reply = replies if callable(replies) else _by_substring(replies)
        self._latency = latency
        self._name = name
        self.calls = 0
        """Calls made so far, failed ones included."""

    async def generate(self, request: ModelRequest) -> ModelReply:
        self.calls += 1
        if self._latency:
            await asyncio.sleep(self._latency)
        reply = self._reply(request)
        return reply if isinstance(reply, ModelReply) else self._spoken(request, reply)

    def _spoken(self, request: ModelRequest, text: str) -> ModelReply:
        usage = Usage(tokens_in=_words(_prompt(request)), tokens_out=_words(text))
        return ModelReply(text=text, finish=Finish.STOP, usage=usage, model_reported=self._name)

    async def close(self) -> None:
        return


def failing(kind: FaultKind, then: Reply, *, times: int) -> Reply:
    """A reply function that fails so many times with this fault before it answers, for tests of retries."""
    left = times

    def reply(request: ModelRequest) -> ModelReply | str:
        nonlocal left
        if left > 0:
            left -= 1
            raise EndpointError(kind, f"scripted fault: {kind}", where="scripted")
        return then(request)

    return reply


def _by_substring(replies: Mapping[str, str]) -> Reply:
    def reply(request: ModelRequest) -> str:
        prompt = _prompt(request)
        found = next((text for part, text in replies.items() if part != ELSE and part in prompt), None)
        return replies.get(ELSE, "") if found is None else found

    return reply


def _prompt(request: ModelRequest) -> str:
    return "\n".join(message.text() for message in request.messages)


def _words(text: str) -> int:
    return len(text.split())
