import pytest

from openassay.runs.eligibility import blocked, remark, remedy, remedy_after
from openassay.schema.judging import JudgePolicy
from openassay.schema.models import PlannedModel


def model(name, *lineage):
    return PlannedModel(name=name, endpoint="openai", model="no-known-name", lineage=lineage)


CASES = [
    # judge, candidate, on whom nobody may decide, words before the run, words after it
    ([model("ref", "big")], model("cand", "tiny"), "", "", ""),
    (
        [model("ref")],
        model("cand", "tiny"),
        "of ref is unknown",
        "to [models.ref] in",
        "then `openassay score R --judge ref`",
    ),
    ([model("ref", "big")], model("cand"), "of cand is unknown", "to [models.cand] in", "--bench B`"),
    ([model("ref")], model("cand"), "of ref and cand is unknown", "[models.ref] and to [models.cand]", "--bench B`"),
    ([model("ref", "tiny")], model("cand", "tiny"), "shares its lineage", "another family", "another family"),
    ([model("kin", "tiny"), model("ref", "big")], model("cand", "tiny"), "", "", ""),
    ([], model("cand"), "", "", ""),
]


@pytest.mark.parametrize(("judges", "candidate", "says", "before", "after"), CASES)
def test_on_whom_no_judge_may_decide(judges, candidate, says, before, after):
    found = blocked(judges, [candidate], JudgePolicy())
    assert bool(found) is bool(says)
    if found:
        assert says in remark(found)
        assert before in remedy(found)
        assert after in remedy_after(found, "R", "B")


def test_a_benchmark_may_allow_relatives():
    assert not blocked([model("ref")], [model("cand")], JudgePolicy(different_lineage=False))
