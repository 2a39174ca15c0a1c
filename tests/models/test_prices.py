import pytest

from openassay.models.prices import FREE, price_of
from openassay.schema.models import ModelSpec, Price

OPENAI = "https://api.openai.com/v1"


def spec(endpoint, **fields):
    return ModelSpec(**{"name": "a", "endpoint": endpoint, **fields})


@pytest.mark.parametrize(
    ("model", "price"),
    [
        (spec("local", model="smollm2-135m-instruct"), FREE),
        (spec("manual"), FREE),
        (spec("scripted"), FREE),
        (spec("local", price=Price(input=1, output=2)), Price(input=1, output=2)),
        (
            spec("openai", base_url="https://api.openai.com/v1", model="gpt-4o-mini"),
            Price(input=150_000, output=600_000),
        ),
        (spec("any", provider="openai", model="gpt-4o-mini"), Price(input=150_000, output=600_000)),
        (spec("openai", base_url=OPENAI, model="no-such-model"), None),
        (spec("openai", base_url="http://127.0.0.1:8091/v1", model="gpt-4o-mini"), None),
        (spec("any", provider="no-such-provider", model="gpt-4o-mini"), None),
    ],
)
def test_price(model, price):
    # The test run blocks every socket beyond loopback, so this also shows that no list is fetched.
    assert price_of(model) == price


def test_the_other_api_has_its_providers_prices():
    assert price_of(spec("anthropic", model="claude-3-5-haiku-latest")) is not None
