"""`judge calibrate` and `judge show` as a user meets them, with a stand-in for the judge's endpoint."""

import json
import threading

import pytest

from openassay.schema.message import Message, ModelRequest, TextPart
from openassay.scorers.scripted_judge import deciding, truthful

BAR = "[judge.bar]\nitems = 4\nagreement = 0.8\nspecificity = 0.6\n"
PRICE = "price = { input = 1, output = 1 }"


def asked_of(asked):
    messages = [Message(role=one["role"], parts=(TextPart(text=one["content"]),)) for one in asked["messages"]]
    return ModelRequest(messages=tuple(messages))


def honest(criterion, _output):
    return "ten" in criterion


@pytest.fixture
def judging(server):
    """Let the stand-in judge by this function."""

    def set_to(function):
        def behave(_number, asked):
            text = function(asked_of(asked)) if "response_format" in asked else "ready"
            return server.completion(text)

        server.behave = behave

    set_to(truthful(honest))
    return set_to


@pytest.fixture
def bench(small, entry, server, judging):
    """The desk with a gold set of four outputs, a benchmark with a bar, and a judge behind the stand-in."""
    rows = []
    for n in range(4):
        common = {
            "category": "trams",
            "instruction": f"When does tram {n} leave?",
            "output": f"Tram {n} leaves at ten.",
        }
        for criterion, verdict in (("Says that it leaves at ten", "pass"), ("Names the platform", "fail")):
            one = {
                "id": f"g{n}-{verdict}",
                "kind": "facts",
                "criterion": criterion,
                "verdict": verdict,
                "ground": "So.",
            }
            rows.append(json.dumps({**common, **one}))
    (small.path / "gold.jsonl").write_text("\n".join(rows))
    small.models(
        small=entry(server),
        referee=entry(server).replace("tiny", "other"),
        paid=entry(server, PRICE).replace("tiny", "dear"),
    )
    small.benchmark([small.rubric, "sum,What is 40 + 2? A number.,numeric,42"], extra=BAR)
    return small


def calibrate(desk, *more, judge="referee"):
    return desk.call("judge", "calibrate", "--judge", judge, "--gold", "gold.jsonl", *more)


def test_a_judge_is_measured_and_told_in_words(bench):
    shown = calibrate(bench)
    assert shown.returncode == 0, shown.stderr
    assert "planned: 32 requests to referee" in shown.stderr
    assert "May be trusted with" not in shown.stdout  # too few items
    assert "It agrees with people on 100 %" in shown.stdout
    assert "No bar was given" in shown.stdout
    assert (bench.run_folder() / "calibration.json").is_file()


@pytest.mark.parametrize(
    ("function", "code", "says"),
    [
        (truthful(honest), 0, "Meets the benchmark's bar"),
        (truthful(lambda *_: True), 1, "specificity 0.00, wanted 0.6"),
        (deciding(lambda *_: True), 1, "It passes everything"),
        (deciding(lambda *_: False), 1, "It fails everything"),
        (lambda _: "All is well.", 1, "not one of its verdicts can be used"),
    ],
)
def test_the_exit_code_says_whether_the_bar_is_met(bench, judging, function, code, says):
    judging(function)
    shown = calibrate(bench, "--bench", "bench", "--repeats", 0)
    assert shown.returncode == code, shown.stderr
    assert says in " ".join(shown.stdout.split())


def test_one_json_document(bench):
    shown = calibrate(bench, "--bench", "bench", "--json")
    document = json.loads(shown.stdout)
    assert (document["state"], document["meets_bar"], document["below"]) == ("complete", True, [])
    assert document["calibration"]["total"]["agreement"] == 1_000_000
    assert document["calibration"]["total"]["cost"] is None


def test_a_dry_run_asks_nobody_and_leaves_nothing(server, bench):
    shown = calibrate(bench, "--dry-run", "--json", "--limit", 2, judge="paid")
    document = json.loads(shown.stdout)
    assert (document["outputs"], document["items"], document["requests"]) == (2, 4, 16)
    assert document["cost_max"] > 0
    assert server.asked == []
    assert not (bench.path / "runs").exists()


def test_a_judge_without_a_price_has_no_budget(bench):
    shown = calibrate(bench, "--budget", "1")
    assert shown.returncode == 2
    assert "price" in shown.stderr
    assert not (bench.path / "runs").exists()


def test_what_the_budget_stopped_is_resumed_with_the_same_card(bench):
    most = json.loads(calibrate(bench, "--dry-run", "--json", judge="paid").stdout)
    one_call = most["cost_max"] / most["requests"] + 0.0002
    shown = calibrate(bench, "--budget", f"{one_call:.6f}", "--concurrency", 1, judge="paid")
    assert shown.returncode == 1, shown.stderr
    assert "the budget is used up" in shown.stderr
    assert "Not finished" in shown.stdout
    assert "Resume with: openassay resume" in shown.stderr
    assert not (bench.run_folder() / "calibration.json").exists()
    shown = bench.call("resume", bench.run_folder(), "--budget", "9")
    assert shown.returncode == 0, shown.stderr
    assert "It agrees with people on 100 %" in shown.stdout
    assert "can travel with a benchmark" in shown.stderr


def test_a_killed_calibration_goes_on_and_asks_nothing_twice(server, bench, judging):
    """Killed without warning after twelve replies; what was kept is not asked again."""
    judging(truthful(honest))
    answers, reached = server.behave, threading.Event()

    def behave(number, asked):
        if number > 12:
            reached.set()
        return answers(number, asked)

    server.behave = behave
    more = ("--gold", "gold.jsonl", "--concurrency", "2")
    with bench.start("judge", "calibrate", "--judge", "referee", *more) as process:
        assert reached.wait(30)
        process.kill()
    shown = bench.call("resume", bench.run_folder(), "--json")
    assert shown.returncode == 0, shown.stderr
    document = json.loads(shown.stdout)["calibration"]
    assert (document["requests"], document["total"]["agreement"]) == (32, 1_000_000)
    judged = sum("response_format" in asked for asked in server.asked)
    assert 32 <= judged <= 32 + 2


def test_a_judge_that_cannot_be_reached_leaves_no_folder(server, bench):
    server.behave = lambda *_: server.fault(401, "No such key.")
    shown = calibrate(bench)
    assert shown.returncode == 2
    assert "No such key." in shown.stderr
    assert list((bench.path / "runs").iterdir()) == []


def test_what_was_measured_is_listed(bench):
    assert "no judge was measured yet" in bench.call("judge", "show").stdout
    calibrate(bench, "--repeats", 0)
    assert "referee  gold set" in bench.call("judge", "show").stdout
    assert "It agrees with people on 100 %" in bench.call("judge", "show", "referee").stdout
    (one,) = json.loads(bench.call("judge", "show", "--json").stdout)["calibrations"]
    assert one["judge"]["name"] == "referee"
    shown = bench.call("judge", "show", "refere")
    assert shown.returncode == 2
    assert "did you mean 'referee'?" in shown.stderr


def test_a_report_says_where_the_card_is(bench):
    calibrate(bench, "--repeats", 0, "--no-twins")
    shown = bench.call("report", bench.run_folder())
    assert "measures a judge; its card: `openassay resume" in shown.stderr
    shown = bench.call("resume", bench.run_folder())
    assert (shown.returncode, "It agrees with people on 100 %" in shown.stdout) == (0, True)


def test_a_confidential_benchmark_shows_its_outputs_to_no_other_endpoint(server, bench):
    bench.benchmark(name="secret", extra='visibility = "confidential"\nendpoints = ["elsewhere.example"]\n')
    shown = calibrate(bench, "--bench", "secret")
    assert shown.returncode == 2
    assert "confidential" in shown.stderr
    assert server.asked == []


@pytest.mark.parametrize(("args", "code", "says"), [(["--help"], 0, "judge calibrate"), ([], 2, "judge show")])
def test_the_group_lists_its_verbs(desk, args, code, says):
    shown = desk.call("judge", *args)
    assert shown.returncode == code
    assert says in shown.stdout


def run(desk, *more, verb=("run", "bench", "--model", "small")):
    return desk.call(*verb, "--judge", "referee", "--json", *more)


def uncounted(shown):
    return [one["uncounted"] for one in json.loads(shown.stdout)["report"]["results"]]


def test_below_the_bar_soft_checks_are_shown_and_not_counted(bench, judging):
    """Nobody measured it; then it is measured and lenient; then measured well, and counts."""
    unknown = run(bench)
    assert uncounted(unknown) == [1]
    assert "was measured by nobody" in unknown.stdout
    judging(truthful(lambda *_: True))
    assert calibrate(bench, "--bench", "bench", "--out", "low", "--repeats", 0).returncode == 1
    assert uncounted(run(bench)) == [1]
    judging(truthful(honest))
    (low,) = (bench.path / "low").iterdir()
    calibrate(bench, "--bench", "bench", "--out", "high", "--repeats", 0)
    assert uncounted(run(bench)) == [0]
    assert uncounted(run(bench, "--calibration", low / "calibration.json")) == [1]


def test_a_scoring_takes_a_calibration_from_a_file_too(bench):
    calibrate(bench, "--bench", "bench", "--out", "high", "--repeats", 0)
    (folder,) = (bench.path / "high").iterdir()
    travelled = bench.path / "referee.json"
    (folder / "calibration.json").rename(travelled)
    for kept in (bench.path / ".local/share/openassay/judges").iterdir():
        kept.unlink()
    assert uncounted(run(bench)) == [1]
    verb = ("score", bench.run_folder())
    assert uncounted(run(bench, verb=verb)) == [1]
    assert uncounted(run(bench, "--calibration", travelled, verb=verb)) == [0]


def test_a_file_that_is_no_calibration_is_refused(bench):
    shown = run(bench, "--calibration", "gold.jsonl")
    assert shown.returncode == 2
    assert "judge's calibration" in shown.stderr
