from pathlib import Path

import pytest

from openassay.models.faults import RULES, document, outcome_of
from openassay.schema.attempt import Outcome
from openassay.schema.errors import FaultKind
from openassay.schema.message import Finish, ModelReply

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "endpoint-faults.md"


def test_every_fault_has_its_rule_and_advice():
    assert set(RULES) == set(FaultKind)
    assert all(rule.todo and rule.happened for rule in RULES.values())


def test_no_fault_is_both_retried_and_a_stop():
    assert not [kind for kind, rule in RULES.items() if rule.retried and rule.stops_run]


def test_a_fault_that_stops_or_is_retried_says_nothing_about_a_model():
    rules = [rule for rule in RULES.values() if rule.retried or rule.stops_run]
    assert {rule.outcome for rule in rules} == {Outcome.INFRASTRUCTURE_ERROR}


def test_the_documentation_is_the_table():
    assert PAGE.read_text(encoding="utf-8") == document(), (
        "write it anew: python -c 'from openassay.models.faults import document; print(document(), end=\"\")' > "
        + str(PAGE)
    )


@pytest.mark.parametrize(
    ("text", "finish", "outcome"),
    [
        ("yes", Finish.STOP, Outcome.ANSWERED),
        ("yes", Finish.OTHER, Outcome.ANSWERED),
        ("", Finish.STOP, Outcome.NO_ANSWER),
        ("\n ", Finish.OTHER, Outcome.NO_ANSWER),
        ("ye", Finish.LENGTH, Outcome.LIMIT_REACHED),
        ("", Finish.LENGTH, Outcome.LIMIT_REACHED),
        ("ye", Finish.CONTENT_FILTER, Outcome.NO_ANSWER),
        ("", Finish.REFUSAL, Outcome.NO_ANSWER),
    ],
)
def test_outcome_of_a_reply(text, finish, outcome):
    assert outcome_of(ModelReply(text=text, finish=finish)) is outcome
