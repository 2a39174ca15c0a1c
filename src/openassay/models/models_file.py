"""Read a `models.toml`: every fault of the file is collected, with line and nearest right name, before it stops.

Not here: which file is read and how names are looked up (`specs`).
"""

import re
import tomllib
from decimal import Decimal
from pathlib import Path
from typing import Any, get_args
from urllib.parse import parse_qsl, urlsplit

from pydantic import ValidationError

from openassay.models.aliases import ALIASES
from openassay.schema.errors import PlanError
from openassay.schema.models import Endpoint, ModelSpec, Price
from openassay.schema.suggest import nearest, unknown_name

SAMPLE = """[models]
small = { endpoint = "openai", base_url = "http://127.0.0.1:8091/v1", model = "exact-name-of-the-model" }"""
"""What a newcomer pastes into `models.toml`; short, because it stands in a message."""

ENDPOINTS: tuple[str, ...] = get_args(Endpoint)
MODALITIES = ("text", "image", "audio", "video")
FIELDS = tuple(name for name in ModelSpec.model_fields if name != "name")
SHOWN = 4
_NEEDS = {
    "openai": ("base_url", "model"),
    "anthropic": ("model",),
    "local": ("model",),
    "any": ("provider", "model"),
    "manual": (),
    "scripted": ("replies",),
}
_PROMPTS = ("prompt", "system", "system_prompt", "instructions", "template", "prefix", "suffix")
_OURS = ("model", "messages", "stream", "stream_options", "n", "response_format")
"""What a request says itself; in `parameters` it would change what is asked, or break how the reply is read."""
_LITERAL_KEYS = ("api_key", "key", "token", "apikey", "api-key", "secret")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")


def read_models_file(path: Path) -> dict[str, ModelSpec]:
    """Name -> spec; `PlanError` with every fault of the file."""
    text = _text(path)
    try:
        parsed = tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        raise PlanError(f"not valid TOML: {error}", where=str(path), todo="repair the line named") from None
    faults = [f"expected only [models.NAME] tables, found {name!r}" for name in parsed if name != "models"]
    entries = parsed.get("models", {})
    if not isinstance(entries, dict) or not entries:
        faults.append("expected at least one [models.NAME] table, found none")
        entries = {}
    specs: dict[str, ModelSpec] = {}
    for name, entry in entries.items():
        found = entry_faults(name, entry)
        faults += [f"{_place(text, name, field)}: {what}" for field, what in found]
        if not found:
            specs[name] = to_spec(name, entry)
    if faults:
        raise _all_faults(path, faults)
    return specs


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        todo = f"write these lines into it (and api_key_env, if the model needs a key):\n{SAMPLE}"
        raise PlanError(f"there is no models file {path}", where="--models-file", todo=todo) from None
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise PlanError(f"cannot read {path}: {reason}", where=str(path), todo="check the file") from None


def _all_faults(path: Path, faults: list[str]) -> PlanError:
    todo = "repair the lines named; docs/reference/models-file.md lists the fields"
    if len(faults) == 1:
        return PlanError(faults[0], where=str(path), todo=todo)
    most = SHOWN if len(faults) <= SHOWN else SHOWN - 1
    rest = [f"and {len(faults) - most} more"] if len(faults) > most else []
    rows = "".join(f"\n  {fault}" for fault in [*faults[:most], *rest])
    return PlanError(f"{len(faults)} faults in {path}:{rows}", todo=todo)


def _place(text: str, name: str, field: str) -> str:
    """``line 7 [models.small] mdoel``: tomllib keeps no lines, so the text is searched for them."""
    table = re.compile(rf"\s*\[\s*models\s*\.\s*[\"']?{re.escape(name)}[\"']?\s*[.\]]")
    inline = re.compile(rf"\s*(models\s*\.\s*)?[\"']?{re.escape(name)}[\"']?\s*=\s*\{{")
    key = re.compile(rf"\s*[\"']?{re.escape(field)}[\"']?\s*=")
    start = 0
    for number, line in enumerate(text.splitlines(), 1):
        if not start and inline.match(line):
            start = number
            break
        if table.match(line):
            start = start or number
        elif start and line.lstrip().startswith("["):
            break
        elif start and field and key.match(line):
            start = number
            break
    line_text = f"line {start} " if start else ""
    return f"{line_text}[models.{name}]{' ' + field if field else ''}"


def entry_faults(name: str, entry: Any) -> list[tuple[str, str]]:
    """(field, what is wrong) for one table; empty where it is right."""
    if not isinstance(entry, dict):
        return [("", f"expected a table [models.{name}], found {type(entry).__name__}")]
    if not _NAME.fullmatch(name):
        return [("", f"expected a name of letters, digits, dot, underscore, hyphen, found {name!r}")]
    faults = [(field, _unknown_field(field)) for field in entry if field not in FIELDS]
    faults += _endpoint_faults(entry)
    faults += _url_faults(str(entry.get("base_url", "")))
    faults += _parameter_faults(entry.get("parameters", {}))
    faults += _price_faults(entry.get("price"))
    faults += _modality_faults(entry.get("modalities", []))
    faults += [
        (field, f"expected a number above 0, found {entry[field]}")
        for field in ("timeout", "concurrency", "context")
        if isinstance(entry.get(field), int) and entry[field] <= 0
    ]
    return faults or _shape_faults(name, entry)


def _unknown_field(field: str) -> str:
    if field.lower() in _LITERAL_KEYS:
        return (
            "a key must not stand in this file; put it into an environment variable and write api_key_env = "
            '"NAME_OF_THE_VARIABLE"'
        )
    if field.lower() in _PROMPTS:
        return _SAME_PROMPT
    near = nearest(field, FIELDS)
    return f"unknown key {field!r}; did you mean {near!r}?" if near else f"unknown key {field!r}"


def _modality_faults(modalities: Any) -> list[tuple[str, str]]:
    if not isinstance(modalities, list):
        return [("modalities", f'expected a list such as ["text", "image"], found {modalities!r}')]
    return [
        ("modalities", unknown_name("modality", str(modality), MODALITIES))
        for modality in modalities
        if modality not in MODALITIES
    ]


_SAME_PROMPT = (
    "a prompt of one model's own would make results not comparable: all models of a run get the same; put it into "
    "the tasks' instructions, or take it out"
)


def _parameter_faults(parameters: Any) -> list[tuple[str, str]]:
    if not isinstance(parameters, dict):
        return [("parameters", f"expected a table such as {{ temperature = 0.7 }}, found {parameters!r}")]
    faults = [("parameters", f"{name!r}: {_SAME_PROMPT}") for name in parameters if name.lower() in _PROMPTS]
    faults += [("parameters", f"{name!r} is set by OpenAssay; take it out") for name in parameters if name in _OURS]
    return faults + [
        ("parameters", f"{name!r}: {_unknown_field(name)}") for name in parameters if name.lower() in _LITERAL_KEYS
    ]


def _endpoint_faults(entry: dict[str, Any]) -> list[tuple[str, str]]:
    endpoint = entry.get("endpoint")
    if endpoint is None:
        return [("endpoint", f"expected endpoint = one of {', '.join(ENDPOINTS)}; found none")]
    if endpoint not in ENDPOINTS:
        return [("endpoint", unknown_name("endpoint", str(endpoint), ENDPOINTS))]
    missing = [
        (field, f"endpoint {endpoint!r} needs {field!r}, found none")
        for field in _NEEDS[endpoint]
        if not entry.get(field)
    ]
    if endpoint == "local" and entry.get("model") and not entry.get("file"):
        missing += _alias_faults(str(entry["model"]))
    return missing


def _alias_faults(model: str) -> list[tuple[str, str]]:
    if model in ALIASES or re.fullmatch(r"[0-9a-f]{64}", model):
        return []
    return [("model", unknown_name("local model", model, ALIASES) + " or the sha256 of a weight file")]


def _url_faults(url: str) -> list[tuple[str, str]]:
    if not url:
        return []
    try:
        parts = urlsplit(url)
        host, _port = parts.hostname, parts.port
    except ValueError:
        return [("base_url", "expected a URL such as http://127.0.0.1:8091/v1, found one that cannot be read")]
    if "@" in parts.netloc:
        return [("base_url", "a URL must not hold a user or password; use api_key_env")]
    if any("key" in name.lower() or "token" in name.lower() for name, _ in parse_qsl(parts.query)):
        return [("base_url", "a URL must not hold a key; use api_key_env")]
    if parts.scheme not in {"http", "https"} or not host:
        return [("base_url", f"expected a URL that starts with http:// or https://, found {url!r}")]
    return []


def _price_faults(price: Any) -> list[tuple[str, str]]:
    if price is None:
        return []
    wanted = "expected price = { input = 0.10, output = 0.40 } in USD per million tokens"
    if not isinstance(price, dict) or set(price) != {"input", "output"}:
        return [("price", f"{wanted}, found {price!r}")]
    numbers = [value for value in price.values() if isinstance(value, int | Decimal) and not isinstance(value, bool)]
    if len(numbers) != len(price) or any(not Decimal(value).is_finite() or value < 0 for value in numbers):
        return [("price", f"{wanted}, not negative; found {price!r}")]
    return []


def _shape_faults(name: str, entry: dict[str, Any]) -> list[tuple[str, str]]:
    try:
        to_spec(name, entry)
    except ValidationError as error:
        return [(str(fault["loc"][0]), f"{fault['msg']}; found {fault['input']!r}") for fault in error.errors()]
    return []


def to_spec(name: str, entry: dict[str, Any]) -> ModelSpec:
    """The spec of a checked table: price exact, other decimals as floats, an alias's lineage filled in."""
    fields = {field: _plain(value) for field, value in entry.items() if field != "price"}
    if "price" in entry:
        fields["price"] = Price(input=_micro(entry["price"]["input"]), output=_micro(entry["price"]["output"]))
    return ModelSpec(name=name, **fields)


def _micro(usd: int | Decimal) -> int:
    """USD per million tokens to micro-dollars per million, rounded up: a price is never understated."""
    return int((Decimal(usd) * 1_000_000).to_integral_value(rounding="ROUND_CEILING"))


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list) else value
