"""Local models that need no entry in any file: their weights come from installed packages.

Not here: the weights and their digests (`local_weights`).
"""

from openassay.schema.models import ModelSpec


def _local(name: str, developer: str, *lineage: str) -> ModelSpec:
    return ModelSpec(name=name, endpoint="local", model=name, developer=developer, lineage=lineage)


ALIASES: dict[str, ModelSpec] = {
    spec.name: spec
    for spec in (
        _local("smollm2-135m-instruct", "HuggingFace", "smollm2"),
        _local("qwen2.5-coder-0.5b-instruct", "Alibaba", "qwen2.5-coder", "qwen2.5"),
        _local("qwen2.5-coder-1.5b-instruct", "Alibaba", "qwen2.5-coder", "qwen2.5"),
        _local("gemma-3-270m-base", "Google", "gemma-3", "gemma"),
    )
}
"""Name -> its spec."""
