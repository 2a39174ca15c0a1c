"""`openassay init`: a small benchmark that works and explains itself."""

import re
import tomllib
from pathlib import Path

from openassay.schema.benchmark import BenchmarkInfo
from openassay.schema.errors import InputError

TEMPLATE = Path(__file__).parent / "template"
TO_EDIT = ("title", "developers", "purpose", "scope")
"""What a new `benchmark.toml` says of itself, until somebody says it of theirs."""


def write(folder: Path) -> list[Path]:
    """The files of a new benchmark, written into a new or empty folder.

    Raises:
        InputError: where the folder holds anything already, or cannot be written.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        what = f"expected a new or empty folder, found {'files in it' if folder.is_dir() else 'a file'}"
        raise InputError(what, where=str(folder), todo="name a folder that does not exist yet; nothing was changed")
    sources = sorted(path for path in TEMPLATE.rglob("*") if path.is_file())
    try:
        return [_copy(source, folder / source.relative_to(TEMPLATE), _slug(folder)) for source in sources]
    except OSError as error:
        what = f"the benchmark cannot be written: {error.strerror}"
        raise InputError(what, where=str(folder), todo="choose a folder you may write to") from error


def unedited(info: BenchmarkInfo) -> list[str]:
    """Fields that still hold the template's words, which every report would print."""
    template = tomllib.loads((TEMPLATE / "benchmark.toml").read_text(encoding="utf-8"))
    return [name for name in TO_EDIT if getattr(info, name) == template[name]]


def _copy(source: Path, target: Path, slug: str) -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    text = source.read_text(encoding="utf-8")
    target.write_text(text.replace('id = "my-benchmark"', f'id = "{slug}"', 1), encoding="utf-8", newline="\n")
    return target


def _slug(folder: Path) -> str:
    """An identifier made of the folder's name."""
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", folder.resolve().name).strip("-._")
    return name[:128] or "my-benchmark"
