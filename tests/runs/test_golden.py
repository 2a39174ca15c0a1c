"""Run folders written by earlier versions, as they stand in `tests/golden/`: every later version reads them."""

import json
import shutil
from pathlib import Path

import pytest

from openassay.models.scripted import ScriptedModel
from openassay.reports.summary import summarise
from openassay.runs import cells, journal
from openassay.runs.folder import open_run

GOLDEN = Path(__file__).parents[1] / "golden"
RUNS = sorted(path.name for path in GOLDEN.glob("run-*") if path.is_dir())


@pytest.mark.parametrize("name", RUNS)
def test_a_golden_run_reports_what_it_always_did(name):
    summary = summarise([open_run(GOLDEN / name)]).model_dump(mode="json")
    assert json.loads(json.dumps(summary)) == json.loads((GOLDEN / f"{name}.report.json").read_text())


@pytest.mark.parametrize("name", RUNS)
def test_every_line_of_a_golden_run_matches_its_checksum(name):
    lines = {kind: len(list(journal.read(GOLDEN / name / "journal", kind))) for kind in journal.KINDS}
    assert lines == {"calls": 107, "attempts": 37, "verdicts": 72, "replies": 0, "reviews": 0}


async def test_a_golden_run_is_repaired_and_needs_no_call(tmp_path, run_it):
    folder = open_run(Path(shutil.copytree(GOLDEN / "run-1", tmp_path / "run-1")))
    nobody = ScriptedModel(lambda _: pytest.fail("a finished cell was called again"))
    end = await run_it(folder, {"steady": nobody, "shaky": nobody})
    assert (end.state, end.finished, end.scored) == ("complete", 36, 36)
    assert len(end.repaired) == 1


def test_the_golden_run_holds_every_kind_of_outcome_and_an_earlier_pass():
    found = list(cells.read_cells(open_run(GOLDEN / "run-1")))
    assert {cell.attempt.outcome.value for cell in found} == {"answered", "no_answer", "limit_reached"}
    assert all(len(cell.earlier) == 1 for cell in found)
    assert any(cell.attempt.answer_object for cell in found)
    assert any(cell.attempt.faults for cell in found)
