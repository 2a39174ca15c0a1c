import pytest

from openassay.runs.prepare import RunOptions, prepare
from openassay.runs.prove import prove
from openassay.schema.errors import PlanError, RefusedError, RunFolderError
from openassay.schema.models import ModelSpec, Price

PRICE = Price(input=1, output=1)


def spec(name="a", **more):
    return ModelSpec(**{"name": name, "endpoint": "openai", "base_url": "http://127.0.0.1:9/v1", "model": name, **more})


CASES = {
    "no model": ({}, [], [], {}, PlanError, "expected at least one model"),
    "a prompt of its own": (
        {},
        [spec(parameters={"system": "be clever"})],
        [],
        {},
        RefusedError,
        "all models of a run",
    ),
    "a judge that is a candidate": ({}, [spec()], [spec()], {}, RefusedError, "nobody judges their own answers"),
    "the same model under another name": (
        {},
        [spec("a", model="m")],
        [spec("j", model="m")],
        {},
        RefusedError,
        "nobody judges their own answers",
    ),
    "one judge under two names": (
        {},
        [spec()],
        [spec("j", model="m"), spec("k", model="m", base_url="http://127.0.0.1:8/v1")],
        {},
        RefusedError,
        "a second opinion of the same judge is none",
    ),
    "a budget without a price": ({}, [spec()], [], {"budget": 5}, RefusedError, "the price of 'a' is not known"),
    "a judge without a price": ({}, [spec(price=PRICE)], [spec("j")], {"budget": 5}, RefusedError, "price of 'j'"),
    "confidential to a host that is not named": (
        {"visibility": "confidential"},
        [spec()],
        [],
        {},
        RefusedError,
        "is not among the endpoints it names",
    ),
    "an unknown category": ({}, [spec()], [], {"categories": ("sumz",)}, PlanError, "did you mean 'sums'"),
    "a solver that nobody allowed": ({}, [spec()], [], {"solver": "builtins.list"}, RefusedError, "have not allowed"),
    "an unknown solver": ({}, [spec()], [], {"solver": "single"}, PlanError, "unknown solver 'single'"),
    "no judge where one is required": (
        {"judge": "required = true"},
        [spec()],
        [],
        {},
        RefusedError,
        "requires a judge",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_what_may_not_run_is_refused_with_what_to_do(case, tmp_path, benchmark_of):
    head, specs, judges, options, kind, said = CASES[case]
    extra = f'visibility = "{head["visibility"]}"' if "visibility" in head else ""
    extra += f"\n[judge]\n{head['judge']}" if "judge" in head else ""
    benchmark = benchmark_of({"sums": 1}, extra)
    with pytest.raises(kind) as caught:
        prepare(benchmark, tmp_path, specs, judges, RunOptions(**options), tmp_path / "runs")
    assert said in caught.value.what
    assert caught.value.todo or "did you mean" in caught.value.what or "known:" in caught.value.what
    assert len(caught.value.lines()) <= 6
    assert not list((tmp_path / "runs").glob("*/plan.json"))


def test_a_folder_that_cannot_be_written_is_said_before_any_call(tmp_path, benchmark_of):
    (tmp_path / "file").write_text("")
    with pytest.raises(RunFolderError, match="cannot be written"):
        prepare(benchmark_of({"sums": 1}), tmp_path, [spec()], [], RunOptions(), tmp_path / "file" / "runs")


def test_what_is_allowed_is_prepared_for_its_owner_alone(tmp_path, benchmark_of):
    folder = prepare(benchmark_of({"sums": 2}), tmp_path, [spec()], [], RunOptions(), tmp_path / "runs")
    assert folder.path.stat().st_mode & 0o777 == 0o700
    assert (folder.path / "plan.json").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("secret", ["api_key", "127.0.0.1", "SECRET_VARIABLE"])
def test_the_plans_digest_leaves_out_host_and_key(tmp_path, benchmark_of, secret):
    benchmark = benchmark_of({"sums": 2})
    first, second = (
        prepare(benchmark, tmp_path, [spec(base_url=url, api_key_env=key)], [], RunOptions(), tmp_path / "runs")
        for url, key in [("http://127.0.0.1:9/v1", "SECRET_VARIABLE"), ("http://example.com:1/v1", "")]
    )
    assert first.plan_file.digest == second.plan_file.digest
    assert secret not in first.plan.model_dump_json()


def test_a_benchmark_cannot_bring_code_that_nobody_allowed(tmp_path, write_benchmark):
    item = {"id": "c", "instruction": "Say 1.", "reference": "print('ran')", "scorer": "cProfile.run", "solution": "1"}
    benchmark = write_benchmark(tmp_path / "bench", {"sums": 1}, lines=[item | {"category": "sums"}])
    with pytest.raises(RefusedError, match=r"`cProfile\.run` is code") as raised:
        prepare(benchmark, tmp_path / "bench", [spec()], [], RunOptions(), tmp_path / "runs")
    assert raised.value.where == "c, check answer"
    assert [proof.status for proof in prove(benchmark)] == ["proven", "unproven"]
