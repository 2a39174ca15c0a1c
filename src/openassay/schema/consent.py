"""Which code from outside OpenAssay may run: only what the user has named.

A benchmark, a plan and a run folder may come from anybody, and each can name a Python function by its dotted path:
`cProfile.run` as a scorer would execute its reference. So nothing is imported for them before the user has allowed it.
"""

import os

from openassay.schema.errors import RefusedError

VARIABLE = "OPENASSAY_ALLOW_CODE"
"""Names of modules or functions, separated by commas."""


def may_run(path: str, names: str | None = None) -> bool:
    """Whether the user has named this dotted path, or a module that holds it.

    >>> may_run("my_team.scoring.tone", "my_team.scoring"), may_run("my_team2.tone", "my_team"), may_run("a.b", "")
    (True, False, False)
    """
    given = os.environ.get(VARIABLE, "") if names is None else names
    allowed = [name.strip() for name in given.split(",") if name.strip()]
    return any(path == name or path.startswith(f"{name}.") for name in allowed)


def not_allowed(kind: str, path: str, where: str = "") -> RefusedError:
    """The refusal, with what to set."""
    return RefusedError(
        f"the {kind} `{path}` is code from outside of OpenAssay, and you have not allowed it to run",
        where=where,
        todo=f"read it first; where you trust it, set {VARIABLE}={path}",
    )
