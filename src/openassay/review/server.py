"""Serves the page on this machine until it is told to stop.

Not here: who may use it (`guard`), and what it shows (`pages`).
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from aiohttp import web

from openassay.review.desk import Desk, rater_name
from openassay.review.guard import NAMES, Guard
from openassay.review.pages import Pages
from openassay.schema.errors import InputError

SHUTDOWN_S = 1.0


@asynccontextmanager
async def running(desk: Desk, *, port: int = 0, rater: str = "", token: str = "") -> AsyncIterator[str]:
    """The page, served; yields the address that lets its reader in.

    Args:
        desk: the list and its reviews, held for writing.
        port: on 127.0.0.1; 0 for any that is free.
        rater: who decides, where the browser has not said otherwise.
        token: for tests; else random.

    Raises:
        InputError: the port is taken, or the name cannot be one.
    """
    keeper = Guard(token)
    pages = Pages(desk, keeper, desk.named(rater_name(rater)) if rater else "")
    runner = web.AppRunner(pages.app(), access_log=None, shutdown_timeout=SHUTDOWN_S)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, NAMES[0], port).start()
        except OSError as fault:
            raise InputError(
                f"port {port} cannot be used: {fault.strerror}",
                where="--port",
                todo="give another, or 0 for a free one",
            ) from fault
        yield keeper.address(int(runner.addresses[0][1]))
    finally:
        await runner.cleanup()


async def serve(desk: Desk, *, port: int, rater: str, announce: Callable[[str], None], stop: asyncio.Event) -> None:
    """Serve until `stop` is set.

    Args:
        desk: see `running`.
        port: see `running`.
        rater: see `running`.
        announce: is told the address.
        stop: ends it; what was decided is on the disk already.
    """
    async with running(desk, port=port, rater=rater) as address:
        announce(address)
        await stop.wait()
