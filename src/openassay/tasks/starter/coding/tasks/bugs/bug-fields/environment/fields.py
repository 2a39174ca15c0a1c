"""Rows of comma-separated values."""


def split_row(row):
    """The fields of one row, as strings: always one more than there are commas outside double quotes.

    A field in double quotes may hold commas; the quotes themselves are no part of it.
    """
    fields, field, quoted = [], "", False
    for sign in row:
        if sign == '"':
            quoted = not quoted
        elif sign == "," and not quoted:
            fields.append(field)
            field = ""
        else:
            field += sign
    if field:
        fields.append(field)
    return fields
