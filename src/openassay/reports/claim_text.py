"""A published figure in running text: what a reader finds in it, and what is not found.

Words are looked for, nothing is understood: "not found in the text" does not mean that the source never says it.
Patterns take time in proportion to the text. Not here: TOML (`published`), rules (`claim`).
"""

import re
from collections.abc import Iterator

from openassay.reports.claim import Claim, Interval, Reading, interval_of
from openassay.reports.claim_rules import RULES, Gap, gap
from openassay.reports.words import bounds, counted

MOST_CHARACTERS = 200_000
MOST_FIGURES = 50
AROUND = 60
"""Characters shown on each side of what was found."""

FIGURE = re.compile(r"(?<![\d.,])(\d{1,3}(?:[.,]\d{1,3})?)\s?(?:%|percent\b|per cent\b)", re.IGNORECASE)
FOUND: dict[str, re.Pattern[str]] = {
    # A date alone is no version: it has to hang on a name, or stand without hyphens as makers write it.
    "version": re.compile(
        r"(?<=[\w.]-)20\d{2}-[01]\d-[0-3]\d\b|\b20\d{6}\b|\b\d{4}(?=\s(?:preview|snapshot)\b)|"
        r"\b[a-z]{2,20}-\d{1,2}(?:\.\d{1,2})?-[a-z0-9.-]{2,30}\b",
        re.IGNORECASE,
    ),
    "n": re.compile(
        r"\b(?:n\s?=\s?(\d[\d,]{0,9})|(\d[\d,]{0,9})\s(?:[a-z-]{1,20}\s){0,2}(?:tasks|items|questions|problems|examples|"
        r"prompts|instances|samples|cases)\b)",
        re.IGNORECASE,
    ),
    "metric": re.compile(
        r"\b(?:pass[@^]\d{1,4}|exact match|accuracy|F1\b|win rate|resolved|solve rate|majority vot|cons@\d{1,4})",
        re.IGNORECASE,
    ),
    "prompt": re.compile(
        r"\b(?:zero-shot|few-shot|\d{1,2}-shot|system prompt|prompt template|prompt)\b", re.IGNORECASE
    ),
    "measured_by": re.compile(r"\b(?:measured by|evaluated by|run by|we (?:ran|measured|evaluated))\b", re.IGNORECASE),
    "temperature": re.compile(r"\btemperature\s?(?:=|of|:)?\s?\d(?:\.\d{1,3})?", re.IGNORECASE),
    "tools": re.compile(
        r"\b(?:with(?:out)? tools|no tools|tool use|scaffold|agent|bash tool|search tool|reasoning effort|"
        r"thinking budget|max[_ ]tokens)\b",
        re.IGNORECASE,
    ),
    "attempts": re.compile(
        r"\b(?:\d{1,4} (?:attempts|trials|repetitions|seeds)|averaged? over \d{1,4}|(?:mean|average) of \d{1,4}|"
        r"single (?:attempt|run))\b",
        re.IGNORECASE,
    ),
    "selection": re.compile(r"\b(?:best[- ]of[- ](?:\d{1,4}|n\b)|best run|averaged? over|majority vot)", re.IGNORECASE),
    "interval": re.compile(
        r"(?:±|\+/-)\s?\d|\bconfidence interval|\b9[05] ?% (?:CI|interval)|\bstandard error|\bstd\b", re.IGNORECASE
    ),
    "benchmark_version": re.compile(r"\b(?:v\d{1,3}(?:\.\d{1,3}){0,2}|release of \d{4}|revision [0-9a-f]{6,40})\b"),
    "tasks": re.compile(
        r"\b(?:subset|full set|all tasks|test split|validation split|held-out|filtered)\b", re.IGNORECASE
    ),
    "date": re.compile(
        r"\b(?:20\d{2}-[01]\d(?:-[0-3]\d)?|(?:January|February|March|April|May|June|July|August|September|October|"
        r"November|December) (?:\d{1,2}, )?20\d{2})\b"
    ),
    "relationship": re.compile(r"\b(?:independent(?:ly)?|third[- ]party|conflict of interest|affiliat)", re.IGNORECASE),
    "paid_by": re.compile(
        r"\b(?:funded by|paid (?:for )?by|sponsored by|supported by|commissioned by)\b", re.IGNORECASE
    ),
    "contamination": re.compile(
        r"\b(?:contaminat\w{0,10}|decontaminat\w{0,10}|held[- ]out|private (?:set|items|tasks)|canary|data leak)",
        re.IGNORECASE,
    ),
    "cost": re.compile(r"(?:[$€£]\s?\d|\bcosts?\b|\bUSD\b)", re.IGNORECASE),
}
"""Rule -> words that may say it. What was measured cannot be looked for: a person has to say."""


def examine_text(text: str) -> Claim:
    """What a text says of its figures, as far as words show; at most `MOST_CHARACTERS` of it are read."""
    text = text[:MOST_CHARACTERS]
    figures = [match for _, match in zip(range(MOST_FIGURES), FIGURE.finditer(text), strict=False)]
    found = {name: match for name, pattern in FOUND.items() if (match := pattern.search(text))}
    n = _number(found.get("n"))
    missing = tuple(gap(rule) for rule in RULES if rule.id in FOUND and rule.id not in found)
    return Claim(
        source="text",
        readings=tuple(_reading(text, match, n, missing) for match in figures),
        questions=tuple(one.question for one in (*_what(), *missing)),
        essential_missing=not figures or any(one.essential for one in missing),
        found={name: excerpt(text, match) for name, match in found.items()},
    )


def _what() -> Iterator[Gap]:
    return (gap(rule) for rule in RULES if rule.id not in FOUND)


def _number(match: "re.Match[str] | None") -> int | None:
    """Of tasks; none where several stand in the text, as nobody can say which belongs to which figure."""
    if match is None:
        return None
    value = int((match.group(1) or match.group(2)).replace(",", "") or 0)
    others = {int((one.group(1) or one.group(2)).replace(",", "") or 0) for one in FOUND["n"].finditer(match.string)}
    return value if value > 0 and len(others) == 1 else None


def _reading(text: str, match: "re.Match[str]", n: int | None, missing: tuple[Gap, ...]) -> Reading:
    share = float(match.group(1).replace(",", ".")) / 100
    usable = share if share <= 1 else None
    interval = interval_of(usable, n)
    return Reading(
        model="",
        figure=match.group().strip(),
        share=usable,
        n=n,
        left_out=missing,
        interval=interval,
        said=_said(match.group().strip(), n, interval),
        context=excerpt(text, match),
    )


def _said(figure: str, n: int | None, interval: Interval | None) -> tuple[str, ...]:
    if interval is None or n is None:
        return ()
    sentence = (
        f"If {figure} is a share of the {counted(n, 'task')} named in the text, it would fit a true rate anywhere from "
        f"{bounds(interval)} (95 % interval)."
    )
    return (sentence,)


def excerpt(text: str, match: "re.Match[str]") -> str:
    """What was found with some words around it, on one line."""
    start, end = max(0, match.start() - AROUND), min(len(text), match.end() + AROUND)
    return " ".join(text[start:end].split())
