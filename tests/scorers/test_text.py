import pytest

from openassay.schema.evidence import Evidence
from openassay.schema.task import Check
from openassay.scorers.script import score_check


def verdict_of(uses, reference, answer, **options):
    return score_check(Check(id="c", uses=uses, reference=reference, options=options), Evidence(answer=answer))


@pytest.mark.parametrize(
    ("answer", "result"),
    [
        ("42", "pass"),
        ("The answer is **42**.", "pass"),
        ("Answer: 42", "pass"),
        ("112", "fail"),
        ("4 2", "fail"),
        ("", "fail"),
    ],
)
def test_exact(answer, result):
    assert verdict_of("exact", "42", answer).result == result
