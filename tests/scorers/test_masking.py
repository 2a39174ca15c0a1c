"""What of an output a judge may see: names go where they tell the author, the subject of a task stays."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openassay.models.lineage import families
from openassay.scorers.masking import masked

TOLD = [
    # output -> as a judge sees it
    ("GPT-4o wrote this", "[name] wrote this"),
    ("gpt-4o-2024-08-06 and gpt-3.5-turbo", "[name] and [name]"),
    ("I am Claude 3.5 Sonnet by Anthropic.", "I am [name] by [name]."),
    ("Qwen2.5-Coder-7B-Instruct, qwen", "[name], [name]"),
    ("Llama-3.1, Llama 3, llama3", "[name], [name], [name]"),
    ("Gemini 1.5 Pro; Gemini Pro; gemini-2.0-flash", "[name]; [name]; [name]"),
    ("DeepSeek-R1 beats Mistral Large", "[name] beats [name]"),
    ("I'm ChatGPT", "I'm [name]"),
    ("i am claude", "i am [name]"),
    ("My name is Gemini.", "My name is [name]."),
    ("As Claude, I cannot", "As [name], I cannot"),
    ("trained by Mistral", "trained by [name]"),
    ("a language model named Falcon", "a language model named [name]"),
    ("Command R+ and command-r-plus", "[name] and [name]"),
    ("Nova Pro, Amazon Nova", "[name], [name] [name]"),
    ("OpenAI o1, o3-mini", "[name] [name], [name]"),
    ("Google's Gemma 2", "[name]'s [name]"),
    ("I was trained by Google.", "I was trained by [name]."),
    ("I'm a large language model, trained by Google.", "I'm a large language model, trained by [name]."),
    ("Meta AI, Alibaba Cloud, Google DeepMind", "[name], [name], [name]"),
    ("As an AI language model created by OpenAI, I", "As an AI language model created by [name], I"),
    ("As an AI assistant created by Foo Labs, I", "As an AI assistant created by [name], I"),
    ("I am Zorblax, an AI assistant", "I am [name], an AI assistant"),
    ("Yours\n\u2014 Claude", "Yours\n\u2014 [name]"),
    ("Yours\n-- Gemini 2\n", "Yours\n-- [name]\n"),
    ("the Gemini model, Claude AI, Grok Assistant", "the [name] model, [name] AI, [name] Assistant"),
    ("<|im_start|>assistant\nHi<|im_end|>", "[name]assistant\nHi[name]"),
    ("[INST] hi [/INST] <start_of_turn>", "[name] hi [name] [name]"),
    ("<think>hm</think>", "[name]hm[name]"),
    ("<\uff5cbegin\u2581of\u2581sentence\uff5c>x", "[name]x"),
    ("my ChatGPTs, ChatGPT's answer", "my [name]s, [name]'s answer"),
    ("\u6211\u662f\u901a\u4e49\u5343\u95ee", "\u6211\u662f[name]"),
    ("Ich bin Claude.", "Ich bin [name]."),
    ("\u0441hatG\u0420T, \uff27\uff30\uff34-4", "[name], [name]"),
    ("Chat\u200bGPT, O\u00adpenAI", "[name], [name]"),
    ("made with gpt-4-powered tools", "made with [name]-powered tools"),
]


@pytest.mark.parametrize(("output", "seen"), TOLD)
def test_what_names_a_model_is_masked(output, seen):
    found = masked(output, "")
    assert (found.text, found.names) == (seen, seen.count("[name]"))


LEFT = [
    "Claude Monet painted; a picture by Claude Monet",
    "I am Claude Monet, the painter",
    "My uncle Claude sells llamas",
    "the llama on the farm, a llama 3 years old, llama 2",
    "- Llama\n- Falcon\n- Orca",
    "the Gemini constellation; I am a Gemini; Gemini 4 flew in 1965",
    "Falcon 9 landed. The falcon is fast.",
    "use the command line; this command a user types; the command runs 3 times",
    "the mistral wind is cold",
    "phi is 1.618, phi-1 = 1/phi, phi 2",
    "grok the idea",
    "a nova in the sky, Nova Scotia, Villanova",
    "O3 is ozone and o1 a variable",
    "palm trees, palm 2",
    "granite and bloom and opt-in and titan",
    "the anthropic principle",
    "Android was developed by Google, Excel by Microsoft",
    "Microsoft Word and Google Maps, IBM and Amazon",
    "As an AI, I cannot; as a language model I can",
    "The AI boom was made by people",
    "coherent, metadata, metaphor, exam, illusion",
    "GPT is a partition table, and MBR another",
    "<b>bold</b> <s>gone</s> a <| b |> c, [inside]",
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \u0915\u094d\u200d\u0937 \U0001f469\u200d\U0001f4bb",
    "\u2764\ufe0f\u200d\U0001f525 1\ufe0f\u20e3",
    "Tab\tline\r\nend\n",
    "Zo\u00eb, na\u00efve, \u4f60\u597d, \u041f\u0440\u0438\u0432\u0435\u0442, e\u0301",
]


@pytest.mark.parametrize("output", LEFT)
def test_what_names_no_model_stays(output):
    assert masked(output, "") == (output, 0, 0)


@pytest.mark.parametrize(
    ("output", "spoken"),
    [
        ("ChatGPT was released in 2022 by OpenAI", "Which firm released ChatGPT? OpenAI"),
        ("I am Claude, the baker", "Write as Claude, a baker"),
        ("Qwen2.5-7B beats Qwen", "Compare the Qwen models"),
        ("<think> opens a block", "What does <think> mean?"),
        ("I'm Ada, an AI assistant", "You are Ada."),
    ],
)
def test_the_subject_of_the_task_stays(output, spoken):
    assert masked(output, spoken) == (output, 0, 0)


def test_a_name_that_the_task_does_not_speak_of_goes_though_others_stay():
    assert masked("ChatGPT, says DeepSeek", "On ChatGPT").text == "ChatGPT, says [name]"


HIDDEN = [
    ("a\u200bb\u2060c\ufeff", "abc", 3),
    ("\u202eabc\u202c \u2066x\u2069", "abc x", 4),
    ("a\U000e0041\U000e007fb", "ab", 2),
    ("a\x00\x1b[31m\x7f\x85b", "a[31mb", 4),
    ("a\u200db\u200cc", "abc", 2),
    ("a\ufe0f\U000e0100b", "ab", 2),
]


@pytest.mark.parametrize(("output", "seen", "hidden"), HIDDEN)
def test_hidden_characters_are_removed_and_counted(output, seen, hidden):
    assert masked(output, "") == (seen, 0, hidden)


def test_every_family_of_the_registry_is_masked_where_it_says_who_it_is():
    parts = [part.strip("-") for family in families().values() for part in family.match]
    assert [part for part in parts if masked(f"I am {part}, made by people.", "").names == 0] == []


OWN = """[[family]]
name = "zorblax"
developer = "Zorb Works"
match = ["zorblax"]
also = ["zorbi"]
unmistakable = ["zorblax"]
"""


def test_an_added_family_is_masked_too(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "families.toml").write_text(OWN)
    seen = masked("Zorblax 7B says: I am Zorbi, a model by Zorb Works. Zorbi is a place.", "")
    assert seen.text == "[name] says: I am [name], a model by [name]. Zorbi is a place."


PIECES = st.sampled_from(
    [
        "I am ",
        "as ",
        "by ",
        "trained by ",
        "claude",
        "Claude",
        "gemini",
        "GPT",
        "gpt-4",
        "qwen",
        "Llama",
        "llama",
        " 3",
        "-3.1",
        "o1",
        "-mini",
        "Google",
        "OpenAI",
        "'s ",
        ", ",
        ". ",
        "\n",
        "— ",
        "<|",
        "|>",
        "<|im_start|>",
        "x",
        "<think>",
        "[INST]",
        "[name]",
        "an AI",
        "model",
        " Pro",
        "Monet",
        "made by ",
        "Foo Labs",
        "- ",
        "s",
        " ",
        "+",
        "\u200b",
        "\u200d",
        "️",
        "👩",
        "你",
        "❤",
    ]
)
TEXTS = st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=14).map("".join))


@given(TEXTS, st.lists(PIECES, max_size=3).map("".join))
def test_masking_twice_is_masking_once(text, spoken):
    once = masked(text, spoken)
    assert masked(once.text, spoken) == (once.text, 0, 0)


@given(
    st.lists(
        st.sampled_from(
            ["the", "house", "is", "old,", "and", "he", "said:", "5", "km.", "\n\t", "été", "мир", "[x]", "<b>", "{1}"]
        )
    )
)
def test_text_without_names_comes_back_as_it_was(words):
    text = " ".join(words)
    assert masked(text, "") == (text, 0, 0)


HOSTILE = ["i am " * 40_000, "claude " * 30_000, "<|" * 100_000, "gpt-4" + "-1.1" * 50_000, "\u200d" * 200_000]
HOSTILE += ["As an AI " * 25_000, "I am Aa " * 25_000, " " * 200_000, "model google " * 16_000, "\u2014" * 200_000]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:9]))
def test_a_long_text_takes_no_longer_for_being_hostile(text):
    began = time.process_time()
    masked(text, "")
    assert time.process_time() - began < 10
