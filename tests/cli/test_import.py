"""`openassay import` as a person meets it, and on real tables where they are at hand."""

import csv
import json

import pytest

from openassay.runs import imported
from openassay.runs.folder import open_run

TABLE = "model,item,score\nm,a,1\nm,b,1\nn,a,0\nn,b,1\n"


@pytest.fixture
def told(desk):
    """Import a table written in the desk's folder, or one that lies elsewhere."""

    def call(text, *flags):
        place = text if hasattr(text, "is_file") else desk.path / "table.csv"
        if place is not text:
            place.write_text(text)
        return desk.call("import", place, *flags)

    return call


def test_a_table_becomes_a_run_that_can_be_reported(desk, told):
    shown = told(TABLE, "--name", "mine", "--benchmark", "My table")
    assert shown.returncode == 0, shown.stderr
    assert "imported: 4 results, 2 models, 2 items, 1 attempt an item" in shown.stdout
    report = desk.call("report", desk.run_folder(), "--json")
    (run,) = json.loads(report.stdout)["runs"]
    assert (run["title"], run["benchmark"], run["imported"]) == ("My table", "mine", 4)
    assert run["imported_from"]["file"] == "table.csv"


def test_a_table_that_lacks_cells_is_told_and_exits_1(told):
    shown = told("item,m,n\na,1,\nb,1,0\n")
    assert shown.returncode == 1
    assert "incomplete: The imported table lacks 1 of 2 results of n: a." in shown.stderr


def test_faults_are_listed_beyond_the_usual_six_lines(desk, told):
    shown = told("model,item,score\n" + "".join(f"m,{number},10 %\n" for number in range(25)))
    assert shown.returncode == 2
    rows = shown.stderr.splitlines()
    assert rows[0] == "error: 25 faults in the table; the first 20:"
    assert rows[20] == "  table.csv:21 (score): expected a score from 0 to 1, found '10 %'"
    assert rows[21].startswith("  do: write scores as shares from 0 to 1")
    assert not (desk.path / "runs").exists()


def test_json_holds_what_came_of_it(told):
    found = json.loads(told(TABLE + "n,c,1\n", "--json").stdout)
    assert (found["planned"], found["finished"], found["complete"]) == (6, 5, False)
    assert found["missing"] == {"m": 1}


def test_faults_as_json(told):
    found = json.loads(told("model,item,score\nm,a,x\nm,b,2\n", "--json").stdout)
    assert [fault["line"] for fault in found["error"]["faults"]] == [2, 3]


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--as", "score"], "expected COLUMN=FIELD, found 'score'"),
        (["--name", "a b"], "expected letters, digits, dots, hyphens and underscores, found 'a b'"),
        (["--headline", "none.csv"], "cannot read the headlines: No such file or directory"),
    ],
)
def test_wrong_flags_are_told(told, flags, said):
    shown = told(TABLE, *flags)
    assert shown.returncode == 2
    assert said in shown.stderr


@pytest.mark.parametrize("verb", ["resume", "score", "review"])
def test_an_imported_run_is_neither_run_on_nor_scored_nor_reviewed(desk, told, verb):
    told(TABLE)
    shown = desk.call(verb, desk.run_folder())
    assert shown.returncode == 2
    assert f"`{verb}` is for runs made here; this one was imported from 'table.csv'" in shown.stderr


SWE = ["--as", "instance=item", "--as", "resolved=score", "--cluster-from", "^(.+)__"]
WRONG = "Claude 3.7 Sonnet (20250219)"
STATED = {WRONG: "52.8", "Claude 4 Sonnet (20250514)": "64.93", "Llama 4 Maverick Instruct": "21.04"}


def headlines(path, desk):
    """The figure of each model as its cells give it, but for the three that were published otherwise."""
    sums = {}
    with path.open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            sums[row["model"]] = sums.get(row["model"], 0) + int(row["resolved"])
    figures = {model: STATED.get(model, f"{number / 5:.1f}") for model, number in sums.items()}
    place = desk.path / "stated.csv"
    place.write_text("model,headline\n" + "".join(f'"{model}",{figure}\n' for model, figure in figures.items()))
    return place


def test_published_headlines_that_do_not_follow_from_their_cells_are_refused(real_data, desk, told):
    path = real_data("swebench_verified_bashonly_matrix.csv")
    shown = told(path, *SWE, "--headline", headlines(path, desk))
    assert shown.returncode == 2
    assert f"  {WRONG}: expected 10.2 % (51 of 500 cells), found 52.8 %" in shown.stderr
    assert "expected 64.80 % (324 of 500 cells), found 64.93 %" in shown.stderr
    assert "expected 21.00 % (105 of 500 cells), found 21.04 %" in shown.stderr
    assert f"--without '{WRONG}'" in shown.stderr
    assert not (desk.path / "runs").exists()


def test_the_other_models_are_a_run_with_clusters_and_costs(real_data, desk, told):
    path = real_data("swebench_verified_bashonly_matrix.csv")
    shown = told(path, *SWE, "--without", WRONG)
    assert shown.returncode == 0
    folder = open_run(desk.run_folder())
    frame = imported.table(folder)
    assert (frame.height, frame["model"].n_unique(), frame["item"].n_unique()) == (12_000, 24, 500)
    assert len({task.group for task in folder.tasks.values()}) == 12
    assert frame.group_by("item").agg(frame["score"].sum()).height == 500
    assert frame["cost"].null_count() == 0


def test_a_wide_table_with_an_incomplete_column(real_data, desk, told):
    shown = told(real_data("zeroeval_gsm.csv"))
    assert shown.returncode == 1
    assert "lacks 638 of 1,319 results of gemini-1.5-flash-exp-0827" in shown.stderr


def test_attempts_in_the_item_column(real_data, desk, told):
    shown = told(real_data("matharena_aimeII_19models_4attempts.csv"), "--wide", "--as", "Question=item.attempt")
    assert shown.returncode == 0
    assert "1,140 results, 19 models, 15 items, 4 attempts an item" in shown.stdout


def test_a_column_of_words_in_a_wide_table_is_asked_about(real_data, told):
    shown = told(real_data("mmlu_redux_14models.csv"), "--as", "subject=category")
    assert shown.returncode == 2
    assert "--ignore error_type" in shown.stderr


def test_the_card_of_imported_results_claims_nothing_for_openassay(desk, told):
    told(TABLE)
    desk.call("export", desk.run_folder(), "--format", "card", "--out", "card.md")
    card = (desk.path / "card.md").read_text()
    assert "| **Developed by** | not stated |" in card
    assert "Repeated items" not in card
    assert "OpenAssay scores the answers" not in card
    assert "| D3 | What does the ability help with outside the benchmark? | **open: please answer** |  |" in card
