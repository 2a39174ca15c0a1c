import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from openassay.reports.hanging import Hanging


def printed(sentence, width, lead="- "):
    console = Console(file=io.StringIO(), width=width)
    console.print(Hanging(sentence, lead))
    return console.file.getvalue().splitlines()


@pytest.mark.parametrize(
    ("width", "lines"),
    [
        (40, ["- one two three [four]"]),
        (12, ["- one two", "  three", "  [four]"]),
        (5, ["- one", "  two", "  thr", "  ee", "  [fo", "  ur]"]),
    ],
)
def test_a_sentence_goes_on_below_its_first_word(width, lines):
    assert printed("one two three [four]", width) == lines


@given(st.text("ab -[]", max_size=60), st.integers(4, 30))
def test_no_line_is_too_long_or_ends_in_spaces_and_no_sign_is_lost(sentence, width):
    lines = printed(sentence, width)
    assert all(len(line) <= width for line in lines)
    assert "".join("".join(lines)[2:].split()) == "".join(sentence.split())
