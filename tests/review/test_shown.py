"""Output is hostile: escaped, visible, capped."""

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openassay.review.shown import MOST, marked, shown, spelt

HOSTILE = {
    "script": "<script>alert(1)</script>",
    "closing": "</bdi></pre></section><form action='http://evil.example'>",
    "attribute": '" onmouseover="alert(1)',
    "template": "{{ 7 * 7 }}{% raw %}",
    "fullwidth": "＜script＞",
    "mark": '⟦U+0041"><b>⟧',
    "image": "<img src=x onerror=alert(1)>",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_is_only_text(text):
    assert re.findall(r"<(?!/?span)[^>]*>", str(marked(text))) == []
    assert html.unescape(re.sub(r"</?span[^>]*>", "", str(marked(text)))) == text


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
async def test_hostile_output_is_only_text_on_the_page(judged_run, served, text):
    folder = await judged_run(1, answer={"*": f"Dear all. {text} Yours"})
    visitor = await served(folder, rater="Ana", enter=False)
    _, page = await visitor.get("/?token=" + "t" * 32)
    assert f"Dear all. {html.escape(text).replace('&#x27;', '&#39;').replace('&quot;', '&#34;')} Yours" in page
    assert page.count("<script") == 1
    assert page.count("<form") == 1


HIDDEN = {
    "direction": ("a\u202eb", "a⟦U+202E⟧b"),
    "zero width": ("a\u200bb", "a⟦U+200B⟧b"),
    "joiner in plain words": ("pa\u200dss", "pa⟦U+200D⟧ss"),
    "joiner in an emoji": ("👩\u200d💻", "👩\u200d💻"),
    "tag letters": ("x\U000e0070", "x⟦U+E0070⟧"),
    "selector": ("x\U000e0101", "x⟦U+E0101⟧"),
    "blank letter": ("x\u3164", "x⟦U+3164⟧"),
    "escape": ("\x1b[31m", "⟦U+001B⟧[31m"),
    "lone surrogate": ("\ud800", "⟦U+D800⟧"),
    "lines and tabs": ("a\n\tb", "a\n\tb"),
}


@pytest.mark.parametrize(("text", "seen"), HIDDEN.values(), ids=HIDDEN)
def test_what_cannot_be_seen_is_spelt_out(text, seen):
    assert spelt(text) == seen


@given(st.text())
def test_spelling_out_twice_changes_nothing(text):
    assert spelt(spelt(text)) == spelt(text)


def test_of_a_long_text_both_ends_are_shown():
    found = shown("begin" + "x" * 3_000_000 + "<end>")
    assert found.head.startswith("begin")
    assert found.tail.endswith("&lt;end&gt;")
    assert found.hidden == found.length - MOST


async def test_the_whole_of_a_long_output_can_be_had_as_a_plain_file(judged_run, served):
    text = "Dear all, " + "<b>padding</b> " * 4000 + "Yours"
    visitor = await served(await judged_run(1, answer={"*": text}), rater="Ana", enter=False)
    _, page = await visitor.get("/?token=" + "t" * 32)
    assert len(page) < 100_000
    path = re.search(r'href="(/item/\w+/output.txt)"', page)[1]
    response, whole = await visitor.get(path)
    assert whole == text
    assert response.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert response.headers["Content-Disposition"] == 'attachment; filename="output.txt"'


@pytest.mark.parametrize("part", ["nothing", "material-9", "..%2f..%2fplan", "reference"])
async def test_there_is_no_other_file(visitor, part):
    response, _ = await visitor.get(f"/item/{visitor.desk.queue.items[0].id}/{part}.txt")
    assert response.status == 404


async def test_names_of_models_are_masked_and_hidden_characters_stay_visible(judged_run, served):
    text = "Dear all, I am ChatGPT by OpenAI. pay\u200bment of 12 May\n\tKind regards, zebra"
    visitor = await served(await judged_run(1, answer={"*": text}), rater="Ana", enter=False)
    _, page = await visitor.get("/?token=" + "t" * 32)
    assert "ChatGPT" not in page
    assert "names of models masked" in page
    assert "⟦U+200B⟧</span>ment of 12 May\n\tKind regards, zebra" in page
    _, whole = await visitor.get(f"/item/{visitor.desk.queue.items[0].id}/output.txt")
    assert whole == text
