"""The bytes of an OpenAI-compatible chat completion: request to JSON, JSON to reply. Pure functions.

Not here: sending them (`openai_chat`).
"""

import base64
import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from openassay.models.http_faults import Place, fault, from_status, sentence
from openassay.models.redact import quote
from openassay.schema.errors import EndpointError, FaultKind, InputError
from openassay.schema.message import BlobPart, Finish, Message, ModelReply, ModelRequest, TextPart, Usage
from openassay.schema.record import Json

ReadBlob = Callable[[str], bytes]
"""sha256 -> the bytes."""

MOST_TOKENS = 1_000_000_000
"""No call has more; a report beyond it is absurd."""
_FINISH = {
    "stop": Finish.STOP,
    "end_turn": Finish.STOP,
    "length": Finish.LENGTH,
    "max_tokens": Finish.LENGTH,
    "content_filter": Finish.CONTENT_FILTER,
    "refusal": Finish.REFUSAL,
}
_ERRORS = range(400, 600)
_NO_USAGE = Usage()
_ABSURD = Usage(absurd=True)


class Dialect(NamedTuple):
    """What one endpoint turned out to take; each starts with the first."""

    newer_limit: bool = False
    """The token limit is called `max_completion_tokens`."""
    schemas: bool = True
    """It takes a JSON Schema for the answer."""


_NO_SCHEMAS = re.compile(rb"response_format|json_schema|output_config|structured.outputs?", re.IGNORECASE)
_REFUSED = (400, 422)


def adapted(dialect: Dialect, request: ModelRequest, status: int, body: bytes) -> Dialect | None:
    """The dialect to speak instead, where the endpoint refused this request for one of our own fields; else None."""
    if status not in _REFUSED:
        return None
    if not dialect.newer_limit and "max_tokens" in request.parameters and b"max_completion_tokens" in body:
        return dialect._replace(newer_limit=True)
    if dialect.schemas and request.response_schema is not None and _NO_SCHEMAS.search(body[:20_000]):
        return dialect._replace(schemas=False)
    return None


def encode(
    request: ModelRequest, model: str, own: dict[str, Json], read_blob: ReadBlob | None, dialect: Dialect
) -> bytes:
    """The body. `own` are the model's own parameters; those of the request win."""
    parameters = {**own, **request.parameters}
    if (dialect.newer_limit or "max_completion_tokens" in own) and "max_tokens" in parameters:
        # Some servers take only the newer name; whoever put it into the spec says that this is one of them.
        parameters["max_completion_tokens"] = parameters.pop("max_tokens")
    body: dict[str, Any] = {**parameters, "model": model, "messages": message_dicts(request, read_blob)}
    if request.response_schema is not None and dialect.schemas:
        wanted = {"name": "answer", "strict": True, "schema": request.response_schema}
        body["response_format"] = {"type": "json_schema", "json_schema": wanted}
    return to_bytes(body)


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))  # json.dumps would make one for every call


def to_bytes(body: dict[str, Any]) -> bytes:
    """JSON as UTF-8; half a surrogate pair, which no server takes, becomes a question mark."""
    return _ENCODER.encode(body).encode("utf-8", "replace")


def message_dicts(request: ModelRequest, read_blob: ReadBlob | None) -> list[dict[str, Any]]:
    return [{"role": message.role, "content": _content(message, read_blob)} for message in request.messages]


def _content(message: Message, read_blob: ReadBlob | None) -> Any:
    parts = message.parts
    if len(parts) == 1 and isinstance(parts[0], TextPart):
        return parts[0].text
    return [_part(part, read_blob) for part in parts]


def _part(part: TextPart | BlobPart, read_blob: ReadBlob | None) -> dict[str, Any]:
    if isinstance(part, TextPart):
        return {"type": "text", "text": part.text}
    url = f"data:{part.media_type};base64,{blob_base64(part, read_blob)}"
    return {"type": "image_url", "image_url": {"url": url}}


def blob_base64(part: BlobPart, read_blob: ReadBlob | None) -> str:
    if read_blob is None:
        raise InputError(
            f"the message holds a {part.media_type}, and this model was connected without a reader for files",
            todo="connect it with read_blob",
        )
    return base64.b64encode(read_blob(part.sha256)).decode("ascii")


def decode(body: bytes, asked: str, place: Place) -> ModelReply:
    """The reply in a body that came with HTTP 200; `EndpointError` where there is none in it."""
    value = parse_object(body, place)
    choices = value.get("choices")
    if not (isinstance(choices, list) and choices and isinstance(choices[0], dict)):
        raise _no_choice(value, body, place)
    message = choices[0].get("message")
    if not isinstance(message, dict):
        raise fault(FaultKind.NO_CHOICES, "the reply's first choice holds no message", place, status=200)
    refused = isinstance(message.get("refusal"), str) and bool(message["refusal"])
    text = content_text(message.get("content"))
    usage = read_usage(value.get("usage"))
    reported = reported_model(value, asked, place)
    return ModelReply(
        text=text,
        finish=Finish.REFUSAL if refused and not text else finish_of(choices[0].get("finish_reason")),
        usage=usage,
        model_reported=reported,
        note=note_on(usage, asked, reported),
    )


def reported_model(value: dict[str, Any], asked: str, place: Place) -> str:
    """The version that the reply names, safe to print; empty where it names none."""
    reported = value.get("model")
    if reported == asked or not isinstance(reported, str):
        return asked if reported == asked else ""
    return quote(reported, place.keys)


def finish_of(reason: Any) -> Finish:
    return _FINISH.get(reason, Finish.OTHER) if isinstance(reason, str) else Finish.OTHER


def parse_object(body: bytes, place: Place) -> dict[str, Any]:
    """The JSON object in a body; `EndpointError` quoting the body where it is none."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, dict):
        return value
    said = sentence(body, place.keys) or "an empty body"
    raise fault(FaultKind.MALFORMED_REPLY, f"expected a JSON object, found: {said}", place, status=200)


def _no_choice(value: dict[str, Any], body: bytes, place: Place) -> EndpointError:
    if value.get("error"):
        # Some gateways send an error with HTTP 200 and the true status inside.
        code = value["error"].get("code") if isinstance(value["error"], dict) else None
        status = code if type(code) is int and code in _ERRORS else 500
        return from_status(status, {}, body, place)
    return fault(FaultKind.NO_CHOICES, f"the reply holds no choices: {sentence(body, place.keys)}", place, status=200)


def content_text(content: Any) -> str:
    """Text of a message whose content is a text, null, or a list of parts."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        texts = (part.get("text") for part in content if isinstance(part, dict))
        return "".join(text for text in texts if isinstance(text, str))
    return ""


def read_usage(value: Any) -> Usage:
    """Tokens as reported; `absurd` where they cannot be true."""
    if not isinstance(value, dict):
        return _NO_USAGE
    details_in, details_out = value.get("prompt_tokens_details"), value.get("completion_tokens_details")
    return checked_usage(
        value.get("prompt_tokens"),
        value.get("completion_tokens"),
        details_out.get("reasoning_tokens") if isinstance(details_out, dict) else None,
        details_in.get("cached_tokens") if isinstance(details_in, dict) else None,
    )


def checked_usage(tokens_in: Any, tokens_out: Any, reasoning: Any, cached: Any) -> Usage:
    for count in (tokens_in, tokens_out, reasoning, cached):
        if count is not None and (type(count) is not int or not 0 <= count <= MOST_TOKENS):
            return _ABSURD
    if (reasoning or 0) > (tokens_out or 0) or (cached or 0) > (tokens_in or 0):
        return _ABSURD
    return Usage(tokens_in=tokens_in, tokens_out=tokens_out, tokens_reasoning=reasoning, tokens_cached=cached)


_DATED = re.compile(r"[-@:]?(latest|\d{2,8}([-.]?\d{2}){0,2})$", re.IGNORECASE)


def note_on(usage: Usage, asked: str, reported: str) -> str:
    """One sentence where the reply was odd but usable."""
    notes = []
    if usage.absurd:
        notes.append("the endpoint's token counts cannot be true and were left out")
    elif usage.tokens_in is None or usage.tokens_out is None:
        notes.append("the endpoint reported no token counts")
    if reported and reported != asked and not same_version(asked, reported):
        notes.append(f"asked for {asked!r}, answered by {reported!r}")
    return "; ".join(notes)


def same_version(asked: str, reported: str) -> bool:
    """Whether the reported name is the asked one, apart from a path before it and a date after it.

    >>> same_version("gpt-4o", "gpt-4o-2024-08-06"), same_version("gpt-4o", "gpt-4o-mini")
    (True, False)
    """
    short, long = _plain(asked), _plain(reported)
    return short == long or (long.startswith(short) and _DATED.fullmatch(long[len(short) :]) is not None)


def _plain(name: str) -> str:
    return name.rpartition("/")[2].removesuffix(".gguf").lower()
