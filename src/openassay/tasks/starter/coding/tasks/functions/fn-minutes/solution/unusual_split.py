from functools import singledispatch

FACTORS = {("h",): (60,), ("m",): (1,), ("h", "m"): (60, 1)}


@singledispatch
def to_minutes(text):
    raise ValueError("a duration is a text")


@to_minutes.register
def _(text: str):
    parts = text.split(" ")
    units = tuple(part[-1:] for part in parts)
    numbers = [part[:-1] for part in parts]
    if units not in FACTORS or not all(number.isascii() and number.isdigit() for number in numbers):
        raise ValueError(text)
    return sum(factor * int(number) for factor, number in zip(FACTORS[units], numbers, strict=True))
