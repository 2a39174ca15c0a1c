import re
from html.parser import HTMLParser

import pytest

from openassay.reports import meaning
from openassay.reports.summary import summarise_run


def of(made, *, passed=(True, False), attempts=1, cells=None, **info):
    tasks = [made.task(f"sum-{n}") for n in range(12)]
    facts = made.facts(tasks, ("alpha",), attempts=attempts, **info)
    done = [
        made.cell("alpha", task.id, passed[n % len(passed)], attempt=k)
        for n, task in enumerate(tasks)
        for k in range(attempts)
    ][:cells]
    summary = summarise_run(facts, done)
    return summary.runs[0], summary.results[0]


CONTEXT = [
    "alpha: alpha-7b-2026 via openai",
    "50 %, 95 % interval",
    "12 items x 2 attempts",
    "12 of 24 attempts passed",
    "24 scored of 24 planned",
    "What our desk needs, desk 1-A, digest 000000000000",
    "The desk",
    "funding: none",
    "max_tokens 48",
    "run-1 of 2026-11-30",
    "OpenAssay 0.1.0",
    meaning.CAUTION,
]


@pytest.mark.parametrize("words", CONTEXT)
@pytest.mark.parametrize("form", ["text", "html"])
def test_a_snippet_carries_all_that_the_number_rests_on(made, form, words):
    assert words in getattr(meaning.meaning(*of(made, attempts=2)), form)


def test_a_result_that_is_none_says_so_and_gives_no_rate(made):
    found = meaning.meaning(*of(made, cells=5))
    assert "none: 5 scored of 12 planned" in found.text
    assert not re.search(r"\d %", found.text)


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script>", "</td></table><h1>Best!</h1>", "--><b>", "\u202egnp\x1b[31m"]
)
def test_hostile_words_do_not_get_out_of_the_snippet(made, text):
    plain, hostile = (meaning.meaning(*of(made, title=words, developers=words, funding=words)) for words in ("x", text))
    assert Tags.of(plain.html) == Tags.of(hostile.html)
    assert not re.search("[\x00\x1b\u202e]", hostile.html + hostile.text)


class Tags(HTMLParser):
    @classmethod
    def of(cls, html):
        parser = cls()
        parser.found = []
        parser.feed(html)
        return parser.found

    def handle_starttag(self, tag, attrs):
        self.found.append(tag)
