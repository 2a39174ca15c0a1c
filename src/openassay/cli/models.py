"""`openassay models`: what is named in the models file, and whether each answers a one-word question."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from openassay.cli import console, ending
from openassay.cli.flags import JsonFlag, ModelsFile
from openassay.schema.errors import EndpointError, OpenAssayError
from openassay.schema.models import ModelSpec

if TYPE_CHECKING:
    from openassay.schema.message import ModelRequest

EXAMPLES = """
openassay models
openassay models --models-file lab.toml --ping
openassay models --model small=http://127.0.0.1:8091/v1#smollm2-135m-instruct --ping
openassay models --families
"""

PING_S = 30.0
UNPINGED = frozenset({"manual", "scripted"})
"""Endpoints that call nobody."""


class Ping(NamedTuple):
    """What came of asking one model."""

    ok: bool
    lines: list[str]
    took_ms: int | None = None
    fault: str = ""


def command(
    models_file: ModelsFile = None,
    model: Annotated[
        list[str] | None, typer.Option("--model", metavar="NAME", help="Only this one, or NAME=URL#MODEL.")
    ] = None,
    ping: Annotated[bool, typer.Option("--ping", help="Ask each a one-word question; costs a few tokens.")] = False,
    families: Annotated[
        bool, typer.Option("--families", help="List what is known of lineages, with your own families.toml, and stop.")
    ] = False,
    as_json: JsonFlag = False,
) -> int:
    """List the models that you have named: maker, lineage and who says so, price, and (--ping) whether they answer."""
    if families:
        return _list_families(as_json=as_json)
    specs = _named(model, models_file)
    answers = asyncio.run(_ping_all(specs)) if ping else {}
    if as_json:
        console.write_json({"models": [_document(spec, answers) for spec in specs]})
    else:
        for spec in specs:
            console.show(_line(spec))
            for row in answers[spec.name].lines if spec.name in answers else []:
                console.show(f"  {row}")
    return 1 if any(not answer.ok for answer in answers.values()) else 0


def _named(names: Sequence[str] | None, models_file: Path | None) -> tuple[ModelSpec, ...]:
    from openassay.models import specs

    if names:
        return specs.resolve(names, models_file)
    return tuple(specs.known_models(models_file).values())


def _line(spec: ModelSpec) -> str:
    parts = [spec.name, spec.endpoint, spec.model or "-", spec.base_url, f"by {spec.developer or 'unknown'}"]
    return "  ".join(part for part in [*parts, _lineage(spec), _price(spec)] if part)


SAYS = {"stated": "as stated", "shipped": "as OpenAssay's list knows", "own": "as {file} says", "unknown": ""}
"""Who says what a model descends from."""


def _lineage(spec: ModelSpec) -> str:
    from openassay.models.lineage import claim_of

    claim = claim_of(spec)
    if not claim.lineage:
        return "lineage unknown (counts as related to all)"
    return f"lineage {', '.join(claim.lineage)} ({SAYS[claim.source].format(file=claim.file)})"


def _list_families(*, as_json: bool) -> int:
    """Every family of the registry in force, by name."""
    from openassay.models.families_file import SHIPPED, registry

    known = registry()
    if as_json:
        rows = [
            {**family.model_dump(mode="json"), "from": known.origins[name]}
            for name, family in sorted(known.families.items())
        ]
        console.write_json({"families": rows})
        return 0
    for name, family in sorted(known.families.items()):
        parts = [name, f"by {family.developer}"]
        parts += [f"from {', '.join(family.base)}"] if family.base else []
        parts += [f"taught by {', '.join(family.distilled_from)}"] if family.distilled_from else []
        parts += [] if known.origins[name] == SHIPPED else [f"({known.origins[name]})"]
        console.show("  ".join(parts))
    return 0


def _price(spec: ModelSpec) -> str:
    from openassay.models.prices import price_of

    price = price_of(spec)
    if price is None:
        return "price unknown"
    return f"${price.input / 1e6:g} in, ${price.output / 1e6:g} out per million tokens"


def _document(spec: ModelSpec, answers: Mapping[str, Ping]) -> dict[str, object]:
    from openassay.models.lineage import claim_of

    claim = claim_of(spec)
    row: dict[str, object] = spec.model_dump(mode="json", exclude_defaults=True, exclude={"replies"})
    row |= {"lineage": list(claim.lineage), "lineage_from": claim.file or claim.source}
    if spec.name in answers:
        row["ping"] = answers[spec.name]._asdict()
    return row


async def _ping_all(specs: Sequence[ModelSpec]) -> dict[str, Ping]:
    asked = [spec for spec in specs if spec.endpoint not in UNPINGED]
    if asked:
        console.say(f"asking {', '.join(spec.name for spec in asked)} for one word, at most {PING_S:.0f} s each")
    return {spec.name: await _ping(spec) for spec in asked}


async def _ping(spec: ModelSpec) -> Ping:
    """Whether it answered, in how long, and for a fault the server's own sentence."""
    from openassay.models.connect import connect

    began = time.monotonic()
    try:
        model = connect(spec, say=console.say)
        try:
            reply = await asyncio.wait_for(model.generate(_question()), PING_S)
        finally:
            await model.close()
    except TimeoutError:
        return Ping(ok=False, lines=[f"no answer within {PING_S:.0f} s"], fault="timed_out")
    except OpenAssayError as error:
        kind = str(error.kind) if isinstance(error, EndpointError) else "unusable"
        error.todo = ending.run_again(error.todo)
        return Ping(ok=False, lines=error.lines(), fault=kind)
    took = round((time.monotonic() - began) * 1000)
    says = f", calls itself {reply.model_reported}" if reply.model_reported else ""
    return Ping(ok=True, lines=[f"answered in {took} ms{says}"], took_ms=took)


def _question() -> "ModelRequest":
    from openassay.schema.message import ModelRequest, user

    return ModelRequest(messages=(user("Answer with one word: ready"),), parameters={"max_tokens": 8})
