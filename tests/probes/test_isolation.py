"""What neither side of a probe may learn or fake, and answers that must not stop the one that reads them."""

import json
import time

import pytest

from openassay.probes.code import blocks, python_code

SAYS = "import pytest\nfrom solution import f\n\ndef test_f():\n    "
FOOLS = {
    "a difference of nought": (
        "class A:\n    def __sub__(self, other): return 0\ndef f(): return A()",
        "assert abs(f() - 3.25) < 1e-9",
    ),
    "a difference of nought, mirrored": (
        "class A:\n    def __rsub__(self, other): return 0\ndef f(): return A()",
        "assert abs(3.25 - f()) < 1e-9",
    ),
    "a quotient of one": (
        "class A:\n    def __truediv__(self, other): return 1\ndef f(): return A()",
        "assert f() / 7 == 1",
    ),
    "our own ValueError": (
        "def f():\n    a = []\n    a.append(a)\n    return a",
        "with pytest.raises(ValueError): f()",
    ),
    "our own TypeError": ("import os\ndef f(): return os", "with pytest.raises(TypeError): f()"),
    "its end as an exception": ("import os\ndef f(): os._exit(0)", "with pytest.raises(BaseException): f()"),
}


@pytest.mark.parametrize("title", FOOLS)
def test_no_object_fools_a_test(probed, title):
    code, line = FOOLS[title]
    options = {"function": "f", "tests": "hidden/test_f.py", "seconds": 5}
    found = probed("python", options, {"hidden/test_f.py": SAYS + line + "\n"}, code)
    assert (found.ran, found.passed) == (True, False), found


LINE = json.dumps({"n": 0, "value": {"$": "fraction", "v": "1e1000000"}})
FORGED = f"""
import os
for number in range(3, 40):
    try:
        os.write(number, {LINE!r}.encode() + b"\\n")
    except OSError:
        pass
os._exit(0)
def f(): pass
"""
WRONG = {
    "longer than Python writes": ("def f(): return 10 ** 9000", {"expected": 1}),
    "too large for a tolerance": ("def f(): return 10 ** 400", {"expected": 1.0, "absolute": 0.1}),
    "a fraction too large": (
        "from fractions import Fraction\ndef f(): return Fraction(10 ** 400)",
        {"expected": 1.0},
    ),
    "a signalling NaN": ("from decimal import Decimal\ndef f(): return Decimal('sNaN')", {"expected": 1}),
    "half a character": ("def f(): raise ValueError('\\ud800')", {"expected": 1}),
    "no value, as our ValueError": ("def f():\n    a = []\n    a.append(a)\n    return a", {"raises": "ValueError"}),
    "endless, as our ValueError": ("import itertools\ndef f(): return itertools.count()", {"raises": "ValueError"}),
    "a fraction that takes all memory": (
        FORGED,
        {"expected": 1},
    ),
}


@pytest.mark.parametrize("title", WRONG)
def test_a_wrong_value_of_any_kind_is_the_answers_fault(probed, cases, title):
    code, row = WRONG[title]
    options = {"function": "f", "cases": "hidden/c.jsonl", "seconds": 5}
    found = probed("python", options, {"hidden/c.jsonl": cases({"args": [], **row})}, code)
    assert (found.ran, found.passed) == (True, False)
    found.model_dump_json().encode()


RIGHT = "def fee(days):\n    return 0 if days < 3 else days\n"
FEE = {"hidden/fee.py": RIGHT, "hidden/mutants/early.py": RIGHT.replace("3", "2")}
PEEPS = {
    "our frames": """
    frame = sys._getframe()
    while frame:
        for one in frame.f_locals.values():
            assert not isinstance(one, dict) or "days < 2" not in str(one.get("source"))
        frame = frame.f_back
""",
    "our objects": """
    for one in gc.get_objects():
        assert not isinstance(one, dict) or "days < 2" not in str(one.get("source"))
""",
    "our files": """
    for folder, _, names in os.walk("/work"):
        for name in names:
            assert "days < 2" not in open(os.path.join(folder, name), errors="replace").read()
""",
    "another module over there": """
    other = type(fee)("operator", fee.__dict__["_peer"])
    try:
        seen = other.attrgetter("__code__.co_consts")(fee.fee)
    except AttributeError:
        seen = ()
    assert 2 not in seen
""",
    "a text's format over there": """
    try:
        seen = fee.__dict__["_peer"].request("get", str, "format")("{0.__code__.co_consts}", fee.fee)
    except AttributeError:
        seen = ""
    assert "2" not in seen
""",
}


@pytest.mark.parametrize("title", PEEPS)
def test_written_tests_cannot_look_at_the_code(probed, title):
    code = f"import gc, os, sys\nimport fee\n\ndef test_peep():{PEEPS[title]}"
    found = probed("written_tests", {"under_test": "hidden/fee.py"}, FEE, f"```python\n{code}```")
    assert (found.passed, found.value) == (False, 0), found


SLOW = {
    "fences never closed": "```a\n" * 39_000,
    "backticks": "`" * 199_000,
    "tildes": ("~" * 300 + "x\n") * 600,
    "spaces": ("```" + " " * 400 + "x\n") * 400,
}


@pytest.mark.parametrize("title", SLOW)
def test_code_is_found_in_a_time_that_goes_with_its_length(title):
    began = time.process_time()
    python_code(SLOW[title], "f")
    assert time.process_time() - began < 5  # minutes, where each fence is followed to the end


CODE = "def f():\n    return 1\n"
FENCED = {
    "in a list": "1. Here:\n\n    ```python\n    def f():\n        return 1\n    ```\n",
    "three columns in": "1. Here:\n\n   ```py\n   def f():\n       return 1\n   ```\n",
    "tildes": f"~~~python\n{CODE}~~~",
    "lines of Windows": f"So:\n```Python\n{CODE}```\n".replace("\n", "\r\n"),
    "longer fence": f"````python\n{CODE}````",
    "no language, then an example": f"```\n{CODE}```\nUse:\n```python\nprint(f())\n```",
    "byte order mark": f"\ufeff{CODE}",
    "never closed": f"So:\n```python\n{CODE}",
}


@pytest.mark.parametrize("title", FENCED)
def test_code_is_found_however_it_is_fenced(title):
    assert python_code(FENCED[title], "f").text.rstrip("\n") == CODE.rstrip("\n")


def test_a_fence_in_a_text_of_the_code_is_no_end():
    code = 'def f():\n    """\n    ```\n    f()\n    ```\n    """\n    return 1\n'
    assert python_code(code, "f").text == code
    assert [one.text for one in blocks(f"```python\n{code}```")] == [code]


def test_sets_of_sets_come_out(probed):
    test = "from solution import f\n\ndef test_f():\n    assert f() == {frozenset({1}), frozenset()}\n"
    code = "def f(): return {frozenset({1}), frozenset()}"
    assert probed("python", {"function": "f", "tests": "hidden/test_f.py"}, {"hidden/test_f.py": test}, code).passed
