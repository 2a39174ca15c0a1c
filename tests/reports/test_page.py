"""The page as a whole: what its links point to, how it is outlined, and what a big run comes to."""

from html.parser import HTMLParser

import pytest

from openassay.reports import attempts
from openassay.reports.html import render
from openassay.reports.summary import combine, summarise_run


def many(made, models=25, items=500, texts=False):
    """(summary, opened) of a run with many models, one attempt an item."""
    names = [f"model-{n}" for n in range(models)]
    tasks = [made.task(f"sum-{n}", group=f"case {n % 40}") for n in range(items)]
    facts = made.facts(tasks, names)
    cells = [
        made.cell(name, task.id, (n * 7919 + m * 104729) % 100 > 20 + 2 * m, cost=1000 * (m + 1))
        for n, task in enumerate(tasks)
        for m, name in enumerate(names)
    ]
    summary = summarise_run(facts, cells)
    chosen = attempts.choose(summary.items)
    opened = {facts.id: attempts.openable(cells, facts.tasks, made.said(tasks), chosen)} if texts else {}
    return summary, opened


class Outline(HTMLParser):
    """What a page links to, what it names and how it is headed."""

    def __init__(self, html):
        super().__init__()
        self.links, self.ids, self.heads, self.bare = [], [], [], []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        if "id" in found:
            self.ids.append(found["id"])
        if tag == "a":
            self.links.append(found["href"])
        if tag in {"h1", "h2", "h3", "h4", "h5"}:
            self.heads.append(int(tag[1]))
        if tag == "th" and "scope" not in found:
            self.bare.append(self.getpos())


@pytest.fixture(scope="module", params=["few", "two runs", "many", "many with texts"])
def outline(request, made, busy):
    if request.param.startswith("many"):
        summary, opened = many(made, 8, 40, texts="texts" in request.param)
    else:
        facts, cells, texts = busy
        summary = summarise_run(facts, cells)
        chosen = attempts.choose(summary.items)
        opened = {facts.id: attempts.openable(cells, facts.tasks, texts, chosen)}
        if request.param == "two runs":
            other = facts.__class__(**{**vars(facts), "id": "run-2"})
            summary = combine([summary, summarise_run(other, cells)])
    return Outline("".join(render(summary, opened, "owner")))


def test_every_link_leads_somewhere_on_the_page(outline):
    assert {link for link in outline.links if link.removeprefix("#") not in outline.ids} == set()


def test_no_two_places_share_a_name(outline):
    assert len(outline.ids) == len(set(outline.ids))


def test_headings_go_down_one_level_at_a_time(outline):
    assert outline.heads[0] == 1
    assert all(then - first <= 1 for first, then in zip(outline.heads, outline.heads[1:], strict=False))


def test_every_head_of_a_table_says_what_it_heads(outline):
    assert outline.bare == []


def test_every_rate_leads_to_what_it_means(made):
    summary, _ = many(made, 3, 12)
    found = Outline("".join(render(summary, {}, "owner")))
    places = [f"result--run-1--sums--{model}" for model in ("model-0", "model-1", "model-2")]
    assert all(f"#{place}" in found.links and place in found.ids for place in places)


def test_cells_of_many_models_lead_to_their_answers(made):
    summary, opened = many(made, 8, 40, texts=True)
    found = Outline("".join(render(summary, opened, "owner")))
    assert "#item--run-1--sum-7--model-3" in found.links
    assert "item--run-1--sum-7--model-3" in found.ids


@pytest.mark.slow
def test_a_page_of_25_models_and_500_items_stays_small(made):
    html = "".join(render(many(made)[0], {}, "owner"))
    assert html.count('<tr class="item"') == 500
    assert len(html.encode()) < 2_000_000


def test_a_page_without_texts_says_so_and_holds_none(busy):
    facts, cells, _ = busy
    html = "".join(render(summarise_run(facts, cells), {}, "owner"))
    assert "made without the texts of items and answers" in html
    assert not any(
        text in html for text in ("What is sum-1?", "took &#39;41&#39;", "A letter of some length", "[reply]")
    )
