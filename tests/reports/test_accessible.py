"""Pages under an accessibility checker (axe) in a real browser; scripts/test installs it."""

import json
import os
from pathlib import Path

import pytest

from openassay.reports import attempts
from openassay.reports.html import render
from openassay.reports.summary import summarise_run

CHROMIUM = next((path for path in map(Path, ("/usr/bin/chromium", "/usr/bin/chromium-browser")) if path.exists()), None)
WANTED = json.loads((Path(__file__).parents[2] / "requirements/browser/package.json").read_text())
VERSION = WANTED["dependencies"]["axe-core"]
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "openassay-tests" / f"axe-{VERSION}"
CHECKER = CACHE / "node_modules" / "axe-core" / "axe.min.js"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
    pytest.mark.skipif(
        not CHECKER.is_file(), reason="the accessibility checker is not installed; scripts/test does it"
    ),
]

FINDINGS = """
axe.run(document, {resultTypes: ["violations"]}).then(found => found.violations
  .filter(one => ["serious", "critical"].includes(one.impact))
  .map(one => [one.id, one.help, one.nodes[0].html.slice(0, 200)]))
"""


def built(facts, cells, texts=None):
    summary = summarise_run(facts, cells)
    chosen = attempts.choose(summary.items)
    opened = {facts.id: attempts.openable(cells, facts.tasks, texts, chosen)} if texts else {}
    return "".join(render(summary, opened, "owner"))


def many(made):
    names = [f"model-{n}" for n in range(25)]
    tasks = [made.task(f"sum-{n}") for n in range(500)]
    cells = [
        made.cell(name, task.id, (n * 7919 + m * 104729) % 100 > 20 + 2 * m, cost=1000 * (m + 1))
        for n, task in enumerate(tasks)
        for m, name in enumerate(names)
    ]
    return made.facts(tasks, names), cells


@pytest.fixture
def file(request, made, tmp_path):
    """A page on disk, of the run that is named."""
    run = many(made) if request.param == "many" else request.getfixturevalue(request.param)
    (tmp_path / "report.html").write_text(built(*run))
    return tmp_path / "report.html"


@pytest.fixture(scope="module")
def browser():
    # Here and not above: the rest of the suite runs without the driver.
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox", "--disable-gpu"])
        yield found
        found.close()


@pytest.mark.parametrize(
    ("file", "width", "scheme"),
    [
        ("busy", 1280, "light"),
        ("busy", 1280, "dark"),
        ("busy", 400, "light"),
        ("disputed", 1280, "light"),
        ("many", 1280, "light"),
    ],
    indirect=["file"],
)
def test_nothing_serious_is_found(browser, file, width, scheme):
    context = browser.new_context(viewport={"width": width, "height": 900}, offline=True, color_scheme=scheme)
    page = context.new_page()
    page.set_default_timeout(120_000)
    page.goto(file.as_uri())
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    page.evaluate(CHECKER.read_text(encoding="utf-8"))
    found = page.evaluate(FINDINGS)
    context.close()
    assert found == []
