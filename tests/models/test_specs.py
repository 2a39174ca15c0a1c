"""Names to specs: files, shorthands, aliases, and what is said where a name or a file is wrong."""

import re
from pathlib import Path

import pytest

from openassay.models import specs
from openassay.models.aliases import ALIASES
from openassay.models.lineage import known
from openassay.models.models_file import FIELDS, read_models_file
from openassay.schema.errors import PlanError
from openassay.schema.models import ModelSpec, Price

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "models-file.md"
GOOD = """
[models.small]
endpoint = "openai"
base_url = "http://127.0.0.1:8091/v1"
model = "tiny-1"
api_key_env = "SMALL_KEY"
developer = "HuggingFace"
lineage = ["smollm2"]
price = { input = 0.10, output = 0.4000001 }
parameters = { temperature = 0.7, max_tokens = 512 }
"""


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_good_entry(home):
    spec = read_models_file(write(home / "models.toml", GOOD))["small"]
    assert spec.price == Price(input=100_000, output=400_001)
    assert spec.parameters == {"temperature": 0.7, "max_tokens": 512}
    assert spec.lineage == ("smollm2",)


def entry(*lines):
    return "\n".join(
        ["[models.small]", 'endpoint = "openai"', 'model = "m"', 'base_url = "http://127.0.0.1:1"', *lines]
    )


WRONG = {
    # name: (file, words of the message)
    "broken TOML": ("[models.small\n", "not valid TOML"),
    "no table": ("", r"expected at least one \[models.NAME\] table, found none"),
    "another table": (entry() + "\n[model.big]\n", "found 'model'"),
    "no endpoint": ('[models.small]\nmodel = "m"\n', "expected endpoint = one of openai"),
    "unknown endpoint": ('[models.small]\nendpoint = "openia"\n', "did you mean 'openai'"),
    "misspelt key": (entry('mdoel = "x"'), r"line 5 \[models.small\] mdoel: unknown key 'mdoel'; did you mean 'model'"),
    "key in the file": (entry('api_key = "sk-123456789"'), "a key must not stand in this file.*api_key_env"),
    "key in parameters": (entry('parameters = {api_key = "sk-123456789"}'), "a key must not stand in this file"),
    "own prompt": (entry('system_prompt = "You are good."'), "all models of a run get the same"),
    "own prompt in parameters": (entry('parameters = {system = "x"}'), "all models of a run get the same"),
    "streaming": (entry("parameters = {stream = true}"), "'stream' is set by OpenAssay"),
    "no url": ('[models.small]\nendpoint = "openai"\nmodel = "m"\n', "needs 'base_url'"),
    "password in url": (entry().replace("http://", "http://me:hunter2@"), "must not hold a user or password"),
    "key in url": (entry().replace(":1", ":1/v1?api_key=hunter2"), "must not hold a key"),
    "no scheme": (entry().replace("http://", ""), "starts with http"),
    "bad port": (entry().replace(":1", ":http"), "expected a URL"),
    "price of one number": (entry("price = 0.1"), "expected price ="),
    "price without output": (entry("price = { input = 1 }"), "expected price ="),
    "negative price": (entry("price = { input = 1, output = -1 }"), "not negative"),
    "endless price": (entry("price = { input = 1, output = inf }"), "not negative"),
    "unknown modality": (entry('modalities = ["text", "images"]'), "did you mean 'image'"),
    "no time": (entry("timeout = 0"), "above 0, found 0"),
    "modality without a list": (entry('modalities = "image"'), "expected a list"),
    "wrong type": (entry('timeout = "soon"'), "line 5.*timeout.*found 'soon'"),
    "unknown alias": (
        '[models.a]\nendpoint = "local"\nmodel = "smollm2-135m"\n',
        "did you mean 'smollm2-135m-instruct'",
    ),
    "bad name": ('[models."a b"]\nendpoint = "manual"\n', "expected a name of letters"),
    "no table but a value": ("[models]\nsmall = 1\n", "expected a table"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_file_says_where_and_what(home, name):
    text, words = WRONG[name]
    with pytest.raises(PlanError) as caught:
        read_models_file(write(home / "models.toml", text))
    assert re.search(words, caught.value.what, re.DOTALL), caught.value.what
    assert caught.value.where == str(home / "models.toml")
    assert len(str(caught.value).splitlines()) <= 6
    for secret in ("sk-123456789", "hunter2"):
        assert secret not in str(caught.value)


def test_all_faults_of_a_file_are_told_at_once(home):
    text = entry('mdoel = "x"', "price = 1") + '\n[models.big]\nendpoint = "opnai"\n'
    with pytest.raises(PlanError) as caught:
        read_models_file(write(home / "models.toml", text))
    assert "3 faults" in caught.value.what
    assert all(word in caught.value.what for word in ("mdoel", "price", "opnai"))


def test_names_resolve_in_order_from_file_shorthand_and_alias(home):
    write(home / "models.toml", GOOD)
    found = specs.resolve(["small", "big=http://127.0.0.1:2#large-1", "smollm2-135m-instruct"])
    assert [spec.name for spec in found] == ["small", "big", "smollm2-135m-instruct"]
    assert [spec.endpoint for spec in found] == ["openai", "openai", "local"]


def test_the_nearer_file_wins_and_a_given_one_stands_alone(home):
    near, far = GOOD, GOOD.replace("tiny-1", "far-1") + "\n" + GOOD.replace("small", "other")
    write(home / "config" / "openassay" / "models.toml", far)
    write(home / "models.toml", near)
    assert [spec.model for spec in specs.resolve(["small", "other"])] == ["tiny-1", "tiny-1"]
    given = write(home / "lab.toml", GOOD.replace("tiny-1", "lab-1"))
    assert specs.resolve(["small"], given)[0].model == "lab-1"
    with pytest.raises(PlanError):
        specs.resolve(["other"], given)


def test_an_unknown_name_has_the_nearest_right_one(home):
    write(home / "models.toml", GOOD)
    with pytest.raises(PlanError, match="unknown model 'smal'; did you mean 'small'"):
        specs.resolve(["smal"])


def test_without_a_file_the_lines_are_shown_to_paste(home):
    with pytest.raises(PlanError) as caught:
        specs.resolve(["mine"])
    lines = caught.value.todo.splitlines()
    assert len(caught.value.lines()) + len(lines) - 1 <= 6
    pasted = write(home / "models.toml", "\n".join(lines[-2:]))
    assert read_models_file(pasted)["mine"].endpoint == "openai"


def test_a_wrong_key_in_a_pasted_line_is_found_with_its_line(home):
    with pytest.raises(PlanError) as caught:
        specs.resolve(["mine"])
    pasted = "\n".join(caught.value.todo.splitlines()[-2:]).replace("base_url", "base_ulr")
    with pytest.raises(PlanError, match=r"line 2 \[models.mine\] base_ulr: .*did you mean 'base_url'"):
        read_models_file(write(home / "models.toml", pasted))


def test_an_unknown_judge_is_reported_at_its_flag(home):
    write(home / "models.toml", GOOD)
    with pytest.raises(PlanError) as caught:
        specs.resolve(["refree"], flag="--judge")
    assert caught.value.where == "--judge"
    assert "--judge refree=URL#MODEL" in caught.value.todo


def test_a_missing_given_file_is_named(home):
    with pytest.raises(PlanError, match="there is no models file"):
        specs.resolve(["small"], home / "nosuch.toml")


def test_a_name_is_taken_once(home):
    with pytest.raises(PlanError, match="named twice"):
        specs.resolve(["a=http://127.0.0.1:1#m", "a=http://127.0.0.1:2#m"])


@pytest.mark.parametrize(
    ("text", "environ", "expected"),
    [
        ("a=http://127.0.0.1:8091/v1#m", {}, ("openai", "")),
        ("a=http://127.0.0.1:8091/v1#m", {"A_API_KEY": "k"}, ("openai", "A_API_KEY")),
        ("a=http://127.0.0.1:8091/v1#m", {"OPENAI_API_KEY": "k"}, ("openai", "")),
        ("a-b=https://api.openai.com/v1#m", {}, ("openai", "OPENAI_API_KEY")),
        ("c=https://api.anthropic.com#m", {}, ("anthropic", "ANTHROPIC_API_KEY")),
        ("c=https://api.anthropic.com.evil.example#m", {"ANTHROPIC_API_KEY": "k"}, ("openai", "")),
    ],
)
def test_a_shorthand_takes_a_key_only_for_its_own_host(text, environ, expected):
    spec = specs.parse_shorthand(text, environ)
    assert (spec.endpoint, spec.api_key_env) == expected


@pytest.mark.parametrize(
    "text", ["a=127.0.0.1#m", "a=http://127.0.0.1", "=http://127.0.0.1#m", "a=http://x:y@h#m", "a b=http://h#m"]
)
def test_a_wrong_shorthand_says_how_it_is_written(text):
    with pytest.raises(PlanError) as caught:
        specs.parse_shorthand(text, {})
    assert "NAME=URL#MODEL" in caught.value.todo
    assert "x:y" not in str(caught.value)


def test_built_in_models_need_no_file_and_have_a_lineage():
    assert {"smollm2-135m-instruct", "qwen2.5-coder-0.5b-instruct", "gemma-3-270m-base"} <= set(ALIASES)
    for name, spec in ALIASES.items():
        assert spec.endpoint == "local"
        assert spec.developer
        assert set(spec.lineage) & set(known(name)[1])


def test_the_documentation_names_every_field():
    page = PAGE.read_text(encoding="utf-8")
    assert [field for field in FIELDS if f"| `{field}` |" not in page] == []


def test_no_field_can_hold_a_key():
    assert {name for name in ModelSpec.model_fields if "key" in name} == {"api_key_env", "api_key_file"}
