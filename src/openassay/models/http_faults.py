"""Tell apart what an endpoint did: HTTP status, headers and body, or a broken connection, to one `EndpointError`.

Every message quotes the server's own sentence, capped and without keys. Not here: what follows from a fault (`faults`).
"""

import asyncio
import json
import os
import re
import ssl
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import aiohttp

from openassay.models.faults import RULES
from openassay.models.redact import quote, safe_url
from openassay.schema.errors import EndpointError, FaultKind


class Place(NamedTuple):
    """Which endpoint, and what must never be repeated about it."""

    name: str
    url: str
    keys: tuple[str, ...] = ()
    key_from: str = ""
    """Variable or file that the key was read from."""

    def where(self) -> str:
        return f"{self.name} ({safe_url(self.url)})"


def fault(
    kind: FaultKind, what: str, place: Place, *, status: int | None = None, retry_after: float | None = None
) -> EndpointError:
    """The error of this kind, with the rule's own advice."""
    todo = RULES[kind].todo
    if kind is FaultKind.WRONG_KEY and place.key_from:
        todo = f"set the right API key in {place.key_from}, then resume"
    return EndpointError(kind, what, where=place.where(), todo=todo, status=status, retry_after=retry_after)


_BY_STATUS = {
    401: FaultKind.WRONG_KEY,
    402: FaultKind.QUOTA_EXHAUSTED,
    403: FaultKind.FORBIDDEN,
    404: FaultKind.UNKNOWN_MODEL,
    405: FaultKind.UNKNOWN_MODEL,
    408: FaultKind.TIMED_OUT,
    413: FaultKind.CONTEXT_TOO_LONG,
    429: FaultKind.RATE_LIMITED,
    503: FaultKind.OVERLOADED,
    529: FaultKind.OVERLOADED,
}
# Providers answer 400 for many things; their words and codes tell them apart. First match decides.
_BY_WORDS = (
    (
        FaultKind.CONTEXT_TOO_LONG,
        re.compile(
            r"context_length_exceeded|exceed_context_size|(maximum|available) context|prompt is too long", re.IGNORECASE
        ),
    ),
    (
        FaultKind.WRONG_KEY,
        re.compile(r"invalid_api_key|api.?key.{0,20}(not valid|invalid|incorrect|expired)", re.IGNORECASE),
    ),
    (
        FaultKind.UNKNOWN_MODEL,
        re.compile(r"model_not_found|(unknown|no such|invalid) model|model.{0,80}(not exist|not found)", re.IGNORECASE),
    ),
    (FaultKind.QUOTA_EXHAUSTED, re.compile(r"insufficient_quota|credit balance|billing|out of credit", re.IGNORECASE)),
)
_WORDS_DECIDE = {400, 409, 415, 422, 429}
_FILTERED = re.compile(r"content_filter|content management policy|ResponsibleAIPolicyViolation", re.IGNORECASE)
_WAIT = re.compile(r"(?:retry|try again) (?:in|after) (\d{1,6}(?:\.\d{1,9})?) ?s", re.IGNORECASE)
_TITLE = re.compile(r"<title[^>]*>([^<]{1,400})", re.IGNORECASE)
_READ = 20_000  # characters of a body that are looked at: regexes on foreign text need a bound


def refused_by_filter(status: int, body: bytes) -> bool:
    """Some providers answer 400 where their filter stopped the prompt: that is a reply, not a fault."""
    return status == HTTPStatus.BAD_REQUEST and bool(_FILTERED.search(body[:_READ].decode("utf-8", "replace")))


def from_status(
    status: int, headers: Mapping[str, str], body: bytes, place: Place, *, now: datetime | None = None
) -> EndpointError:
    """The error for a reply whose status is not 200."""
    if HTTPStatus.MULTIPLE_CHOICES <= status < HTTPStatus.BAD_REQUEST:
        target = safe_url(headers.get("Location", "")) or "nowhere"
        what = f"the endpoint redirects (HTTP {status}) to {quote(target, place.keys)}; not followed"
        return fault(FaultKind.REDIRECTED, what, place, status=status)
    text = body[:_READ].decode("utf-8", "replace")
    said = sentence(body, place.keys)
    what = f"HTTP {status}: {said}" if said else f"HTTP {status} with no message"
    wait = retry_after(headers.get("Retry-After", ""), now)
    if wait is None and (asked := _WAIT.search(text)):
        wait = float(asked[1])
    kind = _kind(status, text)
    if kind is FaultKind.QUOTA_EXHAUSTED and status == HTTPStatus.TOO_MANY_REQUESTS and wait is not None:
        kind = FaultKind.RATE_LIMITED  # who says when to come back has not run out of credit
    return fault(kind, what, place, status=status, retry_after=wait)


def _kind(status: int, text: str) -> FaultKind:
    if status in _WORDS_DECIDE:
        for kind, words in _BY_WORDS:
            if words.search(text):
                return kind
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return FaultKind.SERVER_ERROR
    return FaultKind.REFUSED_PARAMETER if status >= HTTPStatus.BAD_REQUEST else FaultKind.UNKNOWN


def retry_after(value: str, now: datetime | None = None) -> float | None:
    """Seconds to wait; None where the header is missing or makes no sense.

    >>> retry_after("7")
    7.0
    """
    value = value.strip()
    if re.fullmatch(r"\d{1,9}(\.\d{1,9})?", value):
        return float(value)
    try:
        when = parsedate_to_datetime(value)
        when = when if when.tzinfo else when.replace(tzinfo=UTC)
        return max(0.0, (when - (now or datetime.now(UTC))).total_seconds())
    except (ValueError, OverflowError):  # "Mon, 31 Dec 9999 ... +9999999999" overflows in the library
        return None


def sentence(body: bytes, keys: Iterable[str] = ()) -> str:
    """The server's own sentence: out of its JSON, its web page's title, or the text itself."""
    text = body[:_READ].decode("utf-8", "replace")
    try:
        found = _said(json.loads(body)) if len(body) <= _READ else text
    except (ValueError, RecursionError):
        title = _TITLE.search(text)
        found = f"a web page titled “{title[1].strip()}”" if title else text
    return quote(found, keys)


def _said(value: Any) -> str:
    """The sentence in the usual shapes: ``{"error": {"message": ...}}``, ``{"error": ...}``, ``{"detail": ...}``."""
    if isinstance(value, list) and value:
        return _said(value[0])
    if not isinstance(value, dict):
        return value if isinstance(value, str) else json.dumps(value)
    for name in ("error", "message", "detail", "msg", "title"):
        if value.get(name):
            return _said(value[name])
    return json.dumps(value)


def from_exception(error: Exception, place: Place, timeout: float) -> EndpointError:
    """The error for a call that brought no whole HTTP reply. Holds nothing of the exception but its words."""
    kind = _broken(error)
    words = quote(_words(error, place), place.keys)
    what = {
        FaultKind.TIMED_OUT: f"no complete reply within {timeout:g} seconds",
        FaultKind.CONNECTION_REFUSED: f"cannot connect to {words}",
        FaultKind.UNKNOWN_HOST: f"cannot find the host {words}",
        FaultKind.TLS_FAILURE: f"no trusted TLS connection: {words}",
        FaultKind.CONNECTION_LOST: f"the connection broke before the reply was complete: {words}",
        FaultKind.MALFORMED_REPLY: f"the reply is not valid HTTP: {words}",
    }.get(kind, f"the call failed: {words}")
    return fault(kind, what, place)


def _words(error: Exception, place: Place) -> str:
    """``host:port: reason`` where no connection came about, else the exception's own words."""
    if isinstance(error, aiohttp.ConnectionTimeoutError):
        return f"{urlsplit(place.url).hostname}: no reaction, as from a wrong address or behind a firewall"
    if not isinstance(error, aiohttp.ClientConnectorError) or isinstance(error, aiohttp.ClientSSLError):
        return str(error) or type(error).__name__
    cause = error.os_error
    plain = os.strerror(cause.errno) if cause.errno and cause.errno > 0 else cause.strerror or str(cause)
    return f"{error.host}:{error.port}: {plain}"


_EXCEPTIONS: tuple[tuple[FaultKind, tuple[type[Exception], ...]], ...] = (
    # Order matters: aiohttp's classes inherit from each other, the special ones stand first.
    (FaultKind.CONNECTION_REFUSED, (aiohttp.ConnectionTimeoutError,)),
    (FaultKind.TIMED_OUT, (asyncio.TimeoutError, aiohttp.ServerTimeoutError)),
    (FaultKind.UNKNOWN_HOST, (aiohttp.ClientConnectorDNSError,)),
    (FaultKind.TLS_FAILURE, (aiohttp.ClientSSLError, aiohttp.ServerFingerprintMismatch, ssl.SSLError)),
    (FaultKind.CONNECTION_REFUSED, (aiohttp.ClientConnectorError,)),
    (FaultKind.MALFORMED_REPLY, (aiohttp.ClientResponseError,)),
    (FaultKind.CONNECTION_LOST, (aiohttp.ClientConnectionError, aiohttp.ClientPayloadError, OSError)),
)


def _broken(error: Exception) -> FaultKind:
    for kind, classes in _EXCEPTIONS:
        if isinstance(error, classes):
            return kind
    return FaultKind.UNKNOWN
