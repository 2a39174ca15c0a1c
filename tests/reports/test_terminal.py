import io

import pytest
from rich.console import Console

from openassay.reports import terminal
from openassay.reports.summary import summarise_run


def printed(summary, width=140):
    console = Console(file=io.StringIO(), width=width)
    terminal.show(summary, console)
    return console.file.getvalue()


@pytest.mark.parametrize("width", [40, 60, 90, 140, 250])
def test_no_line_is_longer_than_the_terminal(busy, width):
    facts, cells, _ = busy
    assert max(map(len, printed(summarise_run(facts, cells), width).splitlines())) <= width


def test_tracks_stand_apart_and_every_row_says_scored_of_planned(busy):
    facts, cells, _ = busy
    text = printed(summarise_run(facts, cells))
    assert text.count("track ") == 2
    assert text.count("16 of 16") >= 2
    assert "64 scored of 64 planned" in text
    assert "±" not in text


def test_a_kind_of_outcome_is_a_column_only_where_it_occurred(busy):
    facts, cells, _ = busy
    research = printed(summarise_run(facts, cells)).split("track writing")[0]
    assert "cut off" in research
    assert "malformed" not in research


def test_on_a_narrow_terminal_outcomes_are_told_in_sentences(busy):
    facts, cells, _ = busy
    assert "beta, Sums: 2 cut off." in printed(summarise_run(facts, cells), 60)


def test_a_long_name_stays_whole_where_further_columns_can_go(made):
    name = "qwen2.5-coder-0.5b-instruct"
    summary = summarise_run(made.facts([made.task("sum-1")], (name,)), [made.cell(name, "sum-1", True)])
    assert f" {name} " in printed(summary, 80)


def test_names_are_text_and_never_markup_or_control_codes(made):
    task = made.task("sum-1")
    facts = made.facts([task], ("alpha",), title="[red]Letters[/red] \x1b[31m\u202e")
    text = printed(summarise_run(facts, [made.cell("alpha", "sum-1", True)]))
    assert "[red]Letters[/red] <U+001B>[31m<U+202E>" in text
    assert "\x1b" not in text


def test_an_incomplete_run_shows_no_rate(busy):
    facts, cells, _ = busy
    text = printed(summarise_run(facts, cells[:1]))
    assert "1 scored of 64 planned: no result yet" in text
    assert "no rate yet" in text
    assert "95 % interval" in text
    assert "to 100 %" not in text
