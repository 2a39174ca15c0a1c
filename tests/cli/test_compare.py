"""`openassay compare` and `openassay power` as a person meets them."""

import json

import pytest


@pytest.fixture
def hundred(desk):
    """A run of 100 items in which one model passes 82 and the other 79, as a path."""
    rows = [f"large,i{n},{int(n < 82)}\nsmall,i{n},{int(n < 70 or 82 <= n < 91)}\n" for n in range(100)]
    (desk.path / "table.csv").write_text("model,item,score\n" + "".join(rows))
    shown = desk.call("import", "table.csv")
    assert shown.returncode == 0, shown.stderr
    return desk.run_folder()


def test_the_answer_stands_first_in_words(desk, hundred):
    shown = desk.call("compare", hundred, "large", "small")
    text = " ".join(shown.stdout.split())
    assert shown.returncode == 0, shown.stderr
    assert "large against small: 82 of 100 against 79 of 100: no difference shown." in text
    assert "This comparison could have shown a gap of 13 points" in text
    assert "about 2,000 items are needed" in text


def test_json_holds_the_pair_in_the_order_asked_for(desk, hundred):
    found = json.loads(desk.call("compare", hundred, "small", "large", "--json").stdout)
    (category,) = found["categories"]
    (pair,) = category["pairs"]
    assert (pair["a"], pair["passed_a"], pair["b"], pair["passed_b"]) == ("small", 79, "large", 82)
    assert (pair["verdict"], pair["wins"], pair["losses"], len(category["differing"])) == (
        "no difference shown",
        9,
        12,
        21,
    )
    assert pair["p"] == pytest.approx(0.5235, abs=1e-3)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("large", "smal"), "unknown model 'smal'; did you mean 'small'?"),
        (("large", "small", "--category", "al"), "unknown category 'al'; did you mean 'all'?"),
        (("large", "large"), "expected two models, found 'large' twice"),
        (("large", "small", "--margin", "0.02"), "expected points of 100, found 0.02: write 2 for 2 points"),
        (("large", "small", "--margin", "200"), "expected points of 100, found 200"),
    ],
)
def test_mistakes_say_what_was_meant(desk, hundred, args, said):
    shown = desk.call("compare", hundred, *args)
    assert (shown.returncode, said in shown.stderr) == (2, True), shown.stderr


def test_a_margin_that_is_wide_enough_makes_them_practically_equal(desk, hundred):
    assert "practically equal" in desk.call("compare", hundred, "large", "small", "--margin", "15").stdout


def test_a_run_that_lacks_cells_is_not_compared_and_exits_1(desk):
    (desk.path / "table.csv").write_text("item,m,n\na,1,\nb,1,0\n")
    desk.call("import", "table.csv")
    shown = desk.call("compare", desk.run_folder(), "m", "n")
    assert (shown.returncode, "No comparison yet" in shown.stdout) == (1, True)


def test_few_imported_items_are_told_apart_by_their_results(desk):
    (desk.path / "table.csv").write_text("item,m,n\na,1,0\nb,1,1\nc,0,1\nd,1,0\n")
    desk.call("import", "table.csv", "--wide")
    text = " ".join(desk.call("compare", desk.run_folder(), "m", "n").stdout.split())
    assert "3 of 4 against 2 of 4: too few items" in text
    assert "a, check result, hard: met by m, missed by n (1 attempt each)" in text
    assert "c, check result, hard: met by n, missed by m (1 attempt each)" in text


def test_power_takes_the_variance_of_a_run(desk, hundred):
    found = json.loads(desk.call("power", hundred, "--gap", "3", "--json").stdout)
    (category,) = found["categories"]
    (way, *_) = category["ways"]
    assert (category["n_items"], category["a"], category["pool"]) == (100, "large", None)
    assert 1_900 < way["items"] <= 2_000
    assert (way["answers"], way["attempts"], way["cost_usd"]) == (2 * way["items"], 1, None)


def test_power_from_assumptions_splits_a_budget(desk):
    flags = ("--rate", 82, "--gap", 3, "--pool", 400, "--price", 0.001, "--budget", 3, "--json")
    shown = desk.call("power", *flags)
    (category,) = json.loads(shown.stdout)["categories"]
    assert category["ways"][0]["items"] == 1370
    assert category["ways"][0]["cost_usd"] == pytest.approx(2.74)
    assert not category["ways"][0]["possible"]
    assert all(one["cost_usd"] <= 3 and one["items"] <= 400 for one in category["spendings"])
    gaps = [one["gap_shown"] for one in category["spendings"]]
    assert gaps == sorted(gaps)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--gap", "3"), "expected a run or an expected rate, found neither"),
        (("--gap", "3", "--rate", "0.8"), "expected a rate of 100, found 0.8"),
        (("--gap", "0.03", "--rate", "80"), "write 3 for 3 points"),
        (("--gap", "50", "--rate", "20"), "expected a rate of at least the gap"),
        (("--gap", "3", "--rate", "80", "--correlation", "2"), "expected -1 to 1"),
        (("--gap", "3", "--rate", "80", "--attempts", "0"), "expected at least one attempt"),
        (("--gap", "3", "--rate", "80", "--budget", "5"), "what one answer costs is not known"),
    ],
)
def test_power_says_what_is_wrong_with_its_flags(desk, args, said):
    shown = desk.call("power", *args)
    assert (shown.returncode, said in shown.stderr) == (2, True), shown.stderr


def test_power_cannot_split_a_budget_where_the_run_paid_nothing(desk, hundred):
    shown = desk.call("power", hundred, "--gap", "3", "--budget", "5")
    assert (shown.returncode, "the run's answers cost nothing, or nobody said what" in shown.stderr) == (2, True)


def test_power_names_the_nearest_model(desk, hundred):
    shown = desk.call("power", hundred, "--gap", "3", "--model", "large", "--model", "smal")
    assert (shown.returncode, "did you mean 'small'?" in shown.stderr) == (2, True)


def test_two_runs_side_by_side_say_whether_they_may_be_compared(desk):
    table = "model,item,score\nm,a,1\nm,b,0\nn,a,0\nn,b,1\n"
    for name, text in (("one.csv", table), ("two.csv", table + "m,c,1\nn,c,1\n")):
        (desk.path / name).write_text(text)
        assert desk.call("import", name, "--name", "mine").returncode == 0
    runs = sorted((desk.path / "runs").iterdir(), key=lambda run: len((run / "draw.json").read_bytes()))
    found = json.loads(desk.call("report", *runs, "--json").stdout)
    (across,) = found["across"]
    assert (across["comparable"], across["common"], across["added"]) == (False, 2, ["c"])
    assert across["why_not"] == ["the benchmark's files changed, though its comparability number did not"]
    assert "1 item only in the second (c)" in across["changed"]
    assert {pair["run"] for pair in found["pairs"]} == {run.name for run in runs}
