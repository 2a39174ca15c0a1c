"""A report of results made elsewhere says so at every place where one would take it for a measurement."""

import io

import pytest
from rich.console import Console

from openassay.reports import folders, terminal
from openassay.reports.html import render
from openassay.reports.summary import summarise
from openassay.runs.import_cells import ImportOptions, import_cells

ROWS = ["m,a,1,100", "m,b,1,100", "n,a,1,", "n,b,0,"]


@pytest.fixture
def table(tmp_path):
    """Import rows and summarise them: (folder, summary)."""

    def make(rows=ROWS, head="model,item,score,headline", **options):
        path = tmp_path / "table.csv"
        path.write_text("\n".join([head, *rows]) + "\n")
        folder = import_cells(path, ImportOptions(**options), tmp_path / "runs").folder
        return folder, summarise([folder])

    return make


def page(folder, summary, audience="owner"):
    return "".join(render(summary, folders.opened([folder], summary, audience), audience))


def test_the_limits_begin_with_where_the_results_come_from(table):
    _, summary = table(source="https://example.org", stated_by="its authors")
    first, second, *rest = summary.limits
    assert first.startswith("Nothing here was measured by OpenAssay: all results are imported from the table table.csv")
    assert "found at https://example.org, as stated by its authors" in first
    assert "the one stated headline had to follow from the cells, as far as printed; 1 model had none" in second
    assert not [said for said in rest if "seed" in said or "came from outside" in said]


def test_what_was_left_out_and_what_is_unknown_is_told(table):
    folder, summary = table(["m,a,1,0.5", "m,b,1,", "x,a,0,"], head="model,item,score,cost", without=("x",))
    assert "The table also holds x, left out by the importer." in summary.limits
    assert (
        "The table states no cost for 1 result: they add nothing to the sums here, and are no free ones."
        in summary.limits
    )
    assert summary.results[0].seconds is None
    assert folder.plan.imported.priced == 1


def test_what_the_table_lacks_is_not_called_unfinished_work(table):
    folder, summary = table(["m,a,1", "m,b,1", "n,a,1"], head="model,item,score")
    assert "3 scored of 4 planned (1 not in the imported table)" in summary.limits[0]
    assert "openassay resume" not in page(folder, summary)


@pytest.mark.parametrize("audience", ["owner", "public"])
def test_the_page_is_marked_and_opens_no_texts(table, audience):
    folder, summary = table()
    html = page(folder, summary, audience)
    assert "<strong>Imported.</strong>" in html
    assert "Imported: the table holds scores only" in html
    assert "Seed" not in html
    assert '<details class="item"' not in html
    assert folders.opened([folder], summary, audience) == {}


def test_the_terminal_says_it_below_the_title(table):
    out = io.StringIO()
    terminal.show(table()[1], Console(file=out, width=200))
    assert "imported from the table table.csv" in out.getvalue().split("track")[0]
    assert "spent" not in out.getvalue()


def test_markup_in_a_table_stays_text(table):
    folder, summary = table(["<b>x</b>,<script>,1"], head="model,item,score", source="<img src=x>")
    html = page(folder, summary)
    assert "<img src=x>" not in html
    assert "<b>x" not in html
    assert "&lt;img src=x&gt;" in html
