import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openassay.cli.main import code_of
from openassay.models.families_file import Family, registry
from openassay.models.lineage import claim_of, families, known, lineage_of, same_lineage
from openassay.schema.errors import PlanError
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
        ("vicuna-13b-v1.5", "LMSYS", "vicuna"),
        ("WizardLM-2-8x22B", "WizardLM team", "wizardlm-2"),
        ("Llama-3.1-Tulu-3-8B", "Ai2", "tulu-3"),
        ("Llama-3.1-Nemotron-70B-Instruct", "NVIDIA", "nemotron"),
        ("DeepSeek-R1-0528-Qwen3-8B", "DeepSeek", "deepseek-r1-qwen3"),
        ("ERNIE-4.5-21B-A3B", "Baidu", "ernie"),
        ("Hunyuan-A13B-Instruct", "Tencent", "hunyuan"),
        ("EXAONE-3.5-7.8B-Instruct", "LG AI Research", "exaone"),
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
    (spec("a", "Llama 3"), spec("llama-2-7b"), True),
    (spec("a", " GPT "), spec("gpt-4o"), True),
    (spec("a", "GPT-4o"), spec("gpt-3.5-turbo"), True),
    (spec("a", "meta-llama/Llama-3.1-8B"), spec("vicuna-7b"), True),
    (spec("mine-1", "Llama-3"), spec("llama-2-7b"), True),
    (spec("vicuna-7b"), spec("llama-2-7b"), True),
    (spec("vicuna-7b"), spec("gpt-4o"), True),
    (spec("zephyr-7b-beta"), spec("mistral-7b-instruct"), True),
    (spec("qwq-32b"), spec("qwen2.5-7b"), True),
    (spec("r1-1776"), spec("deepseek-chat"), True),
    (spec("granite-3.1-8b"), spec("olmo-2-7b"), False),
    (spec("unknown-a"), spec("unknown-b"), True),
]


@pytest.mark.parametrize(("a", "b", "same"), SAME)
def test_relatives_share_a_family_and_the_unknown_is_related_to_all(a, b, same):
    assert same_lineage(a, b) is same
    assert same_lineage(b, a) is same


def test_the_registry_is_closed_and_large_enough():
    names = set(families())
    assert len(names) >= 120
    for family in families().values():
        assert {*family.base, *family.distilled_from} <= names


@given(st.text(max_size=60))
def test_any_name_has_an_answer_and_is_its_own_relative(model):
    assert same_lineage(spec(model), spec(model))
    assert len(set(lineage_of(spec(model)))) == len(lineage_of(spec(model)))


def entry(name="ours", **fields):
    told = {"name": name, "developer": "Us", "match": [f"{name}-"], **fields}
    return "\n".join(["[[family]]", *(f"{key} = {json.dumps(value)}" for key, value in told.items()), ""])


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A working folder and, in `config/openassay`, the user's own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "config" / "openassay").mkdir(parents=True)
    return tmp_path


def test_a_family_of_ones_own_is_added(home):
    (home / "families.toml").write_text(entry(base=["llama-3"]))
    assert known("ours-7b") == ("Us", ("ours", "llama-3", "llama"))
    assert same_lineage(spec("ours-7b"), spec("llama-2-7b"))
    assert claim_of(spec("ours-7b"))[1:] == ("own", str(home / "families.toml"))
    assert claim_of(spec("gpt-4o")).source == "shipped"


def test_a_family_of_ones_own_stands_in_for_the_one_that_ships(home):
    (home / "config" / "openassay" / "families.toml").write_text(entry("granite", distilled_from=["mixtral"]))
    assert lineage_of(spec("granite-3")) == ("granite", "mixtral", "mistral")


def test_the_working_folder_wins_over_the_users_folder(home):
    (home / "config" / "openassay" / "families.toml").write_text(entry(base=["qwen"]) + entry("far"))
    (home / "families.toml").write_text(entry(base=["far"]))
    assert lineage_of(spec("ours-7b")) == ("ours", "far")


def test_of_two_matches_of_one_length_ones_own_counts(home):
    (home / "families.toml").write_text(entry("ours", match=["claude"]))
    assert lineage_of(spec("claude-9")) == ("ours",)


def test_who_says_it(home):
    assert claim_of(spec("x", "mine")).source == "stated"
    assert claim_of(spec("x")) == ((), "unknown", "")


WRONG = {
    # name: (file, words of the message)
    "broken TOML": ("[[family]\n", "not valid TOML"),
    "another table": ("[families]\n", r"expected only \[\[family\]\] tables, found 'families'"),
    "one table": ("[family]\nname = 'a'\n", r"expected only \[\[family\]\] tables"),
    "no match": ('[[family]]\nname = "a"\ndeveloper = "b"\n', "expected match = .*found none"),
    "no name": ('[[family]]\ndeveloper = "b"\nmatch = ["ab"]\n', "number 1: expected name"),
    "unknown base": (entry(base=["lama-3"]), "found 'lama-3'; did you mean 'llama-3'"),
    "unknown teacher": (entry(distilled_from=["zzzzzz"]), "in distilled_from, found 'zzzzzz', and no entry"),
    "itself": (entry(base=["ours"]), "found a circle: ours from ours"),
    "circle": (entry(base=["two"]) + entry("two", base=["ours"]), "found a circle: ours from two from ours"),
    "circle through the list": (entry("llama", base=["vicuna"]), "circle: llama from vicuna from llama-2 from llama"),
    "twice": (entry() + entry(), "expected each name once, found it twice"),
    "unknown key": (entry(bsae=["gpt"]), "unknown key 'bsae'; did you mean 'base'"),
    "upper case": (entry(match=["Ours"]), "lower case, .*found 'Ours'"),
    "one letter": (entry(match=["o"]), "two or more characters"),
    "odd name": (entry("My Model", match=["mine"]), "expected a name of lower-case letters"),
    "not a list": (entry(match="ours"), "match: Input should be a valid tuple; found 'ours'"),
    "not its name": (entry(unmistakable=["theirs"]), "unmistakable: expected names that stand in match"),
}


@pytest.mark.parametrize(("text", "words"), WRONG.values(), ids=WRONG)
def test_a_wrong_file_is_refused_with_its_place(home, text, words):
    (home / "families.toml").write_text(text)
    with pytest.raises(PlanError, match=words) as caught:
        families()
    assert "families.toml" in caught.value.where
    assert caught.value.todo


def test_all_faults_of_a_file_are_told_at_once(home):
    (home / "families.toml").write_text(entry(match=[]) + entry("b", developer=""))
    with pytest.raises(PlanError, match=r"2 faults in .*families.toml"):
        families()


def test_a_circle_does_not_hang_even_if_it_got_in(home):
    known_to_all = registry().families
    assert isinstance(known_to_all, dict)
    known_to_all["gpt-x"] = Family(name="gpt-x", developer="Us", base=("gpt-y",), match=("gpt-x",))
    known_to_all["gpt-y"] = Family(name="gpt-y", developer="Us", base=("gpt-x",), match=("gpt-y",))
    assert lineage_of(spec("a", "gpt-x")) == ("gpt-x", "gpt-y")


def test_models_shows_who_says_what_a_model_descends_from(home, capsys):
    (home / "families.toml").write_text(entry(base=["llama-3"]))
    models = [f"{name}=http://127.0.0.1:1#{name}-1" for name in ("ours", "claude", "zz")]
    flags = [word for one in models for word in ("--model", one)]
    assert code_of(["models", *flags]) == 0
    ours, claude, unknown = capsys.readouterr().out.splitlines()
    assert f"lineage ours, llama-3, llama (as {home / 'families.toml'} says)" in ours
    assert "lineage claude (as OpenAssay's list knows)" in claude
    assert "lineage unknown" in unknown
    assert code_of(["models", *flags, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["models"]
    assert [row["lineage_from"] for row in rows] == [str(home / "families.toml"), "shipped", "unknown"]


def test_families_are_listed(home, capsys):
    (home / "families.toml").write_text(entry(base=["llama-3"]))
    assert code_of(["models", "--families"]) == 0
    shown = capsys.readouterr().out
    assert f"ours  by Us  from llama-3  ({home / 'families.toml'})" in shown
    assert "zephyr  by HuggingFace  from mistral  taught by gpt\n" in shown
    assert code_of(["models", "--families", "--json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)["families"]}
    assert (rows["ours"]["base"], rows["claude"]["from"]) == (["llama-3"], "openassay")
