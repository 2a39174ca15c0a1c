"""Classes under tests, tests under mutants, programs of one's own: what passes, what fails, and whose fault it is."""

import re
from pathlib import Path

import pytest

from openassay.authoring import cheats

STACK_TESTS = """
import re
from pathlib import Path

import pytest
from stack import Empty, Stack


def test_last_in_first_out():
    stack = Stack()
    stack.push(1)
    stack.push([2])
    assert len(stack) == 2 and [2] in stack
    assert stack.pop() == [2]
    assert list(stack) == [1]
    assert isinstance(stack, Stack)


def test_equal_stacks():
    assert Stack([1]) == Stack([1])
    assert Stack([1]) != Stack([2])


def test_empty():
    with pytest.raises(Empty, match="nothing"):
        Stack().pop()


def test_each():
    seen = []
    Stack([1, 2]).each(lambda value: seen.append(value * 10))
    assert seen == [10, 20]


@pytest.mark.parametrize("n", [1, 2])
def test_printed(n, capsys):
    Stack([n]).show()
    assert capsys.readouterr().out == f"{n}\\n"
"""
STACK = """
class Empty(IndexError):
    pass

class Stack({base}):
    def __init__(self, items=()):
        self.items = list(items)
    def push(self, item):
        self.items.append(item)
    def pop(self):
        if not self.items:
            raise Empty("nothing to pop")
        return self.items.pop()
    def each(self, function):
        for item in self.items:
            function(item)
    def show(self):
        print(*self.items)
    def __len__(self):
        return len(self.items)
    def __iter__(self):
        return iter(self.items)
    def __contains__(self, item):
        return item in self.items
    def __eq__(self, other):
        return isinstance(other, Stack) and self.items == other.items
"""


def held(probed, code):
    options = {"module": "stack", "tests": "hidden/test_stack.py", "seconds": 4}
    return probed("python", options, {"hidden/test_stack.py": STACK_TESTS}, code)


@pytest.mark.parametrize("base", ["", "object"])
def test_a_class_passes_through_stand_ins(probed, base):
    found = held(probed, STACK.replace("{base}", base))
    assert found.passed, found
    assert found.reason == "5 of 5 tests pass"


def test_no_cheat_is_a_class(probed):
    names = ("always-equal class of the wanted name", "always-equal object", "forged result lines on import")
    for title in names:
        assert held(probed, cheats.answers(["Stack", "Empty"])[title]).passed is False


OURS = {
    "no case": ("python", {"function": "f", "cases": "hidden/a"}, {"hidden/a": ""}),
    "a case that is none": ("python", {"function": "f", "cases": "hidden/a"}, {"hidden/a": "{}"}),
    "a missing file": ("python", {"function": "f", "cases": "hidden/b"}, {"hidden/a": ""}),
    "tests that do not compile": ("python", {"function": "f", "tests": "hidden/a"}, {"hidden/a": "def test_a(:"}),
    "a file without tests": ("python", {"function": "f", "tests": "hidden/a"}, {"hidden/a": "x = 1"}),
    "no mutants": ("written_tests", {"under_test": "hidden/a.py"}, {"hidden/a.py": "x = 1"}),
    "a program that fails": ("command", {"run": ["false"]}, {"hidden/a": ""}),
    "a program without a verdict": ("command", {"run": ["true"]}, {"hidden/a": ""}),
    "a program that is not there": ("command", {"run": ["no-such-program"]}, {"hidden/a": ""}),
}


@pytest.mark.parametrize("title", OURS)
def test_our_own_faults_are_no_verdict(probed, title):
    uses, options, files = OURS[title]
    found = probed(uses, options, files, "```python\ndef f():\n    return 1\n```")
    assert (found.ran, found.passed) == (False, None)
    assert found.reason


ENDS = {
    "wall": "def f():\n    while True:\n        pass\n",
    "output": "def f():\n    while True:\n        print('x' * 9999)\n",
}


@pytest.mark.parametrize("ended", ENDS)
@pytest.mark.parametrize("kind", ["cases", "tests"])
def test_limits_are_told_apart_from_wrong(probed, kind, ended):
    files = {"hidden/cases": '{"expected": 1}', "hidden/tests": "def test_f():\n    assert f() == 1\n"}
    options = {"function": "f", kind: f"hidden/{kind}", "seconds": 1}
    found = probed("python", options, files, ENDS[ended])
    assert found.passed is False
    assert found.ended in ({"wall", "cpu"} if ended == "wall" else {ended})


MALFORMED = ["no code at all", "42", "```python\ndef g(): pass\n```", "```python\ndef f(:\n```", "x" * 300_000]


@pytest.mark.parametrize("answer", MALFORMED, ids=lambda text: text[:12])
def test_an_answer_without_the_function_is_malformed(probed, answer):
    found = probed("python", {"function": "f", "cases": "hidden/c"}, {"hidden/c": '{"expected": 1}'}, answer)
    assert (found.ran, found.passed, found.malformed) == (True, False, True)


def test_a_changed_file_stands_among_its_neighbours(probed):
    files = {
        "environment/shop/__init__.py": "",
        "environment/shop/price.py": "from shop.tax import rate\n\ndef price(net):\n    return net\n",
        "environment/shop/tax.py": "def rate():\n    return 2\n",
        "hidden/test_price.py": "from shop.price import price\nimport shop.tax\n\n"
        "def test_a():\n    assert price(3) == 6\n    assert shop.tax.rate() == 2\n",
    }
    code = "from shop.tax import rate\n\ndef price(net):\n    return net * rate()\n"
    answer = f"First `tax.py`:\n```python\ndef rate():\n    return 2\n```\nthen\n```python\n{code}```\n"
    options = {"file": "shop/price.py", "tests": "hidden/test_price.py"}
    assert probed("python", options, files, answer).passed
    assert probed("python", options, files, files["environment/shop/price.py"]).passed is False


def test_suspicious_constructs_are_flagged_and_decide_nothing(probed):
    code = "import inspect\n\ndef f():\n    return len(inspect.stack()) * 0 + 1\n"
    found = probed("python", {"function": "f", "cases": "hidden/c"}, {"hidden/c": '{"expected": 1}'}, code)
    assert found.passed
    assert set(found.flags) == {"imports inspect", "calls inspect.stack"}


FEE = {
    "environment/fee.py": "def fee(days):\n    return 0 if days < 3 else min(days, 9)\n",
    "hidden/mutants/early.py": "def fee(days):\n    return 0 if days < 2 else min(days, 9)\n",
    "hidden/mutants/endless.py": "def fee(days):\n    return 0 if days < 3 else days\n",
    "hidden/mutants/hangs.py": "def fee(days):\n    while days > 9:\n        pass\n    return 0 if days < 3 else 3\n",
}
FEE_OPTIONS = {"under_test": "environment/fee.py", "seconds": 2}
GOOD = "from fee import fee\n\ndef test_low():\n    assert fee(2) == 0\n\ndef test_high():\n    assert fee(20) == 9\n"


def test_good_tests_notice_every_mutant(probed):
    found = probed("written_tests", FEE_OPTIONS, FEE, f"```python\n{GOOD}```")
    assert (found.passed, found.value) == (True, 1_000_000), found


def test_half_of_the_tests_notice_some(probed):
    half = GOOD.partition("def test_low")[0] + GOOD[GOOD.index("def test_high") :]
    found = probed("written_tests", {**FEE_OPTIONS, "min_killed": 0.5}, FEE, half)
    assert (found.passed, found.value) == (True, 666_666)
    assert found.details == ("not noticed: early",)


@pytest.mark.parametrize("title", cheats.TEST_CHEATS)
def test_no_cheat_of_a_test_writer_passes(probed, title):
    found = probed("written_tests", FEE_OPTIONS, FEE, cheats.test_files("fee")[title])
    assert found.ran
    assert found.passed is False, found


SH = r"""
if grep -q hello answer.txt; then ok=true; else ok=false; fi
printf '{"pass": %s, "reason": "looked for hello"}\n' $ok > /dev/fd/$RESULT_FD
"""
PY = """
import json, os
text = open("answer.txt").read()
with os.fdopen(int(os.environ["RESULT_FD"]), "w") as out:
    for word, weight in (("hello", 3), ("world", 1)):
        print(json.dumps({"pass": word in text, "reason": f"{word!r} in the answer", "weight": weight}), file=out)
"""


@pytest.mark.parametrize(
    ("run", "least", "answer", "wanted"),
    [
        (["sh", "hidden/check"], 1.0, "hello", (True, 1_000_000)),
        (["sh", "hidden/check"], 1.0, "bye", (False, 0)),
        (["python3", "hidden/check"], 1.0, "hello", (False, 750_000)),
        (["python3", "hidden/check"], 0.75, "hello", (True, 750_000)),
    ],
)
def test_a_program_of_ones_own_decides(probed, run, least, answer, wanted):
    files = {"hidden/check": SH if run[0] == "sh" else PY}
    found = probed("command", {"run": run, "min_share": least}, files, answer)
    assert (found.passed, found.value) == wanted, found


PAGE = (Path(__file__).resolve().parents[2] / "docs" / "own-checks.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("language", ["python", "sh"])
def test_the_programs_on_the_page_work(probed, language):
    (program,) = re.findall(rf"^```{language}\n(.*?)^```", PAGE, flags=re.MULTILINE | re.DOTALL)
    run = {"run": [{"python": "python3", "sh": "sh"}[language], "hidden/check"]}
    answers = {"Write to the registry by 31 March.": True, "Write to them soon.": False}
    for answer, holds in answers.items():
        assert probed("command", run, {"hidden/check": program}, answer).passed is holds
