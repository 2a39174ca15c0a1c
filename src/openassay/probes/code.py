"""Code from an answer: the fenced block that is meant, or the whole text where it is Python.

One block: that one. Several: the last that defines the wanted name, else the longest. No complete block: the text
itself, or what stands after a fence that was never closed, where it parses. Never puts blocks together.
"""

import ast
import re
from typing import NamedTuple

LARGEST = 200_000
"""Characters of code; no task here wants more."""
_MARK = re.compile(r"([ \t]*)(`{3,}|~{3,})(.*)")
_IN_WORDS = re.compile(r"[ \t]*([^\s`]*)")
_DEEPER = 3
"""Columns by which the end of a block may stand further in than its beginning."""
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
    """The complete fenced blocks, in order; one that stands further in, as in a list, without that indentation."""
    return _read(answer)[0]


def _read(answer: str) -> tuple[list[Block], str | None]:
    """The blocks, and what follows a fence that was never closed. One look at each line, whatever they hold."""
    found: list[Block] = []
    opened: re.Match[str] | None = None
    body: list[str] = []
    for line in answer.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        mark = _MARK.fullmatch(line)
        if opened is None:
            opened, body = mark, []
        elif mark and _closes(opened, mark):
            found.append(_block(opened, body))
            opened = None
            if len(found) == _MOST:
                break
        else:
            body.append(line)
    return found, None if opened is None else _block(opened, body).text


def _closes(opened: re.Match[str], mark: re.Match[str]) -> bool:
    fits = mark[2].startswith(opened[2]) and len(mark[1]) <= len(opened[1]) + _DEEPER
    return fits and not mark[3].strip(" \t`~")


def _block(opened: re.Match[str], body: list[str]) -> Block:
    words = _IN_WORDS.match(opened[3])
    deep = len(opened[1])
    lines = [line[min(deep, len(line) - len(line.lstrip(" \t"))) :] for line in body]
    return Block(words[1].lower() if words else "", "".join(f"{line}\n" for line in lines))


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
    candidates = _candidates(answer.removeprefix("\ufeff"), must)
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


def _candidates(answer: str, must: str | None) -> list[str]:
    if _is_code(answer):
        return [answer]  # fences in it stand in its own texts
    found, rest = _read(answer)
    named = [block.text for block in found if block.language in {"python", "py", "python3"}]
    if must is not None and not any(must in defined_names(text) for text in named):
        named = []  # the blocks that say their language may hold examples of use alone
    if found:
        return named or [block.text for block in found]
    return [] if rest is None else [rest]


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
