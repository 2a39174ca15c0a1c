"""Short forms of names."""


def initials(name):
    """The first letter of each word of a name, as capitals: "green river club" gives "GRC".

    Words are separated by one or more spaces; a word with hyphens, such as "well-known", is one word.
    """
    return ".".join(word[0] for word in name.split()).upper()
