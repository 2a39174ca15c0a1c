"""What every record has in common: frozen, no unknown fields, no floats where a digest is taken.

Not here: behaviour. What a record means is a function in the room that owns it.
"""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, JsonValue


class Record(BaseModel):
    """A frozen value with named fields; an unknown field is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
"""Lower-case hexadecimal sha256 of uncompressed bytes."""

MicroUsd = Annotated[int, Field(ge=0)]
"""Money in millionths of a US dollar."""

MILLION = 1_000_000
"""All of a share in millionths, and a dollar in micro-dollars."""

Millionths = Annotated[int, Field(ge=0, le=MILLION)]
"""A share between 0 and 1 in millionths."""

Identifier = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$")]
"""A name that is safe as a file name: letters, digits, dot, underscore, hyphen; at most 128 characters."""

Json = JsonValue
"""Any JSON value, as parsed."""
