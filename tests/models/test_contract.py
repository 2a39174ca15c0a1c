"""What every `Model` owes the engine, run over each implementation that can run without a network."""

import asyncio
import contextlib
from types import SimpleNamespace

import pytest
from faulty_server import Answer, anthropic_message, completion, serving

from openassay.models.any_llm import AnyModel
from openassay.models.connect import connect
from openassay.schema.message import Finish, ModelReply, ModelRequest, user
from openassay.schema.models import ModelSpec

ASK = ModelRequest(messages=(user("Capital of France?"),), parameters={"max_tokens": 16})


@contextlib.asynccontextmanager
async def openai():
    async with serving(Answer(200, completion())) as server:
        yield connect(ModelSpec(name="a", endpoint="openai", model="tiny-1", base_url=server.url))


@contextlib.asynccontextmanager
async def anthropic():
    async with serving(Answer(200, anthropic_message())) as server:
        yield connect(ModelSpec(name="a", endpoint="anthropic", model="tiny-1", base_url=server.url))


@contextlib.asynccontextmanager
async def manual():
    yield connect(ModelSpec(name="a", endpoint="manual"), ask=lambda prompt: "Paris")


@contextlib.asynccontextmanager
async def scripted():
    yield connect(ModelSpec(name="a", endpoint="scripted", replies={"France": "Paris"}))


@contextlib.asynccontextmanager
async def through_an_sdk():
    async def acompletion(**arguments):
        await asyncio.sleep(0)
        return SimpleNamespace(model_dump_json=lambda: Answer(200, completion()).content().decode())

    spec = ModelSpec(name="a", endpoint="any", provider="made-up", model="tiny-1")
    yield AnyModel(spec, client=SimpleNamespace(acompletion=acompletion))


MODELS = [openai, anthropic, manual, scripted, through_an_sdk]
pytestmark = pytest.mark.parametrize("opened", MODELS)


async def test_it_answers(opened):
    async with opened() as model:
        reply = await model.generate(ASK)
        await model.close()
    assert (reply.text, reply.finish) == ("Paris", Finish.STOP)


async def test_its_reply_is_a_valid_record(opened):
    async with opened() as model:
        reply = await model.generate(ASK)
        await model.close()
    assert ModelReply.model_validate_json(reply.model_dump_json()) == reply


async def test_it_answers_many_at_once(opened):
    async with opened() as model:
        replies = await asyncio.gather(*(model.generate(ASK) for _ in range(20)))
        await model.close()
    assert {reply.text for reply in replies} == {"Paris"}


async def test_it_leaves_the_request_as_it_was(opened):
    before = ASK.model_dump_json()
    async with opened() as model:
        await model.generate(ASK)
        await model.close()
    assert ASK.model_dump_json() == before


async def test_close_may_be_called_twice_or_before_any_call(opened):
    async with opened() as model:
        await model.close()
        await model.close()


async def test_a_call_can_be_cancelled(opened):
    async with opened() as model:
        call = asyncio.ensure_future(model.generate(ASK))
        await asyncio.sleep(0)
        call.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await call
        assert (await model.generate(ASK)).text == "Paris"
        await model.close()
