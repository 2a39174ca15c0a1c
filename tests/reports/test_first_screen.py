import pytest

from openassay.reports.claim_rules import RULES
from openassay.reports.published import Figure
from openassay.reports.reader import for_reader
from openassay.reports.summary import combine, summarise_run


def told(made, *, items=100, passed=(82, 79), models=("alpha", "beta"), categories=("letters",), drop=0, group=""):
    tasks = [made.task(f"{c}-{n}", c, group=group) for c in categories for n in range(items)]
    facts = made.facts(tasks, models)
    cells = [
        made.cell(model, f"{c}-{n}", n < good)
        for model, good in zip(models, passed, strict=True)
        for c in categories
        for n in range(items)
    ]
    return summarise_run(facts, cells[drop:] if drop >= 0 else cells[:drop])


SAID = [
    ({}, ["In “Letters” no difference is shown between alpha and beta", "Nearest to being settled: alpha and beta"]),
    ({"passed": (79, 40)}, ["alpha is better than beta (79 of 100 against 40 of 100)"]),
    ({"passed": (40, 79)}, ["beta is better than alpha (79 of 100 against 40 of 100)"]),
    ({"items": 4, "passed": (4, 0)}, ["“Letters” has 4 items, under 10", "4 checks tell them apart"]),
    ({"items": 4, "passed": (1, 0)}, ["1 check tells them apart"]),
    ({"passed": (82, 79), "group": "one-book"}, ["In “Letters” there are too few sources to compare models."]),
    (
        {"models": ("a", "b", "c"), "passed": (9, 90, 9), "drop": -1},
        ["This is no result yet", "In “Letters” b is better than a (90 of 100 against 9 of 100); c is incomplete"],
    ),
    ({"models": ("alpha",), "passed": (82,)}, ["“Letters”: one model, so nothing to compare; 82 of 100"]),
    ({"drop": 1}, ["This is no result yet: 199 of 200"]),
    ({"models": ("a", "b", "c"), "passed": (50, 50, 50)}, ["none of the 3 pairs of models is told apart"]),
    ({"models": ("a", "b", "c"), "passed": (90, 20, 21)}, ["a is better than b", "shown between b and c"]),
    ({"categories": tuple("abcdefghi")}, ["5 more categories: see below"]),
]


@pytest.mark.parametrize(("run", "said"), SAID)
def test_the_first_screen_says_what_differs_what_does_not_and_what_would_settle_more(made, run, said):
    sentences = told(made, **run).first_of("run-1")
    assert 0 < len(sentences) <= 6
    assert "best" not in " ".join(sentences)
    assert [one for one in said if one not in " ".join(sentences)] == []


def test_an_incomplete_run_says_so_first(made):
    assert told(made, drop=1, categories=("a", "b")).first_of("run-1")[0].startswith("This is no result yet")


def test_runs_beside_each_other_each_have_their_own(made):
    one = told(made)
    runs = tuple(run.model_copy(update={"id": "run-2"}) for run in one.runs)
    other = one.model_copy(update={"runs": runs, "first": (one.first[0].model_copy(update={"run": "run-2"}),)})
    assert [first.run for first in combine([one, other]).first] == ["run-1", "run-2"]


def test_a_figure_of_others_stands_beside_the_run(made):
    own = told(made)
    found = for_reader(own, outside=[Figure(model="Alpha", figure=99, n=100, source="its maker"), BARE])
    assert [one.in_run for one in found.outside] == [True, False]
    assert (found.outside[0].left_out[0], found.outside[0].unreadable) == ("what was measured", True)
    assert found.outside[0].interval is not None
    assert (found.outside[1].interval, len(found.outside[1].left_out)) == (None, len(RULES))
    assert found.model_copy(update={"outside": ()}) == own


BARE = Figure(model="gamma", figure="Elo 1210", source="a board")
CONFIGURED = [
    ({"prompt": "plain", "temperature": 0}, "prompt: plain; temperature: 0"),
    ({"configuration": "as shipped"}, "as shipped"),
    ({}, ""),
]


@pytest.mark.parametrize(("fields", "said"), CONFIGURED)
def test_the_configuration_of_others_is_told_in_one_line(made, fields, said):
    figure = Figure(model="m", figure=1, source="s", **fields)
    assert for_reader(told(made, items=1, passed=(1, 1)), outside=[figure]).outside[0].configuration == said
