"""One run of test functions against code, each in its own process of one sandbox: what is sent in, what comes out.

Not here: what a run says of an answer. Either side may be the hostile one: the code under test of a `python` check,
the tests of a `written_tests` check.
"""

import ast
import json
import secrets
from collections.abc import Sequence
from typing import Any, NamedTuple

from openassay.probes import work
from openassay.probes.work import Place
from openassay.sandbox.sandbox import Sandbox
from openassay.schema.sandbox import Job, Ran, SandboxLimits

_FILES = ("wire.py", "load.py", "lock.py", "peer.py", "shim.py", "suite.py", "under.py")


class Wanted(NamedTuple):
    """What is to be run."""

    tests: str
    """Text of the test file."""
    place: Place
    """Of the code under test."""
    tree: dict[str, bytes]
    """The work folder that both processes see."""
    function: str | None = None
    """Given to the tests under its own name."""
    source: str | None = None
    """The code under test, where it must not stand in the work folder."""


class Outcome(NamedTuple):
    """What a run came to, as data."""

    ran: Ran
    began: bool
    """Tests and code were about to be run: from here on what goes wrong is the answer's doing."""
    broken: str
    """The tests do not compile."""
    stopped: str
    """The code could not be loaded, or the tests not be prepared."""
    tests: tuple[tuple[str, bool, str], ...]
    """Name, passed, why not; without the canaries."""
    whole: bool
    """Everything ran to its end and the canaries came out as they must."""


def run(wanted: Wanted, limits: SandboxLimits, sandbox: Sandbox) -> Outcome:
    """Run the tests once, in a fresh sandbox."""
    canaries = [f"canary_{secrets.token_hex(8)}" for _ in range(2)]
    names = [_module(path) for path in wanted.tree if path.endswith(".py")]
    spec = {
        "tests": wanted.tests,
        "modules": sorted({wanted.place.module, *names}),
        "named": sorted(_imported(wanted.tests)),
        "module": wanted.place.module,
        "path": wanted.place.path,
        "function": wanted.function,
        "closed": wanted.source is not None,
        "captures": "capsys" in wanted.tests,
        "canaries": canaries,
    }
    ours = {**work.inside(*_FILES), f"{work.OURS}/spec.json": json.dumps(spec).encode()}
    if wanted.source is not None:
        ours[f"{work.OURS}/source.py"] = wanted.source.encode("utf-8")
    job = Job(
        argv=("python3", "-s", "-B", f"{work.OURS}/suite.py"),
        files={**wanted.tree, **ours},
        environment={"PYTHONHASHSEED": "0"},
        limits=limits,
    )
    return _read(sandbox.run(job), canaries)


def _module(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _imported(tests: str) -> set[str]:
    """Names that the tests import from a module, or read from one that they import."""
    try:
        tree = ast.parse(tests)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    nodes = list(ast.walk(tree))
    modules = {alias.asname or alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names = {alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names}
    read = {
        node.attr
        for node in nodes
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules
    }
    return names | read


def expected_ids(tests: str) -> tuple[str, ...]:
    r"""The tests that a file holds, found without running it.

    >>> expected_ids("def test_a(): pass\nclass TestB:\n    def test_c(self): pass")
    ('test_a', 'TestB.test_c')
    """
    try:
        body = ast.parse(tests).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    found: list[str] = []
    for node in body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
            found.append(node.name)
        if isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            inner = [one.name for one in node.body if isinstance(one, ast.FunctionDef) and one.name.startswith("test")]
            found += [f"{node.name}.{name}" for name in inner]
    return tuple(dict.fromkeys(found))


def _read(ran: Ran, canaries: Sequence[str]) -> Outcome:
    said = work.lines(ran)
    rows = [row for row in said if isinstance(row.get("test"), str) and isinstance(row.get("passed"), bool)]
    outcomes = {row["test"]: row["passed"] for row in rows}
    told = outcomes.get(canaries[0]) is True and outcomes.get(canaries[1]) is False
    ends = [row["end"] for row in said if "end" in row]
    return Outcome(
        ran=ran,
        began=bool(said) and said[0] == {"ready": True},
        broken=_first(said, "broken"),
        stopped=_first(said, "load") or _first(said, "setup"),
        tests=tuple(
            (row["test"], row["passed"], str(row.get("why", ""))) for row in rows if row["test"] not in canaries
        ),
        # A test that must fail is among them, so that a run with exit code 0 was not decided here.
        whole=told
        and ends == [len(rows)]
        and len(outcomes) == len(rows)
        and ran.ended == "exit"
        and ran.exit_code == 1,
    )


def _first(said: Sequence[dict[str, Any]], key: str) -> str:
    found = next((row[key] for row in said if key in row), "")
    return work.exception(found) if isinstance(found, dict) else str(found)[:300]
