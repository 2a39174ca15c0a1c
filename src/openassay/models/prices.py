"""What a model costs: as the user says, nothing for what runs here, else from a price list that ships with us.

The list (genai-prices) is a snapshot inside an installed package; nothing is fetched. A provider's bill decides.
"""

from decimal import ROUND_CEILING, Decimal

from openassay.schema.models import ModelSpec, Price

FREE = Price(input=0, output=0)
_FREE_ENDPOINTS = ("local", "manual", "scripted")
_SAMPLE = 1000  # tokens; small, so that prices for long contexts do not enter


def price_of(spec: ModelSpec) -> Price | None:
    """Micro-dollars per million tokens; None where nobody says.

    A name alone never decides: the same open model costs differently at each provider, and a server of one's own
    may call its model as it likes.
    """
    if spec.price is not None:
        return spec.price
    if spec.endpoint in _FREE_ENDPOINTS:
        return FREE
    if spec.endpoint == "any":
        return _listed(spec.model, provider=spec.provider)
    if spec.base_url:
        return _listed(spec.model, url=spec.base_url)
    return _listed(spec.model, provider="anthropic")


def _listed(model: str, *, provider: str | None = None, url: str | None = None) -> Price | None:
    import genai_prices  # a quarter of a second, and only where a price is asked for

    usage = genai_prices.Usage(input_tokens=_SAMPLE, output_tokens=_SAMPLE)
    try:
        if url is not None:
            found = genai_prices.calc_price(usage, model, provider_api_url=url)
        else:
            found = genai_prices.calc_price(usage, model, provider_id=provider)
    except (LookupError, ValueError):
        return None
    return Price(input=_per_million(found.input_price), output=_per_million(found.output_price))


def _per_million(usd_for_sample: Decimal) -> int:
    return int((usd_for_sample * 1_000_000 * 1_000_000 / _SAMPLE).to_integral_value(ROUND_CEILING))
