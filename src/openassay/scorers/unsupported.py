"""`unsupported`: every claim of an answer, and whether the material supports it, is silent on it, or contradicts it.

A script splits the answer into sentences, so that no judge chooses what is looked at; a judge says two things about
each: whether the material supports it, and whether it contradicts it. Not here: asking (`judge`), and whether a
*quotation* stands in the material, which a script decides (`quotes_supported`).
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from openassay.schema.canonical import thaw
from openassay.schema.checks import UnsupportedOptions
from openassay.schema.evidence import JudgeItem
from openassay.schema.record import MILLION
from openassay.schema.task import Check

NAME = "unsupported"
_BULLET = re.compile(r"^[\s>*+#-]*(?:\d{1,3}[.)]\s+)?")
_END = re.compile(r"(?<=[.!?。！？])[\"'”’)\]]*\s+(?=\S)|(?<=[。！？])")  # noqa: RUF001  # full stops of Chinese
_ABBREVIATED = re.compile(r"\b(?:[A-Za-z]|mrs?|dr|prof|st|vs|etc|e\.g|i\.e|z\.b|ca|bzw|no|fig|pp)\.$", re.IGNORECASE)
_LEFT_OUT = re.compile(r"\[\.\.\. [\d,]+ characters are left out here \.\.\.\]")
SHOWN_CHARS = 80
Status = Literal["supported", "absent", "contradicted", "unclear"]


class Finding(NamedTuple):
    """What the judgements on all sentences come to."""

    result: Literal["pass", "fail", "unmeasurable"]
    value: int | None
    """Share of supported sentences in millionths; None where the result is `unmeasurable`."""
    reason: str


def sentences(output: str) -> tuple[str, ...]:
    r"""The answer's sentences and list items that hold a letter or a digit, in order.

    >>> sentences("Dr. Weber came at 10.30. She left!\n- a list item")
    ('Dr. Weber came at 10.30.', 'She left!', 'a list item')
    """
    lines = (line for line in output.splitlines() if not _LEFT_OUT.fullmatch(line))
    return tuple(found for line in lines for found in _of_line(_BULLET.sub("", line).strip()))


def _of_line(line: str) -> Iterator[str]:
    held = ""
    for piece in _END.split(line):
        held = f"{held} {piece}".strip()
        if _ABBREVIATED.search(held):
            continue
        if any(sign.isalnum() for sign in held):
            yield held
        held = ""
    if any(sign.isalnum() for sign in held):
        yield held


def options(check: Check) -> UnsupportedOptions:
    return UnsupportedOptions.model_validate(thaw(dict(check.options)))


def judged_sentences(check: Check, output: str) -> tuple[str, ...]:
    """Those that a judge is asked about."""
    return sentences(output)[: options(check).max_sentences]


def items(check: Check, count: int) -> Iterator[JudgeItem]:
    """Two criteria a sentence; the sentences themselves are data and stand elsewhere in the prompt."""
    for number in range(1, count + 1):
        supported = f"Sentence {number} is supported by the material, or it makes no claim of fact"
        yield JudgeItem(id=f"{check.id}#{number}.supported", check=check.id, text=supported)
        contradicted = f"The material contradicts sentence {number}"
        yield JudgeItem(id=f"{check.id}#{number}.contradicted", check=check.id, text=contradicted)


def finding(
    check: Check, output: str, passed: Mapping[str, bool], reasons: Mapping[str, str], *, whole: bool = True
) -> Finding:
    """The verdict on all sentences.

    Args:
        check: with its limits.
        output: as the judge saw it.
        passed: item id -> the judge's word on it.
        reasons: item id -> its reason.
        whole: whether `output` is all that was answered; what nobody read may hold any claim.
    """
    every, asked, limits = sentences(output), judged_sentences(check, output), options(check)
    found = [_status(check, number, passed) for number in range(1, len(asked) + 1)]
    count = Counter(found)
    words = _words(check, asked, found, reasons)
    if len(asked) < len(every):
        words = f"only the first {len(asked)} of {len(every)} sentences were judged; {words}"
    if not whole:
        words = f"a part of the answer was not shown to the judge; {words}"
    if count["contradicted"] > limits.max_contradicted or count["absent"] > limits.max_absent:
        return Finding("fail", round(count["supported"] / len(found) * MILLION), words)
    if count["unclear"] or len(asked) < len(every) or not found or not whole:
        return Finding("unmeasurable", None, words)
    return Finding("pass", round(count["supported"] / len(found) * MILLION), words)


def _status(check: Check, number: int, passed: Mapping[str, bool]) -> Status:
    supported = passed[f"{check.id}#{number}.supported"]
    contradicted = passed[f"{check.id}#{number}.contradicted"]
    if supported:
        return "unclear" if contradicted else "supported"
    return "contradicted" if contradicted else "absent"


def _words(check: Check, asked: Sequence[str], found: Sequence[Status], reasons: Mapping[str, str]) -> str:
    """The list of claims: every one that is not simply supported, with the judge's reason."""
    count = Counter(found)
    absent = f"{count['absent']} absent from the material"
    said = f"{len(found)} sentences: {count['supported']} supported, {absent}, {count['contradicted']} contradicted"
    if count["unclear"]:
        said += f", {count['unclear']} said to be both supported and contradicted"
    listed = [
        f"{number} {status}: {_short(text)!r} ({reasons[f'{check.id}#{number}.supported']})"
        for number, (text, status) in enumerate(zip(asked, found, strict=True), 1)
        if status != "supported"
    ]
    return "; ".join([said, *listed])


def _short(text: str) -> str:
    return text if len(text) <= SHOWN_CHARS else text[:SHOWN_CHARS] + "…"
