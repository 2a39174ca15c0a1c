"""Tasks made of a dictionary of files."""

import json

import pytest

from openassay.probes.resolve import probe_all
from openassay.schema.canonical import sha256_hex
from openassay.schema.task import Check, FileEntry, Task


@pytest.fixture
def probed(sandbox):
    """What the probe of one check says of an answer: `probed(uses, options, files, answer)`."""

    def run(uses, options, files, answer):
        contents = {path: text if isinstance(text, bytes) else text.encode() for path, text in files.items()}
        task = Task(
            id="t",
            category="c",
            instruction="do it",
            checks=(Check(id="a", uses=uses, options=options),),
            files=tuple(FileEntry(path=path, sha256=sha256_hex(data)) for path, data in contents.items()),
            identity="0" * 64,
        )
        return probe_all(task, answer, contents.__getitem__, sandbox)["a"]

    return run


@pytest.fixture
def cases():
    """A file of cases from dictionaries."""
    return lambda *rows: "".join(json.dumps(row) + "\n" for row in rows)
