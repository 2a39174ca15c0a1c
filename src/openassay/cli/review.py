"""`openassay review`: people decide single checks of a run, on a page of this machine.

Not here: the page (`review`), and what becomes of a decision (`runs.reviews`).
"""

import asyncio
import signal
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Annotated

import typer

from openassay.cli import console, run_folders
from openassay.cli.flags import JsonFlag, RunFolderPath
from openassay.schema.errors import InputError

if TYPE_CHECKING:
    from openassay.review.desk import Desk
    from openassay.review.figures import Figures, Share
    from openassay.runs.folder import RunFolder
    from openassay.runs.review_queue import Queue
    from openassay.runs.reviews import Reviews

EXAMPLES = """
openassay review runs/20260101-101500-ab12
openassay review runs/20260101-101500-ab12 --rater Ana --audit 0.2
openassay review runs/20260101-101500-ab12 --status
"""


def command(
    run: RunFolderPath,
    *,
    port: Annotated[
        int, typer.Option("--port", metavar="PORT", min=0, max=65535, help="On 127.0.0.1; 0 takes a free one.")
    ] = 0,
    rater: Annotated[str, typer.Option("--rater", metavar="NAME", help="Who decides; else the page asks.")] = "",
    audit: Annotated[
        str | None,
        typer.Option("--audit", metavar="SHARE", help="Of the judged verdicts, drawn at random; else the benchmark's."),
    ] = None,
    status: Annotated[bool, typer.Option("--status", help="Print progress and agreement; open no page.")] = False,
    as_json: JsonFlag = False,
) -> int:
    """Let people decide what judges could not, and a random sample of what judges did, one check at a time.

    Prints the address of a page that only this machine can open; Ctrl-C ends it. Every decision is kept at once, and
    the same command goes on from there. Several people may decide the same list.
    """
    from openassay.review.figures import figures
    from openassay.runs.imported import refuse_imported
    from openassay.runs.review_queue import queue
    from openassay.runs.reviews import read_reviews

    folder = run_folders.opened(run)
    refuse_imported(folder, "review", "it holds no texts that people could look at")
    wanted = queue(folder, _share(audit))
    reviews = read_reviews(folder) if status else asyncio.run(_serve(folder, wanted, port, rater))
    _tell(folder, figures(wanted, reviews), as_json=as_json)
    return 0


def _share(written: str | None) -> Decimal | None:
    if written is None:
        return None
    try:
        share = Decimal(written)
    except InvalidOperation:
        share = Decimal(-1)
    if not (share.is_finite() and 0 <= share <= 1):
        raise InputError(f"expected a share from 0 to 1, found {written!r}", where="--audit", todo="write --audit 0.1")
    return share


async def _serve(folder: "RunFolder", wanted: "Queue", port: int, rater: str) -> "Reviews":
    from openassay.review.desk import Desk
    from openassay.review.server import serve
    from openassay.runs.reviews import reviewing

    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    with reviewing(folder) as writer:
        desk = Desk(folder, wanted, writer)
        await serve(desk, port=port, rater=rater, announce=lambda address: _announce(desk, address), stop=stop)
        return writer.reviews


def _announce(desk: "Desk", address: str) -> None:
    items = f"{desk.total} {'check' if desk.total == 1 else 'checks'}"
    console.say(f"{items} for people to decide. Open this in a browser on this machine:")
    console.say(f"  {address}")
    console.say("Ctrl-C ends it; every decision is kept at once.")


def _tell(folder: "RunFolder", found: "Figures", *, as_json: bool) -> None:
    from openassay.review.figures import document

    if as_json:
        console.write_json({"run": folder.id, "path": str(folder.path), **document(found)})
        return
    for row in rows(found):
        console.show(row)


def rows(found: "Figures") -> list[str]:
    """Progress and agreement, a line each."""
    told = [f"{found.decided} of {found.items} checks decided by people."]
    told += [
        f"  {one.name}: {one.done} of {found.items} ({one.passed} pass, {one.failed} fail, {one.unsure} unsure, "
        f"{one.challenged} challenged)"
        for one in found.raters
    ]
    if found.differ:
        told.append(f"Raters differ on {found.differ}: the verdict before stays until one more rater decides.")
    if found.agreement:
        told.append(f"Raters agree: {_percent(found.agreement)}")
        alpha = "not defined, all decisions are alike" if found.alpha is None else _plain(found.alpha)
        told.append(f"Krippendorff's alpha: {alpha}")
    if found.judge:
        told.append(f"Judge and people agree on the random sample: {_percent(found.judge.agreement)}")
    if found.elsewhere:
        told.append(f"{found.elsewhere} more decisions are on checks that are not on this list, or in other words.")
    return told


def _percent(one: "Share") -> str:
    return f"{100 * one.value:.0f} % ({100 * one.lo:.0f} to {100 * one.hi:.0f} %, {one.n} items)"


def _plain(one: "Share") -> str:
    return f"{one.value:.2f} ({one.lo:.2f} to {one.hi:.2f}, {one.n} items)"
