"""Prices of a swimming pool."""


def price(age):
    """Price of a ticket: 0 below the age of 6, 3 from 6 to 17, 5 from 18 on."""
    if age < 6:
        return 0
    if age < 18:
        return 3
    return 3
