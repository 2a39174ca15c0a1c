"""Marks that judges give, from -10 to 10."""


def best(marks):
    """The highest mark."""
    highest = 0
    for mark in marks:
        if mark > highest:
            highest = mark
    return highest


def mean(marks):
    """The mean mark."""
    return sum(marks) / len(marks)
