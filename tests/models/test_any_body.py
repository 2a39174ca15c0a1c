"""Whatever an endpoint sends or a file holds: a reply, or an error of ours, never a broken program."""

import json

from faulty_server import anthropic_message, completion
from hypothesis import given
from hypothesis import strategies as st

from openassay.models import anthropic_messages, openai_wire
from openassay.models.faults import outcome_of
from openassay.models.http_faults import Place, from_status
from openassay.models.models_file import read_models_file
from openassay.schema.errors import EndpointError, PlanError
from openassay.schema.message import ModelReply

PLACE = Place("a", "http://127.0.0.1:1/v1", ("hunter2-hunter2",))
HALVES = st.text(st.characters(categories=["Cs", "Lu"]), max_size=3)
"""Half a surrogate pair is what a model cut off in mid-emoji leaves; JSON carries it, no file does."""
SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | HALVES | st.just("hunter2-hunter2")
)
NAMES = st.sampled_from(
    ["choices", "message", "content", "usage", "model", "error", "code", "type", "text", "refusal", "finish_reason"]
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4), max_leaves=12
)
DECODERS = [(openai_wire.decode, completion), (anthropic_messages.decode, anthropic_message)]


def survives(decode, body):
    told = ""
    try:
        reply = decode(body, "tiny-1", PLACE)
        assert ModelReply.model_validate_json(reply.model_dump_json()) == reply
        outcome_of(reply)
    except EndpointError as fault:
        told = str(fault)
    assert "hunter2" not in told


@given(VALUES)
def test_any_json(value):
    for decode, _ in DECODERS:
        survives(decode, json.dumps(value).encode())


@given(st.binary(max_size=200))
def test_any_bytes(body):
    for decode, _ in DECODERS:
        survives(decode, body)


@given(st.data(), VALUES)
def test_a_good_reply_with_one_field_changed(data, value):
    for decode, good in DECODERS:
        reply = good()
        where = reply
        while True:
            key = data.draw(st.sampled_from(list(where) if isinstance(where, dict) else list(range(len(where)))))
            if not isinstance(where[key], dict | list) or not where[key] or data.draw(st.booleans()):
                break
            where = where[key]
        where[key] = value
        survives(decode, json.dumps(reply).encode())


SIGNS = st.text("0123456789+-:/[]@%. ", max_size=24)
HEADERS = st.text(max_size=20) | SIGNS.map("http://".__add__) | SIGNS.map("Fri, 31 Dec 9999 23:59:59 ".__add__)


@given(st.integers(201, 599), VALUES, HEADERS)
def test_any_status(status, value, header):
    headers = {"Retry-After": header, "Location": header}
    fault = from_status(status, headers, json.dumps(value).encode(), PLACE)
    assert "hunter2" not in str(fault)


LINES = """[models]
a = 1
endpoint = "openai"
endpoint = "any"
endpoint = []
base_url = "http://h"
base_url = "http://["
base_url = 3
model = "m"
model = ["m"]
price = {}
price = []
price = { input = "1", output = 2 }
parameters = []
parameters = {x = [1.5, {y = 2020-01-01}]}
modalities = 3
modalities = [[]]
lineage = [1]
replies = {a = "b"}
timeout = -1
x = 2020-01-01""".splitlines()


@given(st.lists(st.sampled_from(LINES), max_size=8, unique=True))
def test_any_models_file(tmp_path_factory, lines):
    path = tmp_path_factory.mktemp("any") / "models.toml"
    path.write_text("\n".join(["[models.a]", *lines]), encoding="utf-8")
    told = []
    try:
        read_models_file(path)
    except PlanError as error:
        told = error.lines()
    assert sum(line.count("\n") + 1 for line in told) <= 6


def test_half_an_emoji_does_not_cost_the_answer():
    body = b'{"model": "m", "choices": [{"message": {"content": "42 \\ud83d"}, "finish_reason": "length"}]}'
    assert openai_wire.decode(body, "m", PLACE).text == "42 \N{REPLACEMENT CHARACTER}"
