"""Where the starter benchmarks stand that ship with the package."""

from pathlib import Path
from typing import Literal

_FOLDERS = {"texts": "benchmark", "coding": "coding"}


def starter_path(part: Literal["texts", "coding"] = "texts") -> Path:
    """Folder of a starter benchmark, inside the installed package.

    Args:
        part: `texts` (research track), or `coding`, whose answers are code and need a sandbox.
    """
    return Path(__file__).parent / "starter" / _FOLDERS[part]
