"""Score one check on one answer by a script: look up the scorer, run it, write the verdict.

Not here: judges (`judge`), the sum over checks (`gate`). A scorer that breaks raises `ScorerError`, which says
nothing about the model and quotes nothing of the item.
"""

import functools
import importlib
import json
from collections.abc import Callable
from typing import Any, NamedTuple

from pydantic import ValidationError

from openassay.schema.attempt import Verdict
from openassay.schema.canonical import sha256_hex, thaw
from openassay.schema.checks import SCORERS
from openassay.schema.consent import may_run, not_allowed
from openassay.schema.errors import OpenAssayError, ScorerError
from openassay.schema.evidence import Evidence
from openassay.schema.record import Json
from openassay.schema.suggest import nearest
from openassay.schema.task import Check
from openassay.scorers.finding import TOOK_CHARS, Finding
from openassay.scorers.fold import plain

Scorer = Callable[[Any, Any, Evidence], Finding]

VERSIONS = {
    "exact": 1,
    "choice": 1,
    "numeric": 1,
    "regex": 1,
    "json": 1,
    "records": 1,
    "labels": 1,
    "codes": 1,
    "quotes_supported": 1,
    "abstains": 1,
    "format": 1,
    "consistent": 1,
    "swap": 1,
    "python": 1,
    "command": 1,
    "written_tests": 1,
}
"""Raised whenever a change can alter a score; part of `Verdict.who`."""

_MODULES = {"json": "json_value", "quotes_supported": "quotes", "format": "form", "rubric": "judge"}
"""Where the module is not called as the scorer is."""


class _Prepared(NamedTuple):
    """A check with everything looked up and validated, once."""

    check: Check
    scorer: Scorer
    reference: Json
    options: Any
    who: str


_prepared: dict[int, _Prepared] = {}
"""By `id(check)`; the entry holds the check itself, so that the id cannot be reused while it stands."""
_MOST_PREPARED = 10_000


def score_check(check: Check, evidence: Evidence) -> Verdict:
    """The verdict of a script on an answer; `unmeasurable` for checks that wait for a judge or a person.

    Args:
        check: of the task.
        evidence: what the attempt left behind.

    Raises:
        ScorerError: the scorer is unknown or not allowed to run, its options do not fit, or it broke.
    """
    digest = evidence_digest(evidence)
    if check.by != "script":
        return _waiting(check, digest)
    prepared = _prepared.get(id(check))
    if prepared is None or prepared.check is not check:
        prepared = _prepare(check)
    if check.id in evidence.probes:
        evidence = evidence.model_copy(update={"probe": evidence.probes[check.id]})
    finding = _run(prepared, evidence) if plain(evidence.answer) else Finding("fail", "the answer is empty")
    return Verdict(
        check=check.id,
        result=finding.result,
        value=finding.value,
        reason=finding.reason,
        took=finding.took[:TOOK_CHARS],
        malformed=finding.malformed,
        ended=finding.ended,
        flags=finding.flags,
        sandbox=finding.sandbox,
        who=prepared.who,
        evidence=digest,
    )


_COMPACT = json.JSONEncoder(separators=(",", ":"))
"""Made once: `json.dumps` with separators makes an encoder for every call."""


def evidence_digest(evidence: Evidence) -> str:
    """sha256 over the digests of the parts of the evidence, as a canonical JSON list."""
    parts: list[object] = [
        "evidence/1",
        _text_digest(evidence.answer),
        _instruction_digest(evidence.instruction),
        [material.sha256 for material in evidence.materials],
        [_text_digest(sibling) for sibling in evidence.siblings],
    ]
    if evidence.probes:
        parts.append(sorted([check, _text_digest(found.model_dump_json())] for check, found in evidence.probes.items()))
    return sha256_hex(_COMPACT.encode(parts).encode())


@functools.lru_cache(maxsize=4096)
def _instruction_digest(text: str) -> str:
    """Kept, since many answers share one instruction."""
    return _text_digest(text)


def _text_digest(text: str) -> str:
    return sha256_hex(text.encode("utf-8", "surrogatepass"))


def _waiting(check: Check, digest: str) -> Verdict:
    waits_for = "a person" if check.by == "human" else "a judge"
    reason = f"waits for {waits_for}"
    return Verdict(check=check.id, result="unmeasurable", reason=reason, by=check.by, who="none", evidence=digest)


def _prepare(check: Check) -> _Prepared:
    """Look up the scorer and validate the options; kept for the next answer to the same check."""
    if "." in check.uses:
        scorer, options, who = _by_path(check.uses), thaw(dict(check.options)), check.uses
    else:
        scorer, options, who = _by_name(check)
    prepared = _Prepared(check, scorer, thaw(check.reference), options, who)
    if len(_prepared) >= _MOST_PREPARED:
        _prepared.clear()
    _prepared[id(check)] = prepared
    return prepared


def _by_name(check: Check) -> tuple[Scorer, Any, str]:
    kind = SCORERS.get(check.uses)
    if kind is None or check.uses not in VERSIONS:
        known = nearest(check.uses, VERSIONS)
        hint = f"write `{known}`" if known else f"write one of {', '.join(VERSIONS)}"
        raise ScorerError(f"expected the name of a scorer, found {check.uses!r}", where=f"check {check.id}", todo=hint)
    try:
        options = kind.options.model_validate(thaw(dict(check.options)))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise ScorerError(f"option `{place}` of `{check.uses}`: {first['msg']}", where=f"check {check.id}") from None
    module = importlib.import_module(f"openassay.scorers.{module_of(check.uses)}")
    return module.score, options, f"{check.uses}/{VERSIONS[check.uses]}"


def module_of(name: str) -> str:
    """The module of this room that holds a scorer."""
    return _MODULES.get(name, name)


def _by_path(path: str) -> Scorer:
    """The function behind a dotted path, such as ``my_package.scoring.all_caps``."""
    if not may_run(path):
        refusal = not_allowed("scorer", path)
        raise ScorerError(refusal.what, todo=refusal.todo)
    module_name, _, name = path.rpartition(".")
    todo = "install the package that holds it, and write `package.module.function`"
    try:
        found = getattr(importlib.import_module(module_name), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ScorerError(f"scorer `{path}` cannot be imported: {type(error).__name__}", todo=todo) from None
    if not callable(found):
        raise ScorerError(f"expected a function behind `{path}`, found {type(found).__name__}", todo=todo)
    return found  # type: ignore[no-any-return]


def _run(prepared: _Prepared, evidence: Evidence) -> Finding:
    try:
        finding = prepared.scorer(prepared.reference, prepared.options, evidence)
    except OpenAssayError:
        raise
    except Exception as error:  # noqa: BLE001  # whatever breaks in a scorer is ours, never the model's failure
        raise _broken(prepared.who, error) from None  # the cause may quote private text
    if not isinstance(finding, Finding):
        raise ScorerError(f"expected a Finding from `{prepared.who}`, found {type(finding).__name__}")
    return finding


def _broken(who: str, error: Exception) -> ScorerError:
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    place = f"{trace.tb_frame.f_code.co_filename.rsplit('/', 1)[-1]}:{trace.tb_lineno}" if trace else ""
    todo = "this is a fault of the scorer; report it with the check and the answer"
    return ScorerError(f"scorer `{who}` broke: {type(error).__name__}", where=place, todo=todo)
