"""Mistakes of those who call OpenAssay from Python."""

import pytest

import openassay
from openassay.schema.errors import OpenAssayError, PlanError

ONE = openassay.ModelSpec(name="one", endpoint="scripted", replies={"*": "2"})


def test_paths_may_be_texts(tmp_path, benchmark_of):
    benchmark_of({"sums": 1})
    done = openassay.run(openassay.load(str(tmp_path / "bench")), [ONE], out=str(tmp_path / "runs"))
    assert done.plan_file.benchmark_path == str(tmp_path / "bench")
    assert openassay.resume(str(done.path)).id == done.id


@pytest.mark.parametrize(
    ("arguments", "says", "todo"),
    [
        (lambda bench: ("my-bench", [ONE]), "found 'my-bench'", "openassay.load('my-bench')"),
        (lambda bench: (bench, "one"), "a list of models, found 'one'", "models=[...]"),
        (lambda bench: (bench, ONE), "a list of models, found the entry of 'one'", "models=[...]"),
    ],
)
def test_a_wrong_argument_is_told(benchmark_of, arguments, says, todo):
    with pytest.raises(OpenAssayError) as caught:
        openassay.run(*arguments(benchmark_of({"sums": 1})))
    assert says in caught.value.what
    assert todo in caught.value.todo


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"atempts": 2}, "did you mean 'attempts'?"),
        ({"retry": {"trys": 2}}, "did you mean 'tries'?"),
        ({"attempts": 0}, "attempts: Input should be greater than or equal to 1, found 0"),
        ({"budget": 2.5}, "budget: "),
        ({"categories": "one"}, "categories: "),
    ],
)
def test_a_wrong_option_is_told(options, says):
    with pytest.raises(PlanError) as caught:
        openassay.RunOptions(**options)
    assert says in caught.value.what


def test_options_of_another_kind_are_told(benchmark_of):
    with pytest.raises(PlanError, match="expected RunOptions, found dict"):
        openassay.run(benchmark_of({"sums": 1}), [ONE], options={"attempts": 2})
