"""Where the starter benchmark stands that ships with the package."""

from pathlib import Path


def starter_path() -> Path:
    """Folder of the starter benchmark (research track), inside the installed package."""
    return Path(__file__).parent / "starter" / "benchmark"
