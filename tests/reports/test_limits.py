import pytest

from openassay.reports.summary import summarise_run
from openassay.schema.judging import JudgePolicy
from openassay.schema.task import Origin

LIFTED = JudgePolicy(different_lineage=False)


def limits_of(
    made, *, attempts=1, passed=lambda model, n: n % 2 == 0, number=6, group="", author="", cell=None, **facts
):
    tasks = [made.task(f"sum-{n}", group=group, origin=Origin(author=author)) for n in range(number)]
    run = made.facts(tasks, attempts=attempts, **facts)
    cells = [
        made.cell(model, task.id, passed(model, n), attempt=k, **(cell or {}))
        for model in ("alpha", "beta")
        for n, task in enumerate(tasks)
        for k in range(attempts)
    ]
    return " | ".join(summarise_run(run, cells).limits)


SENTENCES = [
    ({}, "rests on 6 items", True),
    ({}, "neither compared by their counts nor ranked", True),
    ({"number": 12}, "neither compared by their counts nor ranked", False),
    ({"number": 12}, "no difference is shown between alpha and beta", True),
    ({"number": 40, "passed": lambda model, n: model == "alpha"}, "no difference is shown", False),
    ({}, "No model is given a single rank", True),
    ({"number": 12, "group": "case"}, "come from 1 source: too few to say how uncertain", True),
    ({"number": 12}, "too few to say how uncertain", False),
    ({"number": 12, "author": "Ada"}, "All items of “Sums” are by one author", True),
    ({"number": 12}, "by one author", False),
    ({"number": 12, "passed": lambda model, n: True}, "leaves its best models little room", True),
    ({"number": 12}, "leaves its best models little room", True),
    ({"number": 12, "passed": lambda model, n: (n + (model == "beta")) % 2 == 0}, "little room", False),
    ({}, "tried once", True),
    ({"attempts": 2}, "tried once", False),
    ({"attempts": 2}, "are not more items", True),
    ({"group": "case"}, "share 1 source", True),
    ({}, "The items are private", True),
    ({"visibility": "public"}, "may have met them in training", True),
    ({"visibility": "public"}, "The items are private", False),
    ({}, "states no scope", True),
    ({"scope": "Only letters in English."}, "Only letters in English.", True),
    ({}, "seed (0)", True),
    ({"cell": {"imported": True}}, "12 answers of 12 came from outside", True),
    (
        {"cell": {"by": "judge", "who": "judge"}, "judges": ("judge",)},
        "12 verdicts came from judge, not from people",
        True,
    ),
    ({"judges": ("alpha",)}, "may be of one lineage with alpha", True),
    ({"judges": ("Alpha",)}, "may be of one lineage with alpha", True),
    ({"judges": ("gamma",)}, "may be of one lineage", False),
    ({"judges": ("alpha",)}, "the benchmark lifts the rule", False),
    ({"judges": ("alpha",), "judge": LIFTED}, "Such verdicts decide here: the benchmark lifts the rule", True),
    ({"judges": ("gamma",), "judge": LIFTED}, "the benchmark lifts the rule", False),
]


@pytest.mark.parametrize(("facts", "sentence", "stands"), SENTENCES)
def test_what_is_not_shown_follows_from_the_facts(made, facts, sentence, stands):
    assert (sentence in limits_of(made, **facts)) is stands


def test_unmeasured_checks_are_counted(made):
    task = made.task("essay", "essays", hard=False)
    cell = made.cell("alpha", "essay", counted=500_000)
    score = cell.scoring.score.model_copy(update={"unmeasured": ("clear", "kind")})
    cell = cell._replace(scoring=cell.scoring.model_copy(update={"score": score}))
    said = summarise_run(made.facts([task], ("alpha",)), [cell]).limits
    assert any(sentence.startswith("2 checks could not be measured (no judge took part)") for sentence in said)
