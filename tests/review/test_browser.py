"""People at the page in a real browser: the real command, keyboard only, killed and taken up again, two raters."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from openassay.runs.reviews import read_reviews

CHROMIUM = next((path for path in map(Path, ("/usr/bin/chromium", "/usr/bin/chromium-browser")) if path.exists()), None)
OPENASSAY = str(Path(sys.executable).with_name("openassay"))
SHOTS = os.environ.get("OPENASSAY_SCREENSHOTS", "")
"""A folder for pictures to look at; none are taken without it."""

pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")]


@pytest.fixture
def chromium():
    """Opens a browser; only inside is the driver's event loop in the way of other ones."""
    # Here and not above: the rest of the suite runs without the driver.
    sync_api = pytest.importorskip("playwright.sync_api")

    @contextlib.contextmanager
    def launch():
        with sync_api.sync_playwright() as driver:
            found = driver.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox", "--disable-gpu"])
            yield found
            found.close()

    return launch


class Command:
    """`openassay review`, as a user starts it."""

    def __init__(self, folder, *flags):
        command = [OPENASSAY, "review", str(folder.path), "--audit", "1", "--json", *flags]
        self._child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        said = iter(self._child.stderr.readline, "")
        self.address = next(found[0] for line in said if (found := re.search(r"http://127\S+", line)))

    def end(self, number):
        """End it by a signal; what it printed."""
        self._child.send_signal(number)
        out, err = self._child.communicate(timeout=20)
        assert "Traceback" not in err
        return out

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._child.poll() is None:
            self._child.kill()
        self._child.communicate()


class Person:
    """One rater in a browser of their own."""

    def __init__(self, browser, address, **options):
        self.context = browser.new_context(viewport={"width": 1280, "height": 800}, **options)
        self.page = self.context.new_page()
        self.said = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda fault: self.said.append(str(fault)))
        self.page.goto(address)

    def name(self, name):
        self.page.wait_for_function("document.activeElement.tagName === 'INPUT'")  # else first letters are lost
        self.page.keyboard.type(name)
        self.press("Enter")

    def press(self, key):
        with self.page.expect_navigation():
            self.page.keyboard.press(key)

    def progress(self):
        return self.page.locator(".progress span").inner_text()

    def shot(self, name, **options):
        if SHOTS:
            self.page.screenshot(path=str(Path(SHOTS) / f"review-{name}.png"), **options)


@contextlib.contextmanager
def at_work(chromium, folder, *flags, **options):
    with Command(folder, *flags) as command, chromium() as browser:
        yield Person(browser, command.address, **options), command


@pytest.fixture
async def folder(judged_run):
    """Five letters by two models: twenty checks, ten of them judged."""
    return await judged_run(5)


def test_twenty_items_by_keyboard_closed_midway_by_two_raters(folder, chromium):
    with at_work(chromium, folder) as (ana, command):
        ana.shot("1-name")
        ana.name("Ana")
        ana.shot("2-first")
        assert ana.progress() == "0 of 20"
        for key in "pfpupfpp":
            ana.press(key)
        assert ana.progress() == "8 of 20"
        ana.press("z")
        ana.press("z")
        assert ana.progress() == "6 of 20"
        ana.press("f")
        ana.press("f")
        ana.page.keyboard.press("n")
        ana.page.keyboard.type("pfz: it names no date")
        ana.shot("3-note")
        ana.page.keyboard.press("Escape")
        ana.press("c")
        assert ana.progress() == "9 of 20"
        assert ana.said == []
        command.end(signal.SIGKILL)
    with at_work(chromium, folder, "--rater", "Ana") as (ana, command):
        assert ana.progress() == "9 of 20"
        for key in "pppppfffff":
            ana.press(key)
        ana.shot("4-strip")
        ana.press("p")
        assert "All 20 decided" in ana.page.inner_text("h1")
        ana.shot("5-end-alone")
        ben = Person(ana.context.browser, command.address)
        ben.page.get_by_text("not you?").click()
        ben.page.fill("#name", "Ben")
        ben.press("Enter")
        assert ben.progress() == "0 of 20"
        for key in "pfpppfffpppppppfffff":
            ben.press(key)
        assert "All 20 decided" in ben.page.inner_text("h1")
        assert "Krippendorff's alpha" in ben.page.inner_text("main")
        ben.shot("6-end-two", full_page=True)
        assert ana.said + ben.said == []
        told = json.loads(command.end(signal.SIGINT))
    assert [(one["name"], one["done"]) for one in told["raters"]] == [("Ana", 20), ("Ben", 20)]
    assert told["agreement"]["n"] == 18
    assert told["alpha"]["lo"] <= told["alpha"]["value"] <= told["alpha"]["hi"]
    assert told["judge"]["of"] == 10
    notes = [one.note for one in read_reviews(folder) if one.note]
    assert notes == ["pfz: it names no date"]


def test_without_scripts_forms_and_links_do_it_all(folder, chromium):
    with at_work(chromium, folder, java_script_enabled=False) as (ana, _):
        ana.page.fill("#name", "Ana")
        ana.page.get_by_role("button", name="Begin").click()
        for name in ("Pass", "Fail", "Unsure"):
            ana.page.get_by_role("button", name=name).click()
        assert ana.progress() == "3 of 20"
        ana.page.get_by_role("button", name="Undo").click()
        assert ana.progress() == "2 of 20"
        ana.page.fill("#note", "as agreed")
        assert ana.page.locator("[accesskey=f]").inner_text().startswith("Fail")
        ana.page.locator("[accesskey=f]").press("Enter")
        assert ana.progress() == "3 of 20"
    assert [(one.result, one.note) for one in read_reviews(folder)] == [
        ("pass", ""),
        ("fail", ""),
        ("fail", "as agreed"),
    ]


LONG = (
    "Dear all, "
    + "Rindfleischetikettierungsüberwachung" * 40
    + "\n<b>not bold</b> pay\u200bment \u202etsop\n"
    + "line\n" * 80
)


@pytest.fixture
async def hostile(judged_run):
    """One long answer with long words and hidden characters, and long material."""
    return await judged_run(1, answer={"*": LONG}, material="A letter of 12 May. " * 200)


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (400, "light"), (1280, "dark"), (400, "dark")])
def test_it_fits_the_screen(hostile, chromium, width, scheme):
    with at_work(chromium, hostile, "--rater", "Ana", color_scheme=scheme) as (ana, _):
        ana.page.set_viewport_size({"width": width, "height": 800})
        ana.shot(f"7-{width}-{scheme}-first")
        ana.press("p")
        ana.page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        assert ana.page.evaluate("document.documentElement.scrollWidth") <= width
        assert ana.page.get_by_role("button", name="Fail").is_visible()
        ana.shot(f"8-{width}-{scheme}", full_page=True)
        assert ana.said == []


def test_a_form_pressed_twice_fast_decides_once(folder, chromium):
    with at_work(chromium, folder, "--rater", "Ana") as (ana, _):
        ana.page.evaluate("for (let n = 0; n < 5; n++) document.querySelector('[data-key=p]').click()")
        ana.page.wait_for_url("**/")
        ana.page.wait_for_function("document.querySelector('.progress span').innerText.startsWith('1 of')")
    assert len(read_reviews(folder)) == 1


def test_back_shows_what_was_decided_and_overwrites_nothing(folder, chromium):
    with at_work(chromium, folder, "--rater", "Ana") as (ana, _):
        ana.press("p")
        shown = ana.page.locator(".last").inner_text()
        ana.page.go_back()
        ana.page.keyboard.press("f")
        ana.page.wait_for_load_state()
        assert "pass" in shown
    assert "pass" in [one.result for one in read_reviews(folder)]
