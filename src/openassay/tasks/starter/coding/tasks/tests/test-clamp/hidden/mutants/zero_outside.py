"""Numbers kept within bounds."""


def clamp(value, low, high):
    """The value itself where it is from low to high; low where it is smaller, high where it is larger."""
    if value < low:
        return low
    if value > high:
        return 0
    return value
