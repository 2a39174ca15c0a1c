"""Where keys are read, and which host has which. A key goes into headers and nowhere else."""

from collections.abc import Mapping
from pathlib import Path

from openassay.schema.errors import PlanError
from openassay.schema.models import ModelSpec

ANTHROPIC_URL = "https://api.anthropic.com"
KEY_VARIABLES = {"api.openai.com": "OPENAI_API_KEY", "api.anthropic.com": "ANTHROPIC_API_KEY"}
"""Host -> the variable that its own SDK reads."""


def read_key(spec: ModelSpec, environ: Mapping[str, str]) -> str:
    """The key, or an empty text where the spec names none; `PlanError` where it is named but not there."""
    if spec.api_key_env:
        key = environ.get(spec.api_key_env, "").strip()
        if not key:
            raise PlanError(
                f"the environment variable {spec.api_key_env} is not set; the model {spec.name!r} needs it",
                where=f"[models.{spec.name}] api_key_env",
                todo=f"export {spec.api_key_env}=... in this shell, or take api_key_env out if no key is needed",
            )
        return _sendable(key, spec, spec.api_key_env)
    return _from_file(spec) if spec.api_key_file else ""


def _from_file(spec: ModelSpec) -> str:
    path = Path(spec.api_key_file).expanduser()
    try:
        key = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a text file"
        key, problem = "", f"cannot read the key file {path}: {reason}"
    else:
        problem = f"the key file {path} is empty"
    if not key:
        raise PlanError(
            problem, where=f"[models.{spec.name}] api_key_file", todo="write the key, and nothing else, into the file"
        )
    return _sendable(key, spec, str(path))


def _sendable(key: str, spec: ModelSpec, source: str) -> str:
    # A header with a line break or a non-ASCII letter fails deep in the client, with the key in its message.
    if not (key.isascii() and key.isprintable()):
        raise PlanError(
            f"the key from {source} holds line breaks or letters that no key has",
            where=f"[models.{spec.name}]",
            todo="store the key alone, as the provider shows it",
        )
    return key
