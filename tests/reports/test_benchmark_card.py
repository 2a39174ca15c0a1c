"""A benchmark's card: what is computed, what stays open, what its makers may add, and how it reads."""

import json
import re

import pytest

from openassay.reports.benchmark_card import card_of_benchmark
from openassay.reports.card_criteria import CRITERIA, IDS
from openassay.reports.card_markdown import SIGN, markdown, plain
from openassay.schema.errors import OwnFileError

BENCHMARK = """
id = "desk"
version = "1-A"
title = "What our | desk <b>asks</b>"
developers = "The desk"
purpose = "Letters that we get"
licence = "CC0-1.0"
funding = "none"
scope = "Nothing about phone calls"
[[category]]
id = "letters"
track = "research"
title = "Letters"
definition = "Reads a letter"
"""
ITEMS = [
    {
        "id": "a",
        "instruction": "What is 40 + 2?",
        "reference": "42",
        "scorer": "numeric",
        "author": "Ann",
        "language": "en",
    },
    {
        "id": "b",
        "instruction": "what is 40+2",
        "reference": "42",
        "scorer": "numeric",
        "author": "Ann",
        "language": "en",
    },
    {
        "id": "c",
        "instruction": "A or B or C or D?",
        "reference": "A",
        "scorer": "choice",
        "options": {"choices": {"A": "x", "B": "y", "C": "z", "D": "w"}},
        "author": "Ben",
        "language": "de",
    },
    {"id": "d", "instruction": "Be kind.", "reference": "It is kind", "scorer": "rubric"},
]


@pytest.fixture
def bench(tmp_path):
    (tmp_path / "tasks" / "letters").mkdir(parents=True)
    (tmp_path / "benchmark.toml").write_text(BENCHMARK)
    (tmp_path / "tasks" / "letters" / "a.items.jsonl").write_text("".join(json.dumps(one) + "\n" for one in ITEMS))
    return tmp_path


def line(card, name):
    return next(one for one in card.criteria if one.id == name)


def test_the_card_counts_what_is_there(bench):
    facts = card_of_benchmark(bench).facts
    assert (facts.n_items, facts.duplicates, facts.authors, facts.visibility) == (4, 1, 2, "private")
    assert facts.scorers == {"numeric": 2, "choice": 1, "rubric": 1}
    assert facts.proofs == {"proven": 3, "failed": 0, "unproven": 1}
    assert facts.languages == {"en": 2, "de": 1}
    assert (facts.choice_items, facts.chance) == (1, 0.25)


def test_every_criterion_is_there_once_and_none_is_passed_over():
    assert len(CRITERIA) == len(set(IDS)) == 47
    assert len({one.question for one in CRITERIA}) == 47


def test_what_nobody_said_stays_open(bench):
    card = card_of_benchmark(bench)
    assert {"D10", "D6", "Do12", "M2"} <= set(card.open)
    assert "Do11" not in card.open
    assert line(card, "D7").status == "stated"
    assert "Judges of this benchmark were not measured" in line(card, "D13").known


def test_the_makers_answer_in_a_file(bench):
    text = 'contact = "desk@example.org"\n[criterion.D10]\nanswer = "94 %"\nevidence = "a study"\nlevel = 15\n'
    (bench / "card.toml").write_text(text)
    card = card_of_benchmark(bench)
    assert (line(card, "D10").status, line(card, "D10").level) == ("answered", 15)
    assert line(card, "M3").answer == "desk@example.org"
    assert not {"D10", "M3"} & set(card.open)
    assert [(one.assessed, one.mean) for one in card.stages] == [(1, None), (0, None), (0, None), (0, None)]


def test_a_stage_has_a_mean_once_all_of_it_has_levels(bench):
    levels = {"M1": "15", "M2": "0", "M3": '"n/a"'}
    (bench / "card.toml").write_text(
        "".join(f'[criterion.{name}]\nanswer = "x"\nlevel = {level}\n' for name, level in levels.items())
    )
    assert card_of_benchmark(bench).stages[-1].mean == 7.5


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[criterion.D99]\nanswer = "x"\n', "unknown criterion 'D99'; did you mean"),
        ('[criterion.D1]\nanwser = "x"\n', "did you mean 'answer'?"),
        ('[criteria.D1]\nanswer = "x"\n', "did you mean 'criterion'?"),
        ('[criterion.D1]\nanswer = "x"\nlevel = 7\n', "level"),
        ('contact = "a"\ncontact = "b"\n', "not valid TOML"),
    ],
)
def test_faults_in_the_file_are_told_with_the_nearest_name(bench, text, said):
    (bench / "card.toml").write_text(text)
    with pytest.raises(OwnFileError) as caught:
        card_of_benchmark(bench)
    assert said in str(caught.value)


def test_the_page_is_plain_whatever_a_title_holds(bench):
    page = markdown(card_of_benchmark(bench))
    assert page.startswith(SIGN)
    assert "# Benchmark card: What our \\| desk \\<b\\>asks\\</b\\>" in page
    assert "**open: please answer**" in page
    rows = [row for row in page.splitlines() if row.startswith(("| D", "| M"))]
    assert {row.replace("\\|", "").count("|") for row in rows} == {5}


@pytest.mark.parametrize(
    "text", ["a\nb", "<script>", "[x](javascript:1)", "`a`", "a | b", "\x1b[31m", "# x", "![x](y)"]
)
def test_text_has_no_meaning_as_markdown(text):
    assert "\n" not in plain(text)
    assert not re.search(r"(?<!\\)[<>\[\]`|#!]", plain(text))
