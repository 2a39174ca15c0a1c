"""What is said of a measured judge, in words that need no statistics."""

import io

import pytest
from rich.console import Console

from openassay.reports import judge_card
from openassay.schema.judging import Calibration, Counts, JudgeBar, Twins
from openassay.schema.models import PlannedModel

GOOD = {"agreement": 900_000, "agreement_low": 800_000, "agreement_high": 960_000}
WHOLE = Counts(items=60, failing=30, measured=60, **GOOD, sensitivity=900_000, specificity=900_000)


def measured(total=WHOLE, **figures):
    shared = {"prompt": "0" * 64, "gold": "0" * 64, "gold_name": "trams", "passes": 2, "repeats": 1, "created": "2026"}
    asked = {"canaries_met": 100, "canaries_asked": 100, "requests": 120, "unusable": 20, "said": 200, "said_pass": 99}
    judge = PlannedModel(name="referee", endpoint="openai", model="r-1")
    return Calibration(judge=judge, total=total, **shared, **asked | figures)


def kind(name, **figures):
    return WHOLE.model_copy(update={"kind": name, "measured": 20, **figures})


NOTHING = WHOLE.model_copy(
    update={"measured": 0, "agreement": None, "agreement_low": None, "sensitivity": None, "specificity": None}
)


@pytest.mark.parametrize(
    ("found", "says"),
    [
        (measured(), "It agrees with people on 90 % (80 to 96 %) of the 60 items with a usable verdict, of 60."),
        (measured(NOTHING), "Trust it with nothing"),
        (
            measured(said_pass=200),
            "It passes everything: 200 of 200 criteria it was shown, those that are surely false",
        ),
        (measured(said_pass=192), "It passes nearly everything"),
        (measured(said_pass=0), "It fails everything"),
        (measured(kind(name="", specificity=200_000)), "Lenient: it passes 80 % of what people fail."),
        (measured(kind(name="", sensitivity=200_000)), "Harsh: it fails 80 % of what people pass."),
        (measured(kinds=(kind("tone"), kind("facts"))), "May be trusted with: tone and facts."),
        (measured(kinds=(kind("tone", agreement=500_000),)), "Not with: tone."),
        (measured(kinds=(kind("tone", measured=9),)), "nothing is said of: tone."),
    ],
)
def test_what_it_may_be_trusted_with(found, says):
    assert says in " ".join(judge_card.words(found, None))


@pytest.mark.parametrize(
    ("bar", "says"),
    [
        (
            None,
            "No bar was given (--bench). By the usual one (30 measured items, agreement 0.8, specificity 0.6): met.",
        ),
        (JudgeBar(), "Meets the benchmark's bar: its verdicts count."),
        (JudgeBar(items=61), "Below the benchmark's bar: 60 measured items, wanted 61."),
    ],
)
def test_the_bar_is_named(bar, says):
    assert says in list(judge_card.words(measured(), bar))[-1]


def test_nothing_is_concluded_from_half_a_calibration():
    console = Console(width=100, record=True, file=io.StringIO())
    judge_card.show(measured(), JudgeBar(), console, whole=False)
    said = console.export_text()
    assert "Not finished" in said
    assert "bar" not in said


def test_what_canary_items_held_back_is_told():
    raw = WHOLE.model_copy(update={"specificity": 0, "measured": 58})
    said = list(judge_card.figures(measured(NOTHING, canaries_met=3, unguarded=raw)))
    expected = "agreement .90, sensitivity .90, specificity .00, on 58 of 60 items"
    assert f"had nobody looked at canary items: {expected}" in said


def test_figures_stand_with_what_they_are_out_of():
    twins = (Twins(style="padded", compared=50, to_pass=3, to_fail=1),)
    said = "\n".join(judge_card.figures(measured(same_over_order=900_000, compared_over_order=50, twins=twins)))
    assert "right in 100 of 100 (100 %) replies that could be read; 20 of 120 (17 %)" in said
    assert "another item order: the same verdict in 45 of 50 (90 %) comparisons" in said
    assert "of 50 verdicts, 3 moved from fail to pass and 1 from pass to fail" in said
    assert "price unknown" in said


def test_names_are_text_and_never_markup():
    console = Console(width=100, record=True, file=io.StringIO())
    judge_card.show(measured(kinds=(kind("[red]tone[/red]"),)), None, console)
    assert "[red]tone[/red]" in console.export_text()
