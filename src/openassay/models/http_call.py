"""One POST of JSON to one URL, for the clients of both APIs: time-out, size cap, no redirects, no cookies.

Lean on purpose: the harness's own cost per call is what separates evaluation systems. Not here: retries (the engine),
what a body means (the clients).
"""

from collections.abc import Mapping
from typing import NamedTuple

import aiohttp

from openassay.models.http_faults import Place, fault, from_exception
from openassay.schema.errors import FaultKind

LARGEST_REPLY = 32 * 1024 * 1024
"""Bytes; a longer body is a fault, not read to its end."""
CONNECT_SECONDS = 15
"""Longest wait for a connection to stand; a host that swallows packets must not cost the whole time-out."""


class HttpReply(NamedTuple):
    status: int
    headers: Mapping[str, str]
    body: bytes


class JsonEndpoint:
    """A URL with its headers and an open session.

    Args:
        place: name, URL and keys, for messages.
        headers: sent with every call; hold the key.
        timeout: seconds for a whole call.
        connections: most open connections; 0 for no limit, since the engine bounds the calls in flight.
        proxy: URL of a proxy, or None.
    """

    def __init__(
        self, place: Place, headers: dict[str, str], *, timeout: float, connections: int = 0, proxy: str | None = None
    ) -> None:
        self.place = place
        self._headers = {"Content-Type": "application/json", "Accept-Encoding": "identity", **headers}
        self._timeout = timeout
        self._connections = connections
        self._proxy = proxy
        self._session: aiohttp.ClientSession | None = None

    async def post(self, body: bytes) -> HttpReply:
        """The whole reply, whatever its status; `EndpointError` where there is none."""
        session = self._session or self._open()
        try:
            async with session.post(self.place.url, data=body, allow_redirects=False, proxy=self._proxy) as response:
                content = await _read(response)
                if content is not None:
                    return HttpReply(response.status, response.headers, content)
            broken = fault(FaultKind.REPLY_TOO_LARGE, f"a reply of over {LARGEST_REPLY} bytes", self.place)
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            broken = from_exception(error, self.place, self._timeout)
        # Raised outside of the `except`, so that aiohttp's exception, which holds the headers, does not travel along.
        raise broken

    def _open(self) -> aiohttp.ClientSession:
        # Not in __init__: a session belongs to the running event loop.
        self._session = aiohttp.ClientSession(
            headers=self._headers,
            connector=aiohttp.TCPConnector(limit=self._connections),
            timeout=aiohttp.ClientTimeout(total=self._timeout, sock_connect=CONNECT_SECONDS),
            cookie_jar=aiohttp.DummyCookieJar(),
            trust_env=False,
        )
        return self._session

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None


async def _read(response: aiohttp.ClientResponse) -> bytes | None:
    """The body, or None where it is over the cap."""
    length = response.content_length
    if length is not None and "Content-Encoding" not in response.headers:
        return await response.read() if length <= LARGEST_REPLY else None
    pieces, size = [], 0
    async for piece in response.content.iter_any():
        pieces.append(piece)
        size += len(piece)
        if size > LARGEST_REPLY:
            return None
    return b"".join(pieces)
