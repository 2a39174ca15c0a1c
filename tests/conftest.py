"""Fixtures that more than one room uses."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

from openassay.sandbox.find import find_sandbox
from openassay.schema.errors import SandboxError

# What a law says does not depend on how busy the machine is.
settings.register_profile("openassay", deadline=None)
settings.load_profile("openassay")


@pytest.fixture
def real_data():
    """Path of a file of real per-item results, which are not part of the repository; skips where it is absent."""

    def find(name: str) -> Path:
        path = Path(os.environ.get("OPENASSAY_REAL_DATA", ".")) / name
        if not path.is_file():
            pytest.skip(f"{name} is not here: set OPENASSAY_REAL_DATA to a folder that holds it")
        return path

    return find


@pytest.fixture(scope="session")
def sandbox():
    """A sandbox that works here."""
    try:
        return find_sandbox()
    except SandboxError as error:
        pytest.skip(f"no sandbox here: {error.what}")
