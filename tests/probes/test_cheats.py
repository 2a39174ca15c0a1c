"""No cheat passes, under cases or under tests; honest code passes, however unusual."""

import pytest

from openassay.authoring.cheats import CHEATS, answers

CASES = '{"args": [3], "expected": "3-2-1"}\n{"args": [1], "expected": "1"}\n{"args": [-1], "raises": "ValueError"}\n'
TESTS = """
import pytest
from solution import count


def test_three():
    assert count(3) == "3-2-1"


def test_has_two():
    assert "2" in count(3)


def test_one():
    expected = "1"
    assert count(1) == expected


def test_refuses():
    with pytest.raises(ValueError):
        count(-1)
"""
KINDS = {"cases": ("hidden/cases.jsonl", CASES), "tests": ("hidden/test_count.py", TESTS)}


def asked(probed, kind, answer, **more):
    path, text = KINDS[kind]
    return probed("python", {"function": "count", kind: path, **more}, {path: text}, answer)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("title", CHEATS)
def test_no_cheat_passes(probed, kind, title):
    found = asked(probed, kind, answers(["count"])[title], seconds=2, memory_mb=128)
    assert found.ran, found
    assert found.passed is False, found


HONEST = {
    "plain": """
def count(n):
    if n < 0:
        raise ValueError("negative")
    return "-".join(str(i) for i in range(n, 0, -1))
""",
    "recursion": """
def count(n):
    if n < 0:
        raise ValueError
    return "1" if n == 1 else f"{n}-{count(n - 1)}"
""",
    "lambda and walrus": """
count = lambda n: "-".join(map(str, range(m, 0, -1))) if (m := n) >= 0 else int("negative")
""",
    "callable object": """
class Counter:
    def __call__(self, n):
        if n < 0:
            raise ValueError(n)
        return "-".join([str(i) for i in range(1, n + 1)][::-1])
count = Counter()
""",
    "subclass of str": """
class Dashed(str):
    def parts(self):
        return self.split("-")
    def __repr__(self):
        return f"Dashed({str(self)!r})"
def count(n):
    if n < 0:
        raise ValueError
    return Dashed("-".join(str(i) for i in range(n, 0, -1)))
""",
    "own exception": """
class Negative(ValueError):
    def __init__(self, n):
        super().__init__(f"{n} is negative")
        self.n = n
def count(n):
    if n < 0:
        raise Negative(n)
    return "-".join(str(i) for i in range(n, 0, -1))
""",
    "decorator and cache": """
import functools
def checked(f):
    @functools.wraps(f)
    def inner(*args, **kwargs):
        if args[0] < 0:
            raise ValueError
        return f(*args, **kwargs)
    return inner
@checked
@functools.cache
def count(n):
    return "-".join(str(n - i) for i in range(n))
""",
    "mutable default and nested function": """
def count(n, memo={}):
    def go(k):
        if k not in memo:
            memo[k] = str(k) if k == 1 else str(k) + "-" + go(k - 1)
        return memo[k]
    if n < 0:
        raise ValueError
    return go(n)
""",
    "star arguments": """
def count(*args, **options):
    (n,) = args
    if n < 0:
        raise ValueError
    return "-".join(str(i) for i in range(n, 0, -1))
""",
    "deep recursion": """
import sys
sys.setrecursionlimit(20000)
def depth(n):
    return 0 if n == 0 else 1 + depth(n - 1)
def count(n):
    if n < 0:
        raise ValueError
    assert depth(5000) == 5000
    return "-".join(str(i) for i in range(n, 0, -1))
""",
    "generator inside, printing, main guard": """
def down(n):
    while n:
        yield n
        n -= 1
def count(n):
    print("counting", n)
    if n < 0:
        raise ValueError
    return "-".join(map(str, down(n)))
if __name__ == "__main__":
    print(count(int(input())))
""",
    "a class of class methods": """
class Tools:
    @classmethod
    def count(cls, n):
        if n < 0:
            raise ValueError
        return "-".join(str(i) for i in reversed(range(1, n + 1)))
count = Tools.count
""",
    "shadows a module of Python's": """
import string as json, random as pytest
def count(n):
    if n < 0:
        raise ValueError
    return "-".join(str(i) for i in range(n, 0, -1))
""",
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("title", HONEST)
def test_honest_code_passes(probed, kind, title):
    found = asked(probed, kind, f"Here it is:\n```python\n{HONEST[title]}\n```\nThat is all.")
    assert found.passed is True, found


GIVES = {
    "generator for a list": ("def f():\n    yield from (1, 2)", {"expected": [1, 2]}),
    "tuple for a list": ("def f():\n    return 1, 2", {"expected": [1, 2]}),
    "range for a list": ("def f():\n    return range(1, 3)", {"expected": [1, 2]}),
    "bool is an int subclass": ("def f():\n    return True", {"expected": True}),
    "int subclass": ("class I(int):\n    pass\ndef f():\n    return I(7)", {"expected": 7}),
    "IntEnum": ("import enum\nclass E(enum.IntEnum):\n    A = 3\ndef f():\n    return E.A", {"expected": 3}),
    "fraction": ("from fractions import Fraction\ndef f():\n    return Fraction(1, 4)", {"expected": 0.25}),
    "named tuple": (
        "import collections\nP = collections.namedtuple('P', 'x y')\ndef f():\n    return P(1, 2)",
        {"expected_python": "(1, 2)"},
    ),
    "Counter for a dictionary": (
        "import collections\ndef f():\n    return collections.Counter('aab')",
        {"expected": {"a": 2, "b": 1}},
    ),
    "defaultdict": (
        "import collections\ndef f():\n    return collections.defaultdict(int, a=1)",
        {"expected": {"a": 1}},
    ),
    "frozenset": ("def f():\n    return frozenset({1, 2})", {"expected_python": "{1, 2}"}),
    "huge int": ("def f():\n    return 7 ** 9000 % 10 ** 8000 - 7 ** 9000 % 10 ** 8000 + 5", {"expected": 5}),
    "keys that are numbers": ("def f():\n    return {1: 'a'}", {"expected_python": "{1: 'a'}"}),
    "near a float": ("def f():\n    return 0.1 + 0.2", {"expected": 0.3, "absolute": 1e-9}),
    "a base of the exception": ("def f():\n    return {}['a']", {"raises": "LookupError"}),
}


@pytest.mark.parametrize("title", GIVES)
def test_equality_is_by_value(probed, cases, title):
    code, wanted = GIVES[title]
    files = {"hidden/c.jsonl": cases({"args": [], **wanted})}
    assert probed("python", {"function": "f", "cases": "hidden/c.jsonl"}, files, code).passed, title


WRONG = {
    "1 for true": ("def f():\n    return 1", {"expected": True}),
    "true for 1": ("def f():\n    return True", {"expected": 1}),
    "text for a number": ("def f():\n    return '7'", {"expected": 7}),
    "list for a tuple, exact": ("def f():\n    return [1]", {"expected_python": "(1,)"}),
    "generator for a list, exact": ("def f():\n    yield 1", {"expected": [1]}),
    "longer list": ("def f():\n    return [1, 2, 3]", {"expected": [1, 2]}),
    "set for a list": ("def f():\n    return {1, 2}", {"expected": [1, 2]}),
    "text key for a number": ("def f():\n    return {'1': 'a'}", {"expected_python": "{1: 'a'}"}),
    "none": ("def f():\n    pass", {"expected": 0}),
    "another exception": ("def f():\n    raise KeyError", {"raises": "ValueError"}),
    "no exception": ("def f():\n    return ValueError", {"raises": "ValueError"}),
}


@pytest.mark.parametrize("title", WRONG)
def test_other_values_fail(probed, cases, title):
    code, wanted = WRONG[title]
    files = {"hidden/c.jsonl": cases({"args": [], **wanted})}
    options = {"function": "f", "cases": "hidden/c.jsonl", "sequences": "exact"}
    assert probed("python", options, files, code).passed is False
