"""Shopping baskets: dictionaries from an article to a number of pieces."""


def add(article, pieces=1, basket={}):
    """Put pieces of an article into a basket and return that basket; without a basket, begin a new one."""
    basket[article] = basket.get(article, 0) + pieces
    return basket


def total(basket, prices):
    """What a basket costs; an article without a price is free."""
    return sum(pieces * prices.get(article, 0) for article, pieces in basket.items())
