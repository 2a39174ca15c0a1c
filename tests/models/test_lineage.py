import pytest
from hypothesis import given
from hypothesis import strategies as st

from openassay.models.lineage import families, known, lineage_of, same_lineage
from openassay.schema.models import ModelSpec


def spec(model, *lineage):
    return ModelSpec(name="a", endpoint="openai", model=model, base_url="http://h", lineage=lineage)


@pytest.mark.parametrize(
    ("model", "developer", "first"),
    [
        ("gpt-4o-2024-08-06", "OpenAI", "gpt"),
        ("openai/gpt-oss-20b", "OpenAI", "gpt-oss"),
        ("claude-sonnet-4-5", "Anthropic", "claude"),
        ("Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF", "Alibaba", "qwen2.5-coder"),
        ("meta-llama/Llama-3.1-8B-Instruct", "Meta", "llama-3"),
        ("meta-llama-3-8b", "", "llama-3"),
        ("dolphin-2.9-llama3-8b", "", "llama-3"),
        ("SmolLM2-135M", "HuggingFace", "smollm2"),
        ("gemma-3-270m", "Google", "gemma-3"),
        ("Mixtral 8x7B", "Mistral AI", "mixtral"),
        ("o3-mini", "OpenAI", "o-series"),
        ("foo1", "", None),
        ("", "", None),
    ],
)
def test_known_names(model, developer, first):
    found, lineage = known(model)
    assert (found, lineage[0] if lineage else None) == (developer, first)


SAME = [
    (spec("qwen2.5-coder-0.5b"), spec("qwen2.5-7b-instruct"), True),
    (spec("qwen2.5-7b"), spec("deepseek-r1-distill-qwen-7b"), True),
    (spec("deepseek-r1"), spec("deepseek-r1-distill-llama-8b"), True),
    (spec("gemini-2.5-pro"), spec("gemma-3-27b"), True),
    (spec("smollm2-135m"), spec("qwen2.5-0.5b"), False),
    (spec("gpt-4o"), spec("claude-sonnet-4-5"), False),
    (spec("mine-1"), spec("gpt-4o"), True),
    (spec("mine-1", "mine"), spec("gpt-4o"), False),
    (spec("mine-1", "mine", "llama-3"), spec("llama-2-7b"), True),
    (spec("a", "Mine"), spec("b", "mine"), True),
    (spec("unknown-a"), spec("unknown-b"), True),
]


@pytest.mark.parametrize(("a", "b", "same"), SAME)
def test_relatives_share_a_family_and_the_unknown_is_related_to_all(a, b, same):
    assert same_lineage(a, b) is same
    assert same_lineage(b, a) is same


def test_the_registry_is_closed_and_large_enough():
    names = set(families())
    assert len(names) >= 40
    for family in families().values():
        assert {*family.base, *family.distilled_from} <= names


@given(st.text(max_size=60))
def test_any_name_has_an_answer_and_is_its_own_relative(model):
    assert same_lineage(spec(model), spec(model))
    assert len(set(lineage_of(spec(model)))) == len(lineage_of(spec(model)))
