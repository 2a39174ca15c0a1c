import base64
import hashlib
import re
from html.parser import HTMLParser

import pytest

from openassay.reports import attempts
from openassay.reports.html import render
from openassay.reports.summary import combine, summarise_run


def page(facts, cells, texts=None, audience="owner"):
    summary = summarise_run(facts, cells)
    chosen = attempts.choose(summary.items)
    opened = {facts.id: attempts.openable(cells, facts.tasks, texts, chosen)} if texts else {}
    return "".join(render(summary, opened, audience))


def content(element, html):
    return re.search(rf"<{element}>(.*?)</{element}>", html, re.DOTALL).group(1)


def test_the_page_has_every_section(busy):
    html = page(*busy)
    for title in (
        "Results",
        "Item by item",
        "What this does not show",
        "What this is",
        "How it was run",
        "Track writing",
    ):
        assert title in html
    for fact in ("64 scored of 64 planned", "The desk", "Our own letters", "none stated", "Nothing beyond the desk."):
        assert fact in html


def test_each_attempt_opens_down_to_prompt_answer_and_verdict(busy):
    html = page(*busy)
    assert html.count('<article class="attempt">') == 64
    for text in (
        "What is sum-1?",
        "took &#39;41&#39;, expected &#39;42&#39;",
        "exact/1",
        "3 tries",
        "Is it right?",
        "[reply]",
    ):
        assert text in html


def test_nothing_is_loaded_and_only_our_own_style_and_script_may_run(busy):
    html = page(*busy)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html).group(1).replace("&#39;", "'")
    assert policy.startswith("default-src 'none'")
    for element in ("style", "script"):
        digest = base64.b64encode(hashlib.sha256(content(element, html).encode()).digest()).decode()
        assert f"{element}-src 'sha256-{digest}'" in policy
    assert not re.search(r"""https?://|src=|url\(|@import|style="|\son\w+=""", html)


HOSTILE = [
    "<script>alert(1)</script>",
    "</pre></details></main><h1>All passed</h1>",
    "<img src=x onerror=alert(1)>",
    "{{ 7 * 7 }}{% raw %}",
    "\u202egnp.exe \u2066 \x00\x1b[31m\r",
    "</script><!--",
    "]]>&amp;&lt;",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_changes_nothing_but_itself(made, text):
    shape = [_shape(made, some) for some in ("plain", text)]
    assert shape[0] == shape[1]


def _shape(made, text):
    """The tags of a page in which every text is this one."""
    task = made.task("sum-1", instruction=text, group=text)
    task = task.model_copy(
        update={"checks": tuple(c.model_copy(update={"text": text, "reference": text}) for c in task.checks)}
    )
    facts = made.facts([task], ("alpha",), title=text, developers=text, purpose=text, funding=text, scope=text)
    cell = made.cell(
        "alpha",
        "sum-1",
        True,
        answer=text,
        detail=text,
        reason=text,
        took=text,
        who=text,
        model_reported=text,
        object="0" * 64,
    )
    html = page(facts, [cell], made.said([task], exchange=text))
    assert not re.search("[\x00\x1b\u202e\u2066]", html)
    return _Tags.of(html)


class _Tags(HTMLParser):
    @classmethod
    def of(cls, html):
        parser = cls(convert_charrefs=True)
        parser.found = []
        parser.feed(html)
        return parser.found

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, tuple(name for name, _ in attrs)))

    def handle_endtag(self, tag):
        self.found.append(f"/{tag}")


def test_an_endless_line_is_cut_and_says_so(made):
    task = made.task("sum-1")
    cell = made.cell("alpha", "sum-1", True, answer="x" * 1_000_000)
    html = page(made.facts([task], ("alpha",)), [cell], made.said([task]))
    assert "980,000 more characters are not shown" in html
    assert len(html) < 100_000


def canaries(made):
    """A run whose every text field holds the same bird."""
    bird = "kingfisher"
    task = made.task("sum-1", instruction=bird, group=bird, solution=bird)
    checks = tuple(c.model_copy(update={"text": bird, "reference": bird, "uses": bird}) for c in task.checks)
    origin = task.origin.model_copy(update={"author": bird, "source": bird})
    task = task.model_copy(update={"checks": checks, "origin": origin})
    cell = made.cell(
        "alpha", "sum-1", True, answer=bird, detail=bird, reason=bird, took=bird, who=bird, object="0" * 64
    )
    return task, cell, made.said([task], exchange=bird)


@pytest.mark.parametrize(("visibility", "audience", "seen"), [("private", "owner", True), ("public", "public", True)])
def test_texts_are_there_for_those_who_may_read_them(made, visibility, audience, seen):
    task, cell, texts = canaries(made)
    html = page(made.facts([task], ("alpha",), visibility=visibility), [cell], texts, audience)
    assert ("kingfisher" in html) is seen


@pytest.mark.parametrize("visibility", ["private", "confidential"])
def test_no_text_of_a_closed_item_reaches_the_public_page(made, visibility):
    task, cell, _ = canaries(made)
    html = page(made.facts([task], ("alpha",), visibility=visibility), [cell], None, "public")
    assert "kingfisher" not in html
    assert "are left out" in html


def test_what_does_not_fit_is_said(busy):
    facts, cells, texts = busy
    summary = summarise_run(facts, cells)
    chosen = attempts.choose(summary.items, most=12)
    assert {item.category for item in summary.items if item.task in chosen} == {"sums", "letters", "essays"}
    html = "".join(render(summary, {"run-1": attempts.openable(cells, facts.tasks, texts, chosen)}, "owner"))
    assert "3 items of 16 can be opened here" in html


def test_an_incomplete_run_has_a_warning_and_no_rate(busy):
    facts, cells, texts = busy
    html = page(facts, cells[:1], texts)
    assert "No result yet." in html
    assert "<strong>100" not in html


def test_several_runs_stand_on_one_page(busy, made):
    facts, cells, _ = busy
    one = summarise_run(facts, cells)
    html = "".join(render(combine([one, one]), {}, "owner"))
    assert html.count("Item by item</h2>") == 2
    assert html.count('id="results"') == 1
    assert html.count("What this does not show</h2>") == 1


JUDGED = [
    "asked second",
    "37 of 40",
    "own lineage",
    "Disputes, and who decided them",
    "only the second",
    "disputed: a canary item or the nonce was missed",
    "missed a canary item or the nonce",
    "the reason quotes nothing of the output</span>",
    "3 more verdicts on this check, kept beside",
    '<span class="chip idle">decides</span>',
]


@pytest.mark.parametrize("words", JUDGED)
def test_the_page_says_what_became_of_judged_checks(disputed, words):
    assert words in page(*disputed)


def test_all_verdicts_of_all_judges_and_scorings_stand_on_an_items_page(made):
    task = made.essay("essay-1")
    old = made.judged("beta", task, ("old", True, ("pass", "pass"))).scoring
    cell = made.judged(
        "beta",
        task,
        ("kin", True, ("pass", "fail")),
        ("stranger", True, ("pass", "bare")),
        number=1,
        earlier=(old,),
        counts=False,
    )
    html = page(made.facts([task], ("beta",), judges=(made.judge("kin"),)), [cell], made.said([task]))
    assert [html.count(f"by judge <bdi>{name} ") for name in ("kin", "stranger", "old")] == [2, 2, 2]
    assert html.count(">not counted</span>") == 1
    assert "Verdicts of the scoring during the run" in html


@pytest.mark.parametrize(
    ("views", "unsure"),
    [
        ([("kin", True, ("pass", "pass"))], False),
        ([("kin", True, ("pass", "fail"))], True),
        ([("kin", True, ("missed", "pass")), ("stranger", True, ("pass", "pass"))], True),
        ([("kin", False, ("pass", "pass")), ("stranger", True, ("pass", "pass"))], True),
    ],
)
def test_the_filter_for_unsure_judges_finds_what_was_disputed(made, views, unsure):
    task = made.essay("essay-1")
    html = page(made.facts([task], ("beta",), judges=(made.judge("kin"),)), [made.judged("beta", task, *views)])
    assert ("unsure" in re.search(r'data-flags="([^"]*)"', html).group(1).split()) is unsure


def test_a_draw_for_the_audit_makes_no_judge_unsure(made):
    task = made.essay("essay-1")
    cell = made.judged("beta", task, ("kin", True, ("pass", "pass")), marks=("audit",))
    html = page(made.facts([task], ("beta",), judges=(made.judge("kin"),)), [cell])
    assert "judge unsure" not in html


def test_a_hostile_reason_or_judge_changes_nothing_but_itself(made):
    shapes = []
    for text in ("plain", *HOSTILE):
        task = made.essay("essay-1")
        cell = made.judged("beta", task, ("kin", True, ("pass", "fail")))
        verdicts = tuple(
            one.model_copy(update={"reason": text, "flags": (text,), "who": text if one.who == "nobody" else one.who})
            for one in cell.scoring.verdicts
        )
        cell = cell._replace(scoring=cell.scoring.model_copy(update={"verdicts": verdicts}))
        facts = made.facts([task], ("beta",), judges=(made.judge("kin"),))
        shapes.append(_Tags.of(page(facts, [cell], made.said([task]))))
    assert all(one == shapes[0] for one in shapes)


def test_a_judges_prompt_stands_once_for_all_checks_and_never_hides_its_reply(made):
    task = made.essay("essay-1")
    other = task.checks[0].model_copy(update={"id": "kind"})
    task = task.model_copy(update={"checks": (*task.checks, other)})
    cell = made.judged("beta", made.essay("essay-1"), ("kin", True, ("pass",)))
    (verdict,) = cell.scoring.verdicts
    both = (verdict, verdict.model_copy(update={"check": "kind"}))
    cell = cell._replace(scoring=cell.scoring.model_copy(update={"verdicts": both}))
    texts = made.said([task], exchange="[user]\n" + "long " * 10_000 + "\n\n[reply]\nthe verdict")
    html = page(made.facts([task], ("beta",), judges=(made.judge("kin"),)), [cell], texts)
    assert html.count("What the judge was asked and replied") == 1
    assert "[... the rest of the prompt is left out ...]\n\n[reply]\nthe verdict" in html
