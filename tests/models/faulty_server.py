"""A stand-in endpoint on loopback that does whatever a test asks, down to half a reply and a bad certificate."""

import asyncio
import contextlib
import datetime as dt
import ipaddress
import json
import ssl
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


@dataclass
class Answer:
    """What the server does with a call."""

    status: int = 200
    body: object = b""
    """Bytes, text, or a value that is sent as JSON."""
    headers: dict[str, str] = field(default_factory=dict)
    cut_after: int | None = None
    """Bytes of the body after which the connection is closed."""
    stall_after: int | None = None
    """Bytes of the body after which nothing more comes."""
    raw: bytes | None = None
    """Sent instead of any HTTP."""
    at_once: bool = False
    """Speaks first: sends `raw` before it has read anything."""

    def content(self) -> bytes:
        if isinstance(self.body, bytes):
            return self.body
        return (self.body if isinstance(self.body, str) else json.dumps(self.body)).encode()


@dataclass
class Server:
    url: str
    answer: Answer
    """Of every call, or of the calls after those in `first`."""
    first: list[Answer] = field(default_factory=list)
    requests: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    """(first line, headers in lower case, body) of each call."""

    def last(self) -> dict:
        return json.loads(self.requests[-1][2])


@contextlib.asynccontextmanager
async def serving(answer: Answer, tls: ssl.SSLContext | None = None) -> AsyncIterator[Server]:
    """A server with this one answer; its URL ends in ``/v1``."""
    state = Server(url="", answer=answer)
    stop = asyncio.Event()

    async def meet(reader, writer):
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            if state.answer.at_once:
                writer.write(state.answer.raw)
            while not state.answer.at_once:
                state.requests.append(await _request(reader))
                if not await _reply(state.first.pop(0) if state.first else state.answer, writer, stop):
                    break
        writer.close()

    server = await asyncio.start_server(meet, "127.0.0.1", 0, ssl=tls)
    port = server.sockets[0].getsockname()[1]
    state.url = f"{'https' if tls else 'http'}://127.0.0.1:{port}/v1"
    try:
        yield state
    finally:
        stop.set()
        server.close()
        await asyncio.sleep(0)


async def _request(reader) -> tuple[str, dict[str, str], bytes]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:] if line)}
    return head[0], headers, await reader.readexactly(int(headers.get("content-length", 0)))


async def _reply(answer: Answer, writer, stop: asyncio.Event) -> bool:
    if answer.raw is not None:
        writer.write(answer.raw)
        return False
    content = answer.content()
    headers = {"Content-Type": "application/json", "Content-Length": str(len(content)), **answer.headers}
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    part = answer.cut_after if answer.cut_after is not None else answer.stall_after
    writer.write(f"HTTP/1.1 {answer.status} X\r\n{head}\r\n".encode() + content[:part])
    await writer.drain()
    if answer.stall_after is not None:
        await stop.wait()
    return part is None


def self_signed(folder: Path) -> ssl.SSLContext:
    """A certificate for 127.0.0.1 that nobody trusts."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "stand-in")])
    now = dt.datetime.now(dt.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    plain = serialization.NoEncryption()
    path = folder / "stand-in.pem"
    path.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    return context


def completion(text: str | None = "Paris", **changes) -> dict:
    """A good chat completion, with fields of its first choice or of itself changed."""
    message = {"role": "assistant", "content": text} | changes.pop("message", {})
    reply = {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": "tiny-1",
        "choices": [{"index": 0, "message": message, "finish_reason": changes.pop("finish_reason", "stop")}],
        "usage": {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10},
    }
    return reply | changes


def anthropic_message(text: str = "Paris", **changes) -> dict:
    """A good reply of the messages API."""
    reply = {
        "id": "1",
        "type": "message",
        "role": "assistant",
        "model": "tiny-1",
        "content": [{"type": "text", "text": text}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 7, "output_tokens": 3},
    }
    return reply | changes
