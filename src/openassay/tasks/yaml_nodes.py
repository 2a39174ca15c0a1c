"""YAML as plain as JSON, with line numbers.

Only maps, lists and scalars: anchors, merges, tags and keys given twice are refused. Scalars follow JSON, not YAML 1.1:
``no`` is text and not false, ``12:30`` and ``2024-01-05`` are text and not numbers or dates, ``007`` keeps its zeros.
``1e5`` is text too, as an id may look like that; a numeric reference may still be written so.
"""

import re
from typing import Any, cast

import yaml

from openassay.tasks.values import check, number

MOST_DEPTH = 200
_OPENS = (
    yaml.FlowSequenceStartToken,
    yaml.FlowMappingStartToken,
    yaml.BlockSequenceStartToken,
    yaml.BlockMappingStartToken,
)
_CLOSES = (yaml.FlowSequenceEndToken, yaml.FlowMappingEndToken, yaml.BlockEndToken)
_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?")
_WORDS = {"true": True, "false": False, "null": None, "~": None, "": None}


class YamlFault(Exception):  # noqa: N818 - carried to the reader, which makes a Fault of it
    """Why a text is refused, and at which line."""

    def __init__(self, what: str, line: int | None, todo: str = "correct the YAML at this line") -> None:
        super().__init__(what)
        self.what, self.line, self.todo = what, line, todo


class _Loader(yaml.SafeLoader):
    """Resolves no scalar by itself: `_scalar` does."""

    yaml_implicit_resolvers: dict[str, Any] = {}


def read_list(text: str) -> list[tuple[Any, int, dict[str, int]]]:
    """Each entry of the top list, its line, and the lines of its keys; YamlFault where that cannot be."""
    root = _compose(text)
    if root is None:
        return []
    if not isinstance(root, yaml.SequenceNode):
        msg = "expected a list of items, each starting with '- id: ...'"
        raise YamlFault(msg, root.start_mark.line + 1)
    return [(_checked(node), node.start_mark.line + 1, _key_lines(node)) for node in root.value]


def _compose(text: str) -> yaml.Node | None:
    try:
        depth = 0
        for token in yaml.scan(text, Loader=_Loader):
            depth += isinstance(token, _OPENS) - isinstance(token, _CLOSES)
            if depth > MOST_DEPTH:  # here, since the time PyYAML takes grows with the square of the depth
                raise YamlFault("nested too deeply", token.start_mark.line + 1)
            if isinstance(token, yaml.AnchorToken | yaml.AliasToken | yaml.TagToken):
                kind = type(token).__name__.removesuffix("Token").lower()
                raise YamlFault(f"a YAML {kind} is refused", token.start_mark.line + 1, "write the value out")
        node: yaml.Node | None = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        raise YamlFault(f"not valid YAML: {error.problem}", line) from error
    except yaml.YAMLError as error:
        raise YamlFault("not valid YAML: a character that YAML does not allow", None) from error
    except RecursionError as error:
        raise YamlFault("nested too deeply", None) from error
    return node


def _checked(node: yaml.Node) -> Any:
    value = _value(node)
    try:
        check(value)
    except ValueError as error:
        raise YamlFault(str(error), node.start_mark.line + 1) from error
    return value


def _value(node: yaml.Node) -> Any:
    if isinstance(node, yaml.MappingNode):
        return _mapping(node)
    if isinstance(node, yaml.SequenceNode):
        return [_value(inner) for inner in node.value]
    return _scalar(cast("yaml.ScalarNode", node))


def _mapping(node: yaml.MappingNode) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in node.value:
        line = key.start_mark.line + 1
        if not isinstance(key, yaml.ScalarNode):
            raise YamlFault("expected a name before the colon", line)
        if key.value in found:
            raise YamlFault(f"the key {key.value!r} stands twice", line, "keep one of them")
        found[key.value] = _value(value)
    return found


def _scalar(node: yaml.ScalarNode) -> Any:
    written = str(node.value)
    if node.style is not None:
        return written
    if written in _WORDS:
        return _WORDS[written]
    if not _NUMBER.fullmatch(written):
        return written
    try:
        return number(written)
    except ValueError as error:
        raise YamlFault(str(error), node.start_mark.line + 1) from error


def _key_lines(node: yaml.Node) -> dict[str, int]:
    if not isinstance(node, yaml.MappingNode):
        return {}
    return {str(key.value): key.start_mark.line + 1 for key, _ in node.value}
