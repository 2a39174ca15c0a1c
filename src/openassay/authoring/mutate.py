"""Small wrong versions of a solution: each differs in one place, as a slip of the hand would.

Tests that do not notice one are weak there, or the version is equivalent: it does the same. Which of the two it is,
people say. Not here: running them.
"""

import ast
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

MOST = 60
"""Wrong versions of one solution; more are thinned out evenly."""
_WORDS = 60

_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}


class Mutant(NamedTuple):
    name: str
    """Line, old and new: such as ``4: a < b -> a <= b``; what people list as equivalent."""
    source: str


class _Site(NamedTuple):
    """A place in the tree where another node could stand."""

    put: Callable[[ast.AST], None]
    node: ast.AST


def mutants(source: str, most: int = MOST) -> tuple[Mutant, ...]:
    r"""Wrong versions of a module, in the order of its lines; the same for the same source.

    >>> [one.name for one in mutants("def f(a):\n    return a < 3")][:2]
    ['2: return a < 3 -> return None', '2: a < 3 -> a <= 3']
    """
    tree = ast.parse(source)
    whole = ast.unparse(tree)
    found: dict[str, Mutant] = {}
    for site in _sites(tree):
        before = ast.unparse(site.node)
        for replacement in _replacements(site.node):
            site.put(ast.copy_location(replacement, site.node))
            text = ast.unparse(ast.fix_missing_locations(tree))
            site.put(site.node)
            if text != whole and text not in found:
                line = getattr(site.node, "lineno", 0)
                found[text] = Mutant(f"{line}: {_cut(before)} -> {_cut(ast.unparse(replacement))}", text)
    every = list(found.values())
    step = max(1, -(-len(every) // most))
    return tuple(every[::step])


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _WORDS else f"{line[: _WORDS - 1]}…"


def _sites(tree: ast.AST) -> Iterator[_Site]:
    """Every place below a node, but for docstrings, annotations, imports and what an error says."""
    for name, value in ast.iter_fields(tree):
        if name in {"annotation", "returns", "decorator_list", "type_params"} or isinstance(tree, ast.Raise):
            continue
        children = value if isinstance(value, list) else [value]
        for number, child in enumerate(children):
            if not isinstance(child, ast.AST) or _is_left_alone(child):
                continue
            yield _Site(_putter(tree, name, value, number), child)
            yield from _sites(child)


def _putter(parent: ast.AST, name: str, value: Any, number: int) -> Callable[[ast.AST], None]:
    def put(node: ast.AST) -> None:
        if isinstance(value, list):
            value[number] = node
        else:
            setattr(parent, name, node)

    return put


def _is_left_alone(node: ast.AST) -> bool:
    if isinstance(node, ast.Import | ast.ImportFrom):
        return True
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _replacements(node: ast.AST) -> Iterator[ast.AST]:
    for kind, rule in _RULES.items():
        if isinstance(node, kind):
            yield from rule(node)


def _compare(node: ast.Compare) -> Iterator[ast.AST]:
    for place, op in enumerate(node.ops):
        for other in _COMPARISONS[type(op)]:
            ops = [*node.ops[:place], other(), *node.ops[place + 1 :]]
            yield ast.Compare(left=node.left, ops=ops, comparators=node.comparators)


def _binary(node: ast.BinOp) -> Iterator[ast.AST]:
    if type(node.op) in _ARITHMETIC:
        yield ast.BinOp(left=node.left, op=_ARITHMETIC[type(node.op)](), right=node.right)


def _augmented(node: ast.AugAssign) -> Iterator[ast.AST]:
    if type(node.op) in _ARITHMETIC:
        yield ast.AugAssign(target=node.target, op=_ARITHMETIC[type(node.op)](), value=node.value)
    yield ast.Pass()


def _boolean(node: ast.BoolOp) -> Iterator[ast.AST]:
    yield ast.BoolOp(op=ast.Or() if isinstance(node.op, ast.And) else ast.And(), values=node.values)


def _unary(node: ast.UnaryOp) -> Iterator[ast.AST]:
    if isinstance(node.op, ast.Not | ast.USub):
        yield node.operand


def _constant(node: ast.Constant) -> Iterator[ast.AST]:
    if isinstance(node.value, bool):
        yield ast.Constant(value=not node.value)
    elif isinstance(node.value, int | float):
        yield ast.Constant(value=node.value + 1)
        yield ast.Constant(value=node.value - 1)
    elif isinstance(node.value, str):
        yield ast.Constant(value=node.value[:-1] if len(node.value) > 1 else f"{node.value}_")


def _condition(node: ast.If | ast.IfExp | ast.While) -> Iterator[ast.AST]:
    negated = ast.UnaryOp(op=ast.Not(), operand=node.test)
    if isinstance(node, ast.IfExp):
        yield ast.IfExp(test=negated, body=node.body, orelse=node.orelse)
    else:
        yield type(node)(test=negated, body=node.body, orelse=node.orelse)


def _returned(node: ast.Return) -> Iterator[ast.AST]:
    if node.value is not None and not (isinstance(node.value, ast.Constant) and node.value.value is None):
        yield ast.Return(value=ast.Constant(value=None))


def _removed(_node: ast.AST) -> Iterator[ast.AST]:
    yield ast.Pass()


def _call(node: ast.Call) -> Iterator[ast.AST]:
    """`range` one further."""
    if isinstance(node.func, ast.Name) and node.func.id == "range" and node.args:
        last = len(node.args[:2]) - 1
        further = ast.BinOp(left=node.args[last], op=ast.Add(), right=ast.Constant(value=1))
        yield ast.Call(
            func=node.func, args=[*node.args[:last], further, *node.args[last + 1 :]], keywords=node.keywords
        )


def _slice(node: ast.Slice) -> Iterator[ast.AST]:
    """One end of a slice moved by one."""
    one = ast.Constant(value=1)
    if node.lower is not None:
        yield ast.Slice(lower=ast.BinOp(left=node.lower, op=ast.Add(), right=one), upper=node.upper, step=node.step)
    if node.upper is not None:
        yield ast.Slice(lower=node.lower, upper=ast.BinOp(left=node.upper, op=ast.Add(), right=one), step=node.step)


_RULES: dict[type[ast.AST], Callable[[Any], Iterator[ast.AST]]] = {
    ast.Return: _returned,
    ast.Compare: _compare,
    ast.BinOp: _binary,
    ast.AugAssign: _augmented,
    ast.BoolOp: _boolean,
    ast.UnaryOp: _unary,
    ast.Constant: _constant,
    ast.If: _condition,
    ast.IfExp: _condition,
    ast.While: _condition,
    ast.Expr: _removed,
    ast.Assign: _removed,
    ast.Break: _removed,
    ast.Continue: _removed,
    ast.Raise: _removed,
    ast.Call: _call,
    ast.Slice: _slice,
}
