import io

import pytest
from rich.console import Console

from openassay.reports import terminal
from openassay.reports.attempts import choose, openable
from openassay.reports.html import render
from openassay.reports.summary import summarise_run


@pytest.fixture
def four(made):
    """Four tasks, two attempts: alpha passes all, beta the last two, gamma every second attempt."""
    tasks = [made.task(f"sum-{n}") for n in range(4)]
    passed = {"alpha": lambda n, k: True, "beta": lambda n, k: n > 1, "gamma": lambda n, k: k == 1}
    cells = [
        made.cell(model, f"sum-{n}", rule(n, k), attempt=k)
        for model, rule in passed.items()
        for n in range(4)
        for k in (0, 1)
    ]
    return made.facts(tasks, tuple(passed), attempts=2), cells, made.said(tasks)


def test_four_tasks_give_counts_and_initial_differentiation_but_no_ranking(four):
    summary = summarise_run(*four[:2])
    (found,) = summary.differentiation
    assert summary.ranks == summary.saturation == summary.steadiness == ()
    assert {(pair.verdict, pair.diff, pair.interval) for pair in summary.pairs} == {("too few items", None, None)}
    assert [(one.task, one.check, one.met, one.missed) for one in found.told_apart] == [
        ("sum-0", "exact", ("alpha",), ("beta",)),
        ("sum-1", "exact", ("alpha",), ("beta",)),
    ]
    assert found.checks[0].met == {"alpha": 2, "beta": 0, "gamma": 1}
    assert "neither compared by them nor ranked below 10 items" in found.why


def test_the_next_step_is_one_that_would_settle_more(four, made):
    (found,) = summarise_run(*four[:2]).differentiation
    assert "the pool holds 4, so write more" in found.next_step
    tasks = [made.task(f"sum-{n}") for n in range(4)]
    cells = [made.cell(model, f"sum-{n}", model == "alpha" or n > 0) for model in ("alpha", "beta") for n in range(4)]
    (once,) = summarise_run(made.facts(tasks), cells).differentiation
    assert once.next_step.startswith("Try each item again (--attempts 4)")


def test_the_page_links_each_check_to_its_evidence(four):
    facts, cells, texts = four
    summary = summarise_run(facts, cells)
    opened = {"run-1": openable(cells, facts.tasks, texts, choose(summary.items))}
    page = "".join(render(summary, opened, "owner"))
    assert 'href="#item--run-1--sum-0"' in page
    assert 'id="item--run-1--sum-0"' in page
    assert "initial differentiation" in page


def test_the_terminal_tells_checks_and_no_table_of_pairs(four):
    console = Console(file=io.StringIO(), width=120)
    terminal.show(summarise_run(*four[:2]), console)
    text = console.file.getvalue()
    assert "sum-0, check exact, hard: met by alpha, missed by beta (2 attempts each)" in text
    assert "model A" not in text


def test_ten_items_are_compared(made):
    tasks = [made.task(f"sum-{n}") for n in range(10)]
    cells = [made.cell(model, task.id, True) for model in ("alpha", "beta") for task in tasks]
    summary = summarise_run(made.facts(tasks), cells)
    assert (summary.differentiation, summary.pairs[0].verdict) == ((), "no difference shown")
