"""What a model is to the rest of OpenAssay: one method that answers, one that closes.

Not here: retries, budgets, journals, concurrency. The engine in `runs` does all of them, the same for every model.
"""

from typing import Protocol

from openassay.schema.message import ModelReply, ModelRequest


class Model(Protocol):
    async def generate(self, request: ModelRequest) -> ModelReply:
        """Make exactly one call; `EndpointError` with its `FaultKind` where it fails. Never retries, never caches."""
        ...

    async def close(self) -> None:
        """Give back connections and processes; safe to call twice."""
        ...
