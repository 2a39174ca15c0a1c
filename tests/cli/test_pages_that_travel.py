"""`openassay report --without-texts` and `--audience public` over a run folder."""

import shutil
from pathlib import Path

import pytest

from openassay.cli.main import code_of

GOLDEN = Path(__file__).parents[1] / "golden" / "run-1"
TEXTS = ("A number only.", "seven", '<pre class="text prompt"', '<pre class="text answer"', "took <q>")


@pytest.fixture
def report(tmp_path):
    """Writes the page of a copy of the golden run and reads it."""
    shutil.copytree(GOLDEN, tmp_path / "run")

    def write(*flags):
        code_of(["report", str(tmp_path / "run"), *flags])
        (page,) = (tmp_path / "run" / "report").iterdir()
        return page.name, page.read_text(encoding="utf-8")

    return write


def test_the_owners_page_holds_the_texts(report):
    name, html = report()
    assert name == "report.html"
    assert all(text in html for text in TEXTS)


@pytest.mark.parametrize(
    ("flags", "place"),
    [
        (("--without-texts",), "report-without-texts.html"),
        (("--without-texts", "--audience", "public"), "report-public-without-texts.html"),
    ],
)
def test_a_page_without_texts_holds_none(report, flags, place):
    name, html = report(*flags)
    assert name == place
    assert [text for text in TEXTS if text in html] == []
    assert "Made without texts" in html
