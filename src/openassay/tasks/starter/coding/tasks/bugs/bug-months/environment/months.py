"""Lengths of months and years in the Gregorian calendar."""

LONG = (1, 3, 5, 7, 8, 10, 12)


def is_leap(year):
    """Whether a year has 366 days."""
    return year % 4 == 0 and year % 100 != 0


def days_in_month(year, month):
    """Days of a month numbered from 1 to 12; ValueError for any other month."""
    if month not in range(1, 13):
        raise ValueError(f"no such month: {month}")
    if month == 2:
        return 29 if is_leap(year) else 28
    return 31 if month in LONG else 30
