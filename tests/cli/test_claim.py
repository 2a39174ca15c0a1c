import json
import shutil
import tomllib
from pathlib import Path

import pytest

from openassay.cli.main import code_of
from openassay.reports.needs_file import Needs, WrittenNeed, read_needs
from openassay.reports.published import Claims, Figure, Outside

ROOT = Path(__file__).resolve().parents[2]
PAGES = {name: (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8") for name in ("needs", "claims")}


def blocks(page):
    return [block.split("```")[0] for block in PAGES[page].split("```toml\n")[1:]]


def said(capsys, *args):
    code = code_of([str(arg) for arg in args])
    found = capsys.readouterr()
    return code, found.out, found.err


def test_the_sample_can_be_given_back_as_it_is(tmp_path, capsys):
    code, sample, _ = said(capsys, "claim", "--sample")
    (tmp_path / "claim.toml").write_text(sample)
    assert code == 0
    code, out, _ = said(capsys, "claim", tmp_path / "claim.toml")
    assert code == 1
    assert "cannot be said: n is missing" in out
    assert "Questions to send:" in out


def test_every_key_of_the_sample_is_known_and_every_key_is_in_it(capsys):
    _, sample, _ = said(capsys, "claim", "--sample")
    filled = "\n".join(line.removeprefix("# ") if "=" in line else line for line in sample.splitlines())
    first = tomllib.loads(filled)["claim"][0]
    assert set(Figure.model_fields) - set(first) <= {"kind", "configuration", "note"}
    Claims.model_validate(tomllib.loads(filled))


def test_a_whole_figure_exits_0_and_json_has_everything(tmp_path, capsys):
    path = tmp_path / "claim.toml"
    path.write_text(
        '[[claim]]\nmodel = "m"\nfigure = 82\nbenchmark = "B"\nversion = "m-1"\nn = 100\nmetric = "pass@1"\n'
        'prompt = "plain"\nmeasured_by = "us"\n'
    )
    code, out, _ = said(capsys, "claim", path, "--json")
    found = json.loads(out)
    assert (code, found["essential_missing"]) == (0, False)
    assert found["readings"][0]["interval"] == pytest.approx([0.733, 0.883], abs=0.001)


REFUSED = [
    (["claim"], "--sample"),
    (["claim", "nowhere.toml"], "cannot read"),
    (["claim", "report.pdf"], ".toml, .txt or .md"),
]


@pytest.mark.parametrize(("args", "what"), REFUSED)
def test_a_slip_is_told_with_what_to_do(capsys, args, what):
    code, _, err = said(capsys, *args)
    assert code == 2
    assert what in err


def test_a_text_that_says_nothing_but_a_figure(tmp_path, capsys):
    path = tmp_path / "page.txt"
    path.write_text("It reaches 82 %.")
    _, out, _ = said(capsys, "claim", path)
    assert out.startswith("1 percentage found\n")
    assert "Found (words were looked for, nothing was understood):\n  nothing but percentages\n" in out


def test_a_text_cannot_steer_the_terminal(tmp_path, capsys):
    path = tmp_path / "page.txt"
    path.write_text("82 % of 100 tasks \x1b[31m\u202e, funded by [red]them[/red]")
    code, out, _ = said(capsys, "claim", path)
    assert code == 1
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert "[red]them" in out


@pytest.mark.parametrize("block", blocks("claims"))
def test_the_claims_of_the_docs_are_valid(block):
    Claims.model_validate(tomllib.loads(block))


@pytest.mark.parametrize("block", blocks("needs"))
def test_the_needs_of_the_docs_are_valid(tmp_path, block):
    if "[[figure]]" in block:
        Outside.model_validate(tomllib.loads(block))
        return
    (tmp_path / "needs.toml").write_text(block)
    read_needs(tmp_path / "needs.toml", ["letters", "sums"], ["small", "large"])


FIELDS = [
    *(("needs", name) for name in (*Needs.model_fields, *WrittenNeed.model_fields) if name != "need"),
    *(("claims", name) for name in Figure.model_fields),
]


@pytest.mark.parametrize(("page", "field"), FIELDS)
def test_the_docs_name_every_key(page, field):
    assert f"`{field}`" in PAGES[page]


@pytest.fixture
def run(tmp_path):
    return shutil.copytree(ROOT / "tests" / "golden" / "run-1", tmp_path / "run-1")


def test_a_report_is_read_against_needs_and_beside_figures_of_others(tmp_path, run, capsys):
    (tmp_path / "needs.toml").write_text('[[need]]\ncategory = "notes"\nmin_pass_rate = 0.5\n')
    (tmp_path / "outside.toml").write_text('[[figure]]\nmodel = "other"\nfigure = 82\nsource = "a page"\n')
    files = ("--needs", tmp_path / "needs.toml", "--outside", tmp_path / "outside.toml")
    code, out, _ = said(capsys, "report", run, *files, "--json")
    found = json.loads(out)
    assert code == 0
    assert {one["qualifies"] for one in found["needs"]["qualified"]} == {"not settled"}
    assert found["outside"][0]["in_run"] is False
    assert "For your needs" in found["first"][0]["sentences"][0]
    code, out, _ = said(capsys, "report", run, *files)
    assert "not measured here" in out
    page = (run / "report" / "report.html").read_text(encoding="utf-8")
    assert "Your needs" in page


def test_a_need_for_a_category_the_run_does_not_have_is_told_before_anything_is_read(tmp_path, run, capsys):
    (tmp_path / "needs.toml").write_text('[[need]]\ncategory = "note"\nmin_pass_rate = 0.5\n')
    code, _, err = said(capsys, "report", run, "--needs", tmp_path / "needs.toml")
    assert code == 2
    assert "did you mean 'notes'?" in err
    assert not (run / "report").exists()
