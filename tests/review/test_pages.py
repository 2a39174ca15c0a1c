"""The page without scripts: what it shows before and after a decision, and what becomes of stale forms."""

import asyncio
import logging

import pytest

from openassay.review.sheet import criteria_of
from openassay.runs import rescore
from openassay.runs.observer import Silent
from openassay.runs.reviews import read_reviews
from openassay.schema.task import Check
from openassay.tasks.load import load

MODELS = ("zebra-9b", "heron-2b")


async def as_ana(visitor):
    await visitor.post("/rater", {"form": visitor.token, "name": " Ana "})
    return await visitor.get("/")


async def test_it_asks_who_decides_and_goes_on(visitor):
    _, page = await as_ana(visitor)
    assert "You are <b><bdi>Ana</bdi></b>" in page
    assert "0 of 8" in page


async def test_before_a_decision_it_tells_nothing_of_model_and_judge(visitor):
    pages = [(await as_ana(visitor))[1]]
    pages += [(await visitor.get(f"/item/{item.id}"))[1] for item in visitor.desk.queue.items]
    for page in pages:
        assert not [word for word in (*MODELS, "owl-judge", "it says &#39;Dear", "it says 'Dear") if word in page]
        assert "had said" not in page


async def test_after_a_decision_it_tells_what_the_judge_had_said(visitor):
    item = next(one for one in visitor.desk.queue.items if one.check.by == "judge")
    _, page = await visitor.post("/decide", visitor.form(item=item.id, rater="ana", result="fail"))
    await as_ana(visitor)
    _, page = await visitor.get("/")
    assert f"The judge had said <b>{item.verdict.result}</b>" in page or "had not decided" in page
    assert not [name for name in MODELS if name in page]


async def test_it_shows_task_output_and_criterion(visitor):
    _, page = await as_ana(visitor)
    assert "confirm the letter of 12 May" in page
    assert "Dear Ms Okafor" in page
    assert "A colleague would send it as it is." in page  # hard and for people: first on the list
    assert "the whole answer fails" in page


async def test_a_decision_is_kept_at_once_and_the_next_item_comes(visitor):
    first = visitor.desk.next("ana").id
    response, _ = await visitor.post("/decide", visitor.form(note="it names the date"))
    assert response.history[0].status == 303
    (kept,) = read_reviews(visitor.desk.folder)
    assert (kept.result, kept.note, kept.rater) == ("pass", "it names the date", "ana")
    assert visitor.desk.next("ana").id != first


async def test_a_form_sent_twice_decides_once(visitor):
    form = visitor.form()
    for _ in range(3):
        response, _ = await visitor.post("/decide", form)
        assert response.status == 200
    assert visitor.desk.done("ana") == 1


async def test_a_form_from_another_tab_overwrites_nothing_and_loses_nothing(visitor):
    form = visitor.form()
    await visitor.post("/decide", form)
    response, page = await visitor.post("/decide", {**form, "result": "fail", "note": "but the name <is> wrong"})
    assert response.status == 409
    assert "but the name &lt;is&gt; wrong</textarea>" in page
    assert "You had now pressed <b>fail</b>" in page
    (kept,) = visitor.desk.reviews
    assert kept.result == "pass"
    seen = page.split('action="/decide"')[1].split('name="seen" value="')[1].split('"')[0]
    await visitor.post("/decide", {**form, "result": "fail", "seen": seen})
    assert [one.result for one in visitor.desk.reviews] == ["fail"]


async def test_undo_takes_back_and_shows_the_item_again(visitor):
    form = visitor.form()
    await visitor.post("/rater", {"form": visitor.token, "name": "ana"})
    _, page = await visitor.post("/decide", form)
    seen = page.split('action="/undo"')[1].split('name="seen" value="')[1].split('"')[0]
    undo = {**form, "seen": seen}
    response, _ = await visitor.post("/undo", undo)
    assert response.url.path == f"/item/{form['item']}"
    assert len(visitor.desk.reviews) == 0
    response, _ = await visitor.post("/undo", undo)  # twice
    assert response.status == 200


async def test_an_old_undo_does_not_take_back_a_new_decision(visitor):
    form = visitor.form()
    await visitor.post("/decide", form)
    response, _ = await visitor.post("/undo", {**form, "seen": "of-before"})
    assert response.status == 409
    assert len(visitor.desk.reviews) == 1


async def test_a_check_corrected_meanwhile_is_not_decided_in_its_old_words(judged_run, served, tmp_path):
    folder = await judged_run(judge=False)
    visitor = await served(folder)
    tasks = tmp_path / "bench" / "tasks" / "letters" / "a.items.jsonl"
    tasks.write_text(tasks.read_text().replace("would send it", "would sign it"))
    end = await rescore.score(folder, observer=Silent(), stop=asyncio.Event(), benchmark=load(tmp_path / "bench"))
    told = {}
    for item in visitor.desk.queue.items:
        response, page = await visitor.post("/decide", visitor.form(item=item.id, note="a word"), allow_redirects=False)
        told[item.check.id] = (response.status, "corrected while the page was open" in page and "a word" in page)
    assert (end.state, told) == ("complete", {"send": (409, True), "tone": (303, False)})
    assert {review.check for review in visitor.desk.reviews} == {"tone"}


async def test_a_form_about_an_item_that_is_gone_keeps_the_note_on_the_page(visitor):
    response, page = await visitor.post("/decide", visitor.form(item="gone", note="the date is wrong"))
    assert response.status == 409
    assert "the date is wrong" in page


BAD = {
    "another word": {"result": "maybe"},
    "no word": {"result": ""},
    "a long note": {"note": "x" * 4001},
    "no rater": {"rater": " \u200b "},
    "a long rater": {"rater": "x" * 61},
}


@pytest.mark.parametrize("fields", BAD.values(), ids=BAD)
async def test_a_broken_form_is_refused_in_words(visitor, fields):
    response, page = await visitor.post("/decide", visitor.form(**fields))
    assert response.status in (400, 500)
    assert "Not done" in page
    assert len(visitor.desk.reviews) == 0


async def test_one_person_is_not_two_because_of_a_capital_letter(visitor):
    await visitor.post("/decide", visitor.form())
    await visitor.post("/decide", {**visitor.form("ana"), "rater": "ANA  "})
    assert visitor.desk.reviews.raters == ("ana",)


async def test_each_form_counts_for_the_rater_whose_page_it_was(visitor):
    await visitor.post("/rater", {"form": visitor.token, "name": "ben"})
    await visitor.post("/decide", visitor.form("ana"))
    assert (visitor.desk.done("ana"), visitor.desk.done("ben")) == (1, 0)


async def test_the_end_shows_agreement_only_to_those_who_decided_all(visitor):
    for name, results in {"ana": ["pass"] * 8, "ben": ["pass"] * 6 + ["fail"] * 2}.items():
        for result in results:
            await visitor.post("/decide", visitor.form(name, result=result))
    await visitor.post("/rater", {"form": visitor.token, "name": "cem"})
    _, page = await visitor.get("/end")
    assert "Krippendorff" not in page
    await visitor.post("/rater", {"form": visitor.token, "name": "ben"})
    _, page = await visitor.get("/")
    assert "All 8 decided" in page
    assert "<strong>75 %</strong>" in page
    assert "Krippendorff" in page
    assert "Judge with people" in page


async def test_a_named_rater_is_not_asked(judged_run, served):
    visitor = await served(await judged_run(), rater="Ana", enter=False)
    _, page = await visitor.get("/?token=" + "t" * 32)
    assert "You are <b><bdi>Ana</bdi></b>" in page


async def test_the_command_line_names_the_rater_over_an_older_cookie(judged_run, served):
    visitor = await served(await judged_run(), rater="Ana", enter=False)
    _, page = await visitor.get("/?token=" + "t" * 32)
    form = page.split('name="form" value="')[1].split('"')[0]
    await visitor.post("/rater", {"form": form, "name": "Ben"})
    assert "<bdi>Ben</bdi></b>" in (await visitor.get("/"))[1]
    assert "<bdi>Ana</bdi></b>" in (await visitor.get("/?token=" + "t" * 32))[1]


async def test_an_empty_list_says_so(judged_run, served):
    visitor = await served(
        await judged_run(checks=[{"id": "a", "uses": "regex", "options": {"pattern": "Dear"}}]),
        rater="Ana",
        enter=False,
    )
    _, page = await visitor.get("/?token=" + "t" * 32)
    assert "Nothing waits for people" in page


CRITERIA = {
    "text": (Check(id="a", text="is kind", by="human"), ["is kind"]),
    "rubric": (Check(id="a", uses="rubric", by="judge", reference="is kind"), ["is kind"]),
    "rubric with text": (
        Check(id="a", uses="rubric", by="judge", text="tone", reference="is kind"),
        ["tone", "is kind"],
    ),
    "same twice": (Check(id="a", uses="rubric", by="judge", text="is kind", reference="is kind"), ["is kind"]),
    "list": (Check(id="a", uses="rubric", by="judge", reference=["is kind", "is short"]), ["is kind", "is short"]),
    "a script's reference is no criterion": (Check(id="a", uses="exact", reference="42"), ["a"]),
}


@pytest.mark.parametrize(("check", "words"), CRITERIA.values(), ids=CRITERIA)
def test_what_is_shown_as_criterion(check, words):
    assert list(criteria_of(check)) == words


async def test_nothing_of_any_text_is_logged(visitor, caplog):
    caplog.set_level(logging.DEBUG)
    await visitor.post("/decide", visitor.form(note="a private note"))
    await visitor.post("/decide", visitor.form(item="gone", note="a private note"))
    said = "\n".join(record.getMessage() for record in caplog.records)
    assert "private" not in said
    assert "Okafor" not in said
