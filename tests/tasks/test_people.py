"""What is taken for a person, and what is not."""

import pytest

from openassay.tasks.people import names_in

CASES = [
    ("We met Olufemi Adeyemi there.", ("Olufemi Adeyemi",)),
    ("Anna Schmidt agreed.", ("Anna Schmidt",)),
    ("It was Dr. Okafor, then Frau Weiß.", ("Dr. Okafor", "Frau Weiß")),
    ("See J. R. Halvorsen.", ("J. R. Halvorsen",)),
    ("wrote Ludwig van Achteren once", ("Ludwig van Achteren",)),
    ("пришёл Иван Петров вчера", ("Иван Петров",)),
    ("avec José Nuñez-Öberg", ("José Nuñez-Öberg",)),
    ("Maria Keller, and Maria Keller again", ("Maria Keller",)),
    ("in New York and the Red Cross", ()),
    ("the European Union on Monday", ()),
    ("Open Questions remain.", ()),
    ("the NASA HQ", ()),
    ("anna schmidt", ()),
    ("", ()),
]


@pytest.mark.parametrize(("text", "names"), CASES)
def test_names(text, names):
    assert names_in(text) == names
