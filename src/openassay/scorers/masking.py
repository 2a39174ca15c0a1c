"""What of a candidate's output a judge may see: no hidden characters, no name of a model family or its maker.

A judge that knows whom it reads favours its own family. Names that mean nothing else go always, words that are other
things too (a llama is an animal, Claude a painter) only where they name a model: in "I am ...", before a version, in
a signature. What the task itself speaks of stays. Linear and idempotent. Not here: the list (`model_names`), and how
style may give a model away, which nothing takes out.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from openassay.scorers.hidden import without_hidden
from openassay.scorers.model_names import Names, name_key, names, shadow

MASK = "[name]"
_NEAR, _BEFORE, _AFTER = 48, 120, 60
"""Characters around a name that are looked at."""

_TIER = (
    "sonnet|opus|haiku|instruct|turbo|gguf|awq|gptq|coder|chat|preview|reasoner|thinking|distill|flash|nano|mini|lite"
    "|micro|premier|ultra|pro|large|medium|small|base|max|plus|next|exp|vl|it|hf|math|vision|audio|code|latest"
    "|llama|qwen|mistral|r\\+|r|a|v|h1|nemo|scout|maverick|deep|research|think|guard|embed|omni|oss"
)
_TAIL = re.compile(
    rf"(?:(?<=\d)(?i:[a-z]{{1,2}})(?![a-zA-Z0-9])"
    r"|(?<=[rR])\+(?!\w)"
    r"| \d{1,3}(?:\.\d)?[bB](?![a-zA-Z0-9])"
    rf"|[-_.:]?(?i:v?\d{{1,4}}(?:\.\d{{1,3}}){{0,3}}(?:x\d{{1,3}}b|[a-z]{{1,2}})?)(?![a-zA-Z0-9])"
    rf"|[-_:](?i:{_TIER})(?![a-zA-Z0-9])"
    rf"|[-_](?i:{_TIER})(?=\d)"
    r"| (?i:sonnet|opus|haiku|instruct)(?![a-zA-Z0-9])"
    r"| (?:Pro|Flash|Ultra|Nano|Mini|Lite|Micro|Premier|Turbo|Large|Medium|Small|Coder|Chat|Max|Plus|Advanced|Preview"
    r"|Thinking|R\+?|Nemo|Scout|Maverick)(?![a-zA-Z0-9])"
    r"| v?\d{1,2}(?:\.\d{1,2}){0,2}[a-z]?(?![\w.%]*[\w%])(?! ?(?i:years?|months?|weeks?|days?|hours?|times|of"
    r"|kg|km|cm|mm|m|g|percent|miles|met(?:er|re)s?|people|users|million|billion)\b)"
    r"){1,10}"
)
_END = re.compile(r"(?:'s|\u2019s|s)?(?![a-zA-Z0-9])")
_MODEL = r"(?:ai|llm|chat ?bot|assistant|(?:large )?language model|ai model|foundation model|model|bot)"
_SELF = re.compile(
    r"(?:\b(?:i am|i'm|im|my name is|my name's|call me|this is|you are talking to|you're talking to|ich bin"
    r"|ich hei(?:ss|ß)e|je suis|je m'appelle|soy|me llamo|eu sou|sono|ik ben)|我是|我叫|私は|я)"
    r"[ \t:]{0,2}(?:called |named )?(?:the (?:ai |assistant |model )?)?[\"'*_`]{0,2}$"
)
_AS = re.compile(r"(?:^|[.!?\n]\s{0,3})\s{0,3}as [\"'*_`]{0,2}$")
_AS_AFTER = re.compile(r"[\"'*_`]{0,2}, (?:i\b|an? |made |created |trained |developed |your )", re.IGNORECASE)
_BY = re.compile(
    r"\b(?:trained|fine-?tuned|generated|powered|created|developed|built|made|answered|produced|written)"
    r" (?:by|with|using|on) (?:the (?:team|people|researchers|engineers) at )?[\"'*_`]{0,2}$"
)
_CALLED = re.compile(rf"\b{_MODEL},? (?:is |was )?(?:named|called|known as) [\"'*_`]{{0,2}}$")
_ABOUT_AI = re.compile(
    rf"\b(?:(?:i am|i'm|i was|i've been|i have been)\b[^.!?\n]{{0,60}}|{_MODEL}\b[^.!?\n]{{0,30}}) "
    r"(?:trained|fine-?tuned|created|developed|built|made|designed|provided|released)?"
    r" ?(?:by|from|at) (?:the (?:team|people|researchers|engineers) at )?[\"'*_`]{0,2}$"
)
_KIND = re.compile(r"[- ](?:AI|A\.I\.|LLM|API|Assistant|Chatbot|(?i:language model|chatbot)|[Mm]odels?)(?![a-zA-Z0-9])")
_KIND_OF_MAKER = re.compile(r"[- ](?:AI|A\.I\.|LLM)(?![a-zA-Z0-9])|['\u2019]s (?:AI|LLM|language model)\b")
_SURNAME = re.compile(r" (?!AI\b|LLM\b)[A-Z][a-zé]")
_DASHED = re.compile(r"(?:^|\n)[ \t]{0,8}(?:[\u2014\u2013\u2015~]|--)[ \t]{0,3}[\"'*_`]{0,2}$")
_LINE_END = re.compile(r"[\"'*_`.]{0,3}[ \t]{0,8}(?:\n|$)")
_OWNED = re.compile(r"(?:['\u2019]s)?[ \n-]?$")
_NOT_A_MODEL = {
    "falcon": re.compile(r"[- ]?(?:9|1|Heavy)(?![.\db])"),
    "gemini": re.compile(r"[- ]?(?:[3-9]|1[0-2])(?![.\d])(?![ -](?i:pro|flash|ultra|nano))"),
    "phi": re.compile(r"(?:-?\d| \d+\.\d+)(?![.\d-])(?! (?:Mini|Small|Medium))"),
    "phi1": re.compile(r"(?![.-])"),
    "phi2": re.compile(r"(?![.-])"),
    "phi3": re.compile(r"(?![.-])"),
    "phi4": re.compile(r"(?![.-])"),
    "anthropic": re.compile(r" (?i:principles?|reasoning|bias|selection|coincidences?)\b"),
}
"""What follows a name where it is a rocket, a capsule, a number, a principle."""

_TOKEN = re.compile(
    r"<\|[a-z0-9_\u2581-]{1,40}\|>|\[/?inst\]|<</?sys>>|</?(?:start|end)_of_(?:turn|image)>|</?think(?:ing)?>"
    r"|\[/?(?:tool_calls|available_tools|tool_results)\]|<unused\d{1,4}>|<(?:bos|eos)>"
)
_MADE_BY = re.compile(
    r"\b(?i:(?:ai|language model|llm|chatbot|assistant)(?:,| that| which)? ?(?:was |is )?"
    r"(?:created|developed|trained|made|built|designed) by (?:the company |the team at )?)"
    r"([A-Z][\w.&-]{0,40}(?: [A-Z][\w.&-]{0,40}){0,3})"
)
_ANNOUNCED = re.compile(
    r"\b(?i:i am|i'm|i\u2019m|my name is) ([A-Z][\w.-]{1,40}(?: [A-Z0-9][\w.-]{0,40}){0,2}),? "
    r"(?=(?:an?|your|the) (?i:ai\b|llm\b|(?:large )?language model|artificial intelligence|virtual assistant|chatbot))"
)


class Masked(NamedTuple):
    text: str
    names: int
    """Names replaced by `MASK`."""
    hidden: int
    """Characters removed."""


class _Hit(NamedTuple):
    start: int
    end: int
    """Of the bare name."""
    close: int
    """Of name and version."""
    key: str


def masked(text: str, spoken: str) -> Masked:
    """An output as a judge may see it.

    Args:
        text: the candidate's output.
        spoken: all that the task says itself (instruction, materials, reference): names in it are its subject and stay.

    >>> masked("I am Claude 3.5 Sonnet by Anthropic. The llama eats.", "").text
    'I am [name] by [name]. The llama eats.'
    """
    clean, hidden = without_hidden(text)
    kept: list[str] = []
    at = count = 0
    for start, end in _merged([*_by_name(clean, spoken), *_by_form(clean, spoken)]):
        kept += [clean[at:start], MASK]
        at, count = end, count + 1
    return Masked("".join([*kept, clean[at:]]), count, hidden)


def _merged(spans: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """In order; of two that overlap the union."""
    last: tuple[int, int] | None = None
    for start, end in sorted(spans):
        if last is not None and start < last[1]:
            last = (last[0], max(last[1], end))
            continue
        if last is not None:
            yield last
        last = (start, end)
    if last is not None:
        yield last


def _by_name(text: str, spoken: str) -> Iterator[tuple[int, int]]:
    known = names()
    subject = _subjects(spoken, known)
    plain = shadow(text)
    found = list(_hits(text, plain, known))
    masks = {one for one in {hit.key for hit in found} if not _is_subject(one, subject)}
    hits = [hit for hit in found if hit.key in masks]
    told = False
    for number, hit in enumerate(hits):
        after = hits[number + 1] if number + 1 < len(hits) else None
        before = hits[number - 1] if told else None
        told = _identifies(hit, text, plain, known) or _side_by_side(before, hit, after, text, plain, known)
        if told:
            yield hit.start, hit.close


def _hits(text: str, plain: str, known: Names) -> Iterator[_Hit]:
    at = 0
    while found := known.pattern.search(plain, at):
        end = found.end()
        tail = _TAIL.match(text, end)
        close = tail.end() if tail else end
        at = close
        if _END.match(text, close):
            yield _Hit(found.start(), end, close, name_key(found[0]))


@lru_cache(maxsize=16)
def _subjects(spoken: str, known: Names) -> frozenset[str]:
    plain = shadow(without_hidden(spoken)[0])
    return frozenset(name_key(found[0]) for found in known.pattern.finditer(plain))


def _is_subject(name: str, subjects: frozenset[str]) -> bool:
    """A task about Qwen speaks of Qwen2.5 too, and one about Qwen2.5 of Qwen."""
    return name in subjects or any(one.startswith(name) or name.startswith(one) for one in subjects)


def _identifies(hit: _Hit, text: str, plain: str, known: Names) -> bool:
    """Whether a name names a model here."""
    other = _NOT_A_MODEL.get(hit.key)
    doubtful = other is not None and other.match(text, hit.end)
    if hit.key in known.certain and not doubtful:
        return True
    before, after = plain[max(0, hit.start - _BEFORE) : hit.start], text[hit.close : hit.close + _AFTER]
    near = before[-_NEAR:]
    if _signed(near, after):
        return True
    if hit.key in known.makers:
        return bool(_KIND_OF_MAKER.match(after) or _ABOUT_AI.search(before))
    if not doubtful and (_has_version(hit, text) or _is_compound(text[hit.start : hit.end])):
        return True
    if _KIND.match(after) or _CALLED.search(near):
        return True
    return not _SURNAME.match(after) and _says_who(near, after, capital=text[hit.start].isupper())


def _has_version(hit: _Hit, text: str) -> bool:
    """``llama-3`` and ``Llama 3`` are models, ``llama 3`` may be the third animal."""
    return hit.close > hit.end and (text[hit.end] != " " or text[hit.start].isupper())


def _is_compound(name: str) -> bool:
    """``nova-pro`` and ``Nova Pro``, not ``nova pro``."""
    return "-" in name or "_" in name or (" " in name and all(part[:1].isupper() for part in name.split(" ")))


def _signed(before: str, after: str) -> bool:
    return bool(_DASHED.search(before) and _LINE_END.match(after))


def _says_who(before: str, after: str, *, capital: bool) -> bool:
    if _SELF.search(before):
        return True
    return bool((_AS.search(before) and _AS_AFTER.match(after)) or (capital and _BY.search(before)))


def _side_by_side(before: _Hit | None, hit: _Hit, after: _Hit | None, text: str, plain: str, known: Names) -> bool:
    """``Google's Gemma``, ``OpenAI o1``: maker and model, where one of them is told."""
    if before is not None and _OWNED.fullmatch(text[before.close : hit.start]):
        return before.key in known.makers or before.key in known.certain or (before.key, hit.key) in known.pairs
    if after is None or not _OWNED.fullmatch(text[hit.close : after.start]):
        return False
    if (hit.key, after.key) in known.pairs:
        return True
    if hit.key not in known.makers:
        return False
    return _identifies(after, text, plain, known)


def _by_form(text: str, spoken: str) -> Iterator[tuple[int, int]]:
    """Marks of chat templates, and makers and names that no list has but the sentence gives away."""
    said = shadow(spoken)
    tokens = set(_TOKEN.findall(said))
    words = {word.rstrip(".") for word in re.findall(r"[^\W_][\w.&-]*", said)}
    for found in _TOKEN.finditer(shadow(text)):
        if found[0] not in tokens:
            yield found.span()
    for pattern in (_MADE_BY, _ANNOUNCED):
        for found in pattern.finditer(text):
            if shadow(found[1]).split(" ")[0].rstrip(".") not in words:
                yield found.start(1), found.start(1) + len(found[1].rstrip("."))
