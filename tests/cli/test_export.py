"""`openassay export` as a person meets it."""

import json

import polars as pl
import pytest

TABLE = "model,item,score\nm,a,1\nm,b,1\nn,a,0\nn,b,1\n"


@pytest.fixture
def run(desk):
    (desk.path / "table.csv").write_text(TABLE)
    assert desk.call("import", "table.csv").returncode == 0
    return desk.run_folder()


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_table_is_written_where_it_is_wanted(desk, run, kind):
    shown = desk.call("export", run, "--format", kind, "--out", f"x.{kind}")
    assert (shown.returncode, shown.stdout) == (0, f"written: x.{kind}\nrows: 4\n")
    path = desk.path / f"x.{kind}"
    frame = pl.read_csv(path) if kind == "csv" else pl.read_parquet(path)
    assert sorted(frame["model"].to_list()) == ["m", "m", "n", "n"]


@pytest.mark.parametrize("kind", ["csv", "parquet", "eee", "card"])
def test_without_a_place_it_stays_in_the_run_folder(desk, run, kind):
    shown = desk.call("export", run, "--format", kind, "--json")
    document = json.loads(shown.stdout)
    assert (shown.returncode, document["complete"], document["planned"]) == (0, True, 4)
    for name in document["files"]:
        assert name.startswith(f"{run}/export/")
        assert (desk.path / name).is_file()


def test_a_record_that_the_store_cannot_place_is_told(desk, run):
    shown = desk.call("export", run, "--format", "eee", "--out", "out")
    assert shown.returncode == 0
    assert "no developer is stated of m, n" in shown.stderr


def test_a_folder_takes_the_usual_name(desk, run):
    (desk.path / "out").mkdir()
    shown = desk.call("export", run, "--format", "csv", "--audience", "public", "--out", "out")
    assert shown.stdout.splitlines()[0] == "written: out/cells-public.csv"


def test_a_card_of_a_benchmark_folder_needs_no_run(desk):
    folder = desk.benchmark()
    shown = desk.call("export", folder, "--format", "card")
    assert (shown.returncode, shown.stdout) == (0, "written: bench/card.md\nwritten: bench/card.json\n")
    card = json.loads((desk.path / "bench" / "card.json").read_text())
    assert (card["format"], card["facts"]["n_items"]) == ("openassay-card/1", 3)
    assert desk.call("check", folder).returncode == 0
    assert desk.call("export", folder, "--format", "card").returncode == 0


def test_an_incomplete_run_is_told_and_exits_1(desk):
    (desk.path / "table.csv").write_text("item,m,n\na,1,\nb,1,0\n")
    desk.call("import", "table.csv")
    shown = desk.call("export", desk.run_folder(), "--format", "csv", "--out", "x.csv")
    assert shown.returncode == 1
    assert "incomplete: 3 of 4" in shown.stderr
    shown = desk.call("export", desk.run_folder(), "--format", "eee", "--out", "out")
    assert shown.returncode == 1
    assert "incomplete, left out: n/all" in shown.stderr


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--format", "inspect"], "Inspect logs cannot be written yet"),
        (["--format", "parqet"], "did you mean 'parquet'?"),
        (["--format", "eee", "--checks"], "--checks is for csv and parquet"),
        (["--format", "card", "--texts"], "a card holds no texts of items"),
        (["--format", "eee", "--texts"], "made to be published"),
        (["--format", "csv", "--texts", "--audience", "public"], "not for the public"),
        (["--format", "csv", "--out", "table.csv"], "no earlier export"),
        (["--format", "eee", "--out", "table.csv"], "expected a folder"),
        ([], "--format"),
    ],
)
def test_what_cannot_be_done_is_refused_with_the_way_on(desk, run, flags, said):
    shown = desk.call("export", run, *flags)
    assert shown.returncode == 2
    assert said in shown.stderr
    assert (desk.path / "table.csv").read_text() == TABLE
    assert desk.call("export", run, "--format", "csv", "--out", "table.csv", "--force").returncode == 0
