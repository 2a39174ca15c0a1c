import pytest

from openassay.reports.html import render
from openassay.reports.summary import summarise_run
from openassay.reports.unnamed import unnamed
from openassay.schema.task import Origin

BIRD = "kingfisher"


def named_run(made):
    """A run that one author's items decide."""
    tasks = [
        made.task(
            f"sum-{n}", origin=Origin(author=BIRD if n < 12 else "", source=f"{BIRD} {n % 2}"), group=f"{BIRD} {n}"
        )
        for n in range(24)
    ]
    facts = made.facts(tasks, visibility="private")
    return facts, [made.cell(m, t.id, m == "alpha" or n > 11) for m in ("alpha", "beta") for n, t in enumerate(tasks)]


@pytest.mark.parametrize(("hide", "seen"), [(False, True), (True, False)])
def test_names_of_authors_sources_and_groups_stay_off_the_page(made, hide, seen):
    facts, cells = named_run(made)
    html = "".join(render(summarise_run(unnamed(facts) if hide else facts, cells), {}, "public"))
    assert (BIRD in html) is seen
    assert "author 1" in html or not hide


def test_what_follows_from_them_stays_the_same(made):
    facts, cells = named_run(made)
    open_, closed = (summarise_run(one, cells) for one in (facts, unnamed(facts)))
    assert closed.results == open_.results
    assert [turn.after for one in closed.steadiness for turn in one.turns] == [
        turn.after for one in open_.steadiness for turn in one.turns
    ]


def test_a_task_without_a_group_gets_none(made):
    facts = made.facts([made.task("sum-1"), made.task("sum-2", group="case")])
    assert [task.group for task in unnamed(facts).tasks.values()] == ["", "group 1"]
