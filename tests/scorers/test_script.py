"""The way from a check to a verdict, and whose fault a break is."""

import inspect
import sys
import time

import pytest

from openassay.schema.checks import SCORERS
from openassay.schema.consent import VARIABLE
from openassay.schema.errors import ScorerError
from openassay.schema.evidence import Evidence
from openassay.schema.task import Check
from openassay.scorers.finding import Finding
from openassay.scorers.script import VERSIONS, evidence_digest, score_check

SECRET = "the private text of an item"


def shouts(reference, options, evidence):
    """A scorer as a user writes one."""
    return Finding("pass" if evidence.answer.isupper() else "fail", f"wanted {options['what']}", evidence.answer)


def breaks(reference, options, evidence):
    raise ValueError(SECRET)


def returns_nothing(reference, options, evidence):
    return None


@pytest.fixture
def dotted(monkeypatch):
    monkeypatch.setitem(sys.modules, "my_scoring", sys.modules[__name__])
    monkeypatch.setenv(VARIABLE, "my_scoring, no_such_module.score")
    return "my_scoring"


def test_every_scorer_of_the_schema_is_here():
    assert set(VERSIONS) == {name for name, kind in SCORERS.items() if kind.by == "script"}


def test_a_verdict_says_who_took_what_and_why():
    evidence = Evidence(answer="Answer: 41")
    verdict = score_check(Check(id="sum", uses="exact", reference="42"), evidence)
    assert (verdict.who, verdict.by, verdict.took) == ("exact/1", "script", "41")
    assert verdict.reason == "took '41', expected '42'"
    assert verdict.evidence == evidence_digest(evidence)


def test_the_digest_depends_on_every_part():
    parts = [Evidence(answer="a"), Evidence(answer="a", instruction="i"), Evidence(answer="a", siblings=("s",))]
    assert len({evidence_digest(part) for part in parts}) == 3


@pytest.mark.parametrize(("by", "reason"), [("human", "waits for a person"), ("judge", "waits for a judge")])
def test_checks_of_others_wait(by, reason):
    verdict = score_check(Check(id="c", by=by, uses="rubric"), Evidence(answer="x"))
    assert (verdict.result, verdict.reason, verdict.by) == ("unmeasurable", reason, by)


def test_a_dotted_path_names_a_function(dotted):
    check = Check(id="c", uses=f"{dotted}.shouts", options={"what": "capitals"})
    verdict = score_check(check, Evidence(answer="LOUD"))
    assert (verdict.result, verdict.reason, verdict.who) == ("pass", "wanted capitals", "my_scoring.shouts")


@pytest.mark.parametrize(
    ("uses", "message"),
    [
        ("exakt", "exakt"),
        ("no_such_module.score", "cannot be imported"),
        ("my_scoring.no_such_function", "cannot be imported"),
        ("my_scoring.SECRET", "expected a function"),
        ("my_scoring.returns_nothing", "expected a Finding"),
        ("my_scoring.breaks", "broke: ValueError"),
    ],
)
def test_a_broken_scorer_is_our_fault(dotted, uses, message):
    with pytest.raises(ScorerError, match=message) as raised:
        score_check(Check(id="c", uses=uses), Evidence(answer="x"))
    assert SECRET not in str(raised.value)
    assert raised.value.__cause__ is None


@pytest.mark.parametrize("uses", ["cProfile.run", "my_scoring_too.shouts", "os.system", "antigravity.fly"])
def test_code_that_nobody_allowed_is_not_even_imported(dotted, uses, tmp_path):
    ran = tmp_path / "ran"
    check = Check(id="c", uses=uses, reference=f"open({str(ran)!r}, 'w')")
    with pytest.raises(ScorerError, match="have not allowed") as raised:
        score_check(check, Evidence(answer="x"))
    assert f"{VARIABLE}={uses}" in raised.value.todo
    assert not ran.exists()
    assert "antigravity" not in sys.modules


def test_a_wrong_option_is_our_fault():
    with pytest.raises(ScorerError, match="ignore_cases"):
        score_check(Check(id="c", uses="exact", reference="x", options={"ignore_cases": True}), Evidence(answer="x"))


def test_nothing_a_scorer_sees_names_a_model():
    assert not [field for field in Evidence.model_fields if "model" in field]
    assert list(inspect.signature(score_check).parameters) == ["check", "evidence"]


def test_three_scorings_are_identical():
    check, evidence = Check(id="c", uses="numeric", reference=42), Evidence(answer="It is 42.")
    assert len({score_check(check, evidence).model_dump_json() for _ in range(3)}) == 1


@pytest.mark.slow
def test_exact_scores_20000_answers_a_second():
    check, answers = Check(id="c", uses="exact", reference="42"), [Evidence(answer=str(n)) for n in range(20_000)]
    start = time.process_time()
    for evidence in answers:
        score_check(check, evidence)
    assert time.process_time() - start < 1
