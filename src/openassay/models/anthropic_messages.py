"""A client for Anthropic's messages API, and for servers that speak it.

One call to `generate` is one HTTP request; only where the endpoint refuses one of our own fields (HTTP 400, which costs
nothing) it is sent once more without, and so from then on. Not here: retries, budgets, concurrency (the engine).
"""

from typing import Any
from urllib.parse import urlsplit, urlunsplit

from openassay.models.exchange import Exchange
from openassay.models.http_call import JsonEndpoint
from openassay.models.http_faults import Place, fault, from_status, sentence
from openassay.models.keys import ANTHROPIC_URL
from openassay.models.openai_wire import (
    Dialect,
    ReadBlob,
    blob_base64,
    checked_usage,
    content_text,
    note_on,
    parse_object,
    reported_model,
    to_bytes,
)
from openassay.schema.errors import FaultKind
from openassay.schema.message import BlobPart, Finish, ModelReply, ModelRequest, TextPart, Usage
from openassay.schema.models import ModelSpec
from openassay.schema.record import Json

VERSION = "2023-06-01"
"""Of the API, sent with every call."""
MAX_TOKENS = 1024
"""The API demands a limit; where neither request nor spec has one."""
_OK = 200
_FINISH = {
    "end_turn": Finish.STOP,
    "stop_sequence": Finish.STOP,
    "max_tokens": Finish.LENGTH,
    "model_context_window_exceeded": Finish.LENGTH,
    "refusal": Finish.REFUSAL,
}


class AnthropicMessages:
    """See `model.Model`; the arguments are those of `openai_chat.OpenAIChat`."""

    def __init__(
        self,
        spec: ModelSpec,
        *,
        key: str = "",
        read_blob: ReadBlob | None = None,
        connections: int = 0,
        proxy: str | None = None,
    ) -> None:
        place = Place(
            spec.name,
            messages_url(spec.base_url or ANTHROPIC_URL),
            (key,) if key else (),
            spec.api_key_env or spec.api_key_file,
        )
        headers = {"anthropic-version": VERSION} | ({"x-api-key": key} if key else {})
        endpoint = JsonEndpoint(place, headers, timeout=spec.timeout, connections=connections, proxy=proxy)
        self._exchange = Exchange(endpoint, spec, encode, decode, read_blob)

    async def generate(self, request: ModelRequest) -> ModelReply:
        return await self._exchange.ask(request)

    async def close(self) -> None:
        await self._exchange.close()


def messages_url(base_url: str) -> str:
    """The URL that messages are posted to.

    >>> messages_url("https://api.anthropic.com"), messages_url("http://127.0.0.1:9/proxy/v1")
    ('https://api.anthropic.com/v1/messages', 'http://127.0.0.1:9/proxy/v1/messages')
    """
    parts = urlsplit(base_url)
    path = parts.path.rstrip("/").removesuffix("/messages") or "/v1"
    return urlunsplit((parts.scheme, parts.netloc, f"{path}/messages", parts.query, ""))


def encode(
    request: ModelRequest, model: str, own: dict[str, Json], read_blob: ReadBlob | None, dialect: Dialect
) -> bytes:
    """The body: system texts stand apart from the turns."""
    system = "\n\n".join(message.text() for message in request.messages if message.role == "system")
    turns = [
        {"role": message.role, "content": [_part(part, read_blob) for part in message.parts]}
        for message in request.messages
        if message.role != "system"
    ]
    body: dict[str, Any] = {"max_tokens": MAX_TOKENS, **own, **request.parameters, "model": model, "messages": turns}
    if system:
        body["system"] = system
    if "stop" in body:
        stop = body.pop("stop")
        body["stop_sequences"] = [stop] if isinstance(stop, str) else stop
    if request.response_schema is not None and dialect.schemas:
        body["output_config"] = {"format": {"type": "json_schema", "schema": request.response_schema}}
    return to_bytes(body)


def _part(part: TextPart | BlobPart, read_blob: ReadBlob | None) -> dict[str, Any]:
    if isinstance(part, TextPart):
        return {"type": "text", "text": part.text}
    source = {"type": "base64", "media_type": part.media_type, "data": blob_base64(part, read_blob)}
    return {"type": "image", "source": source}


def decode(body: bytes, asked: str, place: Place) -> ModelReply:
    """The reply in a body that came with HTTP 200; `EndpointError` where there is none in it."""
    value = parse_object(body, place)
    content = value.get("content")
    if value.get("type") == "error" or (value.get("error") and content is None):
        raise from_status(500, {}, body, place)
    if not isinstance(content, list):
        said = sentence(body, place.keys)
        raise fault(FaultKind.NO_CHOICES, f"the reply holds no content: {said}", place, status=_OK)
    usage = read_usage(value.get("usage"))
    reported = reported_model(value, asked, place)
    stop = value.get("stop_reason")
    return ModelReply(
        text=content_text([part for part in content if isinstance(part, dict) and part.get("type") == "text"]),
        finish=_FINISH.get(stop, Finish.OTHER) if isinstance(stop, str) else Finish.OTHER,
        usage=usage,
        model_reported=reported,
        note=note_on(usage, asked, reported),
    )


def read_usage(value: Any) -> Usage:
    """Tokens as reported. Cached input is counted apart by this API, and added to the input here."""
    if not isinstance(value, dict):
        return Usage()
    fresh, read, written = (
        value.get(name) for name in ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
    )
    if any(count is not None and (type(count) is not int or count < 0) for count in (fresh, read, written)):
        return Usage(absurd=True)
    total = None if fresh is None else fresh + (read or 0) + (written or 0)
    return checked_usage(total, value.get("output_tokens"), None, read)
