"""Providers that speak neither API, through the extra any-llm-sdk. Slower per call than our own clients.

Not here: retries (the SDK's own are switched off where it can), and any promise that a provider's SDK keeps: what its
errors say is classified as for other endpoints.
"""

import asyncio
import warnings
from typing import Any

from openassay.models.http_faults import Place, fault, from_exception, from_status
from openassay.models.openai_wire import ReadBlob, decode, message_dicts
from openassay.models.redact import quote
from openassay.schema.errors import EndpointError, FaultKind, InputError
from openassay.schema.message import Finish, ModelReply, ModelRequest
from openassay.schema.models import ModelSpec

_BY_NAME = {
    "AuthenticationError": FaultKind.WRONG_KEY,
    "MissingApiKeyError": FaultKind.WRONG_KEY,
    "RateLimitError": FaultKind.RATE_LIMITED,
    "ModelNotFoundError": FaultKind.UNKNOWN_MODEL,
    "ContextLengthExceededError": FaultKind.CONTEXT_TOO_LONG,
    "InvalidRequestError": FaultKind.REFUSED_PARAMETER,
    "UnsupportedParameterError": FaultKind.REFUSED_PARAMETER,
}
_DEEPEST = 4
_FILTERED = ("ContentFilterError", "ContentFilterFinishReasonError")


class AnyModel:
    """See `model.Model`.

    Args:
        spec: the model's entry, with `provider`.
        key: the API key; empty lets the SDK look into the provider's own variable.
        read_blob: reads a picture by its digest.
        client: an object with the SDK's ``acompletion``; made from the spec by default.
    """

    def __init__(
        self, spec: ModelSpec, *, key: str = "", read_blob: ReadBlob | None = None, client: Any = None
    ) -> None:
        self._spec = spec
        self._place = Place(
            spec.name,
            f"any://{spec.provider}/{spec.model}",
            (key,) if key else (),
            spec.api_key_env or spec.api_key_file,
        )
        self._read_blob = read_blob
        self._client = _client(spec, key, self._place) if client is None else client

    async def generate(self, request: ModelRequest) -> ModelReply:
        try:
            async with asyncio.timeout(self._spec.timeout):
                reply = await self._client.acompletion(**self._arguments(request))
            return decode(reply.model_dump_json().encode(), self._spec.model, self._place)
        except EndpointError:
            raise
        except Exception as error:  # noqa: BLE001 - each provider's SDK has a tree of its own
            if type(error).__name__ in _FILTERED:
                return ModelReply(text="", finish=Finish.CONTENT_FILTER, note="the provider's filter stopped it")
            broken = _to_fault(error, self._place, self._spec.timeout)
        # Outside of the `except`: an SDK's exception holds the request with its headers.
        raise broken

    def _arguments(self, request: ModelRequest) -> dict[str, Any]:
        arguments: dict[str, Any] = {**self._spec.parameters, **request.parameters}
        if request.response_schema is not None:
            wanted = {"name": "answer", "strict": True, "schema": request.response_schema}
            arguments["response_format"] = {"type": "json_schema", "json_schema": wanted}
        return {**arguments, "model": self._spec.model, "messages": message_dicts(request, self._read_blob)}

    async def close(self) -> None:
        return


def _client(spec: ModelSpec, key: str, place: Place) -> Any:
    try:
        import any_llm  # an extra that takes 1.7 s to import
    except ImportError:
        raise InputError(
            f"the model {spec.name!r} goes through any-llm-sdk, which is not installed",
            where=f"[models.{spec.name}] endpoint",
            todo="pip install 'openassay[providers]'",
        ) from None
    arguments: dict[str, Any] = {"api_key": key or None, "api_base": spec.base_url or None, "unified_exceptions": True}
    problem = ""
    for retries in ({"max_retries": 0}, {}):  # not every provider's SDK can be told not to retry
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return any_llm.AnyLLM.create(spec.provider, **arguments, **retries)
        except Exception as error:  # noqa: BLE001 - whatever it is, the user must read it as one sentence
            problem = quote(str(error), place.keys)
    raise InputError(
        f"any-llm-sdk cannot open the provider {spec.provider!r}: {problem}",
        where=f"[models.{spec.name}] provider",
        todo=f"check the provider's name and key, and that any-llm-sdk[{spec.provider}] is installed",
    )


def _to_fault(error: Exception, place: Place, timeout: float) -> EndpointError:
    status = getattr(error, "status_code", None)
    words = str(error)
    if isinstance(status, int) and status >= 300:  # noqa: PLR2004 - HTTP's first status that is no success
        wait = str(getattr(error, "retry_after", None) or "")
        return from_status(status, {"Retry-After": wait}, words.encode("utf-8", "replace"), place)
    kind = _BY_NAME.get(type(error).__name__) or _by_origin(error)
    return fault(kind, quote(words, place.keys), place) if kind else from_exception(error, place, timeout)


def _by_origin(error: BaseException) -> FaultKind | None:
    """What the SDK's own exception says by its name, where the wrapping one says nothing."""
    origin: BaseException | None = error
    for _ in range(_DEEPEST):
        origin = getattr(origin, "original_exception", None) or (origin and origin.__cause__)
        if origin is None:
            return None
        name = type(origin).__name__
        if "Timeout" in name:
            return FaultKind.TIMED_OUT
        if "Connect" in name:
            return FaultKind.CONNECTION_LOST
    return None
