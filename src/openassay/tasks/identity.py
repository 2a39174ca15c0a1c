"""What a task *is*: the digest of all that decides its score, the same from CSV, JSON lines and YAML.

In it: the fields that are set (an empty cell and a missing key are the same), names and digests of materials, the
checklist, and path and digest of every file of a task folder. Not in it: `evidence/`, the place in the file, and what
is inherited from the benchmark.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from openassay.schema.benchmark import BenchmarkInfo
from openassay.schema.canonical import digest
from openassay.schema.task import Check, FileEntry, Material, Origin, TaskLimits

_FORMAT = 1


def task_identity(fields: Mapping[str, Any], files: Iterable[FileEntry] = ()) -> str:
    """Digest of a task.

    Args:
        fields: plain values by field name; see `own_fields`. Empty ones do not count.
        files: of a task folder; order does not matter, and what lies in `evidence/` does not count.
    """
    counted = sorted([entry.path, entry.sha256] for entry in files if not entry.path.startswith("evidence/"))
    return digest({"format": _FORMAT, "fields": {k: v for k, v in fields.items() if _is_set(v)}, "files": counted})


def own_fields(
    texts: Mapping[str, str | None],
    *,
    materials: Iterable[Material],
    checks: Iterable[Check],
    origin: Origin,
    limits: TaskLimits,
) -> dict[str, Any]:
    """The fields of a task as its author set them, ready for `task_identity`."""
    return {
        **texts,
        "materials": [[material.name, material.sha256] for material in materials],
        "checks": [check.model_dump(mode="json", exclude_defaults=True) for check in checks],
        "origin": origin.model_dump(exclude_defaults=True),
        "limits": limits.model_dump(exclude_defaults=True),
    }


def benchmark_digest(info: BenchmarkInfo, identities: Iterable[str]) -> str:
    """Digest of a benchmark: its own words and its tasks, in whatever order they were read."""
    words = info.model_dump(mode="json", exclude_defaults=True)
    return digest({"format": _FORMAT, "info": words, "tasks": sorted(identities)})


def _is_set(value: Any) -> bool:
    return value is not None and value not in ("", [], {})
