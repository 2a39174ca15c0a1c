"""People decide: their verdicts supersede, and nothing they decided is lost."""

import asyncio
import os
import signal
import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openassay.models.scripted import ScriptedModel
from openassay.runs import cells, journal, rescore
from openassay.runs.books import cell_of
from openassay.runs.folder import open_run
from openassay.runs.observer import Silent
from openassay.runs.prepare import RunOptions, prepare
from openassay.runs.reviews import Reviews, criterion_digest, decided, overlay, read_reviews, reviewing
from openassay.runs.scoring import scoring_of
from openassay.schema.attempt import Attempt, Outcome, Verdict
from openassay.schema.errors import RunFolderError
from openassay.schema.models import ModelSpec
from openassay.schema.review import Review
from openassay.schema.task import Check, Task

E, OTHER = "e" * 64, "f" * 64
FACT = Check(id="fact", text="names the date", uses="exact", reference="12 May")
TONE = Check(id="tone", text="is polite", by="judge", hard=False, uses="rubric", reference="is polite")
ASK = Check(id="ask", text="a colleague would send it", by="human", hard=False)
TASK = Task(id="t", category="c", instruction="Write", checks=(FACT, TONE, ASK), identity="a" * 64)
ATTEMPT = Attempt(
    model="m", task="t", draw=0, attempt=0, outcome=Outcome.ANSWERED, answer="x", prompt=E, started_ms=0, took_ms=1
)
MACHINE = scoring_of(
    ATTEMPT,
    TASK,
    [
        Verdict(check="fact", result="fail", reason="took '12. May'", who="exact/1", evidence=E),
        Verdict(check="tone", result="pass", reason="kind", by="judge", who="j 1", evidence=E),
        Verdict(check="ask", result="unmeasurable", reason="waits for a person", by="human", who="none", evidence=E),
    ],
    pass_number=0,
    at_ms=0,
)


def said(result, rater="ana", check=TONE, **more):
    given = {"criterion": criterion_digest(check), "evidence": E, "at_ms": 1, **more}
    return Review(model="m", task="t", draw=0, attempt=0, check=check.id, rater=rater, result=result, **given)


def over(*lines, scoring=MACHINE, task=TASK, attempt=ATTEMPT):
    return overlay(scoring, attempt, task, tuple(Reviews(lines)))


def deciding(scoring, check="tone"):
    (found,) = [one for one in scoring.verdicts if one.check == check and one.decides]
    return found


TABLE = {
    "one person supersedes": ([said("fail")], "fail", "human", "ana"),
    "all agree": ([said("fail"), said("fail", "ben")], "fail", "human", "ana, ben"),
    "a tie decides nothing": ([said("fail"), said("pass", "ben")], "pass", "judge", "j 1"),
    "a strict majority decides": (
        [said("fail"), said("pass", "ben"), said("fail", "cem")],
        "fail",
        "human",
        "ana, ben, cem",
    ),
    "unsure decides nothing": ([said("unsure")], "pass", "judge", "j 1"),
    "unsure does not vote": ([said("unsure"), said("fail", "ben")], "fail", "human", "ben"),
    "undone": ([said("fail"), said("withdrawn")], "pass", "judge", "j 1"),
    "undone and decided again": ([said("pass"), said("withdrawn"), said("fail")], "fail", "human", "ana"),
    "a later line of the same person supersedes": ([said("pass"), said("fail")], "fail", "human", "ana"),
    "one undoes, the other stands": ([said("pass"), said("fail", "ben"), said("withdrawn")], "fail", "human", "ben"),
    "another criterion": ([said("fail", criterion=OTHER)], "pass", "judge", "j 1"),
    "other evidence": ([said("fail", evidence=OTHER)], "pass", "judge", "j 1"),
    "a challenge decides nothing": ([said("challenged")], "pass", "judge", "j 1"),
    "another check": ([said("fail", check=FACT)], "pass", "judge", "j 1"),
}


@pytest.mark.parametrize("case", TABLE.values(), ids=TABLE)
def test_who_decides(case):
    lines, result, by, who = case
    found = deciding(over(*lines))
    assert (found.result, found.by, found.who) == (result, by, who)


def test_the_superseded_verdict_stays_and_does_not_decide():
    scoring = over(said("fail", note="it says 'get lost'"))
    judge, person = (one for one in scoring.verdicts if one.check == "tone")
    assert (judge.who, judge.result, judge.decides) == ("j 1", "pass", False)
    assert person.reason == "a person decided: fail; ana: it says 'get lost'"
    assert [one.check for one in scoring.verdicts] == ["fact", "tone", "tone", "ask"]


def test_a_hard_check_decided_by_a_person_flips_passed_and_score():
    scoring = over(said("pass", check=FACT))
    assert (MACHINE.score.passed, scoring.score.passed) == (False, True)
    assert (MACHINE.score.counted, scoring.score.counted) == (0, 1_000_000)


def test_a_check_for_people_is_measured_once_they_decide():
    scoring = over(said("fail", check=ASK))
    assert (MACHINE.score.unmeasured, scoring.score.unmeasured) == (("ask",), ())
    assert scoring.score.score == 333_333


def test_a_verdict_that_does_not_count_counts_once_people_gave_it():
    shown = tuple(one.model_copy(update={"counts": False}) if one.check == "tone" else one for one in MACHINE.verdicts)
    below = scoring_of(ATTEMPT, TASK, shown, pass_number=0, at_ms=0)
    assert below.score.uncounted == ("tone",)
    assert over(said("pass"), scoring=below).score.uncounted == ()


def test_a_challenge_is_noted_and_changes_no_score():
    scoring = over(said("challenged"))
    assert deciding(scoring).disputes == ("challenge",)
    assert scoring.score == MACHINE.score


def test_people_decide_nothing_about_an_answer_that_was_cut_off():
    cut = ATTEMPT.model_copy(update={"outcome": Outcome.LIMIT_REACHED})
    assert over(said("fail"), attempt=cut) is MACHINE


def test_a_malformed_answer_is_well_formed_where_people_pass_it():
    wrong = tuple(one.model_copy(update={"malformed": one.check == "fact"}) for one in MACHINE.verdicts)
    scoring = scoring_of(ATTEMPT, TASK, wrong, pass_number=0, at_ms=0)
    assert scoring.score.outcome == Outcome.FORMAT_ERROR
    assert over(said("pass", check=FACT), scoring=scoring).score.outcome == Outcome.ANSWERED


WORDS = {
    "raters differ: 1 pass, 1 fail": [said("pass"), said("fail", "ben")],
    "the raters are unsure": [said("unsure")],
    "nobody decided": [said("challenged")],
    "2 people decided: pass": [said("pass"), said("pass", "ben")],
    "most raters decided: pass (2 pass, 1 fail)": [said("pass"), said("pass", "ben"), said("fail", "cem")],
}


@pytest.mark.parametrize(("words", "lines"), WORDS.items())
def test_what_raters_come_to_in_words(words, lines):
    assert decided(lines).words == words


@given(st.lists(st.sampled_from(["pass", "fail", "unsure", "challenged"]), max_size=6), st.randoms())
def test_the_order_of_raters_does_not_matter(results, random):
    lines = [said(result, f"rater {n}") for n, result in enumerate(results)]
    shuffled = random.sample(lines, len(lines))
    assert decided(shuffled)[0] == decided(lines)[0]
    assert over(*shuffled).score == over(*lines).score


@pytest.mark.parametrize(
    ("change", "same"),
    [
        ({"id": "other"}, True),
        ({"weight": 3}, True),
        ({"dimension": "style"}, True),
        ({"text": "is very polite"}, False),
        ({"reference": "is kind"}, False),
        ({"options": {"ignore_case": True}}, False),
        ({"hard": True}, False),
    ],
)
def test_a_criterion_is_what_a_reader_sees_of_a_check(change, same):
    assert (criterion_digest(TONE.model_copy(update=change)) == criterion_digest(TONE)) is same


LIKES = {"id": "tone", "uses": "rubric", "by": "judge", "hard": False, "text": "is polite", "reference": "is polite"}


@pytest.fixture
async def unjudged(tmp_path, benchmark_of, run_it):
    """A run of two answers whose judged check waits."""
    lines = [
        {
            "id": f"p-{n}",
            "instruction": f"Say 2. {n}",
            "checks": [{"id": "a", "uses": "exact", "reference": "2"}, LIKES],
        }
        for n in range(2)
    ]
    spec = ModelSpec(name="m", endpoint="scripted", lineage=("llama",))
    folder = prepare(
        benchmark_of({"sums": 0}, lines=lines), tmp_path / "bench", [spec], [], RunOptions(), tmp_path / "runs"
    )
    await run_it(folder, {"m": ScriptedModel({"*": "2"})})
    return folder


def decide(folder, result="pass", rater="ana", **more):
    """One line on the first answer of the run."""
    cell = next(iter(cells.read_cells(folder)))
    attempt, verdict = cell.attempt, cell.scoring.verdicts[1]
    check = folder.tasks[attempt.task].checks[1]
    place = {name: getattr(attempt, name) for name in ("model", "task", "draw", "attempt")}
    given = {"criterion": criterion_digest(check), "evidence": verdict.evidence, "at_ms": 1, **more}
    return Review(**place, check=check.id, rater=rater, result=result, **given)


async def test_every_reader_of_a_run_sees_what_people_decided(unjudged):
    with reviewing(unjudged) as writer:
        writer.decide(decide(unjudged))
    first, second = cells.read_cells(open_run(unjudged.path))
    assert first.scoring.score.unmeasured == ()
    assert first.machine.score.unmeasured == ("tone",)
    assert second.machine is None


async def test_a_rescore_keeps_reviews(unjudged):
    with reviewing(unjudged) as writer:
        writer.decide(decide(unjudged, "fail"))
        await rescore.score(open_run(unjudged.path), observer=Silent(), stop=asyncio.Event())
    first = next(iter(cells.read_cells(open_run(unjudged.path))))
    assert (first.scoring.pass_number, first.scoring.verdicts[2].result) == (1, "fail")
    assert len(read_reviews(unjudged)) == 1


async def test_reviews_are_open_in_one_process_at_a_time_whatever_the_run_does(unjudged):
    with unjudged.lock(), reviewing(unjudged) as writer:
        writer.decide(decide(unjudged))
        with pytest.raises(RunFolderError, match="the reviews of this run are open"), reviewing(unjudged):
            pass


async def test_the_run_does_not_cut_off_what_a_reviewer_is_writing(unjudged):
    whole = journal.sealed(decide(unjudged))
    with reviewing(unjudged) as writer:
        writer._segment.append(whole[:20])
        assert journal.repair(unjudged.journal) == []
        writer._segment.append(whole[20:])
    assert len(read_reviews(unjudged)) == 1


async def test_a_torn_line_is_cut_off_by_the_next_reviewer(unjudged):
    journal.segment(unjudged.journal, "reviews", 7).write_bytes(journal.sealed(decide(unjudged)) + b'{"mod')
    with reviewing(unjudged) as writer:
        writer.decide(decide(unjudged, "fail", "ben"))
    assert [one.rater for one in read_reviews(unjudged)] == ["ana", "ben"]
    assert [path.name for path in journal.segments(unjudged.journal, "reviews")] == [
        "reviews-0007.jsonl",
        "reviews-0008.jsonl",
    ]


WRITER = """
import sys
from pathlib import Path
from openassay.runs.folder import open_run
from openassay.runs.reviews import reviewing
from openassay.schema.review import Review
review = Review.model_validate_json(sys.argv[2])
with reviewing(open_run(Path(sys.argv[1]))) as writer:
    for number in range(10**6):
        writer.decide(review.model_copy(update={"at_ms": number}))
        print(number, flush=True)
"""


def test_nothing_decided_is_lost_by_kill_9(unjudged):
    command = [sys.executable, "-c", WRITER, str(unjudged.path), decide(unjudged).model_dump_json()]
    for _ in range(3):
        with subprocess.Popen(command, stdout=subprocess.PIPE) as child:
            child.stdout.readline()
            time.sleep(0.05)
            os.kill(child.pid, signal.SIGKILL)
            told = int((child.stdout.read().split() or [b"0"])[-1])
        (kept,) = read_reviews(unjudged)
        assert kept.at_ms >= told
    assert cell_of(next(iter(cells.read_cells(unjudged))).attempt).task == "p-0"
