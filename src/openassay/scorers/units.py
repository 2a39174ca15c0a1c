"""Convert a number to the unit of the reference: percent and currencies by name, all else by pint."""

import re
from fractions import Fraction
from functools import lru_cache
from typing import Any

from openassay.scorers.quantities import Quantity

_SPELLINGS = {
    "USD": ("$", "usd", "dollar", "dollars"),
    "EUR": ("€", "eur", "euro", "euros"),
    "GBP": ("£", "gbp"),
    "JPY": ("¥", "jpy", "yen"),
    "INR": ("₹", "inr", "rupees"),
    "CHF": ("chf",),
}
_CURRENCIES = {spelling: code for code, spellings in _SPELLINGS.items() for spelling in spellings}
_UNIT_CHARS = 40
_PERCENT = ("%", "percent", "per cent")


def convert(found: Quantity, unit: str) -> Fraction | None:
    """The value in `unit`; unchanged where the text names no unit; None where it names one that does not convert."""
    named, wanted = found.unit.strip(), unit.strip()
    if not named or named == wanted:
        return found.value
    if found.percent or wanted.casefold() in _PERCENT:
        return _percent(found, wanted)
    currency = _CURRENCIES.get(wanted.casefold())
    if currency or named.casefold() in _CURRENCIES:
        return _currency(found, named, currency)
    return _physical(found, named, wanted)


def _percent(found: Quantity, wanted: str) -> Fraction | None:
    if wanted.casefold() in _PERCENT:
        return found.value if found.percent or not _parsed(found.unit) else None
    return None


def _currency(found: Quantity, named: str, wanted: str | None) -> Fraction | None:
    code = _CURRENCIES.get(named.casefold())
    if code is None and wanted:
        return found.value if not _parsed(named) else None
    return found.value if code == wanted else None


def _physical(found: Quantity, named: str, wanted: str) -> Fraction | None:
    source, target = _parsed(named), _parsed(wanted)
    if source is None:
        return found.value  # a word of prose ("12 altogether"), not a unit
    if target is None:
        return None
    return _converted(found.value, source, target)


def _converted(value: Fraction, source: Any, target: Any) -> Fraction | None:
    import pint

    try:
        number = _registry().Quantity(float(value), source).to(target).magnitude
    except (pint.PintError, OverflowError, ValueError):
        return None
    return Fraction(f"{number:.12g}")  # twelve digits: 0.012 km is 12 m, not 12.000000000000002


@lru_cache(maxsize=1)
def _registry() -> Any:
    import pint  # 40 MB and half a second: only where a check names a unit

    return pint.UnitRegistry()


@lru_cache(maxsize=512)
def _parsed(unit: str) -> Any:
    """The unit as pint knows it, or None for a word that is none."""
    text = re.sub(r"(?<=[A-Za-z])(-?\d)$", r"^\1", unit.strip().replace("·", "*").replace("° ", "°"))
    if not text or len(text) > _UNIT_CHARS:
        return None
    for spelled in (text, text.rstrip("."), text.casefold()):
        try:
            return _registry().parse_units(spelled)
        except Exception:  # noqa: BLE001, S112  # pint raises many kinds for a word that is no unit
            continue
    return None
