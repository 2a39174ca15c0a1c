class Minutes(int):
    """Minutes that print themselves as a duration."""

    def __repr__(self):
        return f"{self // 60}h {self % 60}m"


def _numbers(text):
    """Yields (unit, number) and then stops; anything out of place is a ValueError."""
    digits = ""
    for position, sign in enumerate(text):
        if "0" <= sign <= "9":
            digits += sign
        elif sign in "hm" and digits:
            yield sign, int(digits)
            digits = ""
        elif sign != " " or text[position - 1 : position] != "h" or position == len(text) - 1:
            raise ValueError(text)
        if sign == "h" and text[position + 1 : position + 2] not in ("", " "):
            raise ValueError(text)
    if digits:
        raise ValueError(text)


def to_minutes(text):
    found = list(_numbers(text))
    if "".join(unit for unit, _ in found) not in ("h", "m", "hm"):
        raise ValueError(text)
    return Minutes(sum(number * {"h": 60, "m": 1}[unit] for unit, number in found))
