"""From the names a user gives to model specs: shorthands, models files, built-in local models.

Precedence for a plain name: `--models-file`, ``./models.toml``, the user's config folder, built-in aliases.
Not here: reading one file (`models_file`), opening a connection (`connect`).
"""

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from openassay.models.aliases import ALIASES
from openassay.models.keys import KEY_VARIABLES
from openassay.models.models_file import SAMPLE, entry_faults, read_models_file
from openassay.schema.errors import PlanError
from openassay.schema.models import ModelSpec
from openassay.schema.suggest import nearest

__all__ = ["ALIASES", "known_models", "models_file", "models_files", "parse_shorthand", "read_models_file", "resolve"]


def resolve(names: Sequence[str], models_file: Path | None = None, *, flag: str = "--model") -> tuple[ModelSpec, ...]:
    """The specs of these names, in order; `PlanError` for an unknown or repeated one.

    Args:
        names: as after the flag.
        models_file: read in place of the usual ones.
        flag: where the names were given, for messages.
    """
    try:
        return _resolved(names, models_file)
    except PlanError as error:
        error.where = flag if error.where == "--model" else error.where
        error.todo = error.todo.replace("--model ", f"{flag} ")
        raise


def _resolved(names: Sequence[str], models_file: Path | None) -> tuple[ModelSpec, ...]:
    known: dict[str, ModelSpec] | None = None
    specs: list[ModelSpec] = []
    for name in names:
        if "=" in name:
            specs.append(parse_shorthand(name))
            continue
        if known is None:
            known = known_models(models_file)
        specs.append(_named(name, known, models_file))
    _refuse_repeated([spec.name for spec in specs])
    return tuple(specs)


def known_models(models_file: Path | None = None) -> dict[str, ModelSpec]:
    """Every model a plain name can mean; a nearer file wins over a farther one."""
    known = dict(ALIASES)
    for path in reversed(models_files(models_file)):
        known.update(read_models_file(path))
    return known


def models_files(models_file: Path | None = None) -> tuple[Path, ...]:
    """The models files in force, nearest first. One given by flag stands alone, whether it exists or not."""
    if models_file is not None:
        return (models_file,)
    return tuple(path for path in (Path("models.toml"), user_models_file()) if path.is_file())


def models_file(given: Path | None = None) -> Path:
    """The nearest models file; `PlanError` with the lines to paste where there is none."""
    found = models_files(given)
    if not found:
        todo = f"write these lines into models.toml (and api_key_env, if the model needs a key):\n{SAMPLE}"
        raise PlanError("there is no models.toml here, and none in the user's folder", where="models.toml", todo=todo)
    return found[0]


def user_models_file() -> Path:
    """``~/.config/openassay/models.toml``, or where XDG_CONFIG_HOME says."""
    folder = os.environ.get("XDG_CONFIG_HOME", "")
    return (Path(folder) if folder else Path.home() / ".config") / "openassay" / "models.toml"


def _named(name: str, known: Mapping[str, ModelSpec], models_file: Path | None) -> ModelSpec:
    if name in known:
        return known[name]
    if "://" in name:
        todo = "put a name of your own before the URL, such as small=http://127.0.0.1:8091/v1#exact-model-name"
        raise PlanError(f"expected NAME=URL#MODEL, found {name!r}", where="--model", todo=todo)
    near = nearest(name, known)
    hint = f"; did you mean {near!r}?" if near else ""
    what = f"unknown model {name!r}{hint} (known: {', '.join(known)})"
    files = models_files(models_file)
    if files:
        todo = f"add [models.{name}] to {files[0]}, or write --model {name}=URL#MODEL"
        raise PlanError(what, where="--model", todo=todo)
    lines = SAMPLE.replace("small =", f"{name} =")
    todo = f"write --model {name}=URL#MODEL, or a models.toml with these lines (and api_key_env, if it needs a key):"
    todo += f"\n{lines}"
    raise PlanError(what, where="--model", todo=todo)


def _refuse_repeated(names: list[str]) -> None:
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise PlanError(
            f"the model {repeated[0]!r} is named twice", where="--model", todo="name it once; use --attempts to repeat"
        )


def parse_shorthand(text: str, environ: Mapping[str, str] | None = None) -> ModelSpec:
    """``NAME=URL#MODEL`` as a spec for an OpenAI-compatible endpoint (Anthropic's host gets its own client).

    The key comes from ``OPENAI_API_KEY`` or ``ANTHROPIC_API_KEY`` for those two hosts only, else from
    ``<NAME>_API_KEY`` where that is set: a key is never sent to a host that it was not meant for.

    >>> parse_shorthand("small=http://127.0.0.1:8091/v1#smollm2", {}).model
    'smollm2'
    """
    environ = os.environ if environ is None else environ
    name, _, target = text.partition("=")
    url, _, model = target.partition("#")
    host = _host(url)
    entry = {"endpoint": "anthropic" if host == "api.anthropic.com" else "openai", "base_url": url, "model": model}
    faults = entry_faults(name, entry)
    if faults:
        shown = name if "@" in target else text
        raise PlanError(
            f"cannot read {shown!r}: {faults[0][1]}",
            where="--model",
            todo="write NAME=URL#MODEL, such as small=http://127.0.0.1:8091/v1#exact-model-name",
        )
    own = re.sub(r"[^A-Z0-9]", "_", name.upper()) + "_API_KEY"
    variable = KEY_VARIABLES.get(host) or (own if own in environ else "")
    return ModelSpec.model_validate({"name": name, "api_key_env": variable, **entry})


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
