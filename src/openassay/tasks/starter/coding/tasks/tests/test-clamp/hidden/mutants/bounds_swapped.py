"""Numbers kept within bounds."""


def clamp(value, low, high):
    """The value itself where it is from low to high; low where it is smaller, high where it is larger."""
    if value < low:
        return high
    if value > high:
        return low
    return value
