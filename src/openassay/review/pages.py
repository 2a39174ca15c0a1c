"""Requests and pages: what each address shows, and what each form does. Who may ask is `guard`, what is kept is `desk`.

Every form works by itself; scripts only turn single keys into presses of its buttons. A form always answers with a
redirect, so that reloading never decides anything again.
"""

from typing import Any, NamedTuple
from urllib.parse import quote, unquote

from aiohttp import web

from openassay.review import guard
from openassay.review.desk import LONGEST_NAME, LONGEST_NOTE, RESULTS, Choice, Desk, Last, stamp
from openassay.review.figures import figures
from openassay.review.render import Renderer
from openassay.review.sheet import criteria_of, sheet, whole
from openassay.review.shown import marked
from openassay.runs.review_queue import Item
from openassay.schema.errors import InputError, OpenAssayError

LARGEST_FORM = 128 * 1024
"""Bytes."""
SHORTEST = 160
"""Characters of a criterion in the strip."""


class Notice(NamedTuple):
    """A sentence above an item, and a note that was typed and not kept."""

    words: str
    note: str = ""
    result: str = ""


class Pages:
    """The handlers of one server."""

    def __init__(self, desk: Desk, keeper: guard.Guard, rater: str = "") -> None:
        self._desk = desk
        self._keeper = keeper
        self._rater = rater
        self._renderer = Renderer()

    def app(self) -> web.Application:
        app = web.Application(middlewares=[self._around], client_max_size=LARGEST_FORM)
        app.on_response_prepare.append(guard.dress)
        app.add_routes(
            [
                web.get("/", self.start),
                web.get("/rater", self.who),
                web.post("/rater", self.enter),
                web.get("/item/{item}", self.show),
                web.get("/item/{item}/{part}.txt", self.text),
                web.post("/decide", self.decide),
                web.post("/undo", self.undo),
                web.get("/end", self.end),
            ]
        )
        return app

    @web.middleware
    async def _around(self, request: web.Request, handler: guard.Handler) -> web.StreamResponse:
        """The guard before, and every fault as a page that quotes no text of an item."""
        try:
            if (answer := await self._keeper.check(request)) is None:
                return await handler(request)
            if self._rater:  # whoever opens the printed address is who the command line says
                guard.keep(answer, guard.rater_cookie(request), quote(self._rater))
            return answer  # noqa: TRY300 - the faults below are of all three
        except web.HTTPException as fault:
            if fault.status < 400:  # noqa: PLR2004 - a redirect
                raise
            return self._fault(fault.status, fault.text or fault.reason)
        except OpenAssayError as fault:
            return self._fault(500, fault.what, fault.todo)
        except Exception as fault:  # noqa: BLE001 - its text may quote a private item
            return self._fault(500, f"unexpected {type(fault).__name__}: a fault in OpenAssay itself")

    async def start(self, request: web.Request) -> web.StreamResponse:
        """The next item of this rater, or the end."""
        rater = self._name(request)
        if not rater:
            return await self.who(request)
        item = self._desk.next(rater)
        return self._item(item, rater) if item else await self.end(request)

    async def who(self, _request: web.Request) -> web.StreamResponse:
        return self._ask_name("")

    async def enter(self, request: web.Request) -> web.StreamResponse:
        """Take a rater's name."""
        try:
            name = self._desk.named(str((await request.post()).get("name", "")))
        except InputError as fault:
            return self._ask_name(fault.what, status=422)
        response = _to("/")
        guard.keep(response, guard.rater_cookie(request), quote(name))
        return response

    async def show(self, request: web.Request) -> web.StreamResponse:
        """Any item of the list, also to look again at what was decided."""
        rater = self._name(request)
        return self._item(self._wanted(request.match_info["item"]), rater) if rater else _to("/")

    async def text(self, request: web.Request) -> web.StreamResponse:
        """A whole text as a file."""
        part = request.match_info["part"]
        found = whole(self._desk.folder, self._wanted(request.match_info["item"]), part)
        if found is None:
            raise web.HTTPNotFound(text="there is no such text")
        return web.Response(
            body=found.encode("utf-8", "replace"),
            content_type="text/plain",
            charset="utf-8",
            headers={"Content-Disposition": f'attachment; filename="{part}.txt"'},
        )

    async def decide(self, request: web.Request) -> web.StreamResponse:
        """Keep what a form says, or show why it was not kept, with all that was typed."""
        form = {name: str(value) for name, value in (await request.post()).items()}
        choice = self._choice(form)
        item = self._desk.item(choice.item)
        if item is None:
            return self._gone(choice.note)
        if not self._desk.stands(item):
            return self._corrected(choice.note)
        if self._desk.decide(choice) != "differs":
            return _to("/")
        notice = Notice(
            "Not kept, because you decided this meanwhile in another tab. What stands is marked: press to change it.",
            choice.note,
            choice.result,
        )
        return self._item(item, choice.rater, notice, status=409)

    def _choice(self, form: dict[str, str]) -> Choice:
        result = form.get("result", "")
        if result not in RESULTS:
            raise web.HTTPBadRequest(text="the form says neither pass, fail, unsure nor challenge")
        note = form.get("note", "").replace("\r\n", "\n").strip()
        if len(note) > LONGEST_NOTE:
            raise web.HTTPBadRequest(
                text=f"the note has {len(note):,} letters; go back and keep it to {LONGEST_NOTE:,}"
            )
        rater = self._desk.named(form.get("rater", ""))
        return Choice(form.get("item", ""), rater, result, note, form.get("seen", ""))

    async def undo(self, request: web.Request) -> web.StreamResponse:
        """Take one decision back and show its item again."""
        form = {name: str(value) for name, value in (await request.post()).items()}
        item = self._desk.item(form.get("item", ""))
        if item is None:
            return self._gone("")
        rater = self._desk.named(form.get("rater", ""))
        if self._desk.undo(item.id, rater, form.get("seen", "")) == "differs":
            notice = Notice("Not undone, because you decided this again meanwhile. What stands is marked.")
            return self._item(item, rater, notice, status=409)
        return _to(f"/item/{item.id}")

    async def end(self, request: web.Request) -> web.StreamResponse:
        """What this rater decided; how far raters and judge agree, once this rater has decided all."""
        rater = self._name(request)
        if not rater:
            return _to("/")
        done = self._desk.done(rater) == self._desk.total
        return self._page(
            "end.html",
            rater=rater,
            last=self._strip(rater),
            decisions=[_row(one) for one in self._desk.decisions(rater)],
            figures=figures(self._desk.queue, self._desk.reviews) if done else None,
        )

    def _name(self, request: web.Request) -> str:
        """Who decides, from the cookie or the command line; empty where nobody said."""
        told = unquote(request.cookies.get(guard.rater_cookie(request), ""))
        try:
            return self._desk.named(told) if told else self._rater
        except InputError:
            return self._rater

    def _ask_name(self, wrong: str, status: int = 200) -> web.Response:
        known = [(name, self._desk.done(name)) for name in self._desk.reviews.raters]
        return self._page(
            "rater.html", status=status, known=known, wrong=wrong, longest=LONGEST_NAME, rater="", last=None
        )

    def _wanted(self, name: str) -> Item:
        if (item := self._desk.item(name)) is None:
            raise web.HTTPNotFound(text="this item is not on the list; the start page has the next one")
        return item

    def _item(self, item: Item, rater: str, notice: Notice | None = None, status: int = 200) -> web.Response:
        standing = item.review_of(self._desk.reviews, rater)
        return self._page(
            "item.html",
            status=status,
            rater=rater,
            sheet=sheet(self._desk.folder, item),
            standing=standing,
            seen=stamp(standing),
            notice=notice,
            note=notice.note if notice else standing.note if standing else "",
            last=self._strip(rater),
            longest=LONGEST_NOTE,
        )

    def _strip(self, rater: str) -> dict[str, Any] | None:
        """The last decision, and what was said before it by others than people."""
        last = self._desk.last(rater)
        if last is None:
            return None
        verdict = last.item.verdict
        return {
            **_row(last),
            "seen": stamp(last.review),
            "by": "judge" if verdict.by == "judge" else "script",
            "asked": verdict.by != "human",
            "verdict": verdict.result,
            "reason": marked(verdict.reason[:1000]),
        }

    def _gone(self, note: str) -> web.Response:
        words = "this item is not on the list any more, so nothing was kept"
        return self._fault(409, words, "go on with the next one" + (f"; your note was: {note}" if note else ""))

    def _corrected(self, note: str) -> web.Response:
        words = "this check was corrected while the page was open, so nothing was kept"
        todo = "end `openassay review` in the terminal and start it again, to see the check as it is now"
        return self._fault(409, words, todo + (f"; your note was: {note}" if note else ""))

    def _fault(self, status: int, what: str, todo: str = "") -> web.Response:
        return self._page("fault.html", status=status, what=what, todo=todo, rater="", last=None)

    def _page(self, template: str, *, rater: str, status: int = 200, **values: Any) -> web.Response:
        refused = status == 403  # noqa: PLR2004 - whoever was refused learns nothing
        frame = {
            "form": "" if refused else self._keeper.form_token,
            "title": "" if refused else self._desk.folder.info.title,
            "total": self._desk.total,
            "done": self._desk.done(rater) if rater else 0,
            "rater": rater,
        }
        return self._renderer.page(template, status, {**frame, **values})


def _row(one: Last) -> dict[str, Any]:
    words = " ".join(criteria_of(one.item.check))
    short = words if len(words) <= SHORTEST else words[: SHORTEST - 1] + "…"
    return {"id": one.item.id, "result": one.review.result, "note": one.review.note, "criterion": short}


def _to(place: str) -> web.Response:
    return web.Response(status=303, headers={"Location": place})
