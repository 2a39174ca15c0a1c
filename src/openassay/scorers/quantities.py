"""Read numbers in text: signs, grouping, fractions, powers of ten, percent and units. Digits are never glued together.

A run of digits that is no number by the rules (``1.2.3``, ``1,5`` without `decimal_comma`, a date with slashes) is not
read at all, rather than read wrongly.
"""

import re
from fractions import Fraction
from typing import NamedTuple

_TEX = (
    (re.compile(r"\\[dt]?frac\s*\{\s*(-?\d{1,15})\s*\}\s*\{\s*(\d{1,15})\s*\}"), r"\1/\2"),
    (re.compile(r"\\(?:text|mathrm|mathbf|textbf)\s*\{([^{}]{0,200})\}"), r" \1"),
    (re.compile(r"\{,\}"), ","),
    (re.compile(r"\\(?:times|cdot)\b"), "\u00d7"),
    (re.compile(r"\^\s*\{?\\circ\}?"), "°"),
    (re.compile(r"\\([%$])"), r"\1"),
    (re.compile(r"\\[,;! ()\[\]]"), " "),
)
_POWER = r"10\s?\^\s?[({]?\s?([-+]?\d{1,4})\s?[)}]?(?!\d)"
_SCIENTIFIC = re.compile(rf"(?<=\d)\s?[x\u00d7*·]\s?{_POWER}")
_POWER_OF_TEN = re.compile(rf"(?<![\w.,^])(?:\^)?{_POWER}")
_MIXED = re.compile(r"(?<![\w.,/^])(\d{1,6}) {1,3}(\d{1,3})/(\d{1,4})(?![\w/]|[.,]\d)")
_NUMBER = re.compile(
    r"""(?<![\w.,^/])
    (?P<sign>[-+]\s?)?(?P<before>[$€£¥₹]\s?)?(?P<inner>-)?
    (?P<body>\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d+)?|\d{1,3}(?:[ ']\d{3})+(?:\.\d+)?|\d++(?:\.\d++)?|\.\d++)
    (?P<power>[eE][-+]?\d++(?!\w))?
    (?:\s?/\s?(?P<under>\d{1,15})(?![\d/^]|[.,]\d))?
    (?!\d|[.,]\d|\s?\^|/\d)""",
    re.VERBOSE,
)
_UNIT = re.compile(
    r"\s?(%|percent\b|per\s?cent\b|[€£$¥₹]|°\s?[CFK]?\b|°|(?:[A-Za-zµμΩ]+\d?(?:\^?-?\d)?(?:\s?[/*·]\s?[A-Za-zµμΩ]+(?:\^?-?\d)?){0,2}))"
)
_WORDS = frozenset(
    ("a", "an", "and", "are", "as", "at", "be", "by", "da", "de", "do", "for", "from", "in", "is", "or", "to")
)
"""Words that are units too (inch, year, at): taken as one only where no word follows, as in "12 in"."""
_NOT = re.compile(r"(?:\b(?:not|never|nicht|kein|keine|pas|niet)|n't|≠|!=)\s*$", re.IGNORECASE)
_MOST_DIGITS = 400
_MOST_POWER = 6
_BEYOND = Fraction(10) ** 1000
_SWAP = str.maketrans(",.", ".,")


class Quantity(NamedTuple):
    value: Fraction
    unit: str
    """What stands after or before the number and may be a unit; empty for nothing."""
    refused: bool
    """Whether a "not" stands before it."""

    @property
    def percent(self) -> bool:
        return self.unit.startswith(("%", "per"))


def prepared(text: str, *, decimal_comma: bool = False) -> str:
    """Text with powers, mixed fractions and TeX written as plain numbers."""
    if "\\" in text or "{" in text:
        for pattern, plain in _TEX:
            text = pattern.sub(plain, text)
    if decimal_comma:
        text = text.translate(_SWAP)
    text = _POWER_OF_TEN.sub(r"1e\1", _SCIENTIFIC.sub(r"e\1", text))
    return _MIXED.sub(lambda found: f"{int(found[1]) * int(found[3]) + int(found[2])}/{found[3]}", text)


def quantities(text: str) -> list[Quantity]:
    """All numbers in a `prepared` text, in order.

    >>> [str(found.value) for found in quantities(prepared("-1,024.5 or 3/4, not 1.2.3"))]
    ['-2049/2', '3/4']
    """
    return [found for match in _NUMBER.finditer(text) if (found := _quantity(text, match))]


def _quantity(text: str, match: re.Match[str]) -> Quantity | None:
    under = match["under"]
    if under is not None and not int(under):
        return None
    value = _value(match["body"], match["power"]) / int(under or 1)
    if match["inner"] or _is_minus(text, match):
        value = -value
    unit = _UNIT.match(text, match.end())
    if unit and unit[1].casefold() in _WORDS and text[unit.end() : unit.end() + 2].strip().isalpha():
        unit = None
    before = (match["before"] or "").strip()
    return Quantity(value, before or (unit[1] if unit else ""), _is_refused(text, match))


def _is_refused(text: str, match: re.Match[str]) -> bool:
    return _NOT.search(text[max(0, match.start() - 20) : match.start()]) is not None


def _is_minus(text: str, match: re.Match[str]) -> bool:
    """Whether it is negative; ``- 5`` with a space is minus five only where no left operand stands before it."""
    sign = match["sign"] or ""
    if not sign.startswith("-"):
        return False
    return sign == "-" or text[: match.start()].rstrip()[-1:] in ("", "=", ":", "(", "≈")


def _value(body: str, power: str | None) -> Fraction:
    digits = re.sub("[, ']", "", body)
    exponent = int(power[1:]) if power and len(power) <= _MOST_POWER else 0
    if len(digits) > _MOST_DIGITS or abs(exponent) > _MOST_DIGITS or len(power or "") > _MOST_POWER:
        return _BEYOND  # larger than any reference: never worth the memory
    return Fraction(f"{digits}e{exponent}" if "." in digits or exponent else digits)
