"""Hypothesis strategies that more than one room may use: small, valid, and odd where users are odd."""

import string
from decimal import Decimal

from hypothesis import strategies as st

names = st.text(string.ascii_letters + string.digits, min_size=1, max_size=8)

texts = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp", "Co", "Cn"], exclude_characters="\ufeff"),
    min_size=1,
    max_size=30,
).filter(lambda text: text.strip())
"""Words of any script, quotes and separators included, without control characters."""

cell_texts = texts.filter(lambda text: not text.lstrip().startswith(("[", "{")))
"""Texts that a CSV cell takes as text and not as JSON."""

paragraphs = st.lists(texts, min_size=1, max_size=3).map("\n".join).filter(lambda text: "hidden/" not in text)
"""Without paths into `hidden/`, which no instruction may name."""

numbers = st.one_of(
    st.integers(-(10**9), 10**9),
    st.decimals(-1000, 1000, places=2).map(lambda number: Decimal(f"{number:.2f}")),
)

options = st.fixed_dictionaries({}, optional={"ignore_case": st.booleans(), "ignore_punctuation": st.booleans()})


@st.composite
def items(draw):
    """Rows of an item file, as JSON values: unique ids and contents, scorers of four kinds."""
    ids = draw(st.lists(names, min_size=1, max_size=4, unique_by=str.casefold))
    return [{"id": name, "instruction": f"{draw(paragraphs)} {name}", **draw(scored)} for name in ids]


scored = st.one_of(
    st.fixed_dictionaries({"scorer": st.just("exact"), "reference": cell_texts, "options": options}),
    st.fixed_dictionaries({"scorer": st.just("exact"), "reference": st.lists(texts, min_size=1, max_size=3)}),
    st.fixed_dictionaries({"scorer": st.just("numeric"), "reference": numbers, "max_tokens": st.integers(1, 999)}),
    st.fixed_dictionaries(
        {"scorer": st.just("labels"), "reference": st.dictionaries(names, texts, min_size=1, max_size=3)},
        optional={"material": paragraphs, "group": names},
    ),
    st.fixed_dictionaries({"scorer": st.just("rubric"), "reference": cell_texts}, optional={"solution": paragraphs}),
)
