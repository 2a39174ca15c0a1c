"""What a reader brings, on the terminal and on the page; all of it is text and never markup."""

import io
from dataclasses import replace

import pytest
from rich.console import Console

from openassay.reports import terminal
from openassay.reports.html import render
from openassay.reports.needs_file import Needs
from openassay.reports.published import Figure
from openassay.reports.reader import for_reader
from openassay.reports.summary import summarise_run
from openassay.schema.models import Price

HOSTILE = "</li><script>alert(1)</script>[red]\x1b[31m\u202e{{ 7 * 7 }}"
WANTED = {
    "title": HOSTILE,
    "need": [{"category": "letters", "weight": 1, "min_pass_rate": 0.7}],
    "max_cost_per_task_usd": 0.5,
    "volume": 3_000,
}


@pytest.fixture
def seen(made):
    """A run of two models with needs and a figure of others, all texts of the reader hostile."""
    tasks = [made.task(f"letter-{n}", "letters") for n in range(20)]
    facts = made.facts(tasks, title=HOSTILE)
    plan = facts.plan_file.plan
    models = tuple(one.model_copy(update={"price": Price(input=1, output=1)}) for one in plan.models)
    plan_file = facts.plan_file.model_copy(update={"plan": plan.model_copy(update={"models": models})})
    cells = [made.cell(model, task.id, model == "alpha", cost=9) for model in ("alpha", "beta") for task in tasks]
    fields = dict.fromkeys(("model", "benchmark", "what", "metric", "source", "note", "paid_by", "prompt"), HOSTILE)
    figure = Figure(figure="82 %", n=100, url="javascript:alert(1)", **fields)
    summary = summarise_run(replace(facts, plan_file=plan_file), cells)
    return for_reader(summary, Needs.model_validate(WANTED), [figure])


def printed(summary, width):
    console = Console(file=io.StringIO(), width=width)
    terminal.show(summary, console)
    return console.file.getvalue()


SAID = [
    "In short",
    "alpha qualifies, of 2 models",
    "Not met: beta: pass rate in “Letters” at least 70 %",
    "by your own weighing of",
    "tasks a month",
    "not measured here",
    "leaves out",
    "73 to 88 %",
]


@pytest.mark.parametrize("said", SAID)
def test_both_forms_say_the_same(seen, said):
    page = "".join(render(seen, {}, "owner")).replace("\u00a0", " ")
    assert said in page
    assert said in printed(seen, 400)


def test_nothing_of_a_reader_is_markup_on_the_page(seen):
    page = "".join(render(seen, {}, "owner"))
    assert "<script>alert" not in page
    assert 'href="javascript' not in page
    assert "{{ 7 * 7 }}" in page
    assert "\u202e" not in page
    assert "&lt;script&gt;alert(1)" in page


@pytest.mark.parametrize("width", [40, 80, 200])
def test_nothing_of_a_reader_steers_a_terminal(seen, width):
    text = printed(seen, width)
    assert max(map(len, text.splitlines())) <= width
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_without_a_reader_there_is_no_section_of_theirs(made):
    tasks = [made.task(f"letter-{n}", "letters") for n in range(20)]
    summary = summarise_run(made.facts(tasks), [made.cell(m, t.id, True) for m in ("alpha", "beta") for t in tasks])
    page = "".join(render(summary, {}, "owner"))
    assert "In short" in page
    assert "Your needs" not in page
    assert "not measured here" not in page
