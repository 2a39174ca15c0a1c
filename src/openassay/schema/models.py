"""A model as the user names it: one entry of `models.toml`.

What may be digested (version, lineage, price, parameters) and what may not (host, key) stand in one entry, and
`runs` splits them: `PlannedModel` in the plan, the rest beside it.
"""

from typing import Literal

from openassay.schema.record import Identifier, Json, Record

Endpoint = Literal["openai", "anthropic", "local", "any", "manual", "scripted"]


class Price(Record):
    """Micro-dollars per million tokens: 0.10 USD per million is 100_000."""

    input: int
    output: int

    def cost(self, tokens_in: int, tokens_out: int) -> int:
        """Micro-dollars, rounded up."""
        return -(-(tokens_in * self.input + tokens_out * self.output) // 1_000_000)


class ModelSpec(Record):
    """One entry ``[models.NAME]``."""

    name: Identifier
    """The user's name for it: what reports show."""
    endpoint: Endpoint
    model: str = ""
    """The exact version asked for; for `local` an alias of known weights or a sha256; empty for `manual`."""
    base_url: str = ""
    api_key_env: str = ""
    """Name of the environment variable that holds the key; never the key."""
    api_key_file: str = ""
    file: str = ""
    """For `local`: path of a weight file; empty to take the weights from installed packages."""
    provider: str = ""
    """For `any`: the provider's name in any-llm-sdk."""
    developer: str = ""
    lineage: tuple[str, ...] = ()
    """Families it descends from, nearest first. Empty means unknown, which counts as same lineage as anything."""
    price: Price | None = None
    """Null means unknown; a local or manual model without a price costs 0."""
    parameters: dict[str, Json] = {}
    modalities: tuple[str, ...] = ("text",)
    context: int | None = None
    """Context window in tokens, for `local`."""
    concurrency: int | None = None
    """Most calls in flight at once at this endpoint; null for the run's own limit."""
    timeout: int = 300
    """Seconds for one call, from the first byte sent to the last received."""
    replies: dict[str, str] = {}
    """For `scripted`: prompt substring -> reply; the key ``*`` answers everything else."""


class PlannedModel(Record):
    """The part of a `ModelSpec` that decides a result and so stands in the plan's digest."""

    name: Identifier
    endpoint: Endpoint | Literal["imported"]
    """`imported`: its answers were made elsewhere, and nobody here can ask it."""
    model: str
    developer: str = ""
    lineage: tuple[str, ...] = ()
    price: Price | None = None
    parameters: dict[str, Json] = {}
    """Frozen: floats as ``{"decimal": "0.7"}``."""
    modalities: tuple[str, ...] = ("text",)
    weights_sha256: str = ""
    """For `local`: the digest of the weight file that answered."""
