from pathlib import Path

from openassay.schema.checks import SCORERS
from openassay.scorers.reference import page

PAGE = Path(__file__).parents[2] / "docs/reference/scorers.md"


def test_the_page_is_what_the_scorers_say():
    assert PAGE.read_text() == page(), "run: python -m openassay.scorers.reference > docs/reference/scorers.md"


def test_every_scorer_and_option_stands_in_the_page():
    text = page()
    for name, kind in SCORERS.items():
        assert f"## `{name}`" in text
        assert all(f"| `{field.alias or option}` |" in text for option, field in kind.options.model_fields.items())
