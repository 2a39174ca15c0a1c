"""Tables of results made elsewhere: what is read, what is refused, and that a report of them is one of any run."""

import os
import signal
import subprocess
import sys
import time
from decimal import Decimal

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openassay.reports.summary import summarise
from openassay.runs import cells, imported, in_python
from openassay.runs.folder import open_run
from openassay.runs.import_benchmark import Words, names_for
from openassay.runs.import_cells import ImportOptions, import_cells
from openassay.runs.import_headlines import Stated
from openassay.runs.import_table import Layout
from openassay.schema.errors import HeadlineError, InputError, PlanError, RefusedError, RunFolderError, TableError

LONG = """\
model,item,attempt,score,category,cluster,cost,tokens_in,tokens_out,date
GPT (a),q/1,1,1,sums,s1,0.25,100,7,2026-01-31
GPT (a),q/1,2,0,sums,s1,0.5,100,9,2026-01-31
GPT (a),q/2,1,1,sums,s1,,,,
GPT (a),q/2,2,1,sums,s1,,,,
b,q/1,1,0,sums,s1,0,1,1,2026-02-01
b,q/1,2,0,sums,s1,0,1,1,2026-02-01
b,q/2,1,1.0,sums,s1,0,1,1,2026-02-01
b,q/2,2,1,sums,s1,0,1,1,2026-02-01
"""


@pytest.fixture
def bring(tmp_path):
    """Write a table and import it."""

    def make(text, headlines=None, file="table.csv", **options):
        path = tmp_path / file
        path.write_text(text, encoding="utf-8")
        stated = None
        if headlines:
            stated = tmp_path / "stated.csv"
            stated.write_text("model,headline\n" + headlines)
        return import_cells(path, ImportOptions(**options), tmp_path / "runs", stated)

    return make


def long(*rows, head="model,item,score"):
    return "\n".join([head, *rows]) + "\n"


def results(found):
    """(model, category) -> result of the report."""
    return {(one.model, one.category): one for one in summarise([open_run(found.folder.path)]).results}


def test_a_long_table_is_reported_as_a_run(bring):
    found = bring(LONG, source="a paper", stated_by="its authors", words=Words(title="Sums"))
    (run,) = summarise([open_run(found.folder.path)]).runs
    assert (run.complete, run.planned, run.imported, run.title) == (True, 8, 8, "Sums")
    assert (run.imported_from.file, run.imported_from.source) == ("table.csv", "a paper")
    one = results(found)["GPT-a", "sums"]
    assert (one.pass_rate, one.n_items, one.attempts_per_item, one.cost_usd, one.tokens_out) == (0.75, 2, 2, 0.75, 16)
    assert one.usage_unknown == 2
    assert run.models[0].version == "GPT (a)"


def test_the_cells_of_an_imported_run_are_those_of_the_table(bring):
    folder = open_run(bring(LONG).folder.path)
    found = [
        (c.attempt.model, c.attempt.task, c.attempt.attempt, c.scoring.score.passed) for c in cells.read_cells(folder)
    ]
    assert found[:4] == [
        ("GPT-a", "q-1", 0, True),
        ("b", "q-1", 0, False),
        ("GPT-a", "q-2", 0, True),
        ("b", "q-2", 0, True),
    ]
    assert all(c.attempt.imported for c in cells.read_cells(folder))
    assert folder.tasks["q-1"].group == "s1"
    assert in_python.cells(folder).height == imported.table(folder).height == 8
    assert cells.totals(folder).complete


@pytest.mark.parametrize("file", ["t.parquet", "t.jsonl", "t.tsv"])
def test_every_format_gives_the_same_cells(bring, tmp_path, file):
    wanted = imported.table(bring(LONG).folder)
    path = tmp_path / file
    frame = pl.read_csv(tmp_path / "table.csv")
    if file.endswith("parquet"):
        frame.write_parquet(path)
    elif file.endswith("jsonl"):
        frame.write_ndjson(path)
    else:
        frame.write_csv(path, separator="\t")
    assert imported.table(import_cells(path, ImportOptions(), tmp_path / "runs").folder).equals(wanted)


def test_truth_values_and_capital_column_names_are_read(tmp_path):
    path = tmp_path / "wide.parquet"
    pl.DataFrame({"Item": ["a", "b"], "m": [True, False]}).write_parquet(path)
    found = import_cells(path, ImportOptions(), tmp_path / "runs")
    assert imported.table(found.folder)["score"].to_list() == [1_000_000, 0]


def test_a_category_with_fractions_is_scored_only(bring):
    found = bring(long("m,a,0.5,soft", "m,b,1,soft", "m,c,1,hard", head="model,item,score,category"))
    soft, hard = results(found)["m", "soft"], results(found)["m", "hard"]
    assert (soft.pass_rate, soft.score, soft.passable) == (None, 0.75, 0)
    assert (hard.pass_rate, hard.score) == (1, 1)


def test_a_wide_table_lacks_what_is_empty(bring):
    found = bring("item,one,two\na,1,1.0\nb,0,\nc,1,\n")
    assert found.missing == {"two": 2}
    assert found.folder.draw.notes == ("The imported table lacks 2 of 3 results of two: b, c.",)
    assert results(found)["two", "all"].pass_rate is None
    assert results(found)["one", "all"].passed == 2
    assert any("lacks 2 of 3" in said for said in summarise([found.folder]).limits)


def test_an_item_and_its_attempt_in_one_column(bring):
    layout = Layout(wide=True, renamed={"Question": "item.attempt"})
    found = bring("Question,m\n1.0,1\n1.1,0\n10.0,1\n10.1,1\n", layout=layout)
    assert [task.task for task in found.folder.draw.tasks] == ["1", "10"]
    assert found.folder.plan.attempts == 2
    assert results(found)["m", "all"].pass_rate == 0.75


def test_columns_can_be_named_left_out_and_read_from_items(bring):
    layout = Layout(renamed={"instance": "item", "ok": "score"}, cluster_from="^(.+)__", ignored=("categry",))
    text = long("m,r__1,1,x,z", "m,r__2,0,x,z", head="model,instance,ok,categry,version")
    found = bring(text, layout=layout)
    assert {task.group for task in found.folder.tasks.values()} == {"r"}
    assert found.folder.plan.imported.unused == ("categry", "version")


FAULTS = {
    "model twice by case": (
        "m,a,1\nM,a,0",
        "table.csv:3 (model): expected models whose names differ by more than case",
    ),
    "model twice unseen": ("m,a,1\nm\u200b,a,0", "table.csv:3 (model): expected models whose names differ by more"),
    "no number": ("m,a,10 %", "table.csv:2 (score): expected a score from 0 to 1, found '10 %'"),
    "out of range": ("m,a,52.8", "table.csv:2 (score): expected a score from 0 to 1, found '52.8'"),
    "not a number": ("m,a,nan", "found 'nan'"),
    "empty score": ("m,a,", "table.csv:2 (score): expected a value for 'score', found nothing"),
    "empty model": (",a,1", "table.csv:2 (model): expected a value for 'model', found nothing"),
    "twice": ("m,a,1\nm,b,1\nm,a,0", "table.csv:4 (item): a second result of the same model on the same item"),
}


@pytest.mark.parametrize(("rows", "said"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_told_with_row_and_column(bring, tmp_path, rows, said):
    with pytest.raises(TableError) as caught:
        bring(long(*rows.split("\n")))
    assert said in f"{caught.value.where}: {caught.value.what}"
    assert not (tmp_path / "runs").exists()


MORE = {
    "cost next to nothing": ("cost", "m,a,1,0.0000004", "expected 0 or at least 0.000001 US dollars"),
    "cost": ("cost", "m,a,1,-1", "expected US dollars from 0, or nothing where they are not known, found '-1'"),
    "tokens": ("tokens_in", "m,a,1,1.5", "expected tokens from 0"),
    "date": ("date", "m,a,1,31.1.2026", "expected a date such as 2026-01-31, found '31.1.2026'"),
    "category": (
        "category",
        "m,a,1,x\nn,a,1,y",
        "expected one category for each item, 'x' as in its first row, found 'y'",
    ),
    "headline": ("headline", "m,a,1,100\nm,b,1,99", "expected one headline for each model, '100' as in its first row"),
    "no category": ("category", "m,a,1,\nm,b,1,x", "expected a value for 'category', found nothing"),
    "attempt": ("attempt", "m,a,1,", "expected a value for 'attempt', found nothing"),
}


@pytest.mark.parametrize(("field", "rows", "said"), MORE.values(), ids=MORE)
def test_a_fault_in_what_a_table_need_not_hold(bring, field, rows, said):
    with pytest.raises(TableError) as caught:
        bring(long(*rows.split("\n"), head=f"model,item,score,{field}"))
    assert said in caught.value.what


def test_all_faults_are_told_at_once_the_first_twenty_in_words(bring):
    with pytest.raises(TableError) as caught:
        bring(long(*(f"m,i{number},x" for number in range(30)), "m,i0,2"))
    rows = caught.value.lines()
    assert rows[0] == "32 faults in the table; the first 20:"
    assert len(rows) == 22
    assert "table.csv:2 (score)" in rows[1]


COLUMNS = {
    "missing": ("model,item,scor\nm,a,1\n", TableError, "expected a column 'score'; did you mean 'scor'?"),
    "none like it": ("model,task,score\nm,a,1\n", TableError, "expected a column 'item'. Found: model, task, score"),
    "misspelt": (
        "model,item,score,catgory\nm,a,1,x\n",
        TableError,
        "unknown column 'catgory'; did you mean 'category'?",
    ),
    "twice": ("model,item,score,item\nm,a,1,b\n", TableError, "found 'item' twice"),
    "two for one": ("model,item,score,group,cluster\nm,a,1,b,c\n", PlanError, "both stand for 'cluster'"),
    "wide text": (
        "item,m,note\na,1,hello\n",
        TableError,
        "expected scores of a model in the column 'note', found 'hello'",
    ),
    "wide empty": ("item,m,n\na,1,\n", TableError, "the column 'n' is empty"),
    "no rows": ("model,item,score\n", InputError, "the table has no rows"),
    "no name": ("item,,m\na,1,1\n", TableError, "a column without a name holds '1'"),
    "ragged": ("model,item,score\nm,a,1,2,3\n", InputError, "no row with more cells than the header"),
}


@pytest.mark.parametrize(("text", "kind", "said"), COLUMNS.values(), ids=COLUMNS)
def test_wrong_columns_are_told_with_the_nearest_right_ones(bring, text, kind, said):
    with pytest.raises(kind) as caught:
        bring(text)
    assert said in caught.value.what
    assert caught.value.todo


OPTIONS = {
    "as": ({"layout": Layout(renamed={"scor": "score"})}, "unknown column 'scor'; did you mean 'score'?"),
    "field": ({"layout": Layout(renamed={"item": "itm"})}, "unknown field 'itm'; did you mean 'item'?"),
    "without": ({"without": ("n",)}, "unknown model 'n'"),
    "regex": ({"layout": Layout(cluster_from="(")}, "expected a regular expression with one group, found '('"),
}


@pytest.mark.parametrize(("options", "said"), OPTIONS.values(), ids=OPTIONS)
def test_wrong_options_are_told(bring, options, said):
    with pytest.raises(PlanError) as caught:
        bring(long("m,a,1"), **options)
    assert said in caught.value.what


def test_attempts_that_are_no_attempts_are_told(bring):
    rows = [f"m{m},i{i},1,id-{m}-{i}" for m in range(11) for i in range(11)]
    with pytest.raises(InputError, match="found 121: less than 1 %"):
        bring(long(*rows, head="model,item,score,attempt"))


def test_a_cluster_that_an_item_does_not_name_is_told(bring):
    with pytest.raises(TableError, match=r"finds no cluster in the item 'b'"):
        bring(long("m,r__a,1", "m,b,1"), layout=Layout(cluster_from="^(.+)__"))


def test_blank_lines_and_a_comma_at_the_end_of_lines_are_nothing(bring):
    assert bring("model,item,score,\n\nm,a,1,\n\nm,b,0,\n\n").cells == 2


BROKEN = {
    "random.csv": bytes(range(256)),
    "empty.csv": b"",
    "quote.csv": b'model,item,score\n"m,a,1\n',
    "cut.parquet": b"PAR1 and no more",
    "cut.jsonl": b'{"model": "m", "item":',
    "list.jsonl": b"[1, 2]\n",
    "nested.jsonl": b'{"model": "m", "item": {"x": 1}, "score": 1}\n',
    "notes.txt": b"hello",
}


@pytest.mark.parametrize("file", BROKEN)
def test_a_broken_file_is_told_as_one(tmp_path, file):
    path = tmp_path / file
    path.write_bytes(BROKEN[file])
    with pytest.raises(InputError) as caught:
        import_cells(path, ImportOptions(), tmp_path / "runs")
    assert len(caught.value.lines()) == 3


STATED = [
    ("66.7", True),
    ("66.67 %", True),
    ("67", True),
    ("66.6", False),
    ("66.70", False),
    ("0.667", True),
    ("52.8", False),
]


@pytest.mark.parametrize(("figure", "right"), STATED)
def test_a_headline_is_recomputed_from_its_cells(bring, tmp_path, figure, right):
    rows = long("m,a,1", "m,b,1", "m,c,0")
    if right:
        found = bring(rows, headlines=f"m,{figure}\n")
        assert found.folder.plan.imported.headlines == {"m": figure}
        return
    with pytest.raises(HeadlineError) as caught:
        bring(rows, headlines=f"m,{figure}\n")
    assert f"found {figure} %" in caught.value.what
    assert "(2 of 3 cells)" in caught.value.what
    assert "--without m" in caught.value.todo
    assert not (tmp_path / "runs").exists()


def test_a_headline_in_a_column_counts_as_well(bring):
    rows = ("m,a,1,50", "m,b,0,50", "n,a,1,99.9", "n,b,1,99.9")
    with pytest.raises(HeadlineError, match=r"n: expected 100\.0 %"):
        bring(long(*rows, head="model,item,score,headline"))
    found = bring(long(*rows, head="model,item,score,headline"), without=("n",))
    assert found.folder.plan.imported.left_out == ("n",)
    assert [model.name for model in found.folder.plan.models] == ["m"]


def test_a_headline_of_an_unknown_model_is_a_fault(bring):
    with pytest.raises(TableError, match=r"no cells of the model 'modle'; did you mean 'model'\?"):
        bring(long("model,a,1"), headlines="modle,100\n")


@settings(max_examples=50)
@given(share=st.floats(0, 1), places=st.integers(0, 4))
def test_a_share_agrees_with_itself_rounded_and_not_with_the_next(share, places):
    value = Decimal(f"{share * 100:.{places}f}")
    step = Decimal(1).scaleb(-places)
    assert Stated("", value, places, percent=True).agrees(share)
    assert not Stated("", value + 2 * step, places, percent=True).agrees(share)


@given(st.lists(st.text(min_size=1, max_size=8), unique=True, max_size=20))
def test_names_are_safe_and_each_only_once(texts):
    found = names_for(texts)
    assert len(set(found.values())) == len(texts)
    assert all(name[0].isalnum() and name.isascii() and set(name) <= set(SAFE) for name in found.values())


SAFE = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"


def test_an_altered_file_of_cells_is_found(bring):
    folder = bring(LONG).folder
    place = folder.path / imported.FILE
    place.write_bytes(place.read_bytes() + b" ")
    with pytest.raises(RunFolderError, match="does not match its digest"):
        imported.table(open_run(folder.path))


def test_an_imported_run_cannot_be_resumed(bring):
    with pytest.raises(RefusedError, match=r"`resume` is for runs made here; this one was imported from 'table.csv'"):
        in_python.resume(bring(LONG).folder.path)


def test_a_killed_import_leaves_no_run(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(long(*(f"m{m},i{i},1" for m in range(20) for i in range(3_000))))
    code = "import sys; from openassay.cli.main import main; main(sys.argv[1:])"
    call = [sys.executable, "-c", code, "import", str(path), "--out", str(tmp_path / "runs")]
    process = subprocess.Popen(call, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + 20
    while not list((tmp_path / "runs").glob("*/*")) and process.poll() is None and time.monotonic() < end:
        time.sleep(0.002)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    for plan in (tmp_path / "runs").glob("*/plan.json"):  # it was quicker than we were
        assert imported.table(open_run(plan.parent)).height == 60_000


@settings(max_examples=15)
@given(st.permutations(LONG.splitlines()[1:]))
def test_the_order_of_rows_changes_no_score(tmp_path_factory, rows):
    folder = tmp_path_factory.mktemp("order")
    path = folder / "table.csv"
    path.write_text(long(*rows, head=LONG.splitlines()[0]))
    read = cells.read_cells(import_cells(path, ImportOptions(), folder / "runs").folder)
    found = sorted(
        (c.attempt.model, c.attempt.task, c.attempt.attempt, c.scoring.score.score, c.attempt.cost) for c in read
    )
    assert [score for _, _, _, score, _ in found] == [1_000_000, 0, 1_000_000, 1_000_000, 0, 0, 1_000_000, 1_000_000]
    assert [cost for *_, cost in found] == [250_000, 500_000, 0, 0, 0, 0, 0, 0]
