import pytest

from openassay.models.allowed import endpoint_allowed
from openassay.schema.benchmark import BenchmarkInfo, Category
from openassay.schema.models import ModelSpec

CATEGORY = Category(id="c", track="research", title="C", definition="c")


def info(visibility, *endpoints):
    fields = dict.fromkeys(("title", "developers", "purpose", "licence", "funding"), "x")
    return BenchmarkInfo(
        id="b", version="1-A", visibility=visibility, endpoints=endpoints, category=(CATEGORY,), **fields
    )


def spec(endpoint="openai", url=""):
    return ModelSpec(name="a", endpoint=endpoint, model="m", base_url=url, provider="p")


REMOTE, LOOPBACK = spec(url="https://api.host.example/v1"), spec(url="http://127.0.0.1:8091/v1")


@pytest.mark.parametrize("visibility", ["private", "public"])
def test_other_benchmarks_may_go_anywhere(visibility):
    assert endpoint_allowed(REMOTE, info(visibility)) is None


@pytest.mark.parametrize(
    ("model", "endpoints", "allowed"),
    [
        (spec("local"), (), True),
        (spec("scripted"), (), True),
        (REMOTE, (), False),
        (REMOTE, ("api.host.example",), True),
        (REMOTE, ("API.host.example:443",), True),
        (REMOTE, ("api.host.example:8443",), False),
        (REMOTE, ("host.example",), False),
        (REMOTE, ("api.host.example.evil.example",), False),
        (LOOPBACK, (), False),
        (LOOPBACK, ("127.0.0.1:8091",), True),
        (LOOPBACK, ("127.0.0.1:8092",), False),
        (spec(url="https://api.host.example@evil.example/v1"), ("api.host.example",), False),
        (spec("anthropic"), ("api.anthropic.com",), True),
        (spec("anthropic"), (), False),
        (spec("any"), ("p",), False),
        (spec("manual"), ("manual",), False),
    ],
)
def test_a_confidential_benchmark_goes_only_where_its_author_says(model, endpoints, allowed):
    reason = endpoint_allowed(model, info("confidential", *endpoints))
    assert (reason is None) is allowed
    assert allowed or ("confidential" in reason and "use a local model" in reason)
