import pytest

from openassay.reports.across import Used, across, sentences
from openassay.schema.task import Check

DIGEST = "1" * 64


@pytest.fixture
def one(made):
    def make(run="run-1", names=("sum-0", "sum-1"), plan=None, prompts=None, tasks=None, **info):
        chosen = tasks or [made.task(name) for name in names]
        facts = made.facts(chosen, **info)
        told = dict.fromkeys((task.id for task in chosen), "0" * 64) | (prompts or {})
        return Used(run, facts.plan.model_copy(update=plan or {}), facts.info, facts.tasks, told)

    return make


def test_the_same_benchmark_and_prompts_may_be_compared(one):
    (found,) = across([one(), one("run-2")])
    assert (found.comparable, found.why_not, found.changed, found.common) == (True, (), (), 2)
    assert next(sentences([found])).startswith("Runs run-1 and run-2 may be compared on 2 items of both.")


@pytest.mark.parametrize(
    ("second", "why"),
    [
        ({"plan": {"benchmark": "other"}}, "different benchmarks (desk, other)"),
        ({"version": "2-A"}, "comparability number went from 1 to 2"),
        ({"plan": {"benchmark_digest": DIGEST}}, "files changed, though its comparability number did not"),
        ({"plan": {"template_digest": DIGEST}}, "told around a task changed"),
        ({"prompts": {"sum-1": DIGEST}}, "1 item had another prompt"),
    ],
)
def test_whatever_changes_what_is_measured_forbids_a_comparison(one, second, why):
    (found,) = across([one(), one("run-2", **second)])
    assert (found.comparable, why in " ".join(found.why_not)) == (False, True)
    assert "may not be compared" in next(sentences([found]))


@pytest.mark.parametrize(
    ("second", "changed"),
    [
        ({"names": ("sum-1", "sum-2")}, ["1 item only in the second (sum-2)", "1 item only in the first (sum-0)"]),
        ({"funding": "a grant"}, ["what the benchmark says of itself (funding)"]),
        ({"plan": {"max_tokens": 99, "seed": 4}}, ["the limit of tokens", "the seed of the draw"]),
    ],
)
def test_what_changed_is_told(one, second, changed):
    assert list(across([one(), one("run-2", **second)])[0].changed) == changed


def test_changed_items_say_which_part_and_none_of_its_text(one, made):
    check = Check(id="exact", text="kingfisher", uses="exact", reference="43")
    before = [made.task("sum-0"), made.task("sum-1")]
    after = [
        made.task("sum-0", instruction="kingfisher", identity=DIGEST),
        made.task("sum-1", checks=(check,), identity=DIGEST),
    ]
    (found,) = across([one(tasks=before), one("run-2", tasks=after)])
    assert found.altered == ("sum-0", "sum-1")
    assert found.changed == (
        "the instruction or material of 1 item (sum-0)",
        "a check's demand, reference, weight or options of 1 item (sum-1)",
    )
    assert "kingfisher" not in found.model_dump_json()


def test_a_run_alone_is_compared_with_nothing(one):
    assert across([one()]) == ()
