"""Benchmark folders made of a dictionary, and `strategies` importable beside the tests."""

import importlib.util
import itertools
import sys
from pathlib import Path

import pytest

from openassay.schema.errors import BenchmarkError
from openassay.tasks.load import load

_spec = importlib.util.spec_from_file_location("strategies", Path(__file__).parents[1] / "strategies.py")
strategies = importlib.util.module_from_spec(_spec)
sys.modules["strategies"] = strategies
_spec.loader.exec_module(strategies)

INFO = """id = "b"
version = "1-A"
title = "B"
developers = "us"
purpose = "tests"
licence = "CC0-1.0"
funding = "none"
[[category]]
id = "c"
track = "research"
title = "C"
definition = "anything"
[origin]
author = "us"
source = "written"
language = "en"
"""
ITEMS = "id,instruction,scorer,reference\nq,What colour is the sea?,exact,blue\n"


def write(folder, files):
    """A benchmark that loads, with these files over it; None leaves one out."""
    given = {"benchmark.toml": INFO, **files}
    if not any(name.startswith("tasks/") for name in files):
        given["tasks/c/a.items.csv"] = ITEMS
    for name, content in given.items():
        if content is not None:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


@pytest.fixture
def made(tmp_path):
    """Load a new folder made of these files."""
    numbers = itertools.count()
    return lambda files: load(write(tmp_path / f"made-{next(numbers)}", files))


@pytest.fixture
def faults(tmp_path):
    """The faults of a folder made of these files; none where it loads."""

    def found(files):
        try:
            load(write(tmp_path, files))
        except BenchmarkError as error:
            return error.faults
        return ()

    return found


@pytest.fixture
def info():
    return INFO


@pytest.fixture
def folder(tmp_path):
    return lambda files: write(tmp_path, files)
