"""Every endpoint fault: right kind, right rule, the server's own sentence, no key anywhere."""

import socket
import traceback
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import aiohttp
import pytest
from aiohttp.client_reqrep import ConnectionKey
from faulty_server import Answer, anthropic_message, completion, self_signed, serving

from openassay.models.anthropic_messages import AnthropicMessages
from openassay.models.faults import RULES, outcome_of
from openassay.models.http_faults import Place, from_exception
from openassay.models.openai_chat import OpenAIChat
from openassay.schema.attempt import Outcome
from openassay.schema.errors import EndpointError, FaultKind
from openassay.schema.message import Finish, ModelRequest, user
from openassay.schema.models import ModelSpec

KEY = "sk-live-Abc123-do_not+print"
ASK = ModelRequest(messages=(user("Capital of France?"),), parameters={"max_tokens": 16})
CLIENTS = {"openai": OpenAIChat, "anthropic": AnthropicMessages}


def spec(url, endpoint="openai", **changes):
    return ModelSpec(**{"name": "small", "endpoint": endpoint, "model": "tiny-1", "base_url": url, **changes})


async def fault_of(answer, endpoint="openai", tls=None, **changes):
    async with serving(answer, tls) as server:
        model = CLIENTS[endpoint](spec(server.url, endpoint, **changes), key=KEY)
        with pytest.raises(EndpointError) as caught:
            await model.generate(ASK)
        await model.close()
    no_key_in(caught.value)
    return caught.value


def no_key_in(error):
    told = "".join(traceback.format_exception(error)) + repr(error) + repr(vars(error))
    assert KEY not in told
    assert KEY[8:] not in told
    assert error.__cause__ is None
    assert error.__context__ is None


def said(message, **more):
    return {"error": {"message": message, **more}}


HTML = "<html><head><title>Sign in to Example</title></head><body>welcome</body></html>"
FAULTS = {
    # name: (answer, kind, words of the server that the message must quote)
    "wrong key": (Answer(401, said(f"Incorrect API key provided: {KEY}.")), "wrong_key", "Incorrect API key provided"),
    "wrong key, as 400": (Answer(400, said("API key not valid. Pass a valid API key.")), "wrong_key", "not valid"),
    "forbidden": (Answer(403, {"detail": "no access to tiny-1"}), "forbidden", "no access to tiny-1"),
    "unknown model": (
        Answer(404, said("The model `tinny` does not exist", code="model_not_found")),
        "unknown_model",
        "The model `tinny` does not exist",
    ),
    "unknown model, as 400": (Answer(400, {"error": "model 'tinny' not found"}), "unknown_model", "'tinny' not found"),
    "wrong path": (Answer(404, HTML), "unknown_model", "Sign in to Example"),
    "refused parameter": (
        Answer(400, said("Unsupported parameter: 'max_tokens'", param="max_tokens")),
        "refused_parameter",
        "Unsupported parameter: 'max_tokens'",
    ),
    "refused parameter, as 422": (
        Answer(422, {"detail": [{"loc": ["body", "top_k"], "msg": "extra fields not permitted"}]}),
        "refused_parameter",
        "extra fields not permitted",
    ),
    "context too long": (
        Answer(400, said("This model's maximum context length is 4096 tokens", code="context_length_exceeded")),
        "context_too_long",
        "maximum context length is 4096",
    ),
    "context too long, local server": (
        Answer(400, {"error": {"type": "exceed_context_size_error", "message": "the request exceeds the context"}}),
        "context_too_long",
        "exceeds the context",
    ),
    "429": (Answer(429, said("slow down")), "rate_limited", "slow down"),
    "quota": (Answer(429, said("You exceeded your quota", code="insufficient_quota")), "quota_exhausted", "quota"),
    "quota of a minute": (
        Answer(429, said("You exceeded your current quota, check your billing details. Please retry in 37.5s.")),
        "rate_limited",
        "retry in 37.5s",
    ),
    "payment": (Answer(402, said("add credit")), "quota_exhausted", "add credit"),
    "500": (Answer(500, "boom"), "server_error", "boom"),
    "502": (Answer(502, HTML), "server_error", "Sign in to Example"),
    "503": (Answer(503, said("Loading model")), "overloaded", "Loading model"),
    "529": (Answer(529, said("Overloaded")), "overloaded", "Overloaded"),
    "500 without a word": (Answer(500), "server_error", "no message"),
    "redirect": (
        Answer(307, headers={"Location": f"https://elsewhere.example/v1?k={KEY}"}),
        "redirected",
        "https://elsewhere.example/v1",
    ),
    "redirect at home": (Answer(301, headers={"Location": "/v2/chat"}), "redirected", "/v2/chat"),
    "malformed JSON": (Answer(200, '{"choices": [{"mess'), "malformed_reply", '{"choices": [{"mess'),
    "JSON that is no object": (Answer(200, [1, 2]), "malformed_reply", "found: 1"),
    "deep JSON": (Answer(200, "[" * 100_000), "malformed_reply", "[[["),
    "HTML with 200": (Answer(200, HTML, {"Content-Type": "text/html"}), "malformed_reply", "Sign in to Example"),
    "nothing with 200": (Answer(200), "malformed_reply", "an empty body"),
    "empty choices": (Answer(200, completion(choices=[])), "no_choices", "no choices"),
    "no choices": (Answer(200, {"object": "chat.completion"}), "no_choices", "no choices"),
    "no message": (Answer(200, {"choices": [{"finish_reason": "stop"}]}), "no_choices", "no message"),
    "error with 200": (Answer(200, said("upstream is down", code=502)), "server_error", "upstream is down"),
    "rate limit with 200": (Answer(200, said("too fast", code=429)), "rate_limited", "too fast"),
    "cut in mid-body": (Answer(200, completion(), cut_after=20), "connection_lost", "broke before"),
    "closed without a word": (Answer(raw=b""), "connection_lost", "broke before"),
    "no HTTP": (Answer(raw=b"SSH-2.0-OpenSSH_9.2\r\n"), "malformed_reply", "not valid HTTP"),
}


@pytest.mark.parametrize("name", FAULTS)
async def test_a_fault_has_its_kind_and_the_servers_words(name):
    answer, kind, words = FAULTS[name]
    fault = await fault_of(answer)
    assert fault.kind == kind
    assert words in fault.what
    assert fault.where.startswith("small (http://127.0.0.1:")
    assert fault.todo == RULES[fault.kind].todo
    assert len(fault.lines()) <= 3


ANTHROPIC = {
    "wrong key": (Answer(401, {"type": "error", "error": {"message": "invalid x-api-key"}}), "wrong_key", "x-api-key"),
    "529": (Answer(529, {"type": "error", "error": {"message": "Overloaded"}}), "overloaded", "Overloaded"),
    "unknown model": (Answer(404, {"error": {"message": "model: tinny"}}), "unknown_model", "model: tinny"),
    "too long": (Answer(400, said("prompt is too long: 210000 tokens > 200000")), "context_too_long", "too long"),
    "no credit": (Answer(400, said("Your credit balance is too low")), "quota_exhausted", "credit balance"),
    "no content": (Answer(200, {"type": "message"}), "no_choices", "no content"),
    "error with 200": (Answer(200, {"type": "error", "error": {"message": "odd"}}), "server_error", "odd"),
    "malformed": (Answer(200, "<html>"), "malformed_reply", "<html>"),
}


@pytest.mark.parametrize("name", ANTHROPIC)
async def test_the_other_api_has_the_same_faults(name):
    answer, kind, words = ANTHROPIC[name]
    fault = await fault_of(answer, "anthropic")
    assert (fault.kind, words in fault.what) == (kind, True)


async def test_nothing_listens():
    model = OpenAIChat(spec("http://127.0.0.1:9/v1"), key=KEY)
    with pytest.raises(EndpointError) as caught:
        await model.generate(ASK)
    await model.close()
    no_key_in(caught.value)
    assert caught.value.kind is FaultKind.CONNECTION_REFUSED
    assert "127.0.0.1:9" in str(caught.value)


async def test_a_certificate_that_nobody_trusts(tmp_path):
    fault = await fault_of(Answer(200, completion()), tls=self_signed(tmp_path))
    assert fault.kind is FaultKind.TLS_FAILURE
    assert "certificate" in fault.what


async def test_https_to_a_server_without_tls():
    async with serving(Answer(raw=b"HTTP/1.1 400 Bad Request\r\n\r\n", at_once=True)) as server:
        model = OpenAIChat(spec(server.url.replace("http:", "https:"), timeout=5), key=KEY)
        with pytest.raises(EndpointError) as caught:
            await model.generate(ASK)
        await model.close()
    assert caught.value.kind is FaultKind.TLS_FAILURE


async def test_a_time_out_in_mid_body():
    fault = await fault_of(Answer(200, completion(), stall_after=10), timeout=1)
    assert (fault.kind, fault.what) == (FaultKind.TIMED_OUT, "no complete reply within 1 seconds")


@pytest.mark.parametrize("headers", [{}, {"Transfer-Encoding": "chunked"}])
async def test_a_reply_that_is_too_large_is_not_read(headers, monkeypatch):
    monkeypatch.setattr("openassay.models.http_call.LARGEST_REPLY", 1000)
    body = "x" * 5000 if not headers else "1388\r\n" + "x" * 5000 + "\r\n0\r\n\r\n"
    answer = Answer(200, body, headers)
    if headers:
        answer.raw = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + body.encode()
    assert (await fault_of(answer)).kind is FaultKind.REPLY_TOO_LARGE


async def test_retry_after_in_seconds_and_as_a_date():
    in_seconds = await fault_of(Answer(429, said("slow"), {"Retry-After": "7"}))
    assert in_seconds.retry_after == 7
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=90), usegmt=True)
    as_date = await fault_of(Answer(503, said("slow"), {"Retry-After": later}))
    assert 80 <= as_date.retry_after <= 91
    in_words = await fault_of(Answer(429, said("Rate limit reached. Please try again in 1.5s.")))
    assert in_words.retry_after == 1.5
    without = await fault_of(Answer(429, said("slow")))
    assert without.retry_after is None


async def test_a_wrong_key_names_its_variable():
    fault = await fault_of(Answer(401, said("no")), api_key_env="SMALL_KEY")
    assert fault.todo == "set the right API key in SMALL_KEY, then resume"


def test_a_host_that_swallows_packets():
    error = aiohttp.ConnectionTimeoutError("Connection timeout to host http://10.0.0.1/v1")
    fault = from_exception(error, Place("a", "http://10.0.0.1/v1"), 300)
    assert fault.kind is FaultKind.CONNECTION_REFUSED
    assert fault.what.startswith("cannot connect to 10.0.0.1: no reaction")


def test_a_host_that_no_name_server_knows():
    there = ConnectionKey("nosuch.example", 443, True, True, None, None, None)
    error = aiohttp.ClientConnectorDNSError(there, socket.gaierror(-2, "Name or service not known"))
    fault = from_exception(error, Place("a", "https://nosuch.example/v1"), 300)
    assert fault.kind is FaultKind.UNKNOWN_HOST
    assert fault.what == "cannot find the host nosuch.example:443: Name or service not known"


async def test_a_redirect_is_not_followed():
    async with serving(Answer(200, completion())) as target, serving(Answer()) as first:
        first.answer = Answer(308, headers={"Location": f"{target.url}/chat/completions"})
        model = OpenAIChat(spec(first.url), key=KEY)
        with pytest.raises(EndpointError):
            await model.generate(ASK)
        await model.close()
        assert target.requests == []


REPLIES = {
    # name: (body, outcome, finish, text)
    "an answer": (completion(), "answered", "stop", "Paris"),
    "content in parts": (
        completion([{"type": "text", "text": "Pa"}, {"type": "text", "text": "ris"}]),
        "answered",
        "stop",
        "Paris",
    ),
    "empty content": (completion(""), "no_answer", "stop", ""),
    "blank content": (completion(" \n"), "no_answer", "stop", " \n"),
    "content null": (completion(None), "no_answer", "stop", ""),
    "content filter": (completion("Par", finish_reason="content_filter"), "no_answer", "content_filter", "Par"),
    "refusal": (completion(None, message={"refusal": "I will not"}), "no_answer", "refusal", ""),
    "refusal in words": (completion("I cannot help."), "answered", "stop", "I cannot help."),
    "cut off": (completion("Par", finish_reason="length"), "limit_reached", "length", "Par"),
    "all reasoning": (
        completion("", finish_reason="length", message={"reasoning_content": "hm"}),
        "limit_reached",
        "length",
        "",
    ),
    "a tool call": (completion(None, finish_reason="tool_calls"), "no_answer", "other", ""),
    "no finish reason": (completion(finish_reason=None), "answered", "other", "Paris"),
    "odd finish reason": (completion(finish_reason=["x"]), "answered", "other", "Paris"),
}


async def reply_to(body, endpoint="openai", status=200, **changes):
    async with serving(Answer(status, body)) as server:
        model = CLIENTS[endpoint](spec(server.url, endpoint, **changes), key=KEY)
        reply = await model.generate(ASK)
        await model.close()
    return reply


@pytest.mark.parametrize("name", REPLIES)
async def test_a_whole_reply_has_its_outcome(name):
    body, outcome, finish, text = REPLIES[name]
    reply = await reply_to(body)
    assert (outcome_of(reply), reply.finish, reply.text) == (outcome, finish, text)
    assert type(reply).model_validate(reply.model_dump()) == reply


@pytest.mark.parametrize(
    ("stop", "outcome"),
    [("end_turn", "answered"), ("max_tokens", "limit_reached"), ("refusal", "no_answer"), (None, "answered")],
)
async def test_the_other_api_has_the_same_outcomes(stop, outcome):
    assert outcome_of(await reply_to(anthropic_message(stop_reason=stop), "anthropic")) == outcome


async def test_a_prompt_stopped_by_a_filter_is_a_reply():
    body = said(
        "The response was filtered due to the prompt triggering content management policy", code="content_filter"
    )
    reply = await reply_to(body, status=400)
    assert (reply.finish, outcome_of(reply)) == (Finish.CONTENT_FILTER, Outcome.NO_ANSWER)


USAGES = {
    "reported": ({"prompt_tokens": 7, "completion_tokens": 3}, (7, 3, None, None, False)),
    "with details": (
        {
            "prompt_tokens": 7,
            "completion_tokens": 30,
            "completion_tokens_details": {"reasoning_tokens": 20},
            "prompt_tokens_details": {"cached_tokens": 4},
        },
        (7, 30, 20, 4, False),
    ),
    "missing": (None, (None, None, None, None, False)),
    "half": ({"prompt_tokens": 7}, (7, None, None, None, False)),
    "negative": ({"prompt_tokens": -7, "completion_tokens": 3}, (None, None, None, None, True)),
    "no integer": ({"prompt_tokens": 7, "completion_tokens": "many"}, (None, None, None, None, True)),
    "true": ({"prompt_tokens": True, "completion_tokens": 3}, (None, None, None, None, True)),
    "impossible": ({"prompt_tokens": 7, "completion_tokens": 10**12}, (None, None, None, None, True)),
    "more reasoning than output": (
        {"prompt_tokens": 7, "completion_tokens": 3, "completion_tokens_details": {"reasoning_tokens": 4}},
        (None, None, None, None, True),
    ),
}


@pytest.mark.parametrize("name", USAGES)
async def test_usage_is_as_reported_or_unknown_never_guessed(name):
    report, expected = USAGES[name]
    reply = await reply_to(completion(usage=report))
    usage = reply.usage
    found = (usage.tokens_in, usage.tokens_out, usage.tokens_reasoning, usage.tokens_cached, usage.absurd)
    assert found == expected
    assert reply.text == "Paris"
    assert bool(reply.note) == (None in expected[:2])


async def test_cached_input_counts_as_input_in_the_other_api():
    usage = {"input_tokens": 7, "output_tokens": 3, "cache_read_input_tokens": 100, "cache_creation_input_tokens": 20}
    reply = await reply_to(anthropic_message(usage=usage), "anthropic")
    assert (reply.usage.tokens_in, reply.usage.tokens_cached) == (127, 100)
    absurd = await reply_to(anthropic_message(usage={"input_tokens": -1, "output_tokens": 3}), "anthropic")
    assert absurd.usage.absurd


@pytest.mark.parametrize(
    ("reported", "noted"),
    [
        ("tiny-1", False),
        ("org/tiny-1", False),
        ("tiny-1-2026-05-01", False),
        ("tiny-1-0613", False),
        ("tiny-2", True),
        ("tiny-1-mini", True),
        (f"other {KEY}", True),
    ],
)
async def test_another_model_version_is_recorded_and_noted(reported, noted):
    reply = await reply_to(completion(model=reported))
    assert reply.model_reported == reported or KEY in reported
    assert ("answered by" in reply.note) == noted
    assert KEY not in reply.note + reply.model_reported
