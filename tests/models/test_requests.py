"""What is sent: the bytes of both APIs, headers, URLs."""

import base64
import json

import pytest
from faulty_server import Answer, anthropic_message, completion, serving

from openassay.models.connect import connect, proxy_for
from openassay.schema.errors import InputError, PlanError
from openassay.schema.message import BlobPart, Message, ModelRequest, TextPart, user
from openassay.schema.models import ModelSpec

PICTURE = b"\x89PNG bytes"
SEEN = Message(role="user", parts=(TextPart(text="What is it?"), BlobPart(sha256="0" * 64, media_type="image/png")))
SYSTEM = Message(role="system", parts=(TextPart(text="Be brief."),))
BODIES = {"openai": completion(), "anthropic": anthropic_message()}


async def sent(request, endpoint="openai", **changes):
    """(body, headers, first line) of the one request that reached the server."""
    async with serving(Answer(200, BODIES[endpoint])) as server:
        fields = {"name": "a", "endpoint": endpoint, "model": "tiny-1", "base_url": server.url, "api_key_env": "K"}
        model = connect(ModelSpec(**{**fields, **changes}), read_blob=lambda sha: PICTURE, environ={"K": "key-123"})
        await model.generate(request)
        await model.close()
        assert len(server.requests) == 1
        return server.last(), server.requests[0][1], server.requests[0][0]


def ask(*messages, **parameters):
    return ModelRequest(messages=messages or (user("Hi"),), parameters=parameters)


async def test_a_plain_question():
    body, headers, line = await sent(ask(max_tokens=16, temperature=0.5))
    assert body == {
        "model": "tiny-1",
        "messages": [{"role": "user", "content": "Hi"}],
        "max_tokens": 16,
        "temperature": 0.5,
    }
    assert headers["authorization"] == "Bearer key-123"
    assert line == "POST /v1/chat/completions HTTP/1.1"
    assert "cookie" not in headers


async def test_the_other_api():
    body, headers, line = await sent(ask(SYSTEM, user("Hi"), max_tokens=16, stop="\n"), "anthropic")
    assert body == {
        "model": "tiny-1",
        "system": "Be brief.",
        "messages": [{"role": "user", "content": [{"type": "text", "text": "Hi"}]}],
        "max_tokens": 16,
        "stop_sequences": ["\n"],
    }
    assert (headers["x-api-key"], headers["anthropic-version"]) == ("key-123", "2023-06-01")
    assert line == "POST /v1/messages HTTP/1.1"
    assert "authorization" not in headers


async def test_a_models_own_parameters_stand_unless_the_request_says_otherwise():
    body, _, _ = await sent(ask(max_tokens=16), parameters={"top_p": 0.9, "max_tokens": 999})
    assert (body["top_p"], body["max_tokens"]) == (0.9, 16)


async def test_the_limit_goes_under_the_newer_name_where_the_spec_has_it():
    body, _, _ = await sent(ask(max_tokens=16), parameters={"max_completion_tokens": 999})
    assert body["max_completion_tokens"] == 16
    assert "max_tokens" not in body


@pytest.mark.parametrize("endpoint", ["openai", "anthropic"])
async def test_a_picture_goes_as_base64(endpoint):
    body, _, _ = await sent(ask(SEEN), endpoint)
    text, picture = body["messages"][0]["content"]
    data = base64.b64encode(PICTURE).decode()
    assert text == {"type": "text", "text": "What is it?"}
    if endpoint == "openai":
        assert picture == {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}}
    else:
        assert picture["source"] == {"type": "base64", "media_type": "image/png", "data": data}


@pytest.mark.parametrize("endpoint", ["openai", "anthropic"])
async def test_a_schema_is_asked_for(endpoint):
    schema = {"type": "object", "properties": {"ok": {"type": "boolean"}}}
    body, _, _ = await sent(ModelRequest(messages=(user("Hi"),), response_schema=schema), endpoint)
    if endpoint == "openai":
        assert body["response_format"]["json_schema"] == {"name": "answer", "strict": True, "schema": schema}
    else:
        assert body["output_config"]["format"]["schema"] == schema


@pytest.mark.parametrize("text", ["Grüße 🙂 \u2028 \x00", "half a pair \ud83d", 'quote " back \\ slash'])
async def test_any_text_arrives(text):
    body, _, _ = await sent(ask(user(text)))
    assert body["messages"][0]["content"] == text.encode("utf-8", "replace").decode()


ADAPTED = {
    # name: (endpoint, the endpoint's refusal, field that the second request no longer has, field that it has)
    "newer limit": (
        "openai",
        "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'",
        "max_tokens",
        "max_completion_tokens",
    ),
    "no schemas": ("openai", "This response_format type is unavailable now", "response_format", "max_tokens"),
    "no schemas there": ("anthropic", "output_config: Extra inputs are not permitted", "output_config", "max_tokens"),
}


@pytest.mark.parametrize("name", ADAPTED)
async def test_a_field_of_ours_that_an_endpoint_refuses_is_sent_in_its_own_way_from_then_on(name):
    endpoint, refusal, gone, there = ADAPTED[name]
    request = ModelRequest(messages=(user("Hi"),), parameters={"max_tokens": 9}, response_schema={"type": "object"})
    async with serving(Answer(200, BODIES[endpoint])) as server:
        server.first = [Answer(400, {"error": {"message": refusal}})]
        model = connect(ModelSpec(name="a", endpoint=endpoint, model="m", base_url=server.url))
        for _ in range(2):
            assert (await model.generate(request)).text == "Paris"
        await model.close()
        bodies = [json.loads(body) for _, _, body in server.requests]
    assert [gone in body for body in bodies] == [True, False, False]
    assert there in bodies[2]


async def test_a_picture_without_a_reader_is_refused():
    model = connect(ModelSpec(name="a", endpoint="openai", model="m", base_url="http://127.0.0.1:9"))
    with pytest.raises(InputError, match="without a reader"):
        await model.generate(ask(SEEN))


async def test_a_missing_key_is_told_before_any_call():
    spec = ModelSpec(name="a", endpoint="openai", model="m", base_url="http://127.0.0.1:9", api_key_env="NO_SUCH_KEY")
    with pytest.raises(PlanError, match="the environment variable NO_SUCH_KEY is not set"):
        connect(spec, environ={})


def test_a_key_from_a_file(tmp_path):
    path = tmp_path / "key"
    spec = ModelSpec(name="a", endpoint="openai", model="m", base_url="http://127.0.0.1:9", api_key_file=str(path))
    with pytest.raises(PlanError, match="cannot read the key file"):
        connect(spec)
    path.write_text("\n")
    with pytest.raises(PlanError, match="is empty"):
        connect(spec)
    path.write_text("one\ntwo-secret\n")
    with pytest.raises(PlanError, match="line breaks") as caught:
        connect(spec)
    assert "two-secret" not in str(caught.value)


def test_a_manual_model_without_a_person():
    with pytest.raises(InputError, match="nobody to ask"):
        connect(ModelSpec(name="a", endpoint="manual"))


def test_an_extra_that_is_not_installed_is_named():
    try:
        import any_llm  # noqa: F401
    except ImportError:
        with pytest.raises(InputError) as caught:
            connect(ModelSpec(name="a", endpoint="any", provider="gemini", model="m"))
        assert "openassay[providers]" in caught.value.todo


@pytest.mark.parametrize(
    ("url", "environ", "proxy"),
    [
        ("https://host.example/v1", {}, None),
        ("https://host.example/v1", {"HTTPS_PROXY": "http://p:1"}, "http://p:1"),
        ("http://host.example/v1", {"HTTPS_PROXY": "http://p:1"}, None),
        ("https://host.example/v1", {"all_proxy": "http://p:1"}, "http://p:1"),
        ("https://host.example/v1", {"https_proxy": "http://p:1", "no_proxy": "example"}, None),
        ("https://host.example/v1", {"https_proxy": "http://p:1", "NO_PROXY": "*"}, None),
        ("https://notexample/v1", {"https_proxy": "http://p:1", "no_proxy": "example"}, "http://p:1"),
        ("http://127.0.0.1:8091/v1", {"http_proxy": "http://p:1"}, None),
        ("http://localhost:8091/v1", {"http_proxy": "http://p:1"}, None),
    ],
)
def test_proxy(url, environ, proxy):
    assert proxy_for(url, environ) == proxy
