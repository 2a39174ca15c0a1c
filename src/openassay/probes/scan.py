"""Suspicious constructs in Python code, for people to look at. They decide nothing.

A cheat has no need of any of these words, and honest code may hold some of them.
"""

import ast

MOST = 12
_CALLS = {
    "os._exit", "sys.exit", "exit", "quit", "os.abort", "os.kill", "os.killpg", "os.fork", "os.system", "os.popen",
    "os.execv", "os.write", "atexit.register", "sys.settrace", "sys.setprofile", "sys._getframe", "inspect.stack",
    "inspect.currentframe", "gc.get_objects", "gc.get_referrers", "subprocess.run", "subprocess.Popen", "eval", "exec",
    "compile", "__import__", "importlib.import_module", "globals", "setattr", "signal.signal", "signal.alarm",
}  # fmt: skip
_MODULES = {
    "pytest", "_pytest", "unittest", "ctypes", "gc", "inspect", "atexit", "subprocess", "socket", "multiprocessing",
    "builtins", "importlib", "signal", "marshal", "pickle", "mmap", "faulthandler", "threading",
}  # fmt: skip
_WORDS = ("RESULT_FD", "/proc/", "PYTEST_", ".assay", "test_", "expected", "hidden/", "conftest", "sitecustomize")
_ALWAYS = {"__eq__", "__ne__", "__bool__", "__contains__", "__lt__", "__gt__", "__le__", "__ge__"}


def flags(code: str) -> tuple[str, ...]:
    r"""What stands out in this code, sorted; empty where nothing does.

    >>> flags("import os\nos._exit(0)")
    ('calls os._exit',)
    """
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ("does not parse",)
    found = {said for node in ast.walk(tree) if (said := _said(node))}
    return tuple(sorted(found)[:MOST])


def _said(node: ast.AST) -> str:
    for kind, rule in _RULES.items():
        if isinstance(node, kind):
            return rule(node)  # type: ignore[operator,no-any-return]
    return ""


def _call(node: ast.Call) -> str:
    name = _dotted(node.func)
    return f"calls {name}" if name in _CALLS else ""


def _import(node: ast.Import) -> str:
    named = [alias.name for alias in node.names if alias.name.split(".")[0] in _MODULES]
    return f"imports {named[0]}" if named else ""


def _import_from(node: ast.ImportFrom) -> str:
    return f"imports {node.module}" if (node.module or "").split(".")[0] in _MODULES else ""


def _constant(node: ast.Constant) -> str:
    word = next((word for word in _WORDS if isinstance(node.value, str) and word in node.value), "")
    return f"mentions {word}" if word else ""


def _attribute(node: ast.Attribute) -> str:
    name = node.attr
    if name in {"__globals__", "__code__", "__builtins__", "__subclasses__", "f_globals", "f_locals", "f_back"}:
        return f"reads {name}"
    return "reads sys.modules" if _dotted(node) == "sys.modules" else ""


def _function(node: ast.FunctionDef) -> str:
    constant = len(node.body) == 1 and isinstance(node.body[0], ast.Return)
    constant = constant and isinstance(node.body[0].value, ast.Constant)  # type: ignore[attr-defined]
    return f"{node.name} always gives the same" if node.name in _ALWAYS and constant else ""


_RULES = {
    ast.Call: _call,
    ast.Import: _import,
    ast.ImportFrom: _import_from,
    ast.Constant: _constant,
    ast.Attribute: _attribute,
    ast.FunctionDef: _function,
}


def _dotted(node: ast.AST) -> str:
    if isinstance(node, ast.Name):
        return node.id
    return f"{_dotted(node.value)}.{node.attr}" if isinstance(node, ast.Attribute) else ""
