"""What a judge is asked about one answer. Pure: `runs` makes the call and keeps prompt and reply.

A judge gets separated, capped data: instruction, material, reference, the candidate's output with names of models
masked, and the criteria, each between marks that the output cannot hold. Among the criteria stand two canary items made
for that output, one surely true and one surely false, and a nonce must come back: a reply that misses one decides
nothing. Reading fails closed: a reply that is not exactly one complete verdict object makes every check it was asked
about `unmeasurable`, never a pass and never a fail. Each judge is asked in two passes, the items in another order.
"""

import json
from collections.abc import Iterator, Sequence
from hashlib import sha256

from openassay.schema.canonical import thaw
from openassay.schema.checks import RubricOptions
from openassay.schema.errors import ScorerError
from openassay.schema.evidence import Evidence, JudgeItem, JudgeRequest
from openassay.schema.judging import JudgePolicy
from openassay.schema.task import Check, Material, Task
from openassay.scorers import unsupported
from openassay.scorers.canaries import canaries
from openassay.scorers.masking import masked
from openassay.scorers.script import evidence_digest

OUTPUT_CHARS = 20_000
"""A longer output is shown without its middle, and the judge is told so."""
TEXT_CHARS = 40_000
"""Of the instruction, of the reference, and of all materials together."""
ITEMS = 24
"""Criteria in one request at most: a longer reply is too easily cut off."""
CUT = "\n[... {n} characters are left out here ...]\n"


def request(task: Task, evidence: Evidence) -> JudgeRequest | None:
    """What to ask about an answer; None where no check of the task is judged.

    Raises:
        ScorerError: the options of a judged check do not fit its criteria.
    """
    judged = [check for check in task.checks if check.by == "judge"]
    if not judged:
        return None
    instruction = shortened(evidence.instruction or task.instruction, TEXT_CHARS)
    materials = _capped(evidence.materials or task.materials)
    reference = None if task.solution is None else shortened(task.solution, TEXT_CHARS)
    criteria = [text for check in judged if check.uses != unsupported.NAME for text in _criteria(check)]
    spoken = "\n".join([instruction, *(one.text for one in materials), reference or "", *criteria])
    seen = masked(shortened(evidence.answer, OUTPUT_CHARS), spoken)
    by_sentence = [check for check in judged if check.uses == unsupported.NAME]
    return JudgeRequest(
        task=task.id,
        instruction=instruction,
        materials=materials,
        reference=reference,
        output=seen.text,
        left_out=max(0, len(evidence.answer) - OUTPUT_CHARS),
        sentences=max((unsupported.judged_sentences(check, seen.text) for check in by_sentence), key=len, default=()),
        notes=_notes(evidence.answer, seen.names, seen.hidden),
        items=tuple(item for check in judged for item in _items(check, seen.text)),
        evidence=evidence_digest(evidence),
    )


def shortened(text: str, most: int) -> str:
    """The text, without its middle where it is longer: padding then hides neither beginning nor end.

    >>> len(shortened("x" * 100_000, 1000)) <= 1000
    True
    """
    if len(text) <= most:
        return text
    mark = CUT.format(n=f"{len(text) - most:,}")
    room = max(0, most - len(mark) - 8)
    head = room * 3 // 5
    mark = CUT.format(n=f"{len(text) - room:,}")
    return text[:head] + mark + text[len(text) - (room - head) :]


def _capped(materials: Sequence[Material]) -> tuple[Material, ...]:
    each = TEXT_CHARS // max(1, len(materials))
    return tuple(one.model_copy(update={"text": shortened(one.text, each)}) for one in materials)


def _notes(answer: str, names: int, hidden: int) -> tuple[str, ...]:
    said = []
    if len(answer) > OUTPUT_CHARS:
        said.append(f"the judge saw {OUTPUT_CHARS:,} of {len(answer):,} characters")
    if names:
        said.append(f"{names} names of models or their makers were masked")
    if hidden:
        said.append(f"{hidden} hidden characters were removed before a judge saw it")
    return tuple(said)


def _items(check: Check, output: str) -> Iterator[JudgeItem]:
    if check.uses == unsupported.NAME:
        yield from unsupported.items(check, len(unsupported.judged_sentences(check, output)))
        return
    criteria = _criteria(check)
    weights = rubric_options(check).weights or (1,) * len(criteria)
    if len(weights) != len(criteria) or min(weights) < 0 or not sum(weights):
        found = f"{len(weights)} weights for {len(criteria)} criteria"
        raise ScorerError(f"expected one weight a criterion, none negative, found {found}", where=f"check {check.id}")
    for number, (text, weight) in enumerate(zip(criteria, weights, strict=True), 1):
        name = check.id if len(criteria) == 1 else f"{check.id}#{number}"
        yield JudgeItem(id=name, check=check.id, text=" ".join(text.split()), weight=weight)


def _criteria(check: Check) -> list[str]:
    given = thaw(check.reference)
    criteria = [str(one) for one in given] if isinstance(given, list) else [str(given or check.text)]
    if not criteria or not all(one.strip() for one in criteria):
        raise ScorerError(
            "expected a criterion in words, found none", where=f"check {check.id}", todo="write `reference`"
        )
    return criteria


def criteria_of(check: Check) -> int:
    """How many criteria of a judged check a judge is asked about, at most."""
    if check.uses == unsupported.NAME:
        return 2 * unsupported.options(check).max_sentences
    return len(_criteria(check))


def rubric_options(check: Check) -> RubricOptions:
    return RubricOptions.model_validate(thaw(dict(check.options)))


def about(request: JudgeRequest, checks: Sequence[str]) -> JudgeRequest:
    """The same request, about these checks only."""
    return request.model_copy(update={"items": tuple(item for item in request.items if item.check in checks)})


def posed(request: JudgeRequest, policy: JudgePolicy, order: int, repeat: int = 0) -> tuple[JudgeRequest, ...]:
    """One pass over a request, ready to be put: a single one (more where it is long), or one an item, by the mode.

    Args:
        request: from `request`.
        policy: whose `mode` counts.
        order: number of the pass, from 1; the second shows the items in the reverse order of the first.
        repeat: number of the repetition of this very pass; 0 for the first.
    """
    ordered = _ordered(request, order)
    size = 1 if policy.mode == "item" else ITEMS
    apart = [ordered[start : start + size] for start in range(0, len(ordered), size)]
    return tuple(_with_canaries(request, items, order, repeat) for items in apart)


def _ordered(request: JudgeRequest, order: int) -> tuple[JudgeItem, ...]:
    """Items shuffled by the output's own digest: no output can know its order."""
    pairs = order - 1 & ~1  # passes 1 and 2 share a shuffle, 3 and 4 the next
    shuffled = tuple(sorted(request.items, key=lambda item: _hash(request.evidence, item.id, str(pairs))))
    return shuffled if order % 2 else shuffled[::-1]


def _with_canaries(request: JudgeRequest, items: tuple[JudgeItem, ...], order: int, repeat: int) -> JudgeRequest:
    seed = _hash(request.evidence, request.task, str(order), *(item.id for item in items))
    around = "\n".join([request.instruction, *(one.text for one in request.materials), _text(request.reference)])
    mixed = list(items)
    for number, canary in enumerate(
        canaries(request.output, around=around, criteria=[item.text for item in items], seed=seed)
    ):
        mixed.insert(int(_hash(seed, str(number)), 16) % (len(mixed) + 1), canary)
    return request.model_copy(
        update={"items": tuple(mixed), "order": order, "repeat": repeat, "nonce": _hash(seed, "nonce")[:8]}
    )


def _text(reference: object) -> str:
    return "" if reference is None else reference if isinstance(reference, str) else json.dumps(reference)


def _hash(*parts: str) -> str:
    return sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
