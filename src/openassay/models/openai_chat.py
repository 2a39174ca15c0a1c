"""A client for OpenAI-compatible chat completions, which most providers and all local servers speak.

One call to `generate` is one HTTP request; only where the endpoint refuses one of our own fields (HTTP 400, which costs
nothing) it is sent once more without, and so from then on. Not here: retries, budgets, concurrency (the engine).
"""

from urllib.parse import urlsplit, urlunsplit

from openassay.models.exchange import Exchange
from openassay.models.http_call import JsonEndpoint
from openassay.models.http_faults import Place
from openassay.models.openai_wire import ReadBlob, decode, encode
from openassay.schema.message import ModelReply, ModelRequest
from openassay.schema.models import ModelSpec


class OpenAIChat:
    """See `model.Model`.

    Args:
        spec: the model's entry; `base_url` with or without ``/v1``'s ``/chat/completions``.
        key: the API key, or empty for none.
        read_blob: reads a picture by its digest; needed only where messages hold any.
        connections: most open connections; 0 for no limit.
        proxy: URL of a proxy, or None.
    """

    def __init__(
        self,
        spec: ModelSpec,
        *,
        key: str = "",
        read_blob: ReadBlob | None = None,
        connections: int = 0,
        proxy: str | None = None,
    ) -> None:
        place = Place(spec.name, chat_url(spec.base_url), (key,) if key else (), spec.api_key_env or spec.api_key_file)
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        endpoint = JsonEndpoint(place, headers, timeout=spec.timeout, connections=connections, proxy=proxy)
        self._exchange = Exchange(endpoint, spec, encode, decode, read_blob)

    async def generate(self, request: ModelRequest) -> ModelReply:
        return await self._exchange.ask(request)

    async def close(self) -> None:
        await self._exchange.close()


def chat_url(base_url: str) -> str:
    """The URL that chat completions are posted to.

    A bare host gets ``/v1``; any other path is the user's and stays.

    >>> chat_url("http://127.0.0.1:8091"), chat_url("https://host.example/api/v2/")
    ('http://127.0.0.1:8091/v1/chat/completions', 'https://host.example/api/v2/chat/completions')
    """
    parts = urlsplit(base_url)
    path = parts.path.rstrip("/").removesuffix("/chat/completions") or "/v1"
    return urlunsplit((parts.scheme, parts.netloc, f"{path}/chat/completions", parts.query, ""))
