"""`--plan FILE`: the flags of `run` written down, so that a run can be repeated and reviewed.

A TOML file with the names of `FIELDS`. A flag wins over the file. Not here: what follows from the options
(`runs.prepare`), and models, which are described once, in a models file.
"""

import tomllib
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from openassay.schema.errors import PlanError
from openassay.schema.suggest import unknown_name

if TYPE_CHECKING:
    from openassay.runs.prepare import RunOptions


class Field(NamedTuple):
    kinds: tuple[type, ...]
    said: str
    """How the value is described in a message."""
    least: int | None = None


_TEXTS = Field((list,), 'a list of names, such as ["small"]')
_COUNT = Field((int,), "a whole number from 1", 1)

FIELDS: dict[str, Field] = {
    "models": _TEXTS,
    "judges": _TEXTS,
    "categories": _TEXTS,
    "per_category": _COUNT,
    "draws": _COUNT,
    "attempts": _COUNT,
    "seed": Field((int,), "a whole number"),
    "max_tokens": _COUNT,
    "concurrency": _COUNT,
    "budget": Field((int, Decimal), "US dollars, such as 2.50"),
    "solver": Field((str,), "a name"),
    "parameters": Field((dict,), "a table, such as { temperature = 0.7 }"),
    "retry": Field((dict,), "a table, such as { tries = 5, dead_after_s = 60 }"),
    "strata_from": _TEXTS,
    "stop_when_settled": Field((bool,), "true or false"),
    "disclosures": _TEXTS,
    "calibrations": _TEXTS,
    "out": Field((str,), "a folder"),
    "models_file": Field((str,), "a file"),
}

PROMPTS = ("prompt", "prompts", "system", "system_prompt", "template", "prompt_template", "instruction")
"""What a plan may never hold: all models of a run get the same prompt, byte by byte."""


def read_plan(path: Path) -> dict[str, Any]:
    """The fields of a plan file; `PlanError` for what it may not hold."""
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
    except OSError as fault:
        raise PlanError(f"cannot read {path}: {fault.strerror}", where="--plan", todo="check the path") from fault
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        raise PlanError(f"not valid TOML: {fault}", where=str(path), todo="repair the line named") from fault
    for name, value in found.items():
        _check(name, value, path)
    return found


def _check(name: str, value: object, path: Path) -> None:
    if name in PROMPTS:
        raise PlanError(
            f"a plan may not hold a prompt, found {name!r}: every model gets the task's own words, byte by byte",
            where=str(path),
            todo="put words that all models need into the tasks' instructions",
        )
    if name not in FIELDS:
        raise PlanError(unknown_name("key", name, FIELDS), where=str(path), todo="correct or remove it")
    field = FIELDS[name]
    too_small = field.least is not None and isinstance(value, int) and value < field.least
    if not isinstance(value, field.kinds) or (isinstance(value, bool) and bool not in field.kinds) or too_small:
        raise PlanError(f"expected {field.said} for {name!r}, found {value!r}", where=str(path), todo="correct it")


def options(settings: dict[str, Any]) -> "RunOptions":
    """The settings as `runs.prepare` takes them; what they leave out follows the benchmark."""
    from openassay.runs.calibrations import known
    from openassay.runs.prepare import RunOptions

    found = {name: value for name, value in settings.items() if name in RunOptions.model_fields}
    found["budget"] = micro_usd(settings.get("budget"), "--budget")
    found["calibrations"] = known(map(Path, settings.get("calibrations", [])))
    found["parameters"] = {name: _plain(value) for name, value in settings.get("parameters", {}).items()}
    try:
        return RunOptions(**found)
    except PlanError as fault:
        fault.where = "--plan"
        raise


def _plain(value: object) -> object:
    return float(value) if isinstance(value, Decimal) else value


def micro_usd(amount: str | int | Decimal | None, where: str) -> int | None:
    """US dollars as whole micro-dollars; never rounded up beyond what was allowed."""
    if amount is None:
        return None
    try:
        value = Decimal(amount)
    except ArithmeticError:
        value = Decimal("NaN")
    if not value.is_finite() or value < 0:
        raise PlanError(f"expected US dollars, such as 2.50, found {amount!r}", where=where, todo="give a number")
    return int(value * 1_000_000)
