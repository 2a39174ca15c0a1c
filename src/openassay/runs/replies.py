"""What judges replied, by question: the same question to the same judge is asked, and paid for, once in a run folder.

Kept on disk before anything is made of it, so that neither a kill nor a second scoring pays twice. Not here: answers of
models under test, where each attempt is a new call.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import NamedTuple
from weakref import WeakValueDictionary

from openassay.runs import journal
from openassay.runs.books import Books
from openassay.runs.folder import RunFolder
from openassay.schema.attempt import JudgeReply
from openassay.schema.canonical import digest
from openassay.schema.message import Finish, ModelReply, ModelRequest
from openassay.schema.models import PlannedModel


class Heard(NamedTuple):
    """A judge's reply and where it is kept."""

    text: str
    finish: Finish | None
    object: str | None = None


class Replies:
    """The replies of one run folder; only for the lock's holder."""

    def __init__(self, folder: RunFolder, books: Books) -> None:
        self._objects = folder.objects
        self._books = books
        # Digests as bytes: a run may hold a hundred thousand.
        self._known = {
            bytes.fromhex(one.request): bytes.fromhex(one.object)
            for line in journal.read(folder.journal, "replies")
            for one in [JudgeReply.model_validate_json(line.body)]
        }
        self._asking: WeakValueDictionary[bytes, asyncio.Lock] = WeakValueDictionary()

    async def hear(self, key: str, asked: ModelRequest, ask: Callable[[ModelRequest], Awaitable[ModelReply]]) -> Heard:
        """The reply to this question: the one that is kept, or a new one, kept from now on.

        Args:
            key: from `question`.
            asked: the whole call.
            ask: makes the call; what it raises goes through, and nothing is kept.
        """
        name = bytes.fromhex(key)
        lock = self._asking.setdefault(name, asyncio.Lock())
        async with lock:
            if name not in self._known:
                reply = await ask(asked)
                kept = {"prompt": asked.model_dump(mode="json"), "reply": reply.model_dump(mode="json")}
                place = self._objects.put(json.dumps(kept, ensure_ascii=False).encode())
                self._books.hear(JudgeReply(request=key, object=place))
                self._known[name] = bytes.fromhex(place)
            return self._kept(self._known[name].hex())

    def _kept(self, place: str) -> Heard:
        reply = ModelReply.model_validate(json.loads(self._objects.get(place))["reply"])
        return Heard(reply.text, reply.finish, place)


def question(judge: PlannedModel, asked: ModelRequest, repeat: int) -> str:
    """Digest of a question: who is asked, how, what, and as which repetition."""
    who = judge.model_copy(update={"name": "judge", "price": None})
    return digest({"judge": who.model_dump(mode="json"), "asked": asked.model_dump(mode="json"), "repeat": repeat})
