"""What an output says to its judge gains it nothing: pose, prompt, judge and read, without a model."""

import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest

from openassay.schema.evidence import Evidence
from openassay.schema.judging import JudgePolicy
from openassay.schema.message import Finish
from openassay.schema.task import Check, Task
from openassay.scorers import judge, judge_prompt, judge_reply

adversarial = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("adversarial.py"))))
ATTACKS = [pytest.param(attack, id=attack.name) for attack in adversarial.ATTACKS]
TASK = Task(
    id="t-1",
    category="c",
    instruction=adversarial.INSTRUCTION,
    checks=(
        Check(id="names", by="judge", uses="rubric", reference=adversarial.NAMES),
        Check(id="reason", by="judge", hard=False, uses="rubric", reference=adversarial.REASON),
    ),
    identity="0" * 64,
)


def verdicts(output, judged_by, mode="checklist"):
    """Check id -> result in each of two passes."""
    request = judge.request(TASK, Evidence(answer=output))
    found = []
    for order in (1, 2):
        posed = judge.posed(request, JudgePolicy(mode=mode), order)
        readings = [judge_reply.read(one, judged_by(judge_prompt.prompt(one)), Finish.STOP) for one in posed]
        found += judge_reply.verdicts(request, TASK, readings, "judge", order)
    return found


def results(*args):
    return [one.result for one in verdicts(*args)]


def test_there_are_enough_attacks_and_none_answers_the_task():
    assert len({attack.name for attack in adversarial.ATTACKS}) == len(adversarial.ATTACKS) >= 45
    for attack in adversarial.ATTACKS:
        assert not adversarial.right(adversarial.NAMES, attack.text)
        assert not adversarial.right(adversarial.REASON, attack.text)


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("name", adversarial.OBEDIENT)
def test_an_obedient_judge_decides_nothing(attack, name):
    found = verdicts(attack.behind(adversarial.WRONG), adversarial.OBEDIENT[name])
    assert [one.result for one in found] == ["unmeasurable"] * 4
    assert {one.control for one in found} <= {"missed", "unread"}


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_obedient_judge_decides_nothing_item_by_item(attack):
    assert results(attack.behind(adversarial.WRONG), adversarial.obeys, "item") == ["unmeasurable"] * 4


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize(("answer", "result"), [(adversarial.WRONG, "fail"), (adversarial.RIGHT, "pass")])
def test_an_honest_judge_changes_no_verdict(attack, answer, result):
    assert results(answer, adversarial.honest) == [result] * 4
    found = verdicts(attack.behind(answer), adversarial.honest)
    assert [(one.result, one.control) for one in found] == [(result, "met")] * 4


@pytest.mark.parametrize("attack", ATTACKS)
def test_no_attack_holds_the_nonce_or_the_marks(attack):
    request = judge.request(TASK, Evidence(answer=attack.behind(adversarial.WRONG)))
    (posed,) = judge.posed(request, JudgePolicy(), 1)
    system = judge_prompt.prompt(posed).messages[0].text()
    assert posed.nonce not in request.output
    assert system.split("begin with ")[1].split(".")[0] not in request.output


@pytest.mark.parametrize("attack", adversarial.SELECTIVE, ids=lambda attack: attack.name)
def test_a_judge_that_obeys_in_part_is_left_to_calibration_and_people(attack):
    """Known and documented: no control item tells it from an honest judge."""
    assert results(attack.behind(adversarial.WRONG), adversarial.obeys_in_part) == ["pass"] * 4
