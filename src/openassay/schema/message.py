"""What is said to a model and what it says back. Messages are lists of parts, so that pictures fit in."""

import re
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from openassay.schema.record import Json, Record, Sha256

_HALF = re.compile("[\ud800-\udfff]")


def whole(text: str) -> str:
    r"""The text with every half of a surrogate pair, which is no character and cannot be stored, as U+FFFD.

    A model that is cut off in the middle of an emoji leaves one behind.

    >>> whole("2 \ud83d") == "2 \ufffd"
    True
    """
    return text if text.isascii() else _HALF.sub("\ufffd", text)


class TextPart(Record):
    type: Literal["text"] = "text"
    text: str


class BlobPart(Record):
    """A picture or other file, by digest; the bytes stand in the run folder's `objects/` or in a `Blobs` reader."""

    type: Literal["blob"] = "blob"
    sha256: Sha256
    media_type: str
    """Such as ``image/png``."""


Part = Annotated[TextPart | BlobPart, Field(discriminator="type")]


class Message(Record):
    role: Literal["system", "user", "assistant"]
    parts: tuple[Part, ...]

    def text(self) -> str:
        return "".join(part.text for part in self.parts if isinstance(part, TextPart))


def user(text: str) -> Message:
    """One user message of plain text."""
    return Message(role="user", parts=(TextPart(text=text),))


class ModelRequest(Record):
    """One call to a model. Holds nothing that tells who else is tested, and no checklist."""

    messages: tuple[Message, ...]
    parameters: dict[str, Json] = {}
    """As the endpoint takes them (`temperature`, `max_tokens`, ...); floats allowed here, the plan freezes them."""
    response_schema: dict[str, Json] | None = None
    """JSON Schema that the answer must follow, for judges; not every endpoint enforces it."""


class Finish(StrEnum):
    """Why the model stopped."""

    STOP = "stop"
    LENGTH = "length"
    """Cut off at the token limit."""
    CONTENT_FILTER = "content_filter"
    REFUSAL = "refusal"
    """The API said so in its own field; a refusal in words is an answer like any other."""
    OTHER = "other"


class Usage(Record):
    """Tokens as the endpoint reported them; null where it did not, never guessed here."""

    tokens_in: int | None = None
    tokens_out: int | None = None
    """All output tokens that are paid, reasoning included."""
    tokens_reasoning: int | None = None
    """The share of `tokens_out` spent on reasoning."""
    tokens_cached: int | None = None
    """The share of `tokens_in` served from the endpoint's prompt cache."""
    absurd: bool = False
    """The report could not be true (negative, or beyond any limit); the fields are then null."""


class ModelReply(Record):
    text: Annotated[str, AfterValidator(whole)]
    finish: Finish
    usage: Usage = Usage()
    model_reported: str = ""
    """The version that the endpoint says answered; empty where it does not say."""
    note: str = ""
    """One sentence where the reply was odd but usable."""
