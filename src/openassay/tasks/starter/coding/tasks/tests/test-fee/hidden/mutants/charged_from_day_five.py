"""What a library asks for books that come back late."""


def late_fee(days):
    """Cents for a book that is some days late: 0 up to 3 days, then 20 for each day after the third, at most 500."""
    return min(max(days - 4, 0) * 20, 500)
