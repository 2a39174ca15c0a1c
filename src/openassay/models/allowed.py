"""Whether a model may see the tasks of a benchmark: the rule for `visibility = "confidential"`."""

from urllib.parse import urlsplit

from openassay.models.keys import ANTHROPIC_URL
from openassay.schema.benchmark import BenchmarkInfo
from openassay.schema.models import ModelSpec

_DEFAULT_PORTS = {"http": 80, "https": 443}


def endpoint_allowed(spec: ModelSpec, info: BenchmarkInfo) -> str | None:
    """None where it may; else the reason why not, with what to do.

    A confidential benchmark goes only to `local` models (which OpenAssay starts itself), to `scripted` ones (which are
    no model at all) and to hosts that its author names. A loopback address must be named too: what listens there may
    pass everything on.
    """
    if info.visibility != "confidential" or spec.endpoint in {"local", "scripted"}:
        return None
    named = ", ".join(info.endpoints) or "none"
    if spec.endpoint in {"any", "manual"}:
        way = "goes through a provider's SDK" if spec.endpoint == "any" else "is a chat of somebody's own"
        return (
            f"the benchmark {info.id!r} is confidential, and the model {spec.name!r} {way}, so where its texts go "
            f"cannot be checked; use a local model or an endpoint it names ({named})"
        )
    host, host_and_port = _hosts(spec)
    if {host, host_and_port} & {name.lower() for name in info.endpoints}:
        return None
    return (
        f"the benchmark {info.id!r} is confidential, and {host_and_port} is not among the endpoints it "
        f'names ({named}); use a local model, or have its author add endpoints = ["{host_and_port}"] to benchmark.toml'
    )


def _hosts(spec: ModelSpec) -> tuple[str, str]:
    parts = urlsplit(spec.base_url or ANTHROPIC_URL)
    host = (parts.hostname or "").lower()
    shown = f"[{host}]" if ":" in host else host
    return host, f"{shown}:{parts.port or _DEFAULT_PORTS.get(parts.scheme, 443)}"
