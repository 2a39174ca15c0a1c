"""`benchmark.toml`: what a benchmark says about itself."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from openassay.schema.benchmark import BenchmarkInfo
from openassay.schema.canonical import freeze, thaw
from openassay.tasks.faults import PER_MODEL, SAME_BYTES, FaultList, Place
from openassay.tasks.toml import read_toml
from openassay.tasks.tree import Tree
from openassay.tasks.values import short

FILE = "benchmark.toml"

_HOST = re.compile(r"([A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?")


def read_info(tree: Tree) -> BenchmarkInfo | None:
    """The info; None, with faults, where the file is missing or wrong."""
    path = tree.root / FILE
    if path.is_symlink() or not path.is_file():
        what, todo = _no_benchmark(tree.root)
        tree.faults.add(Place(FILE), "no-benchmark", what, todo=todo)
        return None
    text = tree.text(path)
    found = None if text is None else read_toml(text, FILE, tree.faults)
    if found is None:
        return None
    values, place = found
    return _validated(values, place, tree.faults)


def _no_benchmark(root: Path) -> tuple[str, str]:
    """What was given instead of a benchmark folder, and what to do: the usual slips differ."""
    name = root.name or str(root)
    if not root.exists():
        return f"there is no folder {name}", "check the path, or make a benchmark with `openassay init DIR`"
    if not root.is_dir():
        return f"expected a benchmark folder, found the file {name}", f"give the folder that holds {FILE} and tasks/"
    todo = f"give the folder that holds {FILE}, or make one with `openassay init DIR`"
    return f"no {FILE} in {name}: this is no benchmark folder", todo


def _validated(values: dict[str, Any], place: Place, faults: FaultList) -> BenchmarkInfo | None:
    before = len(faults.found)
    for field in _per_model(values):
        what = f"{field!r} would change the prompt by model: {SAME_BYTES}"
        faults.add(place, "per-model-prompt", what, field=field, todo="put what all models need into the instructions")
    try:
        info = BenchmarkInfo.model_validate(thaw(freeze(values)))
    except ValidationError as error:
        faults.add_invalid(place, error, BenchmarkInfo, kind="key", at="")
        return None
    _check_categories(info, place, faults)
    _check_endpoints(info, place, faults)
    if len(faults.found) > before:
        return None
    frozen = {name: freeze(value) for name, value in info.defaults.parameters.items()}
    return info.model_copy(update={"defaults": info.defaults.model_copy(update={"parameters": frozen})})


def _per_model(values: Mapping[str, Any]) -> Iterator[str]:
    """Parameters are passed through, so that a prompt among them would not be found by the record."""
    parameters = values.get("defaults", {})
    parameters = parameters.get("parameters", {}) if isinstance(parameters, Mapping) else {}
    for name in parameters if isinstance(parameters, Mapping) else ():
        if name.lower() in PER_MODEL:
            yield f"defaults.parameters.{name}"


def _check_categories(info: BenchmarkInfo, place: Place, faults: FaultList) -> None:
    ids = [category.id for category in info.category]
    for number, name in enumerate(ids):
        if name in ids[:number]:
            field = f"category.{number}.id"
            faults.add(
                place, "duplicate-category", f"two categories have the id {name!r}", field=field, todo="rename one"
            )
    for number, category in enumerate(info.category):
        for name in ("title", "definition"):
            if not getattr(category, name).strip():
                what = f"the category {category.id!r} has an empty {name}"
                faults.add(place, "missing-key", what, field=f"category.{number}.{name}", todo=f"fill in {name!r}")


def _check_endpoints(info: BenchmarkInfo, place: Place, faults: FaultList) -> None:
    """A whole URL would match no host, and look as if it did."""
    for endpoint in info.endpoints:
        if not _HOST.fullmatch(endpoint):
            what = f"expected a host such as 'llm.example.org' or 'llm.example.org:8443', found {short(endpoint)}"
            faults.add(place, "wrong-endpoint", what, field="endpoints", todo="leave out the scheme and the path")
