"""A stand-in for a model's endpoint: OpenAI-compatible chat completions over HTTP/1.1 with a fixed latency.

It is a bare `asyncio.Protocol`, because a web framework would cost more than the clients that are measured. It answers
the last number of the last message; where that number ends in 0 it answers wrongly, so that every tool must arrive at
the same share of right answers to show that it did the work. `GET /count` tells how many calls were answered.

Not here: faults, streaming, TLS, pipelining. Loopback only.
"""

import argparse
import asyncio
import json
import re

NUMBER = re.compile(r"\d+")


class Tally:
    """Calls answered, and most in flight at once."""

    def __init__(self) -> None:
        self.answered = 0
        self.in_flight = 0
        self.peak = 0

    def opened(self) -> None:
        self.in_flight += 1
        self.peak = max(self.peak, self.in_flight)

    def closed(self) -> None:
        self.in_flight -= 1
        self.answered += 1

    def read(self) -> dict[str, int]:
        seen = {"answered": self.answered, "peak": self.peak}
        self.answered, self.peak = 0, self.in_flight
        return seen


class StandIn(asyncio.Protocol):
    """One connection."""

    def __init__(self, latency: float, tally: Tally) -> None:
        self.latency = latency
        self.tally = tally
        self.buffer = bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self.loop = asyncio.get_running_loop()

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        while (end := self.buffer.find(b"\r\n\r\n")) >= 0:
            head = bytes(self.buffer[:end])
            whole = end + 4 + _content_length(head)
            if len(self.buffer) < whole:
                return
            body = bytes(self.buffer[end + 4 : whole])
            del self.buffer[:whole]
            self._answer(head, body)

    def _answer(self, head: bytes, body: bytes) -> None:
        if head.startswith(b"POST"):
            self.tally.opened()
            self.loop.call_later(self.latency, self._send_completion, completion(body))
        elif b"/count" in head.split(b"\r\n", 1)[0]:
            self._send(self.tally.read())
        else:
            self._send({"object": "list", "data": [{"id": "m", "object": "model"}]})

    def _send_completion(self, document: dict[str, object]) -> None:
        self.tally.closed()
        self._send(document)

    def _send(self, document: dict[str, object]) -> None:
        if self.transport.is_closing():
            return
        body = json.dumps(document).encode()
        self.transport.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body
        )


def _content_length(head: bytes) -> int:
    for line in head.split(b"\r\n"):
        if line[:15].lower() == b"content-length:":
            return int(line[15:])
    return 0


def completion(body: bytes) -> dict[str, object]:
    """The reply to one request: the last number asked for, wrong where it ends in 0."""
    asked = json.loads(body)
    content = asked["messages"][-1]["content"]
    text = content if isinstance(content, str) else "".join(part.get("text", "") for part in content)
    number = NUMBER.findall(text)[-1]
    return {
        "id": "chatcmpl-0",
        "object": "chat.completion",
        "created": 0,
        "model": asked["model"],
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": "wrong" if number.endswith("0") else number},
                "finish_reason": "stop",
            }
        ],
        "usage": {"prompt_tokens": 20, "completion_tokens": 2, "total_tokens": 22},
    }


async def serve(port: int, latency: float) -> None:
    tally = Tally()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: StandIn(latency, tally), "127.0.0.1", port, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one; the port is printed on the first line")
    parser.add_argument("--latency-ms", type=float, default=200.0)
    arguments = parser.parse_args()
    asyncio.run(serve(arguments.port, arguments.latency_ms / 1000))


if __name__ == "__main__":
    main()
