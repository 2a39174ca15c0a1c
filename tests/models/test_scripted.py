import time

import pytest

from openassay.models.scripted import ScriptedModel, failing
from openassay.schema.errors import EndpointError, FaultKind
from openassay.schema.message import Finish, ModelReply, ModelRequest, user


def ask(text):
    return ModelRequest(messages=(user(text),))


@pytest.mark.parametrize(
    ("prompt", "answer"), [("What is 40 + 2?", "42"), ("Capital of France?", "Paris"), ("?", "no idea")]
)
async def test_the_first_matching_substring_answers(prompt, answer):
    model = ScriptedModel({"40 + 2": "42", "*": "no idea", "France": "Paris", "Capital": "wrong"})
    assert (await model.generate(ask(prompt))).text == answer


async def test_without_a_match_it_says_nothing():
    assert (await ScriptedModel({"a": "b"}).generate(ask("x"))).text == ""


async def test_a_function_answers_with_text_or_a_whole_reply():
    model = ScriptedModel(lambda request: ModelReply(text="cut", finish=Finish.LENGTH))
    assert (await model.generate(ask("x"))).finish is Finish.LENGTH
    assert (await ScriptedModel(lambda request: request.messages[0].text().upper()).generate(ask("x"))).text == "X"


async def test_it_fails_as_often_as_told_then_answers():
    model = ScriptedModel(failing(FaultKind.RATE_LIMITED, lambda request: "yes", times=2))
    for _ in range(2):
        with pytest.raises(EndpointError):
            await model.generate(ask("x"))
    assert (await model.generate(ask("x"))).text == "yes"
    assert model.calls == 3


async def test_it_takes_its_time():
    began = time.monotonic()
    await ScriptedModel({"*": "x"}, latency=0.02).generate(ask("x"))
    assert time.monotonic() - began >= 0.019
