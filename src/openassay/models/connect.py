"""Open the client that a spec asks for. The one place that knows which endpoint is which class."""

import os
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

from openassay.models.keys import read_key
from openassay.models.model import Model
from openassay.schema.errors import InputError
from openassay.schema.models import ModelSpec

ReadBlob = Callable[[str], bytes]
Ask = Callable[[str], str | None]
Say = Callable[[str], None]


def connect(
    spec: ModelSpec,
    *,
    read_blob: ReadBlob | None = None,
    ask: Ask | None = None,
    say: Say | None = None,
    environ: Mapping[str, str] | None = None,
    connections: int = 0,
) -> Model:
    """A model ready to answer; nothing is sent yet. `InputError` where a key, package or weight file is missing.

    Args:
        spec: the model's entry.
        read_blob: reads a picture by its digest; needed where messages hold any.
        ask: for `manual`: shows a prompt to a person and returns the answer, None for "not now".
        say: for `local`: told which weights are used and how the start goes.
        environ: where keys are looked up; the process's own by default.
        connections: most open connections; 0 for no limit, where the caller bounds the calls in flight.
    """
    environ = os.environ if environ is None else environ
    if spec.endpoint == "local":
        return _local(spec, say)
    if spec.endpoint == "manual":
        return _manual(spec, ask)
    if spec.endpoint == "scripted":
        return _scripted(spec)
    if spec.endpoint == "any":
        return _any(spec, read_blob, environ)
    return _http(spec, read_blob, environ, connections)


def _http(spec: ModelSpec, read_blob: ReadBlob | None, environ: Mapping[str, str], connections: int) -> Model:
    key, proxy = read_key(spec, environ), proxy_for(spec.base_url, environ)
    if spec.endpoint == "anthropic":
        from openassay.models.anthropic_messages import AnthropicMessages

        return AnthropicMessages(spec, key=key, read_blob=read_blob, connections=connections, proxy=proxy)
    from openassay.models.openai_chat import OpenAIChat

    return OpenAIChat(spec, key=key, read_blob=read_blob, connections=connections, proxy=proxy)


def _local(spec: ModelSpec, say: Say | None) -> Model:
    from openassay.models.local import LocalModel

    return LocalModel(spec) if say is None else LocalModel(spec, say=say)


def _any(spec: ModelSpec, read_blob: ReadBlob | None, environ: Mapping[str, str]) -> Model:
    from openassay.models.any_llm import AnyModel

    return AnyModel(spec, key=read_key(spec, environ), read_blob=read_blob)


def _manual(spec: ModelSpec, ask: Ask | None) -> Model:
    from openassay.models.manual import ManualModel

    if ask is None:
        raise InputError(
            f"the model {spec.name!r} is answered by a person, and there is nobody to ask here",
            where=f"[models.{spec.name}]",
            todo="run it in a terminal, or export the prompts and read the answers back from a CSV",
        )
    return ManualModel(ask)


def _scripted(spec: ModelSpec) -> Model:
    from openassay.models.scripted import ScriptedModel

    return ScriptedModel(spec.replies, name=spec.model or "scripted")


def proxy_for(url: str, environ: Mapping[str, str]) -> str | None:
    """The proxy that the environment asks for, found once and not for every call; never for this machine itself."""
    parts = urlsplit(url)
    host = (parts.hostname or "").lower()
    if host in {"localhost", "::1"} or host.startswith("127."):
        return None
    lower = {name.lower(): value for name, value in environ.items()}
    for left_out in lower.get("no_proxy", "").lower().split(","):
        name = left_out.strip().lstrip(".")
        if name == "*" or (name and (host == name or host.endswith(f".{name}"))):
            return None
    return lower.get(f"{parts.scheme}_proxy") or lower.get("all_proxy") or None
