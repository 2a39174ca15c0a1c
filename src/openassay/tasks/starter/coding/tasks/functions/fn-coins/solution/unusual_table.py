from functools import lru_cache

KINDS = [1, 2, 5, 10, 20, 50]


class NegativeAmount(ValueError):
    pass


@lru_cache(maxsize=None)
def _fewest(amount):
    """Built up from smaller amounts, without relying on greed."""
    if amount == 0:
        return ()
    return min((_fewest(amount - kind) + (kind,) for kind in KINDS if kind <= amount), key=len)


def coins(amount):
    if amount < 0:
        raise NegativeAmount(f"no coins for {amount}")
    whole, rest = divmod(amount, 50)
    return [50] * whole + sorted(_fewest(rest), reverse=True)
