"""Exports of a run: what is in them, that their own readers read them back, and what is not in them."""

import csv
import io
import json
import os
from pathlib import Path

import jsonschema
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from openassay.reports.benchmark_card import card_of_run
from openassay.reports.eee import export_eee
from openassay.reports.eee_identity import Given
from openassay.reports.export_columns import Table
from openassay.reports.export_place import marked, replacing
from openassay.reports.export_rows import cell_table, discretion, verdict_table
from openassay.reports.export_tables import FORMULA, OURS, WRITERS, plain, write_csv, write_parquet
from openassay.reports.summary import summarise
from openassay.runs.folder import open_run
from openassay.runs.import_benchmark import Words
from openassay.runs.import_cells import ImportOptions, import_cells
from openassay.schema.errors import InputError, RefusedError

GOLDEN = Path(__file__).parents[1] / "golden" / "run-1"
EEE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "openassay-tests" / "eee-0.3.0"
NOW = Given(now=1_800_000_000, relationship="third_party")


@pytest.fixture(scope="module")
def golden():
    return open_run(GOLDEN)


@pytest.fixture
def brought(tmp_path):
    """Import a table; its rows are model,item,score."""

    def make(*rows, visibility="private"):
        path = tmp_path / "table.csv"
        path.write_text("\n".join(["model,item,score,cluster", *rows]) + "\n")
        options = ImportOptions(words=Words(visibility=visibility))
        return open_run(import_cells(path, options, tmp_path / "runs").folder.path)

    return make


def told(folder, audience="owner", *, texts=False):
    return discretion(folder.info.visibility, audience, texts=texts)


def columns(folder, audience, make=cell_table):
    table = make(folder, told(folder, audience))
    return pl.DataFrame(list(table.rows), schema=list(table.columns), orient="row", infer_schema_length=None)


@pytest.mark.parametrize("make", [cell_table, verdict_table])
@pytest.mark.parametrize("texts", [False, True])
def test_csv_and_parquet_hold_the_same_rows(golden, tmp_path, make, texts):
    for kind, write in WRITERS.items():
        write(make(golden, told(golden, texts=texts)), tmp_path / f"x.{kind}")
    typed = pl.read_parquet(tmp_path / "x.parquet")
    read = pl.read_csv(tmp_path / "x.csv", schema=typed.schema)
    words = pl.selectors.string()
    assert typed.height == len(list(make(golden, told(golden)).rows)) > 0
    # A CSV has no null text, and quotes what a spreadsheet would take for a formula.
    assert read.with_columns(words.fill_null("")).equals(typed.with_columns(words.fill_null("")))


def test_the_rows_say_what_the_report_says(golden):
    frame = columns(golden, "owner")
    for one in summarise([golden]).results:
        rows = frame.filter(model=one.model, category=one.category)
        assert (rows.height, rows["scored"].sum(), rows["passed"].sum()) == (one.n_attempts, one.scored, one.passed)
        assert rows["cost_usd"].sum() == pytest.approx(one.cost_usd)
        assert rows["undecided"].sum() == one.undecided


def test_verdicts_kept_beside_the_deciding_one_are_rows_too(golden):
    frame = columns(golden, "owner", verdict_table)
    assert set(frame["by"]) == {"script", "judge"}
    assert frame.filter(pl.col("decides")).height >= columns(golden, "owner").filter(pl.col("scored")).height


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("=HYPERLINK(1)", "'=HYPERLINK(1)"),
        ("+1", "'+1"),
        ("-5", "'-5"),
        ("@x", "'@x"),
        ("\t=1", "'\t=1"),
        ("＝1", "'＝1"),
        ("a=1", "a=1"),
        (-5.5, -5.5),
        ("a\0b", "a\ufffdb"),
        ("\ud83d", "\ufffd"),
        (False, "false"),
        (None, ""),
    ],
)
def test_a_csv_field_is_no_formula(value, found):
    assert plain(value) == found


@given(st.text())
def test_every_csv_field_comes_back_and_none_begins_like_a_formula(text):
    file = io.StringIO(newline="")
    csv.writer(file).writerow([plain(text), "x"])
    ((found, _),) = csv.reader(io.StringIO(file.getvalue(), newline=""))
    assert not found.startswith(FORMULA)
    assert found in (text.replace("\0", "\ufffd"), "'" + text.replace("\0", "\ufffd"))


def test_hostile_texts_come_back_from_both(tmp_path):
    texts = ['a,"b"\n\r\nc', "=1+1", "é\u202e", "", "'", "x" * 100_000]
    for write, place in ((write_csv, tmp_path / "x.csv"), (write_parquet, tmp_path / "x.parquet")):
        write(Table({"run": str}, iter([(text,) for text in texts])), place)
    assert pl.read_parquet(tmp_path / "x.parquet")["run"].to_list() == texts
    with (tmp_path / "x.csv").open(newline="", encoding="utf-8") as file:
        assert [row["run"] for row in csv.DictReader(file)] == [("'" if t == "=1+1" else "") + t for t in texts]


def test_no_row_is_still_a_table(tmp_path):
    assert write_parquet(Table({"run": str, "n": int}, iter(())), tmp_path / "x.parquet") == 0
    assert pl.read_parquet(tmp_path / "x.parquet").schema == {"run": pl.String, "n": pl.Int64}


def test_an_import_has_rows_without_texts_or_invented_costs(brought):
    frame = columns(brought("m,a,1,s", "m,b,0,s"), "owner")
    assert frame["imported"].all()
    assert frame["cost_usd"].is_null().all()
    assert frame["seconds"].is_null().all()
    assert frame["passed"].to_list() == [True, False]


@pytest.mark.parametrize(
    ("visibility", "audience", "groups"),
    [
        ("private", "owner", {"heron"}),
        ("private", "public", {"group 1"}),
        ("public", "public", {"heron"}),
    ],
)
def test_what_points_at_closed_items_is_not_for_the_public(brought, visibility, audience, groups):
    frame = columns(brought("m,a,1,heron", "m,b,0,heron", visibility=visibility), audience)
    assert set(frame["group"]) == groups
    assert frame["task_identity"].is_null().all() == (groups == {"group 1"})


def test_texts_of_closed_items_are_for_their_owner_alone():
    assert discretion("private", "owner", texts=True).texts
    assert discretion("public", "public", texts=True).texts
    for visibility in ("private", "confidential"):
        with pytest.raises(RefusedError, match="not for the public"):
            discretion(visibility, "public", texts=True)


# --- Every Eval Ever


def schema(name):
    path = EEE / "every_eval_ever" / "schemas" / f"{name}.schema.json"
    if not path.exists():
        pytest.skip("the schemas of Every Eval Ever are not here: scripts/test fetches them")
    return jsonschema.Draft7Validator(json.loads(path.read_text()))


def records(folder, out, **options):
    unnamed = () if folder.info.visibility == "public" else {folder.id}
    return export_eee(folder, summarise([folder], unnamed_runs=unnamed), out, NOW, **{"texts": False, **options})


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("texts", [False, True])
def test_records_are_valid_by_the_schemas_of_the_format(golden, tmp_path, texts):
    aggregate, instance = schema("eval"), schema("instance_level_eval")
    written = records(golden, tmp_path, texts=texts)
    assert len(written) == 2
    for one in written:
        aggregate.validate(json.loads(one.record.read_text(encoding="utf-8")))
        for row in lines(one.samples):
            instance.validate(row)


def test_records_of_an_import_are_valid(brought, tmp_path):
    aggregate, instance = schema("eval"), schema("instance_level_eval")
    folder = brought(*(f"{m},{i},{i % 2},s{i % 9}" for m in ("org/m 1", "n") for i in range(20)))
    for one in records(folder, tmp_path / "out"):
        aggregate.validate(json.loads(one.record.read_text(encoding="utf-8")))
        for row in lines(one.samples):
            instance.validate(row)


def test_a_record_agrees_with_its_rows(golden, tmp_path):
    """What the store checks beyond the schema: ids, counts, digest, bounds; and that the score follows."""
    for one in records(golden, tmp_path):
        record, rows = json.loads(one.record.read_text()), lines(one.samples)
        detail = record["detailed_evaluation_results"]
        assert tmp_path / detail["file_path"] == one.samples
        assert detail["total_rows"] == len(rows) == one.rows
        assert {row["evaluation_id"] for row in rows} == {record["evaluation_id"]}
        assert {row["model_id"] for row in rows} == {record["model_info"]["id"]}
        for result in record["evaluation_results"]:
            scores = {}
            for row in rows:
                if row["evaluation_result_id"] == result["evaluation_result_id"]:
                    scores.setdefault(row["sample_id"], []).append(row["evaluation"]["score"])
            mean = sum(sum(found) / len(found) for found in scores.values()) / len(scores)
            assert result["score_details"]["score"] == pytest.approx(mean)


def test_a_record_says_what_its_format_has_no_field_for(golden, tmp_path):
    record = json.loads(records(golden, tmp_path)[0].record.read_text())
    source, result = record["source_metadata"], record["evaluation_results"][0]
    assert source["evaluator_relationship"] == "third_party"
    assert source["additional_details"]["openassay.plan_digest"] == golden.plan_file.digest
    assert source["additional_details"]["openassay.may_not_be_concluded.01"]
    assert result["score_details"]["details"]["openassay.n_items"] == "5"
    judged = [one for one in record["evaluation_results"] if "llm_scoring" in one["metric_config"]]
    (judge,) = judged[0]["metric_config"]["llm_scoring"]["judges"]
    assert judge["model_info"]["additional_details"]["openassay.lineage"]


def test_a_category_that_is_incomplete_is_left_out(brought, tmp_path):
    folder = brought("m,a,1,s", "m,b,0,s", "n,a,1,s")
    assert [one.model for one in records(folder, tmp_path / "out")] == ["m"]
    with pytest.raises(RefusedError, match="no category is complete"):
        records(brought("m,a,1,s", "n,b,0,s"), tmp_path / "none")


def test_records_of_closed_items_never_hold_texts(brought, tmp_path):
    with pytest.raises(RefusedError, match="made to be published"):
        records(brought("m,a,1,s"), tmp_path / "out", texts=True)
    assert not (tmp_path / "out").exists()


# --- where files may go


def test_only_an_earlier_export_is_written_over(golden, tmp_path):
    path = tmp_path / "x.csv"
    for _ in range(2):
        with replacing(path, OURS["csv"], force=False) as part:
            write_csv(cell_table(golden, told(golden)), part)
    assert path.stat().st_mode & 0o777 == 0o600
    path.write_text("mine\n")
    with pytest.raises(RefusedError, match="no earlier export"), replacing(path, OURS["csv"], force=False):
        pass
    with replacing(path, OURS["csv"], force=True) as part:
        part.write_text("new\n")
    assert (path.read_text(), [one.name for one in tmp_path.iterdir()]) == ("new\n", ["x.csv"])


def test_an_export_that_breaks_off_leaves_what_was_there(tmp_path):
    path = tmp_path / "x"
    path.write_text("mark")
    with pytest.raises(TypeError), replacing(path, marked("mark"), force=False) as part:
        part.write_text(None)
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [("x", "mark")]


def test_links_out_of_the_folder_are_not_followed(golden, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "data").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError, match="leads out"):
        records(golden, tmp_path / "out")
    (tmp_path / "x.csv").symlink_to(tmp_path / "elsewhere" / "y.csv")
    with pytest.raises(RefusedError, match="link"), replacing(tmp_path / "x.csv", OURS["csv"], force=True):
        pass
    assert not list((tmp_path / "elsewhere").iterdir())


def test_the_card_of_an_import_proves_nothing(brought):
    card = card_of_run(brought("m,a,1,s", "m,b,0,s"))
    assert card.facts.proofs is None
    assert next(one for one in card.criteria if one.id == "D13").status == "open"
