"""Pages of a list, numbered from 1."""


def page_count(items, size):
    """How many pages there are; an empty list has none."""
    return (len(items) + size - 1) // size


def page_of(items, number, size):
    """The items on one page; an empty list where there is no such page."""
    if number < 1:
        return []
    start = (number - 1) * size
    return items[start : start + size + 1]
