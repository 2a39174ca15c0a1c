import pytest

from openassay.reports.needs_file import Needs
from openassay.reports.reader import for_reader
from openassay.reports.summary import summarise_run
from openassay.schema.task import Origin


def told(made, minimum):
    """Ada wrote 20 of 60 items, and alpha passes all of hers and six of seven of the others; beta every second."""
    tasks = [made.task(f"sum-{n}", origin=Origin(author="Ada" if n < 20 else "Ben")) for n in range(60)]
    cells = [
        made.cell(model, f"sum-{n}", n < 20 or n % 7 > 0 if model == "alpha" else n % 2 == 0)
        for model in ("alpha", "beta")
        for n in range(60)
    ]
    summary = summarise_run(made.facts(tasks), cells)
    return for_reader(summary, Needs.model_validate({"need": [{"category": "sums", **minimum}]})).needs


@pytest.mark.parametrize("demand", ["min_pass_rate", "min_score"])
def test_the_author_whose_items_let_a_model_qualify_is_named(made, demand):
    found = told(made, {demand: 0.79})
    assert {one.model: one.qualifies for one in found.qualified} == {"alpha": "yes", "beta": "no"}
    assert tuple(one.sentence for one in found.moves) == (
        "Leaving out the 20 items of author Ada moves alpha from “qualifies” to “not settled”.",
    )


def test_where_no_change_moves_anything_nothing_is_named(made):
    assert told(made, {"min_pass_rate": 0.6}).moves == ()
