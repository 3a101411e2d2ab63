"""YAML from outside: plain mappings, lists, words and numbers, nothing else, in bounded time and memory.

Of YAML only the plain data are taken, with the core schema of YAML 1.2: `null`, `true`, `false`, numbers and words. Dates
stay words; aliases, tags and repeated keys are refused, since a few bytes of them stand for any amount of work.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from poise.errors import InputError, shown
from poise.io.files import read_text

__all__ = ["compose_yaml", "line_of", "parse_yaml", "plain", "read_yaml"]

_DEEPEST = 32
_OPENS = re.compile("flow|quoted")
"""What YAML calls that which brackets and quotes enclose."""
_INTEGER = re.compile(r"[-+]?[0-9]{1,18}")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]{1,3})?")
_WORDS: dict[str, Any] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **{sign + word: float(sign + "inf") for sign in ("", "+", "-") for word in (".inf", ".Inf", ".INF")},
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
}
_FAST: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_PLAIN_TAGS = {f"tag:yaml.org,2002:{kind}" for kind in ("str", "seq", "map")}


def _refused(problem: str, at: yaml.Node) -> InputError:
    return InputError(problem, place=f"line {at.start_mark.line + 1}")


def _check(root: yaml.Node) -> None:
    """Raise `InputError` where a node is deep, tagged, or comes twice, which is what an alias is."""
    seen, waiting = set[int](), [(root, 0)]
    while waiting:
        node, depth = waiting.pop()
        if id(node) in seen:
            raise _refused("what stands here is used again by an alias (*name); write it out where it is meant", node)
        seen.add(id(node))
        if node.tag not in _PLAIN_TAGS:
            raise _refused(
                f"the tag {shown(node.tag)} is not taken; only plain numbers, words, lists and mappings", node
            )
        if depth > _DEEPEST:
            raise _refused(f"nested too deeply; at most {_DEEPEST} levels are read", node)
        for each in node.value if isinstance(node, yaml.CollectionNode) else ():
            waiting += [(part, depth + 1) for part in (each if isinstance(each, tuple) else (each,))]


def _composed(text: str) -> yaml.Node | None:
    """The nodes of a text; the slower reader is asked for what is wrong, as it says it better."""
    try:
        fast: yaml.Node | None = yaml.compose(text, Loader=_FAST)
    except yaml.YAMLError:
        slow: yaml.Node | None = yaml.compose(text, Loader=yaml.BaseLoader)
        return slow
    return fast


def compose_yaml(path: str | Path, most: int) -> yaml.Node:
    """The nodes of a YAML file, which carry their lines.

    Args:
        path: The file.
        most: How many characters it may have.

    Raises:
        InputError: The file cannot be read, is too long, is not YAML, or holds what is not plain data.
    """
    file = Path(path)
    text = read_text(file)
    if len(text) > most:
        raise InputError(f"the file has {len(text)} characters; at most {most} are read", source=file)
    node = _nodes(text, file)
    if node is None:
        raise InputError("the file holds nothing", source=file)
    return node


def parse_yaml(text: str) -> Any:
    """What a text holds, such as the value of an option; raises `InputError` where that is no plain data."""
    node = _nodes(text, None)
    return None if node is None else plain(node)


def _nodes(text: str, source: Path | None) -> yaml.Node | None:
    """The nodes of a text that hold plain data alone; see `compose_yaml`."""
    try:
        node = _composed(text)
        if node is not None:
            _check(node)
    except yaml.YAMLError as error:
        raise _not_yaml(error, source, len(text.splitlines())) from None
    except InputError as error:
        raise InputError(error.problem, source=source, place=error.place) from None
    except RecursionError:
        raise InputError("is nested too deeply", source=source) from None
    return node


def read_yaml(path: str | Path, most: int) -> Any:
    """What a YAML file holds; see `compose_yaml`."""
    node = compose_yaml(path, most)
    try:
        return plain(node)
    except InputError as error:
        raise InputError(error.problem, source=path, place=error.place) from None


def plain(node: yaml.Node) -> Any:
    """A node as dictionaries with words for keys, lists, numbers and words; raises `InputError` where a key comes twice."""
    if isinstance(node, yaml.SequenceNode):
        return [plain(each) for each in node.value]
    if isinstance(node, yaml.MappingNode):
        result: dict[str, Any] = {}
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise _refused("a key must be a word", key)
            if key.value in result:
                raise _refused(f"the key {shown(key.value)} is there twice", key)
            result[key.value] = plain(value)
        return result
    return _scalar(node)


def line_of(root: yaml.Node, place: str) -> int:
    """Line of a place such as `props.0.asset`, counted from 1, or of the last part of it that is there."""
    node, line = root, root.start_mark.line
    for part in place.split("."):
        if isinstance(node, yaml.MappingNode):
            key, below = next(((key, value) for key, value in node.value if key.value == part), (None, node))
        elif isinstance(node, yaml.SequenceNode) and part.isdigit() and int(part) < len(node.value):
            key = below = node.value[int(part)]
        else:
            break
        if key is None:
            break
        node, line = below, key.start_mark.line
    return int(line) + 1


def _scalar(node: yaml.Node) -> Any:
    text = str(node.value)
    if getattr(node, "style", None):  # quoted, or a block
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if _FLOAT.fullmatch(text) else text


def _not_yaml(error: yaml.YAMLError, file: Path | None, lines: int) -> InputError:
    """What is not YAML, and where.

    A bracket or a quote that is never closed is a fault of the line that opens it, though it shows later.
    """
    problem = getattr(error, "problem", None) or "not valid"
    seen, opened = getattr(error, "problem_mark", None), getattr(error, "context_mark", None)
    line = min(seen.line + 1, lines) if seen else None
    if problem.startswith("mapping values"):
        problem += ", or a colon is missing in the line above"
    context = str(getattr(error, "context", ""))
    if line and opened and opened.line + 1 < line and _OPENS.search(context):
        problem += f" in line {line}, {context} that is opened here"
        line = opened.line + 1
    return InputError(f"is not YAML: {problem}", source=file, place=f"line {line}" if line else None)
