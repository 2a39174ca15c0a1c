"""The floor: the least that a Python program can do for the same work.

One aiohttp session, bounded workers over one iterator, parse the reply, compare, write one unbuffered JSON line an
attempt. No retries, no budget, no reservation, no prompt store, no scorer, no resume.

    python bare_aiohttp.py ITEMS URL CONNECTIONS OUT
"""

import asyncio
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import aiohttp
from meter import Meter, read_items, report


async def worker(session: aiohttp.ClientSession, url: str, items: Iterator[dict[str, str]], out: BinaryIO) -> int:
    right = 0
    for item in items:
        body = {"model": "m", "messages": [{"role": "user", "content": item["instruction"]}], "max_tokens": 16}
        async with session.post(url, json=body) as response:
            reply = json.loads(await response.read())
        answer = reply["choices"][0]["message"]["content"]
        passed = answer.strip() == item["reference"]
        right += passed
        out.write(json.dumps({"id": item["id"], "answer": answer, "passed": passed}).encode() + b"\n")
    return right


async def work(url: str, items: list[dict[str, str]], connections: int, out: BinaryIO) -> int:
    queue = iter(items)
    connector = aiohttp.TCPConnector(limit=connections)
    async with aiohttp.ClientSession(connector=connector) as session:
        return sum(await asyncio.gather(*(worker(session, url, queue, out) for _ in range(connections))))


def main() -> None:
    items_path, base_url, connections, out_path = sys.argv[1:]
    items, url = read_items(items_path), base_url + "/chat/completions"
    with (Path(out_path) / "lines.jsonl").open("wb", buffering=0) as out:
        asyncio.run(work(url, items[:1], 1, out))
        meter = Meter()
        right = asyncio.run(work(url, items, int(connections), out))
        result = meter.result(attempts=len(items), version=aiohttp.__version__)
        report(result | {"right": right})


if __name__ == "__main__":
    main()
