"""The digest of a rendered prompt: the same for every model on a task, or something is wrong."""

from openassay.schema.canonical import digest
from openassay.schema.message import Message


def prompt_digest(messages: tuple[Message, ...]) -> str:
    """sha256 of the canonical messages."""
    return digest([message.model_dump(mode="json") for message in messages])
