"""`openassay review` as a program uses it: status, JSON, its address, and its faults."""

import json
import re
import signal
import urllib.error
import urllib.request

import pytest

JUDGED = "kind,Write a kind sentence about tea.,rubric,The sentence is kind"


@pytest.fixture
def reviewed(small):
    """A run with one check that waits for people."""
    small.benchmark([*small.rows, JUDGED])
    small.call("run", "bench", "--model", "small", "--quiet")
    return small


def test_status_says_how_far_people_have_come(reviewed):
    shown = reviewed.call("review", reviewed.run_folder(), "--status")
    assert (shown.returncode, shown.stdout) == (0, "0 of 1 checks decided by people.\n")


def test_status_as_json(reviewed):
    document = json.loads(reviewed.call("review", reviewed.run_folder(), "--status", "--json").stdout)
    assert document["run"] == reviewed.run_folder().name
    assert (document["items"], document["decided"], document["raters"], document["judge"]) == (1, 0, [], None)


def test_it_serves_until_it_is_interrupted_and_says_what_was_decided(reviewed):
    process = reviewed.start("review", reviewed.run_folder(), "--json")
    address = next(found[0] for line in process.stderr if (found := re.search(r"http://127\.0\.0\.1:\d+/\S+", line)))
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(address.split("?")[0])  # noqa: S310 - loopback
    held = reviewed.call("review", reviewed.run_folder())
    assert held.returncode == 2
    assert "the reviews of this run are open in another process" in held.stderr
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0
    assert json.loads(out)["decided"] == 0
    assert "Traceback" not in err


FAULTS = {
    "a share above 1": (["--audit", "1.5"], "expected a share from 0 to 1, found '1.5'"),
    "no share": (["--audit", "some"], "expected a share from 0 to 1, found 'some'"),
    "nan": (["--audit", "nan"], "expected a share from 0 to 1, found 'nan'"),
    "no port": (["--port", "70000"], "65535"),
    "no name": (["--port", "1", "--rater", "x" * 99], "expected a name of 1 to 60 letters"),
}


@pytest.mark.parametrize(("flags", "said"), FAULTS.values(), ids=FAULTS)
def test_a_wrong_flag_is_told_in_words(reviewed, flags, said):
    shown = reviewed.call("review", reviewed.run_folder(), *flags)
    assert shown.returncode == 2
    assert said in shown.stderr


def test_a_port_that_is_taken_is_told(reviewed, server):
    port = server.url.split(":")[2].split("/")[0]
    shown = reviewed.call("review", reviewed.run_folder(), "--port", port)
    assert shown.returncode == 2
    assert f"port {port} cannot be used" in shown.stderr
