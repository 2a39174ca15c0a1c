"""A judge that is a function: for tests, rehearsals and examples, without a model.

It reads the same words as a model would and answers in the same form. Give it to a `ScriptedModel`.
"""

import json
import re
from collections.abc import Callable
from typing import NamedTuple

from openassay.schema.message import ModelRequest
from openassay.scorers.canaries import holds

Decide = Callable[[str, str], bool]
"""Criterion and output -> whether it passes."""

_CRITERION = re.compile(r"^(c\d+): (.*)$", re.MULTILINE)
_HEAD = re.compile(r'\{"task_id": (".*?(?<!\\)"), "nonce": "(\w+)"')


class Put(NamedTuple):
    """A question to a judge, as it reads it."""

    task: str
    nonce: str
    output: str
    criteria: dict[str, str]
    """Label -> criterion, in the order shown."""


def put(request: ModelRequest) -> Put:
    """Take a judge's prompt apart; ValueError where it is none."""
    system, user = (message.text() for message in request.messages)
    fence = re.search(r"begin with (DATA-\w+)", system)
    head = _HEAD.search(system)
    if fence is None or head is None:
        raise ValueError("expected a judge's prompt, found none of its marks")
    sections = dict(re.findall(rf"^<{fence[1]} ([A-Z]+)[^>\n]*>\n(.*?)\n</{fence[1]}>", user, re.DOTALL | re.MULTILINE))
    criteria = dict(_CRITERION.findall(sections["CRITERIA"]))
    return Put(json.loads(head[1]), head[2], sections["OUTPUT"], criteria)


def reply(asked: Put, passes: dict[str, bool], reason: str = "as the output says") -> str:
    """A well-formed reply with these verdicts by label."""
    items = [{"check": label, "reason": reason, "pass": passed} for label, passed in passes.items()]
    total = {"score": sum(passes.values()), "total": len(passes)}
    return json.dumps({"task_id": asked.task, "nonce": asked.nonce, "items": items, **total})


def deciding(decide: Decide) -> Callable[[ModelRequest], str]:
    """A judge that decides every criterion, canaries too, by this function."""

    def judge(request: ModelRequest) -> str:
        asked = put(request)
        passes = {label: decide(text, asked.output) for label, text in asked.criteria.items()}
        return reply(asked, passes, f"it says '{asked.output[:40]}'")

    return judge


def truthful(decide: Decide) -> Callable[[ModelRequest], str]:
    """A judge that gets every canary right and decides the criteria of the task by this function."""

    def known(criterion: str, output: str) -> bool:
        surely = holds(criterion, output)
        return decide(criterion, output) if surely is None else surely

    return deciding(known)
