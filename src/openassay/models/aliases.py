"""Local models that need no entry in any file: their weights come from installed packages.

Not here: the weights and their digests (`local_known`).
"""

from openassay.models.local_known import KNOWN, Weights
from openassay.schema.models import ModelSpec


def _spec(weights: Weights) -> ModelSpec:
    return ModelSpec(
        name=weights.alias,
        endpoint="local",
        model=weights.alias,
        developer=weights.developer,
        lineage=weights.lineage,
    )


ALIASES: dict[str, ModelSpec] = {alias: _spec(weights) for alias, weights in KNOWN.items()}
"""Name -> its spec."""
