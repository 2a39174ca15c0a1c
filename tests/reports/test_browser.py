"""The page in a real browser, from disk, with the network off."""

from pathlib import Path

import pytest

from openassay.reports import attempts
from openassay.reports.html import render
from openassay.reports.summary import summarise_run

CHROMIUM = next((path for path in map(Path, ("/usr/bin/chromium", "/usr/bin/chromium-browser")) if path.exists()), None)
FILTERS = {"All": 16, "Different": 7, "Failed": 8, "Cut off": 1, "Judge unsure": 1}

pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")]


@pytest.fixture(scope="module")
def browser():
    # Here and not above: the rest of the suite runs without the driver.
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox", "--disable-gpu"])
        yield found
        found.close()


@pytest.fixture
def page_file(busy, tmp_path):
    facts, cells, texts = busy
    summary = summarise_run(facts, cells)
    opened = {facts.id: attempts.openable(cells, facts.tasks, texts, attempts.choose(summary.items))}
    file = tmp_path / "report.html"
    file.write_text("".join(render(summary, opened, "owner")))
    return file


@pytest.fixture
def visit(browser, page_file):
    """Opens the page and hands back what it asked for and what it complained of."""
    contexts = []

    def go(width=1280, **options):
        context = browser.new_context(viewport={"width": width, "height": 900}, offline=True, **options)
        contexts.append(context)
        page = context.new_page()
        asked, said = [], []
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda fault: said.append(str(fault)))
        page.goto(page_file.as_uri())
        return page, asked, said

    yield go
    for context in contexts:
        context.close()


def test_it_asks_for_nothing_and_complains_of_nothing(visit, page_file):
    page, asked, said = visit()
    for item in page.locator("details.item > summary").all():
        item.click()
    assert asked == [page_file.as_uri()]
    assert said == []


@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_the_screen(visit, width, scheme):
    page, _, _ = visit(width, color_scheme=scheme)
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [1280, 400])
def test_what_is_said_of_judges_fits_the_screen(visit, disputed, page_file, width):
    facts, cells, texts = disputed
    summary = summarise_run(facts, cells)
    opened = {facts.id: attempts.openable(cells, facts.tasks, texts, attempts.choose(summary.items))}
    page_file.write_text("".join(render(summary, opened, "owner")))
    page, _, said = visit(width)
    page.get_by_role("button", name="Judge unsure", exact=True).click()
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert (page.locator(".item:visible").count(), said) == (10, [])


def test_both_models_stand_side_by_side(visit):
    page, _, _ = visit()
    page.locator("details.item > summary").first.click()
    boxes = [answers.bounding_box() for answers in page.locator("details[open] .answers").all()]
    assert len(boxes) == 2
    assert boxes[0]["y"] == boxes[1]["y"]
    assert all(box["x"] + box["width"] <= 1280 for box in boxes)


@pytest.mark.parametrize(("name", "count"), FILTERS.items())
def test_filters_show_what_they_say(visit, name, count):
    page, _, _ = visit()
    page.get_by_role("button", name=name, exact=True).click()
    assert page.locator(".item:visible").count() == count
    assert f"{count} of 16" in page.locator("output").inner_text()


def test_items_open_by_keyboard(visit):
    page, _, _ = visit()
    page.locator("details.item > summary").first.focus()
    page.keyboard.press("Enter")
    assert page.locator("details[open] .prompt").first.is_visible()


def test_it_is_whole_without_scripts(visit):
    page, _, _ = visit(java_script_enabled=False)
    assert not page.get_by_role("button").first.is_visible()
    page.locator("details.item > summary").first.click()
    assert page.get_by_text("What is sum-1?").is_visible()
    assert page.get_by_text("What this does not show").last.is_visible()


def test_a_rate_leads_to_what_it_means(visit):
    page, _, _ = visit()
    page.locator("a.number").first.click()
    aim = page.url.rpartition("#")[2]
    assert page.locator(f'[id="{aim}"]').get_by_text("8 items x 2 attempts").first.is_visible()


def test_a_snippet_is_copied_with_its_context_or_selected(visit):
    page, _, said = visit()
    page.get_by_text("Snippet to quote it").first.click()
    page.get_by_role("button", name="Copy snippet").first.click()
    page.locator(".means [role=status]:not(:empty)").first.wait_for()
    assert "not a general claim" in page.locator("[data-plain]").first.inner_text()
    assert said == []


def test_a_snippet_stands_there_without_scripts(visit):
    page, _, _ = visit(java_script_enabled=False)
    page.get_by_text("Snippet to quote it").first.click()
    assert page.locator("[data-plain]").first.is_visible()
    assert not page.get_by_role("button", name="Copy snippet").first.is_visible()


def test_a_link_opens_what_it_leads_to_although_a_filter_hides_it(visit):
    page, _, _ = visit()
    page.get_by_role("button", name="Cut off", exact=True).click()
    page.evaluate("location.hash = 'item--run-1--sum-1--beta'")
    page.locator('[id="item--run-1--sum-1--beta"]').wait_for()
    assert page.locator('[id="item--run-1--sum-1"]').evaluate("one => one.open")


def test_it_prints_on_white_without_what_only_a_screen_needs(visit):
    page, _, _ = visit(color_scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"
    assert not page.locator("nav").is_visible()
    assert page.get_by_text("What this does not show").last.is_visible()
