"""Code from an answer: the fenced block that is meant, or the whole text where it is Python.

One block: that one. Several: the last that defines the wanted name, else the longest. No complete block: the text
itself, or what stands after a fence that was never closed, where it parses. Never puts blocks together.
"""

import ast
import re
from typing import NamedTuple

LARGEST = 200_000
"""Characters of code; no task here wants more."""
_FENCE = re.compile(
    r"^[ \t]{0,3}(`{3,}|~{3,})[ \t]*([^\s`]*)[^\n]*\n(.*?)^[ \t]{0,3}\1[`~]*[ \t]*$", re.MULTILINE | re.DOTALL
)
_OPEN = re.compile(r"^[ \t]{0,3}(`{3,}|~{3,})[ \t]*[^\s`]*[^\n]*\n", re.MULTILINE)
_MOST = 200
"""Blocks looked at."""


class Code(NamedTuple):
    text: str
    """Empty where there is none."""
    why: str = ""
    """Why there is none, or it cannot be run."""


class Block(NamedTuple):
    language: str
    text: str


def blocks(answer: str) -> list[Block]:
    """The complete fenced blocks, in order."""
    lines = answer.replace("\r\n", "\n").replace("\r", "\n")
    if not lines.endswith("\n"):
        lines += "\n"
    found: list[Block] = []
    for match in _FENCE.finditer(lines):
        found.append(Block(match[2].lower(), match[3]))
        if len(found) == _MOST:
            break
    return found


def python_code(answer: str, must: str | None = None, likely: frozenset[str] = frozenset()) -> Code:
    r"""The Python code that an answer holds.

    Args:
        answer: the whole text.
        must: function or class that the code must define; None where any code will do.
        likely: names that tell the wanted block from others: the one that defines most of them is taken.

    >>> python_code("Here:\n```python\ndef f():\n    return 1\n```", "f").text
    'def f():\n    return 1\n'
    """
    if len(answer) > LARGEST:
        return Code("", f"the answer has {len(answer)} characters, more than {LARGEST}")
    candidates = _candidates(answer)
    if not candidates:
        return Code("", "the answer holds no code block, and is no Python code itself")
    parsed = [(text, defined(tree)) for text in candidates if (tree := _parsed(text)) is not None]
    if not parsed:
        return Code("", f"the code does not parse: {_trouble(candidates[-1])}")
    if must is None:
        return Code(max(parsed, key=lambda one: (len(likely & one[1]), len(one[0])))[0])
    defining = [text for text, names in parsed if must in names]
    if not defining:
        return Code("", f"the code does not define {must!r}")
    return Code(defining[-1])


def last_block(answer: str) -> str:
    """The last complete fenced block, else the whole text."""
    found = blocks(answer)
    return found[-1].text if found else answer


def _candidates(answer: str) -> list[str]:
    found = blocks(answer)
    named = [block.text for block in found if block.language in {"python", "py", "python3"}]
    if named or found:
        return named or [block.text for block in found]
    if opened := _OPEN.search(answer):
        return [answer[opened.end() :]]
    return [answer] if _parsed(answer) is not None and _is_code(answer) else []


def _is_code(text: str) -> bool:
    """A single word or number parses too, and is no program."""
    tree = _parsed(text)
    return tree is not None and any(not isinstance(line, ast.Expr) for line in tree.body)


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _trouble(text: str) -> str:
    try:
        ast.parse(text)
    except SyntaxError as error:
        return f"line {error.lineno}: {error.msg}"
    except (ValueError, RecursionError, MemoryError) as error:
        return type(error).__name__
    return ""


def defined_names(code: str) -> frozenset[str]:
    """Names that a module's text defines at its top level; none where it does not parse."""
    tree = _parsed(code)
    return frozenset(defined(tree)) if tree else frozenset()


def defined(tree: ast.Module) -> set[str]:
    """Names that a module's top level defines, imports or assigns, also inside `if`, `try`, `for` and `with`."""
    names: set[str] = set()
    todo: list[ast.AST] = list(tree.body)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
            continue
        if isinstance(node, ast.Import | ast.ImportFrom):
            names |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        todo += ast.iter_child_nodes(node)
    return names
