"""Who may use the page, and what a browser may do with it.

It listens on loopback, where every program and every website that the browser shows can still send requests. So: a
random token that only the printed address holds, kept in a cookie that no other site's request carries; a check of the
host name against DNS rebinding; a second token in every form; and headers under which nothing foreign loads, frames,
stores or runs. Nothing of any text is logged.
"""

import hashlib
import hmac
import secrets
from collections.abc import Awaitable, Callable

from aiohttp import web

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

NAMES = ("127.0.0.1", "localhost")
TOKEN = "token"  # noqa: S105 - the name of a field
POLICY = "Content-Security-Policy"
HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    # `no-referrer` would also blank the Origin of our own forms, which is checked.
    "Referrer-Policy": "same-origin",
    "Server": "OpenAssay",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class Guard:
    """The tokens of one server."""

    def __init__(self, token: str = "") -> None:
        self.token = token or secrets.token_urlsafe(24)
        self.form_token = hmac.new(self.token.encode(), b"form", hashlib.sha256).hexdigest()

    def address(self, port: int) -> str:
        """What is opened in a browser."""
        return f"http://127.0.0.1:{port}/?{TOKEN}={self.token}"

    async def check(self, request: web.Request) -> web.StreamResponse | None:
        """Let a request through (None), answer it, or refuse it.

        Raises:
            HTTPForbidden: by which rule.
        """
        port = _port(request)
        if request.host not in {f"{name}:{port}" for name in NAMES}:
            raise web.HTTPForbidden(text="this page is served to this machine alone, under its own name")
        if (given := request.query.get(TOKEN)) is not None and request.path == "/":
            return self._enter(given, port)
        if not _same(request.cookies.get(cookie(TOKEN, port), ""), self.token):
            raise web.HTTPForbidden(text="open the address that `openassay review` printed: it lets you in")
        if request.method == "POST":
            await self._check_form(request)
        return None

    def _enter(self, given: str, port: int) -> web.StreamResponse:
        if not _same(given, self.token):
            raise web.HTTPForbidden(text="this address is of an earlier start: open the one printed last")
        response = web.Response(status=303, headers={"Location": "/"})
        keep(response, cookie(TOKEN, port), self.token)
        return response

    async def _check_form(self, request: web.Request) -> None:
        origin = request.headers.get("Origin")
        if origin is not None and origin != f"http://{request.host}":
            raise web.HTTPForbidden(text="the form came from another site")
        if request.headers.get("Sec-Fetch-Site", "none") not in ("same-origin", "none"):
            raise web.HTTPForbidden(text="the form came from another site")
        if not _same(str((await request.post()).get("form", "")), self.form_token):
            raise web.HTTPForbidden(text="the form is of an earlier start: go back, reload, and decide again")


def cookie(name: str, port: int) -> str:
    """Cookies do not tell ports apart, so their names do."""
    return f"openassay-review-{name}-{port}"


def keep(response: web.StreamResponse, name: str, value: str) -> None:
    """Set a cookie for this browser session that scripts cannot read and other sites cannot send."""
    response.set_cookie(name, value, httponly=True, samesite="Strict", path="/")


def rater_cookie(request: web.Request) -> str:
    return cookie("rater", _port(request))


def policy(nonce: str = "") -> str:
    """Content security policy: nothing is loaded, and only what carries the nonce may style and run."""
    inline = f"'nonce-{nonce}'" if nonce else "'none'"
    return (
        f"default-src 'none'; style-src {inline}; script-src {inline}; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'"
    )


async def dress(_request: web.Request, response: web.StreamResponse) -> None:
    """Set the headers of every response."""
    response.headers.update(HEADERS)
    response.headers.setdefault(POLICY, policy())


def _port(request: web.Request) -> int:
    place = request.transport.get_extra_info("sockname") if request.transport else None
    return int(place[1]) if place else 0


def _same(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), wanted.encode())
