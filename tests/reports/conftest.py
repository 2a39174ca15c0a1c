"""Runs made by hand: every record is real, only the answers are invented."""

from typing import NamedTuple

import pytest

from openassay.reports.results import RunFacts
from openassay.runs.scoring import scoring_of
from openassay.schema.attempt import Attempt, Outcome, Score, Scoring, Verdict
from openassay.schema.benchmark import BenchmarkInfo, Category
from openassay.schema.canonical import digest, sha256_hex
from openassay.schema.errors import FaultKind
from openassay.schema.judging import DisputeRules
from openassay.schema.message import Finish, Message, TextPart, Usage
from openassay.schema.models import PlannedModel
from openassay.schema.plan import Draw, DrawnTask, Plan, PlanFile
from openassay.schema.task import Check, Origin, Task
from openassay.scorers import judge_reply, panel

ZERO = "0" * 64


class Cell(NamedTuple):
    attempt: Attempt
    scoring: Scoring | None
    earlier: tuple[Scoring, ...] = ()
    machine: Scoring | None = None


def make_task(name, category="sums", *, hard=True, group="", **fields):
    check = Check(id="exact", text="The right sum", uses="exact", hard=hard, reference="42")
    values = {
        "instruction": f"What is {name}?",
        "checks": (check,),
        "identity": sha256_hex(name.encode()),
        "group": group,
    }
    return Task(id=name, category=category, **(values | fields))


def make_facts(tasks, models=("alpha", "beta"), *, attempts=1, draws=None, judges=(), **info):
    categories = dict.fromkeys(task.category for task in tasks)
    tracks = info.pop("tracks", {})
    described = {
        "title": "What our desk needs",
        "developers": "The desk",
        "purpose": "Our own letters",
        "funding": "none",
    }
    benchmark = BenchmarkInfo(
        id="desk",
        version=info.pop("version", "1-A"),
        licence="CC-BY-4.0",
        category=tuple(
            Category(id=c, track=tracks.get(c, "research"), title=c.title(), definition=f"Tasks of {c}")
            for c in categories
        ),
        **(described | info),
    )
    drawn = draws or (tuple(task.id for task in tasks),)
    plan = Plan(
        software="0.1.0",
        benchmark="desk",
        benchmark_version=benchmark.version,
        benchmark_digest=ZERO,
        visibility=benchmark.visibility,
        categories=tuple(categories),
        models=tuple(map(make_model, models)),
        judges=tuple(one if isinstance(one, PlannedModel) else make_model(one) for one in judges),
        template_digest=ZERO,
        draws=len(drawn),
        attempts=attempts,
        max_tokens=48,
    )
    draw = Draw(
        info=ZERO,
        records=ZERO,
        prompts=ZERO,
        tasks=tuple(DrawnTask(task=t.id, category=t.category, identity=t.identity, prompt=ZERO) for t in tasks),
        draws=drawn,
        pool={category: len(tasks) for category in categories},
    )
    file = PlanFile(plan=plan, digest=digest(plan), benchmark_path="desk", created="2026-11-30T12:00:00Z")
    return RunFacts(
        "run-1",
        file,
        draw,
        benchmark,
        {task.id: task for task in tasks},
        spent=1_500_000,
        judge_policy=benchmark.judge,
    )


def make_model(name):
    return PlannedModel(
        name=name, endpoint="openai", model=f"{name}-7b-2026", developer=f"Makers of {name}", lineage=(name,)
    )


def make_cell(model, task, passed=None, *, draw=0, attempt=0, outcome=Outcome.ANSWERED, counted=None, **fields):
    """One finished cell; `passed` None and `counted` None is a hard check that nobody could measure."""
    texts = {key: fields.pop(key) for key in ("reason", "took", "by", "who", "object", "result") if key in fields}
    scored = fields.pop("scored", outcome != Outcome.INFRASTRUCTURE_ERROR)
    share = counted if counted is not None else None if passed is None else 1_000_000 * passed
    made = Attempt(
        model=model,
        task=task,
        draw=draw,
        attempt=attempt,
        outcome=Outcome.ANSWERED if outcome == Outcome.SCORER_ERROR else outcome,
        prompt=ZERO,
        **(
            {"answer": "42", "finish": Finish.STOP, "usage": Usage(tokens_in=20, tokens_out=5), "started_ms": 0}
            | fields
        ),
        took_ms=800,
    )
    if not scored:
        return Cell(made, None)
    result = {True: "pass", False: "fail", None: "unmeasurable"}[passed]
    verdict = Verdict(
        **({"check": "exact", "result": result, "reason": "took '42', expected '42'", "who": "exact/1"} | texts),
        evidence=ZERO,
    )
    score = Score(
        outcome=outcome,
        passed=passed,
        score=share,
        counted=share,
        dimensions={} if share is None else {"content": share},
        unmeasured=("exact",) if passed is None and counted is None else (),
    )
    where = {"model": model, "task": task, "draw": draw, "attempt": attempt}
    return Cell(made, Scoring(**where, pass_number=0, verdicts=(verdict,), score=score, at_ms=0))


def make_judge(name, *lineage):
    return PlannedModel(name=name, endpoint="openai", model=f"{name}-2026", lineage=lineage or (name,))


def make_essay(name, **fields):
    check = Check(id="clear", text="It is clear", by="judge", uses="rubric", hard=False, reference="It is clear")
    return make_task(name, "essays", hard=False, checks=(check,), **fields)


SAID = {
    "pass": {"result": "pass", "control": "met", "reason": "it says 'grey heron'"},
    "fail": {"result": "fail", "control": "met", "reason": "it only says 'grey'"},
    "bare": {"result": "pass", "control": "met", "reason": "fine", "flags": (judge_reply.UNQUOTED,)},
    "missed": {"result": "unmeasurable", "control": "missed", "reason": "it failed a canary item"},
    "unread": {"result": "unmeasurable", "control": "unread", "reason": "expected one JSON object"},
}


def make_judged(model, task, *views, marks=(), number=0, earlier=(), counts=True, draw=0):
    """A cell as the panel leaves it. A view: judge, whether it may decide, and what it says in each pass."""
    seen = tuple(
        panel.View(
            tuple(
                Verdict(
                    check="clear",
                    by="judge",
                    who=f"{name} 1a2b3c",
                    order=order,
                    evidence=ZERO,
                    object=sha256_hex(f"{name} {model} {task.id} {order}".encode()),
                    **SAID[word],
                )
                for order, word in enumerate(said, 1)
            ),
            may_decide,
        )
        for name, may_decide, said in views
    )
    verdicts = panel.decided(panel.Case(task.checks[0], seen, DisputeRules(), None, marks))
    if not counts:
        verdicts = tuple(one.model_copy(update={"counts": not one.decides}) for one in verdicts)
    attempt = make_cell(model, task.id, scored=False, draw=draw).attempt
    scoring = scoring_of(attempt, task, verdicts, pass_number=number, at_ms=0)
    return Cell(attempt, scoring, tuple(earlier))


class Said:
    """Texts of a run made by hand."""

    def __init__(self, tasks, exchange="[user]\nIs it right?\n\n[reply]\nyes"):
        self._tasks = {task.id: task for task in tasks}
        self._exchange = exchange

    def prompt(self, task_id):
        return (Message(role="user", parts=(TextPart(text=self._tasks[task_id].instruction),)),)

    def answer(self, attempt):
        return attempt.answer

    def exchange(self, sha256):
        return self._exchange


class Made(NamedTuple):
    """The makers above, for tests."""

    task = staticmethod(make_task)
    facts = staticmethod(make_facts)
    judge = staticmethod(make_judge)
    essay = staticmethod(make_essay)
    judged = staticmethod(make_judged)
    cell = staticmethod(make_cell)
    said = Said


@pytest.fixture(scope="session")
def made():
    return Made


@pytest.fixture(scope="session")
def busy(made):
    """A run in which everything happens: (facts, cells, texts)."""
    sums = [made.task(f"sum-{n}", origin=Origin(author="The desk")) for n in range(1, 9)]
    letters = [made.task(f"letter-{n}", "letters", group="case-1" if n < 3 else "") for n in range(1, 6)]
    essays = [made.task(f"essay-{n}", "essays", hard=False) for n in range(1, 4)]
    tasks = [*sums, *letters, *essays]
    facts = made.facts(
        tasks, attempts=2, judges=("judge",), tracks={"essays": "writing"}, scope="Nothing beyond the desk."
    )
    cells = []
    for number, task in enumerate(tasks):
        for model in ("alpha", "beta"):
            for attempt in (0, 1):
                place = {"attempt": attempt, "usage": Usage(tokens_in=31, tokens_out=7 + number, tokens_reasoning=2)}
                cells.append(_happening(made, model, task, number, place))
    return facts, cells, made.said(tasks)


@pytest.fixture
def disputed(made):
    """Ten essays, two candidates, two judges, the first of them alpha's relative: (facts, cells, texts).

    On alpha the relative passes nine and the other judge five. On beta seven go undisputed, one turns on the order of
    items, one misses a canary and is settled by the second judge, and one is settled by nobody.
    """
    essays = [made.essay(f"essay-{n}") for n in range(10)]
    facts = made.facts(essays, judges=(made.judge("kin", "alpha"), made.judge("stranger", "heron")))
    relative = [
        made.judged(
            "alpha",
            task,
            ("kin", False, ("fail", "fail") if n == 9 else ("pass", "bare")),
            ("stranger", True, ("pass", "pass") if n < 5 else ("fail", "fail")),
        )
        for n, task in enumerate(essays)
    ]
    plain = [made.judged("beta", task, ("kin", True, ("pass", "pass"))) for task in essays[:7]]
    odd = [
        made.judged("beta", essays[7], ("kin", True, ("pass", "fail")), ("stranger", True, ("fail", "fail"))),
        made.judged("beta", essays[8], ("kin", True, ("missed", "pass")), ("stranger", True, ("pass", "pass"))),
        made.judged("beta", essays[9], ("kin", True, ("missed", "missed")), ("stranger", True, ("unread", "pass"))),
    ]
    return facts, relative + plain + odd, made.said(essays)


def _happening(made, model, task, number, place):
    first, beta = place["attempt"] == 0, model == "beta"
    if task.category == "essays":
        result = "unmeasurable" if beta and number == 13 else "pass"
        texts = {
            "reason": "Clear, but it names no source.",
            "answer": "A letter of some length.\n" * 12,
            "result": result,
        }
        share = 400_000 + 40_000 * number % 500_000
        return made.cell(model, task.id, counted=share, by="judge", who="judge 1a2b", object=ZERO, **texts, **place)
    if beta and number == 2:
        return made.cell(
            model,
            task.id,
            False,
            outcome=Outcome.LIMIT_REACHED,
            answer="Let me think step by",
            finish=Finish.LENGTH,
            detail="cut off at 48 tokens",
            **place,
        )
    if beta and number == 3 and first:
        return made.cell(
            model, task.id, False, outcome=Outcome.NO_ANSWER, answer="", detail="the endpoint sent no text", **place
        )
    if number == 5 and first:
        return made.cell(
            model,
            task.id,
            False,
            tries=3,
            faults=(FaultKind.RATE_LIMITED, FaultKind.OVERLOADED),
            answer="<script>alert(1)</script></details>\u202egnp.exe\x1b[31m",
            reason="took '41', expected '42'",
            took="41",
            **place,
        )
    return made.cell(
        model, task.id, (number * 7 + 3 * beta + (number % 3 == 0) * place["attempt"]) % 5 > 1 or not beta, **place
    )
