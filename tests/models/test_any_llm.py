"""Providers through an SDK: a stand-in client that fails as the SDK does."""

import asyncio
import traceback
from types import SimpleNamespace

import pytest

from openassay.models.any_llm import AnyModel
from openassay.schema.errors import EndpointError
from openassay.schema.message import Finish, ModelRequest, user
from openassay.schema.models import ModelSpec

KEY = "hunter2-hunter2"
ASK = ModelRequest(messages=(user("Hi"),), parameters={"max_tokens": 5})


class FailingError(Exception):
    def __init__(self, words, **fields):
        super().__init__(words)
        vars(self).update(fields)


def named(name, words, **fields):
    return type(name, (FailingError,), {})(words, **fields)


def model(acompletion, timeout=30):
    spec = ModelSpec(name="a", endpoint="any", provider="made-up", model="m", timeout=timeout)
    return AnyModel(spec, key=KEY, client=SimpleNamespace(acompletion=acompletion))


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (named("AuthenticationError", f"bad key {KEY}", status_code=401), "wrong_key"),
        (named("MissingApiKeyError", "no key"), "wrong_key"),
        (named("RateLimitError", "slow", status_code=429, retry_after="7"), "rate_limited"),
        (named("ModelNotFoundError", "no such thing"), "unknown_model"),
        (named("ContextLengthExceededError", "too long"), "context_too_long"),
        (named("UnsupportedParameterError", "top_k"), "refused_parameter"),
        (named("ProviderError", "boom", status_code=503), "overloaded"),
        (named("ProviderError", "x", original_exception=named("APITimeoutError", "x")), "timed_out"),
        (named("ProviderError", "x", original_exception=named("APIConnectionError", "x")), "connection_lost"),
        (ConnectionResetError("reset"), "connection_lost"),
        (ValueError(f"odd {KEY}"), "unknown"),
    ],
)
async def test_an_sdks_error_is_a_fault_without_its_key(error, kind):
    async def acompletion(**arguments):
        raise error

    with pytest.raises(EndpointError) as caught:
        await model(acompletion).generate(ASK)
    assert caught.value.kind == kind
    assert caught.value.__context__ is None
    assert KEY not in "".join(traceback.format_exception(caught.value))
    assert (caught.value.retry_after == 7) == (kind == "rate_limited")


async def test_a_filters_stop_is_a_reply():
    async def acompletion(**arguments):
        raise named("ContentFilterError", "blocked")

    assert (await model(acompletion).generate(ASK)).finish is Finish.CONTENT_FILTER


async def test_a_call_that_takes_too_long():
    async def acompletion(**arguments):
        await asyncio.sleep(60)

    with pytest.raises(EndpointError) as caught:
        await model(acompletion, timeout=1).generate(ASK)
    assert caught.value.kind == "timed_out"
