"""OpenAssay: an assay office for language models.

The names below are for Python programs; each is found when it is first used, so that importing costs nothing.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from openassay.runs.in_python import cells as cells
    from openassay.runs.in_python import resume as resume
    from openassay.runs.in_python import run as run
    from openassay.runs.prepare import RunOptions as RunOptions
    from openassay.schema.models import ModelSpec as ModelSpec
    from openassay.tasks.load import load as load
    from openassay.tasks.starter import starter_path as starter_path

__version__ = "0.1.0"

_OFFERED = {
    "ModelSpec": "openassay.schema.models",
    "RunOptions": "openassay.runs.prepare",
    "cells": "openassay.runs.in_python",
    "load": "openassay.tasks.load",
    "resume": "openassay.runs.in_python",
    "run": "openassay.runs.in_python",
    "starter_path": "openassay.tasks.starter",
}


def __getattr__(name: str) -> object:
    if name not in _OFFERED:
        msg = f"module 'openassay' has no attribute {name!r}"
        raise AttributeError(msg)
    from importlib import import_module

    return getattr(import_module(_OFFERED[name]), name)


def __dir__() -> list[str]:
    return [*_OFFERED, "__version__"]
