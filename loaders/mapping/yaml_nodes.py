"""YAML as people write mappings: texts, lists and keys, each with its line, and nothing that could run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ...errors import SourceFileError

if TYPE_CHECKING:
    from pathlib import Path

MAX_BYTES: Final = 1_000_000
# Values of a mapping, those that aliases repeat included: a few lines of aliases can stand for billions.
MAX_NODES: Final = 20_000
_TAGS: Final = frozenset(f"tag:yaml.org,2002:{kind}" for kind in ("str", "seq", "map"))


@dataclass(frozen=True, slots=True)
class Node:
    """A value of a YAML file, a text as it is written (`no`, `1.10`), with its line and the lines of its keys."""

    value: str | list[Node] | dict[str, Node]
    line: int
    keys: dict[str, int]


def load(path: Path) -> Node:
    """Read a YAML file of texts, lists and keys, without tags, keys that stand twice, or endless aliases."""
    text = _text(path)
    import yaml

    try:
        # The base loader takes every scalar for the text it is, and builds nothing.
        root = yaml.compose(text, Loader=yaml.BaseLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        said = " ".join(part for part in (error.context, error.problem) if part)
        raise SourceFileError(f"is not valid YAML: {said}", path, mark.line + 1 if mark else 1) from error
    except yaml.YAMLError as error:
        raise SourceFileError(f"is not valid YAML: {' '.join(str(error).split())[:300]}", path, 1) from error
    except RecursionError as error:
        raise SourceFileError("is not usable YAML: nested too deep", path, 1) from error
    return _Builder(path).build(root, ()) if root else Node("", 1, {})


def _text(path: Path) -> str:
    if path.is_dir():
        raise SourceFileError("is a folder; give a .yaml file", path)
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise SourceFileError(f"cannot be read: {error.strerror}", path) from error
    if len(data) > MAX_BYTES:
        raise SourceFileError(f"is longer than {MAX_BYTES:,} bytes, which no mapping is; is it the table?", path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        byte = data[error.start]
        raise SourceFileError(f"is not UTF-8: byte 0x{byte:02X}; save the file as UTF-8", path, line) from error


class _Builder:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._count = 0

    def build(self, node: Any, above: tuple[int, ...]) -> Node:
        line = node.start_mark.line + 1
        self._count += 1
        if self._count > MAX_NODES:
            raise self._fault(f"has more than {MAX_NODES:,} values; its aliases repeat too much", line)
        if node.tag not in _TAGS:
            tag = node.tag.replace("tag:yaml.org,2002:", "!!")
            raise self._fault(f"has the tag {tag}, and tags are never followed; remove it", line)
        if id(node) in above:
            raise self._fault("has an alias that stands for something it is part of; write it out", line)
        inner = (*above, id(node))
        if isinstance(node.value, str):
            return Node(node.value, line, {})
        if node.id == "sequence":
            return Node([self.build(part, inner) for part in node.value], line, {})
        values: dict[str, Node] = {}
        keys: dict[str, int] = {}
        for key, value in node.value:
            name, at = self.build(key, inner).value, key.start_mark.line + 1
            if not isinstance(name, str):
                raise self._fault("has a key that is no text; quote it if it has braces or brackets", at)
            if name in values:
                raise self._fault(f"has the key {name!r} twice, first in line {keys[name]}; keep one", at)
            values[name], keys[name] = self.build(value, inner), at
        return Node(values, line, keys)

    def _fault(self, message: str, line: int) -> SourceFileError:
        return SourceFileError(message, self._path, line)
