"""From a solver's short name, or a dotted path, to the solver."""

import importlib

from openassay.schema.canonical import digest
from openassay.schema.consent import may_run, not_allowed
from openassay.schema.errors import PlanError
from openassay.schema.suggest import unknown_name
from openassay.solvers.single_turn import TEMPLATE_DIGEST, SingleTurn
from openassay.solvers.solver import Solver

TEMPLATES = {"single_turn": TEMPLATE_DIGEST}
SOLVERS: dict[str, type[Solver]] = {"single_turn": SingleTurn}


def solver_named(name: str) -> Solver:
    """The solver of this short name, or of a dotted path such as ``mypackage.solvers.Twice``."""
    if name in SOLVERS:
        return SOLVERS[name]()
    module, _, attribute = name.rpartition(".")
    if not module:
        raise PlanError(unknown_name("solver", name, SOLVERS), where="--solver")
    if not may_run(name):
        raise not_allowed("solver", name, where="--solver")
    try:
        return getattr(importlib.import_module(module), attribute)()  # type: ignore[no-any-return]
    except (ImportError, AttributeError) as fault:
        raise PlanError(
            f"the solver {name!r} cannot be loaded: {fault}",
            where="--solver",
            todo="give a short name or the dotted path of a class with `render` and `solve`",
        ) from fault


def template_digest(name: str) -> str:
    """What stands in the plan for the way a solver puts a task: its template's digest, or the dotted path's."""
    return TEMPLATES.get(name) or digest({"solver": name})
