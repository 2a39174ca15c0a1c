import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openassay.reports.claim import examine
from openassay.reports.claim_rules import RULES, left_out
from openassay.reports.claim_text import MOST_FIGURES, examine_text
from openassay.reports.published import Figure, read_claims, read_outside
from openassay.schema.errors import InputError, OwnFileError
from openassay.stats import wilson

WHOLE = {
    "model": "large",
    "figure": "82 %",
    "benchmark": "B",
    "benchmark_version": "2",
    "metric": "pass@1",
    "tasks": "all",
    "version": "large-1",
    "n": 100,
    "attempts": 1,
    "selection": "mean of all",
    "prompt": "plain",
    "temperature": 0,
    "tools": "none",
    "interval": "73 to 88",
    "date": "2026-11-30",
    "measured_by": "us",
    "relationship": "none",
    "paid_by": "us",
    "contamination": "private tasks",
    "cost": "$0.01",
}
SHARES = [
    ("82 %", 0.82, "82 %"),
    ("82,5%", 0.825, "82,5%"),
    ("79 percent", 0.79, "79 percent"),
    (82, 0.82, "82 %"),
    (0.82, 0.82, "82 %"),
    (1, 1.0, "100 %"),
    ("0.82", 0.82, "0.82"),
    ("Elo 1210", None, "Elo 1210"),
    (1210, None, "1210"),
    ("120 %", None, "120 %"),
]


@pytest.mark.parametrize(("written", "share", "shown"), SHARES)
def test_a_figure_is_read_as_people_write_it(written, share, shown):
    figure = Figure(model="m", figure=written)
    assert (figure.share, figure.shown) == (pytest.approx(share), shown)


def test_a_figure_that_says_everything_leaves_nothing_out():
    assert left_out(Figure(**WHOLE)) == ()
    assert examine([Figure(**WHOLE)]).questions == ()


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_each_thing_left_out_is_named_and_asked_for(rule):
    figure = Figure(**{name: value for name, value in WHOLE.items() if name not in rule.fields})
    found = examine([figure])
    assert [one.id for one in found.readings[0].left_out] == [rule.id]
    assert found.questions == (rule.question,)
    assert found.essential_missing == rule.essential


def test_a_configuration_in_one_sentence_covers_prompt_temperature_and_tools():
    figure = Figure(model="m", figure=82, configuration="plain prompt, temperature 0, no tools")
    assert not {"prompt", "temperature", "tools"} & {one.id for one in left_out(figure)}


def test_with_n_there_is_wilsons_interval_and_without_it_none():
    (with_n,), (without,) = (examine([Figure(model="m", figure=82, n=n)]).readings for n in (100, None))
    assert with_n.interval == pytest.approx(wilson(0.82, 100))
    assert "73 to 88 %" in with_n.said[0]
    assert (without.interval, without.said) == (None, ("How sure the figure is cannot be said: n is missing.",))


GAPS = [
    (82, 100, 79, 100, "no gap shown", "2,735 tasks each"),
    (82, None, 79, 100, "cannot be said", "n is missing"),
    (82, 5_000, 79, 5_000, "gap shown", "a gap is shown"),
    (79, 5_000, 82, 5_000, "gap shown", "a gap is shown"),
    (82, 100, 82, 100, "no gap shown", "may be chance"),
    (100, 3, 100, 3, "no gap shown", "could show a gap"),
    ("Elo 1210", 100, 79, 100, "cannot be said", "no share of tasks"),
]


@pytest.mark.parametrize(("a", "n_a", "b", "n_b", "verdict", "said"), GAPS)
def test_two_figures_are_compared_as_two_samples_or_not_at_all(a, n_a, b, n_b, verdict, said):
    (found,) = examine([Figure(model="a", figure=a, n=n_a), Figure(model="b", figure=b, n=n_b)]).compared
    assert found.verdict == verdict
    assert said in found.sentence


def test_figures_of_different_benchmarks_are_not_compared():
    figures = [Figure(model=name, figure=82, n=100, benchmark=name) for name in "ab"]
    assert examine(figures).compared == ()


IMPOSSIBLE = [("82 %", 50, False), ("82.3 %", 50, True), ("83 %", 50, True), ("82.3 %", 300, False), (0.5, 3, True)]


@pytest.mark.parametrize(("figure", "n", "impossible"), IMPOSSIBLE)
def test_a_figure_that_no_number_of_tasks_gives_is_named(figure, n, impossible):
    (reading,) = examine([Figure(model="m", figure=figure, n=n)]).readings
    assert any("does not follow" in sentence for sentence in reading.said) == impossible


@given(st.integers(1, 400), st.data())
def test_a_rate_rounded_to_any_places_is_never_called_impossible(n, data):
    passed, places = data.draw(st.integers(0, n)), data.draw(st.integers(0, 3))
    (reading,) = examine([Figure(model="m", figure=f"{100 * passed / n:.{places}f} %", n=n)]).readings
    assert not any("does not follow" in sentence for sentence in reading.said)


TEXTS = [
    ("It reaches 82.3 % on 200 coding problems.", "n", 200),
    ("82 % (n = 1,319)", "n", 1319),
    ("82 % of 100 tasks and 79 % of 50 tasks", "n", None),
    ("scores 79 percent", "n", None),
]


@pytest.mark.parametrize(("text", "_", "n"), TEXTS)
def test_a_number_of_tasks_is_taken_from_a_text_only_where_there_is_one(text, _, n):
    assert {reading.n for reading in examine_text(text).readings} == {n}


WORDS = [
    ("version", "gpt-4-turbo-2024-04-09"),
    ("version", "Large 3.5 (20241022)"),
    ("version", "llama-3.1-8b-instruct"),
    ("metric", "at pass@1"),
    ("metric", "pass^8"),
    ("temperature", "Temperature = 0.7"),
    ("attempts", "averaged over 5 runs"),
    ("selection", "best-of-64"),
    ("interval", "82.3 ± 1.2"),
    ("benchmark_version", "MyBench v2.1"),
    ("date", "November 2026"),
    ("paid_by", "funded by the Vendor"),
    ("contamination", "decontaminated"),
    ("cost", "$3 a task"),
    ("prompt", "5-shot"),
    ("tools", "without tools"),
]


@pytest.mark.parametrize(("rule", "text"), WORDS)
def test_words_that_say_something_are_found_in_a_text(rule, text):
    found = examine_text(f"The model reaches 82 %, {text}.")
    assert text in found.found[rule]
    assert rule not in {one.id for one in found.readings[0].left_out}


@pytest.mark.parametrize("text", ["82 % as of 2026-11-30", "82 % in 2026", "82 % on GSM8K-2"])
def test_a_date_is_no_version(text):
    assert "version" not in examine_text(text).found


def test_a_text_without_a_figure_says_so():
    found = examine_text("The best model by far.")
    assert (found.readings, found.essential_missing) == ((), True)


HOSTILE = ["9" * 200_000, "1 % " * 60_000, "a-1." * 50_000, "n=" * 100_000, "12 " + "a " * 90_000, "%" * 200_000]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_text_takes_little_time(text):
    before = time.process_time()
    found = examine_text(text)
    assert time.process_time() - before < 5
    assert len(found.readings) <= MOST_FIGURES


FAULTS = [
    ('[[claim]]\nmodel = "m"\n', ["figure"]),
    ('[[claim]]\nmodel = "m"\nfigure = 82\nverson = "1"\n', ["did you mean 'version'?", ":4"]),
    ('[[claim]]\nmodel = "m"\nfigure = 82\nn = 0\ntemprature = 1\n', ["'claim.0.n'", "'temperature'"]),
    ('[[claims]]\nmodel = "m"\n', ["did you mean 'claim'?"]),
    ("", ["'claim' is missing"]),
    ("[[claim]\n", ["not valid TOML"]),
    ('[[claim]]\nmodel = "m"\nfigure = 82\ndate = 2026-11-30\n', ["as text, in quotes"]),
]


@pytest.mark.parametrize(("text", "said"), FAULTS)
def test_every_fault_of_a_claim_file_is_told(tmp_path, text, said):
    path = tmp_path / "claim.toml"
    path.write_text(text)
    with pytest.raises(OwnFileError) as found:
        read_claims(path)
    assert [one for one in said if one not in str(found.value)] == []


def test_a_figure_from_outside_names_its_source(tmp_path):
    path = tmp_path / "outside.toml"
    path.write_text('[[figure]]\nmodel = "m"\nfigure = 82\n')
    with pytest.raises(OwnFileError, match="has no source"):
        read_outside(path)


@pytest.mark.parametrize("data", [None, b"\xff\xfe\x00", b"a" * 2_100_000])
def test_a_file_that_cannot_be_read_is_an_error_for_a_person(tmp_path, data):
    path = tmp_path / "claim.toml"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(InputError) as found:
        read_claims(path)
    assert found.value.todo
