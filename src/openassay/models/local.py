"""A model that runs on this machine: its server is started at the first call and stopped by `close`.

What is said to the server is said by `OpenAIChat`, as to any other. Not here: finding weights (`local_weights`),
the process (`local_process`), retries and budgets (the engine).
"""

import asyncio
import importlib.util
import logging
import os
from pathlib import Path

from openassay.models.local_known import Weights
from openassay.models.local_process import LocalServer, Say
from openassay.models.local_server import Job
from openassay.models.local_weights import Found, find, shelf, whereabouts
from openassay.models.openai_chat import OpenAIChat
from openassay.models.openai_wire import ReadBlob
from openassay.schema.errors import InputError
from openassay.schema.message import ModelReply, ModelRequest
from openassay.schema.models import ModelSpec
from openassay.schema.record import Json

CONTEXT = 4096
"""Tokens, where the entry says nothing."""
MOST_THREADS = 8
RUNTIME = "xllamacpp"
"""Import name of the package that holds the native server."""


_log = logging.getLogger(__name__)


class LocalModel:
    """See `model.Model`. Takes one call at a time; others wait here, outside their time-out.

    Args:
        spec: the user's entry, with `endpoint = "local"`.
        read_blob: reads a picture by its digest.
        say: told, in words for a person, which weights are used and how the start goes; else the log is.
        folder: the user's data folder.
        threads: of the native library; null for all processors, at most 8.

    Raises:
        InputError: the runtime or the weights are not installed.
    """

    def __init__(
        self,
        spec: ModelSpec,
        *,
        read_blob: ReadBlob | None = None,
        say: Say = _log.info,
        folder: Path | None = None,
        threads: int | None = None,
    ) -> None:
        self._spec = spec
        self._read_blob = read_blob
        self._say = say
        self._shelf = shelf(folder)
        self._threads = threads or min(os.cpu_count() or 2, MOST_THREADS)
        self._packages = runtime_folder(self._shelf.folder)
        self._turn = asyncio.Lock()
        self._server: LocalServer | None = None
        self._chat: OpenAIChat | None = None
        self._weights: Weights | None = None
        whereabouts(spec, self._shelf)

    @property
    def pid(self) -> int | None:
        """Process id of the server; None while there is none."""
        return self._server.pid if self._server else None

    async def generate(self, request: ModelRequest) -> ModelReply:
        async with self._turn:
            chat = self._chat if self._chat and self._server and self._server.alive() else await self._start()
            return await chat.generate(as_served(request, self._weights))

    async def close(self) -> None:
        chat, server = self._chat, self._server
        self._chat = self._server = None
        if chat is not None:
            await chat.close()
        if server is not None:
            await asyncio.to_thread(server.stop)

    async def _start(self) -> OpenAIChat:
        await self.close()
        found = await asyncio.to_thread(find, self._spec, self._shelf)
        self._say(f"{self._spec.name}: {found.sentence()}")
        self._weights = found.weights
        server = self._server = LocalServer(self._job(found), self._spec.name, self._packages)
        spec = self._spec.model_copy(update={"base_url": await server.ready(self._say)})
        self._chat = OpenAIChat(spec, key=server.key, read_blob=self._read_blob)
        return self._chat

    def _job(self, found: Found) -> Job:
        return Job(
            path=str(found.path.resolve()),
            alias=self._spec.model,
            key="",
            parent=0,
            context=self._spec.context or CONTEXT,
            threads=self._threads,
            chat_template=found.weights.chat_template if found.weights else "",
        )


def as_served(request: ModelRequest, weights: Weights | None) -> ModelRequest:
    """The request with what a local server needs on top.

    Without `cache_prompt` off, the second answer to a prompt differs from the first, whatever the seed.
    """
    extra: dict[str, Json] = {"cache_prompt": False}
    if weights and weights.stop:
        extra["stop"] = list(weights.stop)
    return request.model_copy(update={"parameters": {**extra, **request.parameters}})


def runtime_folder(folder: Path) -> Path | None:
    """Where the server finds its runtime: None for the environment itself, else the folder that `setup` filled."""
    packages = folder / "packages"
    if importlib.util.find_spec(RUNTIME) is not None:
        return None
    if (packages / RUNTIME).is_dir():
        return packages
    raise InputError(
        "The runtime of local models is not installed",
        todo="Run `openassay setup local`.",
    )
