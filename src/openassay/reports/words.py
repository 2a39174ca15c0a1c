"""Numbers and counts as people read them, the same in the terminal and in HTML."""

from collections.abc import Sequence

USUAL_PRECISION = 1.0
"""Percentage points of half width above which decimals would feign precision."""


def percent(share: float, interval: tuple[float, float] | None = None) -> str:
    """A share as a percentage: whole points where the interval is wider than a point to each side.

    >>> percent(0.754, (0.6, 0.9)), percent(0.754, (0.75, 0.76))
    ('75 %', '75.4 %')
    """
    return f"{100 * share:.{_decimals(interval)}f} %"


def bounds(interval: tuple[float, float]) -> str:
    """An interval in words.

    >>> bounds((0.53, 0.888))
    '53 to 89 %'
    """
    places = _decimals(interval)
    return f"{100 * interval[0]:.{places}f} to {100 * interval[1]:.{places}f} %"


def _decimals(interval: tuple[float, float] | None) -> int:
    return int(interval is not None and 50 * (interval[1] - interval[0]) <= USUAL_PRECISION)


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number and its noun.

    >>> counted(1, "answer"), counted(2_500, "answer")
    ('1 answer', '2,500 answers')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def usd(amount: float) -> str:
    """Dollars, small sums with four decimals; a sum is never shown as nothing.

    >>> usd(0), usd(0.00001), usd(0.00042), usd(12.5)
    ('$0', 'under $0.0001', '$0.0004', '$12.50')
    """
    if amount == 0:
        return "$0"
    if amount < 0.00005:  # noqa: PLR2004  # would print as $0.0000
        return "under $0.0001"
    return f"${amount:.2f}" if amount >= 1 else f"${amount:.4f}"


def seconds(value: float | None) -> str:
    """A time in seconds, empty where it is unknown.

    >>> seconds(0.034), seconds(1.25), seconds(75.0), seconds(None)
    ('0.03 s', '1.2 s', '75 s', '')
    """
    if value is None:
        return ""
    return f"{value:.2f} s" if value < 1 else f"{value:.1f} s" if value < 10 else f"{value:.0f} s"  # noqa: PLR2004


def items_by_attempts(n_items: int, per_item: int | None, n_attempts: int) -> str:
    """Items and attempts apart, because attempts are not items.

    >>> items_by_attempts(10, 3, 30), items_by_attempts(10, None, 13)
    ('10 x 3', '10 (13 attempts)')
    """
    return f"{n_items:,} x {per_item}" if per_item else f"{n_items:,} ({n_attempts:,} attempts)"


def token_limits(limits: Sequence[int]) -> str:
    """The limits at which answers were cut off.

    >>> token_limits([160]), token_limits([96, 160, 280]), token_limits([])
    ('160 tokens', '96 to 280 tokens', 'their length')
    """
    if not limits:
        return "their length"  # the endpoint found the prompt too long, or did not say what it cut at
    low, high = min(limits), max(limits)
    return f"{high} tokens" if low == high else f"{low} to {high} tokens"


def listed(names: list[str]) -> str:
    """Names in a sentence.

    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def anchor(run: str, task: str) -> str:
    """Where an item stands on the HTML page.

    >>> anchor("20260101-ab12", "sum-1")
    'item--20260101-ab12--sum-1'
    """
    return f"item--{run}--{task}"
