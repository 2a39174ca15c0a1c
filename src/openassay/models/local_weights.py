"""Finds the weight file of a local model and makes sure that its bytes are the publisher's.

Looked for in this order: the file that the user names; the user's data folder; installed packages that carry the bytes
in one or more parts (found without being imported, so that none of their code runs). Other bytes are refused, whatever
their name. Not here: fetching anything.
"""

import hashlib
import importlib.util
import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from openassay.models.local_digest import chunks, remember, sha256_of
from openassay.models.local_known import KNOWN, Weights
from openassay.schema.errors import InputError
from openassay.schema.models import ModelSpec
from openassay.schema.suggest import nearest

SHA256_LENGTH = 64

Locate = Callable[[str], Path | None]
"""Import name of a package -> its folder, or None where it is not installed."""


class Shelf(NamedTuple):
    """Where weights are looked for, and which are known."""

    folder: Path
    """The user's data folder: assembled files and remembered digests stand there."""
    locate: Locate
    known: Mapping[str, Weights] = KNOWN
    """By alias."""

    def by_sha256(self, sha256: str) -> Weights | None:
        return next((weights for weights in self.known.values() if weights.sha256 == sha256), None)


class Found(NamedTuple):
    """A weight file that was verified."""

    path: Path
    sha256: str
    weights: Weights | None
    """None for a file that only the user vouches for, by naming its sha256."""
    source: str
    """Where it came from, in words."""

    def sentence(self) -> str:
        """What was used, from where: for the person who runs it."""
        known = f"{self.weights.alias}, {self.weights.publisher}, {self.weights.licence}" if self.weights else "unknown"
        return f"weights {self.sha256[:12]} ({known}) from {self.source}"


def user_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Where OpenAssay keeps what `setup` fetched: ``$XDG_DATA_HOME/openassay`` or ``~/.local/share/openassay``."""
    home = environ.get("XDG_DATA_HOME", "")
    # The specification of base directories says that a relative path is to be ignored.
    return (Path(home) if Path(home).is_absolute() else Path.home() / ".local" / "share") / "openassay"


def package_folder(name: str) -> Path | None:
    """The folder of an installed top-level package, without importing it."""
    found = importlib.util.find_spec(name)
    folders = list(found.submodule_search_locations or ()) if found else []
    return Path(folders[0]) if folders else None


def shelf(folder: Path | None = None) -> Shelf:
    """The user's data folder and the packages of this environment."""
    return Shelf(folder or user_folder(), package_folder)


def wanted_sha256(spec: ModelSpec, known: Mapping[str, Weights] = KNOWN) -> str:
    """The digest that the user's entry asks for; empty where it names a file and no model."""
    if spec.model in known:
        return known[spec.model].sha256
    if len(spec.model) == SHA256_LENGTH and set(spec.model) <= set("0123456789abcdef"):
        return spec.model
    if not spec.model and spec.file:
        return ""
    near = nearest(spec.model, known)
    raise InputError(
        f"No known weights are named {spec.model!r}{f'; did you mean {near!r}?' if near else ''}",
        where=f"models.{spec.name}.model",
        todo=f"Name one of {', '.join(sorted(known))}, or the sha256 of your own weight file with `file = ...`.",
    )


def whereabouts(spec: ModelSpec, on: Shelf) -> str:
    """Where the weights are, in words; quick, since no byte is read yet.

    Raises:
        InputError: the weights are unknown or missing.
    """
    return _source(spec, wanted_sha256(spec, on.known), on)[1]


def find(spec: ModelSpec, on: Shelf) -> Found:
    """The verified weight file of a local model. Slow the first time: every byte is read.

    Args:
        spec: the user's entry; its `model` is an alias or a sha256, its `file` a path or empty.
        on: where to look.

    Raises:
        InputError: the weights are unknown, missing, or not the publisher's bytes.
    """
    wanted = wanted_sha256(spec, on.known)
    path, source = _source(spec, wanted, on)
    weights = on.by_sha256(wanted)
    if path is None and weights is not None:
        path = assemble(weights, _part_files(weights, on.locate), on.folder)
        source = f"{source}, assembled as {path}"
    assert path is not None  # noqa: S101  # only known weights come in parts
    sha256 = sha256_of(path, on.folder / "verified")
    if sha256 != wanted and (wanted or on.by_sha256(sha256) is None):
        raise _other_bytes(spec, path, wanted, sha256)
    return Found(path, sha256, on.by_sha256(sha256), source)


def assemble(weights: Weights, files: list[Path], folder: Path) -> Path:
    """Write the parts as one verified file into the user's data folder, atomically.

    Raises:
        InputError: too little room, or bytes that are not the publisher's.
    """
    target = folder / "weights" / f"{weights.alias}.gguf"
    draft = target.with_suffix(f".{os.getpid()}.tmp")
    digest = hashlib.sha256()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _need_room(target.parent, weights.size)
        with draft.open("wb") as out:
            for file in files:
                with file.open("rb") as part:
                    for chunk in chunks(part):
                        digest.update(chunk)
                        out.write(chunk)
        if digest.hexdigest() != weights.sha256:
            raise _damaged_parts(weights, files, digest.hexdigest())
        draft.replace(target)
    except OSError as error:
        raise InputError(
            f"The weights could not be written: {error.strerror or error}",
            where=str(target.parent),
            todo="Make the folder writable, or set XDG_DATA_HOME to one that is.",
        ) from error
    finally:
        draft.unlink(missing_ok=True)
    remember(target, weights.sha256, folder / "verified")
    return target


def _source(spec: ModelSpec, wanted: str, on: Shelf) -> tuple[Path | None, str]:
    """The file and where it is from; None for parts that are still to be assembled."""
    if spec.file:
        return _given(spec), f"the file {spec.file}"
    weights = on.by_sha256(wanted)
    for name in (weights.alias if weights else wanted, wanted):
        path = on.folder / "weights" / f"{name}.gguf"
        if path.is_file():
            return path, f"the data folder ({path})"
    files = _part_files(weights, on.locate) if weights else []
    if weights is None or not files:
        raise _missing(spec, weights, on.folder)
    names = f"the installed package{'s' if len(files) > 1 else ''} {_span(weights)}"
    return (files[0], f"{names} ({files[0]})") if len(files) == 1 else (None, names)


def _given(spec: ModelSpec) -> Path:
    path = Path(spec.file).expanduser()
    if path.is_file():
        return path
    raise InputError(
        f"The weight file does not exist: {spec.file}",
        where=f"models.{spec.name}.file",
        todo="Correct the path, or leave `file` out to use installed weights.",
    )


def _part_files(weights: Weights, locate: Locate) -> list[Path]:
    """All parts in order, or none where one is missing."""
    files = []
    for part in weights.parts:
        place = locate(part.package)
        if place is None or not (place / part.file).is_file():
            return []
        files.append(place / part.file)
    return files


def _span(weights: Weights) -> str:
    return " to ".join(dict.fromkeys((weights.parts[0].package, weights.parts[-1].package)))


def _need_room(folder: Path, size: int) -> None:
    free = shutil.disk_usage(folder).free
    if free < size:
        raise InputError(
            f"The weights need {size // 10**6} MB and {free // 10**6} MB are free",
            where=str(folder),
            todo="Free some room, or set XDG_DATA_HOME to a folder on another disk.",
        )


def _missing(spec: ModelSpec, weights: Weights | None, folder: Path) -> InputError:
    if weights is None:
        todo = f"Name the file with `file = ...`, or put it at {folder / 'weights' / spec.model}.gguf."
    else:
        todo = f"Run `openassay setup local{'' if weights.default else ' --all'}`, or name a weight file: `file = ...`."
    return InputError(
        f"The weights of {spec.model} are not on this machine", where=f"models.{spec.name}.model", todo=todo
    )


def _other_bytes(spec: ModelSpec, path: Path, wanted: str, found: str) -> InputError:
    expected = wanted or "one of the known weight files"
    todo = f'If you trust this file, set model = "{found}".' if spec.file else f"Delete {path} and set it up again."
    return InputError(
        f"These are not the publisher's bytes: expected {expected}, found {found}", where=str(path), todo=todo
    )


def _damaged_parts(weights: Weights, files: list[Path], found: str) -> InputError:
    return InputError(
        f"The installed parts are not the publisher's bytes: expected {weights.sha256}, found {found}",
        where=str(files[0].parent),
        todo="Uninstall these packages and run `openassay setup local`.",
    )
