"""Each broken folder: which rule says so, and at which line."""

import pytest

A, Y, J = "tasks/c/a.items.csv", "tasks/c/a.items.yaml", "tasks/c/a.items.jsonl"
HEAD = "id,instruction,scorer,reference,options\n"
GOOD = "g,What is up?,exact,sky,\n"


def csv(*rows, head=HEAD):
    return {A: head + "".join(f"{row}\n" for row in rows)}


def item(text):
    return {J: text + "\n"}


CSV = [
    ("unknown-column", csv("a,b,exact,d", head="id,instruction,scorer,refrence\n"), f"{A}:1", "'reference'"),
    ("unknown-column", csv("a,b,exact,d,e", head="id,instruction,scorer,reference,__expcted\n"), f"{A}:1", "__expcted"),
    ("per-model-prompt", csv("a,b,exact,d,e", head="id,instruction,scorer,reference,system\n"), f"{A}:1", "same bytes"),
    (
        "unknown-column",
        csv("a,b,exact,d,e", head="id,instruction,scorer,reference,choices\n"),
        f"{A}:1",
        "option",
    ),
    ("duplicate-column", csv("a,b,exact,d,e", head="id,instruction,scorer,reference,id\n"), f"{A}:1", "'id'"),
    ("column-count", csv(GOOD.strip(), "a,b,exact,x"), f"{A}:3", "row 3 has 4 cells, the header 5"),
    ("column-count", csv("a,b, c,exact,x,y"), f"{A}:2", "row 2 has 6 cells, the header 5"),
    ("broken-csv", csv('a,"b'), f"{A}:2", "CSV"),
    ("missing-scorer", csv("a,b,,x,"), f"{A}:2", "scorer"),
    ("unknown-scorer", csv("a,b,exakt,x,"), f"{A}:2", "'exact'"),
    ("unknown-option", csv('a,b,exact,x,"{""ignore_cas"": true}"'), f"{A}:2", "'ignore_case'"),
    ("wrong-option", csv('a,b,numeric,1,"{""relative"": -1}"'), f"{A}:2", "relative"),
    ("wrong-options", csv("a,b,exact,x,{relative}"), f"{A}:2", "JSON"),
    ("missing-reference", csv("a,b,exact,,"), f"{A}:2", "'exact' needs"),
    ("missing-reference", csv('"a","b\n\nb",exact,x,', "c,d,exact, ,"), f"{A}:5", "missing or empty"),
    ("wrong-reference", csv("a,b,exact,[],"), f"{A}:2", "empty list"),
    ("wrong-reference", csv('a,b,rubric,"[""Is polite"", ""\u200b""]",'), f"{A}:2", "is empty"),
    ("missing-reference", csv("a,b,exact,\u200b\u2060,"), f"{A}:2", "missing or empty"),
    ("wrong-reference", csv("a,b,numeric,about 3,"), f"{A}:2", "a number"),
    ("wrong-reference", csv('a,b,numeric,"1,024",'), f"{A}:2", "a number"),
    ("wrong-reference", csv("a,b,abstains,maybe,"), f"{A}:2", "true or false"),
    ("needless-reference", csv('a,b,format,x,"{""max_words"": 3}"'), f"{A}:2", "takes no reference"),
    ("bad-pattern", csv('a,b,regex,,"{""pattern"": ""(""}"'), f"{A}:2", "compile"),
    ("bad-pattern", csv('a,b,regex,,"{""pattern"": "".*""}"'), f"{A}:2", "empty answer"),
    ("bad-pattern", csv('a,b,regex,,"{""pattern"": ""(?:|){60}(?=x)""}"'), f"{A}:2", "does not end within 1 s"),
    ("missing-option", csv("a,b,regex,,"), f"{A}:2", "pattern"),
    ("wrong-reference", csv('a,b,choice,C,"{""choices"": {""A"": ""x"", ""B"": ""y""}}"'), f"{A}:2", "A, B"),
    ("bad-option", csv("a,b,format,,"), f"{A}:2", "any answer would pass"),
    ("missing-reference", csv("a,b,json,,"), f"{A}:2", "any JSON would pass"),
    ("bad-schema", csv('a,b,json,,"{""schema"": {""type"": ""objekt""}}"'), f"{A}:2", "JSON Schema"),
    ("bad-option", csv('a,b,rubric,x,"{""weights"": [1, 2]}"'), f"{A}:2", "1 weights"),
    ("missing-material", csv("a,b,quotes_supported,,"), f"{A}:2", "material"),
    ("missing-material", csv("a,b,unsupported,,"), f"{A}:2", "material"),
    ("duplicate-id", csv("a,b,exact,x,", "A,c,exact,x,"), f"{A}:3", f"{A}:2"),
    ("duplicate-content", csv("a,b,exact,x,", "c,b,exact,y,"), f"{A}:3", "'a'"),
    ("wrong-id", csv("a b,b,exact,x,"), f"{A}:2", "no spaces"),
    ("missing-id", csv(",b,exact,x,"), f"{A}:2", "no id"),
    ("missing-instruction", csv("a,,exact,x,"), f"{A}:2", "no instruction"),
    ("hidden-file", csv("a,See hidden/key.txt,exact,x,"), f"{A}:2", "hidden/key.txt"),
    ("undecodable", {A: HEAD.encode() + b"a,caf\xe9,exact,x,\n"}, f"{A}:2", "UTF-8"),
    ("undecodable", {A: HEAD.encode("utf-16")}, f"{A}:1", "UTF-8"),
    ("no-tasks", {A: HEAD}, A, "no item"),
    ("no-tasks", {"tasks/c/readme.md": "x"}, "tasks", "no item"),
    ("unread-file", {A: HEAD + GOOD, "tasks/c/b.csv": HEAD + GOOD}, "tasks/c/b.csv", ".items.csv"),
    ("unread-file", {A: HEAD + GOOD, "tasks/c/b.items.xlsx": b"PK"}, "tasks/c/b.items.xlsx", ".items.csv"),
    ("misplaced", {"tasks/c/d/a.items.csv": HEAD + GOOD}, "tasks/c/d/a.items.csv", "expected"),
    ("unknown-category", {"tasks/d/a.items.csv": HEAD + GOOD}, "tasks/d/a.items.csv:2", "unknown category"),
    ("missing-column", {"tasks/a.items.csv": HEAD + GOOD}, "tasks/a.items.csv:1", "category"),
    ("missing-category", {"tasks/a.items.csv": "category," + HEAD + "," + GOOD}, "tasks/a.items.csv:2", "category"),
]

OTHERS = [
    ("broken-json", item('{"id": 1,}'), f"{J}:1", "not valid JSON"),
    ("broken-json", item('{"id": "a", "id": "b"}'), f"{J}:1", "twice"),
    ("broken-json", item('{"id": "a", "reference": NaN}'), f"{J}:1", "NaN"),
    ("broken-json", item('{"id": "a", "reference": 1e999999999}'), f"{J}:1", "ordinary size"),
    ("broken-json", item("[" * 100_000), f"{J}:1", "deeply"),
    ("wrong-item", item("3"), f"{J}:1", "object"),
    ("unknown-key", item('{"id": "a", "instruction": "b", "scorer": "rubric", "ref": "c"}'), f"{J}:1", "'ref'"),
    (
        "needless-reference",
        item('{"id":"a","instruction":"b","reference":1,"checks":[{"id":"x"}]}'),
        f"{J}:1",
        "names none",
    ),
    ("wrong-checks", item('{"id":"a","instruction":"b","checks":["x"]}'), f"{J}:1", "list of checks"),
    ("unknown-key", item('{"id":"a","instruction":"b","checks":[{"id":"x","use":"exact"}]}'), f"{J}:1", "'uses'"),
    (
        "wrong-by",
        item('{"id":"a","instruction":"b","checks":[{"id":"x","uses":"exact","by":"judge","reference":"y"}]}'),
        f"{J}:1",
        "script",
    ),
    (
        "wrong-reference",
        item('{"id":"a","instruction":"b","scorer":"exact","reference":true}'),
        f"{J}:1",
        "true or false",
    ),
    (
        "wrong-materials",
        item('{"id":"a","instruction":"b","scorer":"rubric","reference":"c","materials":3}'),
        f"{J}:1",
        "a number",
    ),
    (
        "wrong-key",
        item('{"id":"a","instruction":"b","scorer":"rubric","reference":"c","max_tokens":0}'),
        f"{J}:1",
        "max_tokens",
    ),
    (
        "wrong-group",
        item('{"id":"a","instruction":"b","scorer":"rubric","reference":"c","group":3}'),
        f"{J}:1",
        "a number",
    ),
    ("broken-yaml", {Y: "- id: a\n  id: b\n"}, f"{Y}:2", "twice"),
    ("broken-yaml", {Y: "- &a [x]\n- *a\n"}, f"{Y}:1", "anchor"),
    ("broken-yaml", {Y: "- !!python/object:os.x {}\n"}, f"{Y}:1", "tag"),
    ("broken-yaml", {Y: "id: a\n"}, f"{Y}:1", "list of items"),
    ("broken-yaml", {Y: "- id: 'a\n"}, f"{Y}:2", "not valid YAML"),
    ("unknown-key", {Y: "- id: a\n  instruction: b\n  scorer: exact\n  refrence: x\n"}, f"{Y}:4", "'reference'"),
    ("missing-reference", {Y: "- id: a\n  instruction: b\n  scorer: exact\n  reference: ''\n"}, f"{Y}:4", "missing"),
]


@pytest.mark.parametrize(("code", "files", "where", "says"), [*CSV, *OTHERS])
def test_a_broken_item_file_is_refused_at_its_line(faults, code, files, where, says):
    found = [fault for fault in faults(files) if fault.code == code]
    assert found, faults(files)
    fault = found[0]
    assert (fault.file if fault.line is None else f"{fault.file}:{fault.line}") == where
    assert says in fault.what
    assert fault.todo


INFO_FAULTS = [
    ("unknown-key", 'title = "B"', 'titel = "B"', 3, "'title'"),
    ("missing-key", 'title = "B"', "", None, "'title' is missing"),
    ("wrong-key", '"1-A"', '"1.0"', 2, "such as '1-A'"),
    ("broken-toml", 'title = "B"', "title = B", 3, "TOML"),
    ("unknown-key", 'track = "research"', 'trak = "research"', 10, "'track'"),
    ("per-model-prompt", "[origin]", '[models.small]\nprompt = "x"\n[origin]', 13, "same bytes"),
    ("per-model-prompt", "[origin]", '[defaults.parameters]\nsystem = "x"\n[origin]', 14, "same bytes"),
    ("unknown-key", "[origin]", "[defaults]\nattempt = 2\n[origin]", 14, "'attempts'"),
    ("wrong-key", "[origin]", "[defaults]\nattempts = 0\n[origin]", 14, "attempts"),
    ("wrong-key", 'title = "B"', 'visibility = "secret"\ntitle = "B"', 3, "'confidential'"),
    ("wrong-value", 'title = "B"', "title = 2024-01-01", None, "date"),
    ("wrong-endpoint", 'title = "B"', 'endpoints = ["https://llm.example.org/v1"]\ntitle = "B"', 3, "a host such as"),
    ("missing-key", 'definition = "anything"', 'definition = " "', 12, "empty definition"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "old", "new", "line", "says"), INFO_FAULTS)
def test_a_broken_benchmark_toml_is_refused_at_its_line(faults, info, code, old, new, line, says):
    fault = next(fault for fault in faults({"benchmark.toml": info.replace(old, new)}) if fault.code == code)
    assert (fault.file, fault.line) == ("benchmark.toml", line)
    assert says in fault.what
    assert fault.todo


def test_a_folder_without_benchmark_toml_says_how_to_make_one(faults):
    (fault,) = faults({"benchmark.toml": None})
    assert (fault.code, "openassay init" in fault.todo) == ("no-benchmark", True)


def test_all_faults_of_all_files_are_collected(faults, info):
    files = {"benchmark.toml": info + "x = 1\n", **csv("a,b,exakt,x,", "c,d,exact,,"), **item("{")}
    assert [fault.code for fault in faults(files)] == [
        "unknown-key", "unknown-scorer", "missing-reference", "broken-json",
    ]  # fmt: skip


def test_no_message_holds_an_item_text(faults):
    secret = "the secret wording of a private item which is long"
    short = "z" * 12
    files = csv(f"a,{short},exakt,{short},", f"b,{short},numeric,{short},", f"c,{short} c,choice,{short},{{}}")
    assert not any(short in str(fault) for fault in faults(files))
    files = csv(f"a,{secret},exakt,{secret},", f"b,{secret},numeric,{secret},", f"c,{secret} c,choice,{secret},{{}}")
    assert faults(files)
    assert not any(secret in str(fault) for fault in faults(files))
